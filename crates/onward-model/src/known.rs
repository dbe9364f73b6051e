//! What is known about models by their names: hosted ones, whose limits are the provider's. A local server's window is
//! what it was started with, so nothing is assumed about those.

use onward_port::Capabilities;

/// The beginnings of names, the more particular before the more general, with window and output in tokens.
const KNOWN: &[(&str, u64, u64)] = &[
    ("gpt-3.5-turbo", 16_385, 4_096),
    ("gpt-4-turbo", 128_000, 4_096),
    ("gpt-4o", 128_000, 16_384),
    ("gpt-4.1", 1_047_576, 32_768),
    ("gpt-5", 400_000, 128_000),
    ("o1", 200_000, 100_000),
    ("o3", 200_000, 100_000),
    ("o4-mini", 200_000, 100_000),
    ("claude-3-haiku", 200_000, 4_096),
    ("claude-3-opus", 200_000, 4_096),
    ("claude-3", 200_000, 8_192),
    ("claude-opus-4", 200_000, 32_000),
    ("claude-sonnet-4", 200_000, 64_000),
    ("claude-haiku-4", 200_000, 64_000),
    ("gemini-2.5", 1_048_576, 65_536),
    ("deepseek-chat", 128_000, 8_192),
    ("deepseek-reasoner", 128_000, 65_536),
];

/// What is known about a model of this name; a provider's prefix (`openai/gpt-5`) is looked behind.
pub fn known_capabilities(model: &str) -> Capabilities {
    let name = model.rsplit('/').next().unwrap_or(model);
    match KNOWN.iter().find(|(start, ..)| begins(name, start)) {
        Some((_, context_window, max_output)) => {
            Capabilities { context_window: Some(*context_window), max_output: Some(*max_output) }
        }
        None => Capabilities::default(),
    }
}

/// Whether the name is this, or this with something behind it that is no longer word: `o1-mini`, not `o1x`.
fn begins(name: &str, start: &str) -> bool {
    name.strip_prefix(start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_the_beginning_of_their_names() {
        let window = |name| known_capabilities(name).context_window;
        assert_eq!(window("gpt-4o-2024-11-20"), Some(128_000));
        assert_eq!(window("openai/gpt-5-mini"), Some(400_000));
        assert_eq!(window("anthropic/claude-sonnet-4.5"), Some(200_000));
        for unknown in ["qwen3", "gpt-4omni", "o1x", "", "llama3.1:8b"] {
            assert_eq!(window(unknown), None, "{unknown}");
        }
    }
}
