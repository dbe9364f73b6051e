//! The pieces of a reply: a secret that is split over several is found all the same.

use onward_port::{ModelDelta, RedactedStream, Redactor};

/// Redacts the pieces of one reply. What a piece may be the beginning of is shown with a later one, so words may follow
/// thoughts that came after them; within its kind each text keeps its order.
pub(crate) struct RedactedDeltas {
    redactor: Redactor,
    text: RedactedStream,
    reasoning: RedactedStream,
    arguments: RedactedStream,
}

impl RedactedDeltas {
    pub(crate) fn new(redactor: &Redactor) -> Self {
        let stream = || redactor.stream();
        Self { redactor: redactor.clone(), text: stream(), reasoning: stream(), arguments: stream() }
    }

    /// Takes a piece; gives what can be shown of it.
    pub(crate) fn push(&mut self, delta: ModelDelta) -> Vec<ModelDelta> {
        match delta {
            ModelDelta::Text(text) => shown(ModelDelta::Text, self.text.push(&text)),
            ModelDelta::Reasoning(text) => shown(ModelDelta::Reasoning, self.reasoning.push(&text)),
            ModelDelta::Arguments(text) => shown(ModelDelta::Arguments, self.arguments.push(&text)),
            ModelDelta::Call { name } => {
                // The arguments of the call before are complete.
                let mut pieces = shown(ModelDelta::Arguments, self.arguments.finish());
                pieces.push(ModelDelta::Call { name: self.redactor.string(name) });
                pieces
            }
        }
    }

    /// What was held back, when nothing more comes.
    pub(crate) fn finish(&mut self) -> Vec<ModelDelta> {
        let mut pieces = shown(ModelDelta::Reasoning, self.reasoning.finish());
        pieces.extend(shown(ModelDelta::Text, self.text.finish()));
        pieces.extend(shown(ModelDelta::Arguments, self.arguments.finish()));
        pieces
    }
}

fn shown(kind: fn(String) -> ModelDelta, text: String) -> Vec<ModelDelta> {
    if text.is_empty() { Vec::new() } else { vec![kind(text)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onward_port::{NamedSecret, Secret};

    #[test]
    fn a_secret_in_pieces_is_never_shown() {
        let value = Secret::new("sk-1234567890".into());
        let redactor = Redactor::new([NamedSecret { name: "KEY".into(), value }]);
        let mut deltas = RedactedDeltas::new(&redactor);
        let mut shown = Vec::new();
        for piece in ["it is sk-1", "2345"] {
            shown.extend(deltas.push(ModelDelta::Text(piece.into())));
            shown.extend(deltas.push(ModelDelta::Arguments(piece.into())));
        }
        shown.extend(deltas.push(ModelDelta::Text("67890, no".into())));
        shown.extend(deltas.push(ModelDelta::Call { name: "shell".into() }));
        shown.extend(deltas.push(ModelDelta::Reasoning("thus".into())));
        shown.extend(deltas.finish());
        let text = |text: &str| ModelDelta::Text(text.into());
        let arguments = |text: &str| ModelDelta::Arguments(text.into());
        let expected = [
            text("it is "),
            arguments("it is "),
            arguments("[secret:KEY]"),
            ModelDelta::Call { name: "shell".into() },
            ModelDelta::Reasoning("thu".into()),
            ModelDelta::Reasoning("s".into()),
            // Behind a secret more of a dump may come, so that this was held back.
            text("[secret:KEY], no"),
        ];
        assert_eq!(shown, expected);
    }
}
