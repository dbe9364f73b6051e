//! Tool calls out of their pieces.
//!
//! The protocol sends a call as pieces that share an `index`: the first with id and name, the others with stretches of
//! the arguments. Servers in use also leave the index out, send whole calls in one piece, give every call the index
//! 0, repeat id and name with every piece, send them late or in pieces, and leave ids out. What is certain is that
//! the arguments of a call are one JSON object; so where the other signs contradict one another, a piece with a name
//! begins another call exactly when the arguments so far are whole.

use onward_port::{ModelDelta, RawCall};
use serde::de::IgnoredAny;

use super::wire::CallDelta;

/// How many calls one reply may make.
pub(super) const MAX_CALLS: usize = 256;

/// More calls than one reply may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyCalls;

/// The calls so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    /// The call that `on_delta` heard of last, and whose arguments it may be told.
    announced: Option<usize>,
}

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

struct Piece {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Adds a piece.
    pub(super) fn add(
        &mut self,
        delta: CallDelta,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<(), TooManyCalls> {
        let piece = Piece::from(delta);
        let at = match self.continued_by(&piece) {
            Some(at) => at,
            None if self.calls.len() == MAX_CALLS => return Err(TooManyCalls),
            None => {
                self.calls.push(Call { index: piece.index, ..Call::default() });
                self.calls.len() - 1
            }
        };
        let arguments = self.calls[at].absorb(piece);
        self.tell(at, arguments, on_delta);
        Ok(())
    }

    /// The calls, in the order of their indices if they have any. Every call gets an id that no other call of this
    /// reply has, because its answer is paired with it by that, and arguments where the server sent none.
    pub(super) fn finish(mut self) -> Vec<RawCall> {
        if self.calls.iter().all(|call| call.index.is_some()) {
            self.calls.sort_by_key(|call| call.index);
        }
        let mut out: Vec<RawCall> = Vec::with_capacity(self.calls.len());
        for (n, call) in self.calls.into_iter().enumerate() {
            let taken = call.id.is_empty() || out.iter().any(|other| other.id == call.id);
            let id = if taken { format!("{}call_{n}", call.id) } else { call.id };
            let arguments = if call.arguments.trim().is_empty() { "{}".into() } else { call.arguments };
            out.push(RawCall { id, name: call.name, arguments });
        }
        out
    }

    /// The call that the piece belongs to; `None` when it begins another.
    fn continued_by(&self, piece: &Piece) -> Option<usize> {
        let last = self.calls.len().checked_sub(1);
        let found = match piece.index {
            Some(_) => self.calls.iter().rposition(|call| call.index == piece.index),
            None if piece.id.is_empty() => last,
            None => self.calls.iter().rposition(|call| call.id == piece.id).or(last),
        };
        found.filter(|at| !self.calls[*at].is_ended_by(piece))
    }

    /// Tells a watcher: the call as soon as its name is known to be whole, which is when its arguments begin.
    fn tell(&mut self, at: usize, arguments: String, on_delta: &mut (dyn FnMut(ModelDelta) + Send)) {
        if arguments.is_empty() {
            return;
        }
        if self.announced.is_none_or(|announced| announced < at) {
            self.announced = Some(at);
            on_delta(ModelDelta::Call { name: self.calls[at].name.clone() });
        }
        // A piece for an earlier call would be shown with the wrong one.
        if self.announced == Some(at) {
            on_delta(ModelDelta::Arguments(arguments));
        }
    }
}

impl Call {
    fn is_ended_by(&self, piece: &Piece) -> bool {
        if !piece.id.is_empty() && piece.id == self.id {
            return false;
        }
        let other_id = !piece.id.is_empty() && !self.id.is_empty();
        let both_named = !piece.name.is_empty() && !self.name.is_empty();
        let begins_anew = both_named && self.has_whole_arguments() && !piece.arguments.is_empty();
        match piece.index {
            Some(_) => begins_anew || (other_id && both_named && self.has_whole_arguments()),
            None => other_id || begins_anew || (both_named && piece.name != self.name),
        }
    }

    fn has_whole_arguments(&self) -> bool {
        self.arguments.trim_start().starts_with('{')
            && serde_json::from_str::<IgnoredAny>(&self.arguments).is_ok()
    }

