//! Bringing what is open to its end, and beginning nothing: what an interrupt of a session without an owner is for.

use onward_core::{Input, NewTurns};

use super::commit::Extent;
use super::{Owner, OwnerError};
use crate::effects::Outcome;

impl Owner {
    /// From here on [`Owner::drive`] brings the open turn to its end and begins no other; what waits is kept.
    pub fn begin_nothing(&mut self) {
        self.new_turns = NewTurns::Wait;
    }

    /// Takes up the next run that was left in the middle, as an open turn in which nothing has begun; false when there is
    /// none. An interrupt is about an open turn: one that was paused is opened for it.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub async fn take_up(&mut self) -> Result<bool, OwnerError> {
        self.catch_up().await?;
        let new_turns = std::mem::replace(&mut self.new_turns, NewTurns::Begin);
        let mut result = Ok(());
        while result.is_ok() && self.has_left_run() {
            // One transition at a time: what the model is still to be told comes before the turn.
            result = self.record(Outcome::input(Input::Advance), Extent::Input).await;
        }
        self.new_turns = new_turns;
        result.map(|()| self.session.turn().is_some())
    }

    fn has_left_run(&self) -> bool {
        let mut left = self.session.continuations().iter();
        self.session.turn().is_none() && left.any(|left| left.blocked_on.is_empty())
    }
}
