//! What runs in place of a plain script does what the script does: generated scripts, run by real shells.
//!
//! The scripts print and succeed or fail, and nothing else; a shell gets them as one argument.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use onward_event::Rendered;
use onward_policy::{Analysis, analyse};
use proptest::prelude::*;

/// A word, as it is written and as it is meant.
#[derive(Clone, Debug)]
struct Word {
    written: String,
    meant: String,
}

fn word() -> impl Strategy<Value = Word> {
    prop::collection::vec(part(), 1..4).prop_map(|parts| Word {
        written: parts.iter().map(|part| part.written.as_str()).collect(),
        meant: parts.iter().map(|part| part.meant.as_str()).collect(),
    })
}

/// A part of a word: bare, in single quotes, or in double quotes.
fn part() -> impl Strategy<Value = Word> {
    let bare = "[a-zA-Z0-9_./,:@%+-]{1,6}".prop_map(|text| Word { written: text.clone(), meant: text });
    prop_oneof![
        bare,
        nasty().prop_map(|text| {
            let meant = text.replace('\'', "");
            Word { written: format!("'{meant}'"), meant }
        }),
        nasty().prop_map(|meant| {
            let mut written = String::from("\"");
            for character in meant.chars() {
                let _ = match character {
                    '"' | '\\' | '$' | '`' => write!(written, "\\{character}"),
                    _ => write!(written, "{character}"),
                };
            }
            written.push('"');
            Word { written, meant }
        }),
    ]
}

fn nasty() -> impl Strategy<Value = String> {
    let character = prop::sample::select(vec![
        'a', 'B', '0', ' ', '\t', '\n', '\'', '"', '\\', '$', '`', '!', '*', '?', '[', ']', '{', '}', '(',
        ')', '<', '>', '|', '&', ';', '#', '~', '=', '-', '%', '^', 'é', '漢', '😀',
    ]);
    prop::collection::vec(character, 0..8).prop_map(|characters| characters.into_iter().collect())
}

fn command() -> impl Strategy<Value = (String, Vec<String>)> {
    prop_oneof![
        3 => prop::collection::vec(word(), 0..4).prop_map(|words| {
            let written = words.iter().map(|word| format!(" {}", word.written)).collect::<String>();
            let meant = words.into_iter().map(|word| word.meant);
            (format!(r"printf '<%s>\n'{written}"), ["printf".to_owned(), r"<%s>\n".to_owned()].into_iter().chain(meant).collect())
        }),
        1 => Just(("true".to_owned(), vec!["true".to_owned()])),
        1 => Just(("false".to_owned(), vec!["false".to_owned()])),
        1 => Just(("echo a 1>&2".to_owned(), vec!["echo".to_owned(), "a".to_owned()])),
        1 => Just(("printf x 2>/dev/null".to_owned(), vec!["printf".to_owned(), "x".to_owned()])),
        1 => Just(("LANG=C printf y >out".to_owned(), vec!["printf".to_owned(), "y".to_owned()])),
        1 => Just(("cat".to_owned(), vec!["cat".to_owned()])),
    ]
}

fn script() -> impl Strategy<Value = (String, Vec<Vec<String>>)> {
    let joins = prop::sample::select(vec!["; ", " && ", " || ", " | ", "\n", ";\n", "&&\n", "|", "  ||\t"]);
    (command(), prop::collection::vec((joins, command()), 0..5)).prop_map(|(first, rest)| {
        let (mut text, argv) = first;
        let mut vectors = vec![argv];
        for (join, (next, argv)) in rest {
            text.push_str(join);
            text.push_str(&next);
            vectors.push(argv);
        }
        (text, vectors)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_runs_does_what_was_written((text, vectors) in script()) {
        let Analysis::Plain(commands, rendered) = analyse(&text) else {
            panic!("opaque: {text:?}: {:?}", analyse(&text));
        };
        let argvs = commands.into_iter().map(|command| command.argv).collect::<Vec<_>>();
        prop_assert_eq!(&argvs, &vectors, "{:?}", text);
        let folder = tempfile::tempdir().unwrap();
        for shell in ["/bin/sh", "/bin/bash"] {
            // A system without bash has its `sh`.
            if !Path::new(shell).exists() {
                continue;
            }
            let original = run(&[shell, "-c", &text], folder.path());
            let replaced = match &rendered {
                Rendered::Script(script) => run(&[shell, "-c", script], folder.path()),
                Rendered::Argv(argv) => run(&argv.iter().map(String::as_str).collect::<Vec<_>>(), folder.path()),
            };
            prop_assert_eq!(original, replaced, "{} {:?} {:?}", shell, &text, &rendered);
        }
    }
}

/// What a command printed, how it ended, and what it left in a file.
fn run(argv: &[&str], folder: &Path) -> (Vec<u8>, Vec<u8>, Option<i32>, Option<Vec<u8>>) {
    let output = Command::new(argv[0])
        .args(&argv[1..])
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let out = folder.join("out");
    let left = std::fs::read(&out).ok();
    let _ = std::fs::remove_file(&out);
    (output.stdout, output.stderr, output.status.code(), left)
}
