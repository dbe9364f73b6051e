//! What a provider reports about tokens, read as leniently as the rest: a wrong number must not cost an answer.

use onward_event::{Usage, UsageSource};
use serde_json::Value;

/// The numbers of a `usage` object; `None` when it has neither of the two that matter.
pub(super) fn read(usage: &Value) -> Option<Usage> {
    let input = count(usage.get("prompt_tokens"));
    let output = count(usage.get("completion_tokens"));
    if input.is_none() && output.is_none() {
        return None;
    }
    let input = input.unwrap_or_default();
    let cached = count(usage.pointer("/prompt_tokens_details/cached_tokens"))
        .or_else(|| count(usage.get("prompt_cache_hit_tokens")))
        .or_else(|| count(usage.get("cached_tokens")))
        .unwrap_or_default();
    Some(Usage {
        input,
        cached: cached.min(input),
        output: output.unwrap_or_default(),
        cost_micros: 0,
        source: UsageSource::Reported,
    })
}

/// A count, which some servers write as `12.0`.
fn count(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| {
        let number = value.as_f64().filter(|number| *number >= 0.0)?;
        // Saturates, and the fraction of a token is none.
        Some(number as u64)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reported(input: u64, cached: u64, output: u64) -> Option<Usage> {
        Some(Usage { input, cached, output, cost_micros: 0, source: UsageSource::Reported })
    }

    #[test]
    fn servers_report_in_several_ways() {
        let details = json!({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}});
        assert_eq!(read(&details), reported(9, 4, 2));
        assert_eq!(read(&json!({"prompt_tokens": 9, "prompt_cache_hit_tokens": 20})), reported(9, 9, 0));
        assert_eq!(
            read(&json!({"completion_tokens": 2.0, "prompt_tokens_details": null})),
            reported(0, 0, 2)
        );
        assert_eq!(read(&json!({"prompt_tokens": -1, "completion_tokens": 1})), reported(0, 0, 1));
    }

    #[test]
    fn nothing_usable_is_no_report() {
        for nothing in
            [json!(null), json!({}), json!([1]), json!({"prompt_tokens": "9"}), json!({"total_tokens": 3})]
        {
            assert_eq!(read(&nothing), None, "{nothing}");
        }
    }
}
