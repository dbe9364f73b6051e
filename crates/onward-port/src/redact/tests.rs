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

/// Longer than what `base64` and `fold` write in one line.
const LONG: &str = "sk-canary-0123456789/ABCDEFGHIJKLMNOPQRSTUVWXYZ+abcdefghijklmnopqrstuvwxyz=9876543210_the-end-of-it-77ab31";

fn long() -> Redactor {
    static LONG_ONE: LazyLock<Redactor> = LazyLock::new(|| knowing(&[("LONG", LONG)]));
    LONG_ONE.clone()
}

fn folded(text: &str, width: usize, between: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let lines: Vec<String> = chars.chunks(width).map(|line| line.iter().collect()).collect();
    lines.join(between)
}

#[derive(Clone, Copy, Debug)]
enum Dump {
    Od,
    OdWithoutOffsets,
    OdWithCharacters,
    OdCharactersOnly,
    OdWords,
    Xxd,
    XxdInclude,
    Hexdump,
    Colons,
    Escapes,
}

const DUMPS: [Dump; 10] = [
    Dump::Od,
    Dump::OdWithoutOffsets,
    Dump::OdWithCharacters,
    Dump::OdCharactersOnly,
    Dump::OdWords,
    Dump::Xxd,
    Dump::XxdInclude,
    Dump::Hexdump,
    Dump::Colons,
    Dump::Escapes,
];

/// As the programs write it.
fn dumped(bytes: &[u8], how: Dump) -> String {
    let row = |bytes: &[u8], between: &str| {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(between)
    };
    let seen = |bytes: &[u8]| -> String {
        bytes.iter().map(|byte| if (32..127).contains(byte) { char::from(*byte) } else { '.' }).collect()
    };
    let pairs =
        |bytes: &[u8]| -> String { bytes.chunks(2).map(|pair| row(pair, "")).collect::<Vec<_>>().join(" ") };
    let swapped = |bytes: &[u8]| -> String {
        let word = |pair: &[u8]| row(&[pair.get(1).copied().unwrap_or(0), pair[0]], "");
        bytes.chunks(2).map(word).collect::<Vec<_>>().join(" ")
    };
    match how {
        Dump::Colons => return row(bytes, ":"),
        Dump::Escapes => return format!("\\x{}", row(bytes, "\\x")),
        Dump::XxdInclude => {
            let lines: Vec<String> =
                bytes.chunks(12).map(|line| format!("  0x{}", row(line, ", 0x"))).collect();
            return lines.join(",\n");
        }
        _ => {}
    }
    let line = |(at, line): (usize, &[u8])| match how {
        Dump::Od => format!("{:07o} {}\n", at * 16, row(line, " ")),
        Dump::OdWithoutOffsets => format!(" {}\n", row(line, " ")),
        Dump::OdWithCharacters => format!("{:06x} {:47}  >{}<\n", at * 16, row(line, " "), seen(line)),
        Dump::OdCharactersOnly => format!(" {:47}  >{}<\n", row(line, " "), seen(line)),
        Dump::OdWords => format!("{:07o} {}\n", at * 16, swapped(line)),
        Dump::Xxd => format!("{:08x}: {:39}  {}\n", at * 16, pairs(line), seen(line)),
        _ => {
            let (left, right) = line.split_at(line.len().min(8));
            let digits = format!("{}  {}", row(left, " "), row(right, " "));
            format!("{:08x}  {digits:48}  |{}|\n", at * 16, seen(line))
        }
    };
    let lines: String = bytes.chunks(16).enumerate().map(line).collect();
    match how {
        Dump::Od | Dump::OdWords => format!("{lines}{:07o}\n", bytes.len()),
        _ => lines,
    }
}

