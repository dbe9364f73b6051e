//! The forms in which a value shows up: as it is, and as URLs, base64, JSON and shells write it (`dump.rs` has those in
//! hexadecimal digits).

use std::collections::BTreeSet;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Every form of a value, each once.
pub(super) fn forms(value: &str) -> BTreeSet<Vec<u8>> {
    let mut forms = BTreeSet::from([value.as_bytes().to_vec()]);
    let once = json(value);
    forms.insert(json(&once).into_bytes());
    forms.insert(once.replace('/', r"\/").into_bytes());
    forms.insert(once.into_bytes());
    forms.extend(shell(value).map(String::into_bytes));
    forms.extend(percent(value).map(String::into_bytes));
    for alphabet in [STANDARD, URL_SAFE] {
        forms.extend((0..3).map(|before| base64(value.as_bytes(), before, alphabet)));
    }
    forms
}

/// Within a JSON string.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Within single quotes, in the two ways to write a single quote there; and word by word, as `printf %q` does it.
fn shell(value: &str) -> impl Iterator<Item = String> {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,".contains(c);
    let escaped = value.chars().fold(String::new(), |mut out, c| {
        if !plain(c) {
            out.push('\\');
        }
        out.push(c);
        out
    });
    [value.replace('\'', r"'\''"), value.replace('\'', r#"'"'"'"#), escaped].into_iter()
}

/// What different encoders of URLs leave as it is beside letters and digits. A form writes a space as `+`; the last one
/// leaves nothing as it is.
const KEPT_IN_URLS: [Option<&str>; 5] =
    [Some("-._~"), Some("-._~!'()*"), Some("-._~!'()*$&+,;=:@/"), Some("-._* "), None];

/// In a URL, with the digits in either case.
fn percent(value: &str) -> impl Iterator<Item = String> {
    KEPT_IN_URLS.into_iter().flat_map(|kept| {
        let is_kept = |byte: u8| {
            kept.is_some_and(|kept| byte.is_ascii_alphanumeric() || kept.as_bytes().contains(&byte))
        };
        let encoded = |escape: fn(u8) -> String| {
            value.bytes().fold(String::new(), |mut out, byte| {
                match is_kept(byte) {
                    true if byte == b' ' => out.push('+'),
                    true => out.push(char::from(byte)),
                    false => out.push_str(&escape(byte)),
                }
                out
            })
        };
        [encoded(|byte| format!("%{byte:02X}")), encoded(|byte| format!("%{byte:02x}"))]
    })
}

/// The characters that the value alone decides when `before` bytes (0 to 2) stand before it in its group of three.
fn base64(value: &[u8], before: usize, alphabet: &[u8; 64]) -> Vec<u8> {
    let first = (before * 8).div_ceil(6);
    let last = (before + value.len()) * 8 / 6;
    let bit = |at: usize| {
        let byte = (at / 8).checked_sub(before).and_then(|at| value.get(at)).copied().unwrap_or(0);
        usize::from(byte >> (7 - at % 8) & 1)
    };
    let sextet = |at: usize| (0..6).fold(0, |sum, n| sum << 1 | bit(at * 6 + n));
    (first..last).map(|at| alphabet[sextet(at)]).collect()
}
