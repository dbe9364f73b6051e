//! The question whether a call may run, answered by number. Anything else neither approves nor rejects.

use onward_event::{ApprovalRequested, ApprovalScope, ApprovalVerdict};

use super::{After, Conversation};
use crate::compose::store_error;
use crate::error::CliError;
use crate::render::{Screen, printable, prompt, question_lines, say};
use crate::signals::Asked;

const CHOICES: &str = "  1 once   2 for this session   3 reject   4 reject with words";

impl Conversation {
    /// Asks until there is an answer, or somebody else has given one.
    pub(super) async fn ask(&mut self, asked: &ApprovalRequested) -> Result<After, CliError> {
        if self.unseen.remove(&asked.approval)
            && let Some(Screen::Conversation(progress)) = &mut self.screen
        {
            question_lines(asked).iter().for_each(|line| progress.line(line));
        }
        say!("{CHOICES}");
        let mut words: Option<String> = None;
        self.lines.forget_typed_ahead();
        loop {
            prompt!("{}: ", printable(&asked.tool));
            let line = tokio::select! {
                line = self.lines.next() => line,
                () = self.owner.wait_for_news() => return Ok(After::GoOn),
                asked = self.signals.next() => match asked {
                    Asked::End => return Ok(After::Leave),
                    Asked::Interrupt => {
                        self.app.client.interrupt(self.session).await.map_err(store_error)?;
                        return Ok(After::GoOn);
                    }
                },
            };
            let Some(line) = line else { return Ok(After::Leave) };
            let (verdict, scope, feedback) = match (line.trim(), words.take()) {
                ("1", _) => (ApprovalVerdict::Approve, ApprovalScope::Once, None),
                ("2", _) => (ApprovalVerdict::Approve, ApprovalScope::Session, None),
                ("3", _) => (ApprovalVerdict::Reject, ApprovalScope::Once, None),
                ("4", Some(words)) => (ApprovalVerdict::Reject, ApprovalScope::Once, Some(words)),
                ("4", None) => {
                    prompt!("words for the model: ");
                    let feedback = self.lines.next().await;
                    (ApprovalVerdict::Reject, ApprovalScope::Once, feedback)
                }
                ("", kept) => {
                    words = kept;
                    continue;
                }
                (other, _) => {
                    say!(
                        "that is no answer, and nothing was decided: type 1, 2, 3 or 4. 4 rejects, with these words"
                    );
                    words = Some(other.to_owned());
                    continue;
                }
            };
            let (client, session) = (&self.app.client, self.session);
            client.resolve(session, asked.approval, verdict, scope, feedback).await.map_err(store_error)?;
            return Ok(After::GoOn);
        }
    }
}
