//! What reaches a terminal: a table of sequences, and what must hold for any text whatsoever.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests, too")]

use onward_wire::terminal::{Filter, Manner, exact, output, prose};
use proptest::prelude::*;

const TABLE: &str = include_str!("terminal.tsv");

const MANNERS: [(&str, Manner); 3] =
    [("output", Manner::Output), ("prose", Manner::Prose), ("exact", Manner::Exact)];

#[test]
fn each_sequence_of_the_table_is_shown_as_it_says() {
    let mut rows = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let [manner, text, expected, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row has four cells: {line}");
        };
        let (_, manner) = MANNERS.into_iter().find(|(name, _)| *name == manner).unwrap();
        let expected = String::from_utf8(bytes(expected)).unwrap();
        assert_eq!(in_pieces(manner, &bytes(text), usize::MAX), expected, "{why}: {text}");
        rows += 1;
    }
    assert!(rows > 50, "{rows} rows");
}

#[test]
fn a_string_that_does_not_end_hides_only_so_much() {
    let shown = output(&format!("\u{1b}]0;{}seen", "x".repeat(5_000)));
    assert!(shown.ends_with("seen") && shown.len() < 1_100, "{shown}");
    let long = format!("\u{1b}[{}m", "1;".repeat(50));
    assert_eq!(output(&long), format!("␛[{}m", "1;".repeat(50)));
}

proptest! {
    #[test]
    fn nothing_but_text_comes_out(text in texts()) {
        for (_, manner) in MANNERS {
            let shown = in_pieces(manner, &text, usize::MAX);
            prop_assert!(shown.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{shown:?}");
            let turning = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}');
            prop_assert!(!shown.contains(turning), "{shown:?}");
            let joining = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}');
            prop_assert!(manner != Manner::Exact || !shown.contains(joining), "{shown:?}");
        }
    }

    #[test]
    fn pieces_change_nothing(text in texts(), size in 1usize..9) {
        for (_, manner) in MANNERS {
            prop_assert_eq!(in_pieces(manner, &text, size), in_pieces(manner, &text, usize::MAX));
        }
    }

    #[test]
    fn what_is_safe_stays_as_it_is(text in texts()) {
        let text = String::from_utf8_lossy(&text);
        for (make, name) in [(output as fn(&str) -> String, "output"), (prose, "prose"), (exact, "exact")] {
            let once = make(&text);
            prop_assert_eq!(make(&once), once, "{}", name);
        }
    }
}

/// Any bytes, and pieces of sequences one after the other.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "\u{1b}",
        "[",
        "]",
        "P",
        "\\",
        "\u{9b}",
        "\u{9d}",
        "\u{9c}",
        "\u{7}",
        "m",
        "31",
        ";",
        "?",
        " ",
        "\n",
        "\r",
        "x",
        "\u{18}",
        "\u{200d}",
        "\u{200c}",
        "\u{fe0f}",
        "👩",
        "❤",
        "م",
        "क",
        "\u{202e}",
        "\u{e0041}",
        "\u{feff}",
        "1",
    ];
    let piece = prop_oneof![
        8 => prop::sample::select(pieces.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn in_pieces(manner: Manner, bytes: &[u8], size: usize) -> String {
    let mut filter = Filter::new(manner);
    let mut out: String = bytes.chunks(size).map(|piece| filter.push_bytes(piece)).collect();
    out.push_str(&filter.finish());
    out
}

/// The bytes that a cell of the table stands for.
fn bytes(cell: &str) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), cell);
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let length = match rest.as_bytes()[0] {
            b'x' => {
                out.push(u8::from_str_radix(&rest[1..3], 16).unwrap());
                3
            }
            b'u' => {
                let end = rest.find('}').unwrap();
                let code = u32::from_str_radix(&rest[2..end], 16).unwrap();
                out.extend(char::from_u32(code).unwrap().to_string().bytes());
                end + 1
            }
            other => {
                out.push(match other {
                    b'e' => 0x1b,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    other => other,
                });
                1
            }
        };
        rest = &rest[length..];
    }
    out.extend_from_slice(rest.as_bytes());
    out
}
