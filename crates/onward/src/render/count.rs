//! Numbers with their nouns.

/// So many of something, as in `1 record` and `2 records`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
