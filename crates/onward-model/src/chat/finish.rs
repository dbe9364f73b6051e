//! How a stream ended, in one vocabulary for all servers.

use onward_event::{ErrorClass, FinishReason};

/// What a `finish_reason` means: an end of the answer, or a failure that the server dresses as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    /// The answer is whole, or whole up to a limit.
    Ended(FinishReason),
    /// The server gave up in the middle.
    GaveUp(ErrorClass),
}

/// What stands beside the finish reason.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub(super) calls: bool,
    pub(super) refusal: bool,
}

impl Finish {
    /// Reads a finish reason in the light of the content: several servers say `stop` although there are calls, and a
    /// refusal ends with `stop` as well. A word that nobody knows counts as `stop`.
    pub(super) fn of(word: &str, content: Content) -> Self {
        let reason = match word {
            "length" | "max_tokens" | "model_length" | "MAX_TOKENS" => FinishReason::Length,
            "content_filter" | "SAFETY" | "PROHIBITED_CONTENT" => FinishReason::ContentFilter,
            "refusal" => FinishReason::Refusal,
            "insufficient_system_resource" => return Self::GaveUp(ErrorClass::Overloaded),
            "error" | "abort" | "aborted" | "cancelled" => return Self::GaveUp(ErrorClass::Server),
            _ if content.refusal => FinishReason::Refusal,
            _ if content.calls => FinishReason::ToolCalls,
            // With nothing to call, that is for the runtime to judge.
            "tool_calls" | "tool_use" => FinishReason::ToolCalls,
            _ => FinishReason::Stop,
        };
        Self::Ended(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_the_light_of_the_content() {
        use FinishReason::{ContentFilter, Length, Refusal, Stop, ToolCalls};
        let words = Content { calls: false, refusal: false };
        let calls = Content { calls: true, refusal: false };
        let refusal = Content { calls: false, refusal: true };
        for (word, content, expect) in [
            ("stop", words, Stop),
            ("stop", calls, ToolCalls),
            ("stop", refusal, Refusal),
            ("tool_calls", calls, ToolCalls),
            ("tool_calls", words, ToolCalls),
            ("function_call", words, Stop),
            ("length", calls, Length),
            ("content_filter", refusal, ContentFilter),
            ("a word of tomorrow", words, Stop),
            ("a word of tomorrow", calls, ToolCalls),
        ] {
            assert_eq!(Finish::of(word, content), Finish::Ended(expect), "{word}");
        }
        assert_eq!(Finish::of("error", calls), Finish::GaveUp(ErrorClass::Server));
    }
}