#[test]
fn what_is_broken_into_lines_is_found() {
    let base64 = "c2stY2FuYXJ5LTAxMjM0NTY3ODkvQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVorYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo9OTg3NjU0MzIxMF90aGUtZW5kLW9mLWl0LTc3YWIzM";
    let hex: String = LONG.bytes().map(|byte| format!("{byte:02x}")).collect();
    for form in [LONG, base64, &hex] {
        for width in [1, 5, 20, 40, 76] {
            for between in ["\n", "\r\n", "\n    ", "\n\t", "\\n", "\n\n"] {
                let text = format!("a {}; b", folded(form, width, between));
                assert_eq!(long().text(&text), "a [secret:LONG]; b", "{text}");
            }
        }
    }
    let gap = " ".repeat(100);
    let (apart, other) = (format!("sk-canary-\n{gap}0123456789/ABC"), "sk-canary-; 0123456789");
    assert_eq!((&*long().text(&apart), &*long().text(other)), (&*apart, other));
    // The value itself may have lines, and they may be set otherwise.
    let lines = knowing(&[("KEY", "-----BEGIN-----\nAAAABBBB\nCCCCDDDD\n-----END-----")]);
    assert_eq!(
        lines.text("  -----BEGIN-----\n  AAAABBBB\n  CCCCDDDD\n  -----END-----\n"),
        "  [secret:KEY]\n"
    );
    assert_eq!(lines.text("-----BEGIN-----AAAABBBBCCCCDDDD-----END-----"), "[secret:KEY]");
}

#[test]
fn a_dump_shows_nothing_of_it() {
    for how in DUMPS {
        for before in ["", "k=", "KEY=\""] {
            let dump = dumped(format!("{before}{LONG}\n").as_bytes(), how);
            let shown = long().text(&dump).into_owned();
            assert!(shown.contains("[secret:LONG]"), "{how:?}\n{dump}\n{shown}");
            for line in dump.lines() {
                // Of a line that the secret fills nothing is left.
                let full =
                    dump.lines().nth(2).unwrap_or_default() == line || dump.lines().nth(3) == Some(line);
                assert!(!full || !shown.contains(line), "{how:?}\n{dump}\n{shown}");
            }
            for part in LONG.as_bytes().chunks(5).filter(|part| part.len() == 5) {
                assert!(!shown.contains(str::from_utf8(part).unwrap()), "{how:?}\n{dump}\n{shown}");
            }
            assert_eq!(long().mask(dump.as_bytes()).len(), dump.len());
        }
    }
}

#[test]
fn numbers_that_are_no_secret_stay() {
    let text = "2026-11-30 23:58:39 deadbeef 0x7f, 0x73 00000000: 736b 2d63  sk-c\n0000000 73 6b 2d\n*\n";
    assert_eq!(long().text(text), text);
    assert_eq!(one().text(text), text);
}

#[test]
fn the_end_of_what_was_cut_in_a_dump_is_found() {
    for how in DUMPS {
        let dump = dumped(LONG.as_bytes(), how);
        let middle = dump.len() / 2;
        let tail = &dump[middle..];
        let cut = long().cut_at_start(tail.as_bytes());
        // Words of two bytes leave the odd one at the end.
        assert!(cut + 20 > tail.trim_end().len(), "{how:?} {cut}\n{tail}");
    }
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
    fn pieces_of_lines_and_dumps_give_what_the_whole_gives(
        parts in prop::collection::vec(
            prop_oneof![
                "[a-f0-9 \n:x|<>\\\\]{0,12}",
                "[ -~\n]{0,40}",
                Just("sk".to_owned()),
                (1usize..80, prop::sample::select(vec!["\n", "\r\n", "\n  ", "\\n"]), 0usize..105)
                    .prop_map(|(width, between, length)| folded(&LONG[..length], width, between)),
                (prop::sample::select(DUMPS.to_vec()), 0usize..105, 0usize..20).prop_map(|(how, length, before)| {
                    dumped(format!("{}{}", &"some text before it 1"[..before], &LONG[..length]).as_bytes(), how)
                }),
            ],
            0..5,
        ),
        size in 1usize..40,
    ) {
        let whole: String = parts.concat();
        let mut stream = long().stream();
        let mut shown = String::new();
        let chars: Vec<char> = whole.chars().collect();
        for piece in chars.chunks(size) {
            shown.push_str(&stream.push(&piece.iter().collect::<String>()));
        }
        shown.push_str(&stream.finish());
        prop_assert_eq!(&shown, &*long().text(&whole));
    }

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