    /// Adds the piece and gives back its arguments.
    fn absorb(&mut self, piece: Piece) -> String {
        let may_grow = self.arguments.is_empty();
        if self.id.is_empty() || (may_grow && self.id != piece.id) {
            self.id.push_str(&piece.id);
        }
        if self.name.is_empty() || (may_grow && self.name != piece.name) {
            self.name.push_str(&piece.name);
        }
        self.arguments.push_str(&piece.arguments);
        piece.arguments
    }
}

impl From<CallDelta> for Piece {
    fn from(delta: CallDelta) -> Self {
        let function = delta.function.unwrap_or_default();
        let arguments = function.arguments();
        let name = function.name.unwrap_or_default();
        Self { index: delta.index, id: delta.id.unwrap_or_default(), name, arguments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assemble(pieces: &[&str]) -> (Vec<RawCall>, Vec<ModelDelta>) {
        let mut calls = Calls::default();
        let mut deltas = Vec::new();
        for piece in pieces {
            calls.add(serde_json::from_str(piece).unwrap(), &mut |delta| deltas.push(delta)).unwrap();
        }
        (calls.finish(), deltas)
    }

    #[track_caller]
    fn check(pieces: &[&str], expect: &[(&str, &str, &str)]) {
        let (calls, _) = assemble(pieces);
        let got: Vec<_> =
            calls.iter().map(|c| (c.id.as_str(), c.name.as_str(), c.arguments.as_str())).collect();
        assert_eq!(got, expect);
    }

    #[test]
    fn as_the_protocol_says() {
        check(
            &[
                r#"{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}"#,
                r#"{"index":0,"function":{"arguments":"{\"p\":"}}"#,
                r#"{"index":1,"id":"b","type":"function","function":{"name":"read","arguments":""}}"#,
                r#"{"index":0,"function":{"arguments":"1}"}}"#,
                r#"{"index":1,"function":{"arguments":"{}"}}"#,
            ],
            &[("a", "read", r#"{"p":1}"#), ("b", "read", "{}")],
        );
    }

    #[test]
    fn id_and_name_late_repeated_or_in_pieces() {
        check(
            &[
                r#"{"index":0,"function":{"name":"re"}}"#,
                r#"{"index":0,"id":"call_","function":{"name":"ad"}}"#,
                r#"{"index":0,"id":"7"}"#,
                r#"{"index":0,"function":{"arguments":"{}"}}"#,
            ],
            &[("call_7", "read", "{}")],
        );
        check(
            &[
                r#"{"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\""}}"#,
                r#"{"index":0,"id":"a","function":{"name":"read","arguments":":1}"}}"#,
                r#"{"index":0,"id":"a","function":{"name":"read","arguments":""}}"#,
            ],
            &[("a", "read", r#"{"p":1}"#)],
        );
        check(
            &[r#"{"index":0,"function":{"name":"read","arguments":"{}"}}"#, r#"{"index":0,"id":"late"}"#],
            &[("late", "read", "{}")],
        );
    }

    #[test]
    fn without_an_index() {
        check(
            &[
                r#"{"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}"#,
                r#"{"id":"b","function":{"name":"read","arguments":"{\"p\":2}"}}"#,
            ],
            &[("a", "read", r#"{"p":1}"#), ("b", "read", r#"{"p":2}"#)],
        );
        check(
            &[
                r#"{"function":{"name":"read","arguments":{"p":1}}}"#,
                r#"{"function":{"name":"read","arguments":{"p":2}}}"#,
                r#"{"function":{"name":"list","arguments":null}}"#,
            ],
            &[("call_0", "read", r#"{"p":1}"#), ("call_1", "read", r#"{"p":2}"#), ("call_2", "list", "{}")],
        );
        check(
            &[
                r#"{"id":"a","function":{"name":"read","arguments":"{\"p\""}}"#,
                r#"{"function":{"arguments":":1}"}}"#,
                r#"{"id":"a","function":{"name":"read"}}"#,
            ],
            &[("a", "read", r#"{"p":1}"#)],
        );
    }

    #[test]
    fn every_call_with_index_zero() {
        check(
            &[
                r#"{"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}"#,
                r#"{"index":0,"id":"b","function":{"name":"read","arguments":"{\"p\":2}"}}"#,
            ],
            &[("a", "read", r#"{"p":1}"#), ("b", "read", r#"{"p":2}"#)],
        );
        check(
            &[
                r#"{"index":0,"function":{"name":"read","arguments":"{}"}}"#,
                r#"{"index":0,"function":{"name":"list","arguments":"{}"}}"#,
            ],
            &[("call_0", "read", "{}"), ("call_1", "list", "{}")],
        );
    }

    #[test]
    fn ids_are_unique_within_a_reply_and_the_order_is_that_of_the_indices() {
        check(
            &[
                r#"{"index":1,"id":"x","function":{"name":"b","arguments":"{}"}}"#,
                r#"{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}"#,
            ],
            &[("x", "a", "{}"), ("xcall_1", "b", "{}")],
        );
    }

    #[test]
    fn watchers_hear_of_a_call_once_its_name_is_whole() {
        let (_, deltas) = assemble(&[
            r#"{"index":0,"function":{"name":"re"}}"#,
            r#"{"index":0,"function":{"name":"ad"}}"#,
            r#"{"index":0,"function":{"arguments":"{"}}"#,
            r#"{"index":1,"function":{"name":"list","arguments":"{}"}}"#,
            r#"{"index":0,"function":{"arguments":"}"}}"#,
        ]);
        let expect = [
            ModelDelta::Call { name: "read".into() },
            ModelDelta::Arguments("{".into()),
            ModelDelta::Call { name: "list".into() },
            ModelDelta::Arguments("{}".into()),
        ];
        assert_eq!(deltas, expect);
    }

    #[test]
    fn the_number_of_calls_is_limited() {
        let mut calls = Calls::default();
        for index in 0..MAX_CALLS as u64 {
            let delta = CallDelta { index: Some(index), ..CallDelta::default() };
            assert_eq!(calls.add(delta, &mut |_| {}), Ok(()));
        }
        let one_more = CallDelta { index: Some(9999), ..CallDelta::default() };
        assert_eq!(calls.add(one_more, &mut |_| {}), Err(TooManyCalls));
    }
}
