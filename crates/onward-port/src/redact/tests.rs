//! What is found, in which forms, and that pieces change nothing.

use std::sync::LazyLock;

use onward_event::{Event, NoticeAdded, NoticeReason};
use proptest::prelude::*;
use serde_json::json;

use super::{NamedSecret, Redactor};
use crate::Secret;

const KEY: &str = "sk-canary-4f9/Q+z'8 \"w\\ü-77ab31";

fn knowing(values: &[(&str, &str)]) -> Redactor {
    Redactor::new(values.iter().map(|(name, value)| NamedSecret {
        name: (*name).to_owned(),
        value: Secret::new((*value).to_owned()),
    }))
}

/// Made once: the properties ask for it at every turn.
fn one() -> Redactor {
    static ONE: LazyLock<Redactor> = LazyLock::new(|| knowing(&[("KEY", KEY)]));
    ONE.clone()
}

#[test]
fn every_common_form_is_found() {
    let json = serde_json::to_string(KEY).unwrap();
    let percent: String = KEY.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let hex: String = KEY.bytes().map(|byte| format!("{byte:02X}")).collect();
    for form in [
        KEY.to_owned(),
        json[1..json.len() - 1].to_owned(),
        percent,
        "sk-canary-4f9%2FQ%2Bz%278%20%22w%5C%C3%BC-77ab31".into(),
        "sk-canary-4f9%2FQ%2Bz'8%20%22w%5C%C3%BC-77ab31".into(),
        "sk-canary-4f9%2fQ%2bz%278+%22w%5c%c3%bc-77ab31".into(),
        "sk-canary-4f9/Q+z'8%20%22w%5C%C3%BC-77ab31".into(),
        r#"sk-canary-4f9/Q+z'\''8 "w\ü-77ab31"#.into(),
        r#"sk-canary-4f9/Q+z\'8\ \"w\\ü-77ab31"#.into(),
        hex,
    ] {
        assert_eq!(one().text(&format!("a {form}, b")), "a [secret:KEY], b", "{form}");
    }
}

#[test]
fn base64_is_found_wherever_its_groups_begin() {
    let redactor = knowing(&[("KEY", "hunter2-hunter2")]);
    for (plain, encoded, expected) in [
        ("hunter2-hunter2", "aHVudGVyMi1odW50ZXIy", "[secret:KEY]"),
        ("u:hunter2-hunter2", "dTpodW50ZXIyLWh1bnRlcjI=", "dTp[secret:KEY]I="),
        ("user:hunter2-hunter2\n", "dXNlcjpodW50ZXIyLWh1bnRlcjIK", "dXNlcjp[secret:KEY]IK"),
    ] {
        assert_eq!(redactor.text(encoded), expected, "{plain}");
    }
}

#[test]
fn what_is_cut_short_is_found() {
    let redactor = knowing(&[("KEY", "sk-1234567890-abcdefghij")]);
    assert_eq!(redactor.text("bad key sk-12345…"), "bad key [secret:KEY]…");
    assert_eq!(redactor.text("bad key sk-12345"), "bad key [secret:KEY]");
    assert_eq!(redactor.text("it begins with sk-12345, they say"), "it begins with sk-12345, they say");
    assert_eq!(redactor.text("sk-1234567890-ab\n[cut]"), "[secret:KEY]\n[cut]");
    assert_eq!(redactor.text("sk-1234"), "sk-1234");
    assert_eq!(redactor.cut_at_start(b"cdefghij and more"), 8);
    assert_eq!(redactor.cut_at_start(b"defghij and more"), 0);
}

#[test]
fn short_values_hide_nothing() {
    let redactor = knowing(&[("A", ""), ("B", "secret"), ("C", "1234567")]);
    assert!(redactor.is_empty());
    assert_eq!(redactor.text("a secret 1234567"), "a secret 1234567");
}

#[test]
fn a_secret_within_another_leaves_nothing_of_it() {
    let redactor = knowing(&[("SHORT", "key-1-and"), ("LONG", "key-1-and-more"), ("TAIL", "more-to-come")]);
    assert_eq!(redactor.text("key-1-and-more, key-1-and!"), "[secret:LONG], [secret:SHORT]!");
    assert_eq!(redactor.text("key-1-and-more-to-come"), "[secret:LONG]");
}

#[test]
fn a_mask_is_as_long_as_what_it_hides() {
    let redactor = knowing(&[("KEY", "12345678"), ("LONGER", "abcdefghijklmnopqrstuvwxyz")]);
    assert_eq!(&*redactor.mask(b"<12345678>"), b"<[secret]>");
    assert_eq!(&*redactor.mask(b"<abcdefghijklmnopqrstuvwxyz>"), b"<[secret:LONGER]***********>");
}

#[test]
fn an_event_stays_what_it_is() {
    let notice = |text: &str| {
        Event::from(NoticeAdded { text: text.into(), reason: NoticeReason::Recovered, cause: None })
    };
    assert_eq!(one().event(notice(&format!("<{KEY}>"))), notice("<[secret:KEY]>"));
    assert_eq!(one().event(notice("nothing")), notice("nothing"));
    let word = knowing(&[("WORD", "recovered")]);
    assert_eq!(word.event(notice("it was recovered")), notice("it was [secret:WORD]"));
}

#[test]
fn values_are_searched_as_they_read_not_as_they_are_written() {
    let redactor = knowing(&[("KEY", "sk-1234567890")]);
    let value = redactor.value(json!({ "a sk-1234567890": ["x", { "b": "sk-1234567890" }], "n": 7 }));
    assert_eq!(value, json!({ "a [secret:KEY]": ["x", { "b": "[secret:KEY]" }], "n": 7 }));
    assert_eq!(redactor.json_text(r#"{"a":"s\u006b-1234567890"}"#), r#"{"a":"[secret:KEY]"}"#);
    assert_eq!(redactor.json_text("no json sk-1234567890"), "no json [secret:KEY]");
}

#[test]
fn debug_names_nothing() {
    assert_eq!(format!("{:?}", one()), "Redactor(1 secrets)");
    let mut stream = one().stream();
    stream.push("sk-can");
    assert_eq!(format!("{stream:?}"), "RedactedStream(6 bytes held)");
}

proptest! {
    #[test]
    fn pieces_give_what_the_whole_gives(
        parts in prop::collection::vec(
            prop_oneof![
                ".{0,6}",
                (0usize..40, 0usize..40).prop_map(|(a, b)| {
                    KEY.chars().skip(a.min(b) / 3).take(a.max(b)).collect::<String>()
                }),
                Just(KEY.to_owned()),
                Just("…".to_owned()),
                Just("[secret:".to_owned()),
            ],
            0..8,
        ),
        size in 1usize..12,
    ) {
        let whole: String = parts.concat();
        let mut stream = one().stream();
        let mut shown = String::new();
        let chars: Vec<char> = whole.chars().collect();
        for piece in chars.chunks(size) {
            shown.push_str(&stream.push(&piece.iter().collect::<String>()));
            prop_assert!(!shown.contains(KEY));
        }
        shown.push_str(&stream.finish());
        prop_assert_eq!(&shown, &*one().text(&whole));
    }

    #[test]
    fn any_bytes_are_searched_without_harm(bytes: Vec<u8>, at in 0usize..64) {
        let mut bytes = bytes;
        let at = at.min(bytes.len());
        bytes.splice(at..at, KEY.bytes());
        prop_assert!(one().finds(&bytes));
        let masked = one().mask(&bytes).into_owned();
        prop_assert_eq!(masked.len(), bytes.len());
        prop_assert!(!one().finds(&masked));
        prop_assert!(!one().finds(&one().bytes(&bytes)));
    }
}
