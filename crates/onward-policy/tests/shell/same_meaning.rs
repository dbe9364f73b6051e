//! What runs in place of a plain script does what the script does: generated scripts, run by real shells.
//!
//! The scripts print, read and write files of a small folder, move in it, and succeed or fail; a shell gets them as one
//! argument. What they leave is compared, too: the whole folder.

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

/// A command as it is written, and its words.
type Written = (&'static str, &'static [&'static str]);

/// What touches nothing but its input and output: members of a pipe that may run at the same time, and those that fail.
const QUIET: &[Written] = &[
    ("true", &["true"]),
    ("false", &["false"]),
    ("printf x 2>/dev/null", &["printf", "x"]),
    ("cat", &["cat"]),
    ("cd absent 2>/dev/null", &["cd", "absent"]),
    ("cat <in", &["cat"]),
    ("cat 0< 'in'", &["cat"]),
    ("<in cat", &["cat"]),
    ("cat < in - ./in", &["cat", "-", "./in"]),
    ("sh -c 'cat; exit 4'", &["sh", "-c", "cat; exit 4"]),
    ("'printf' \"%s\" 'a'\"b\"c", &["printf", "%s", "abc"]),
    ("\"\"'ec'ho ''", &["echo", ""]),
];

/// What writes to a file or complains, or may: two of them at the same time do so in any order. Redirections are in every
/// place, operands behind them and names of files relative to where a `cd` led.
const LOUD: &[Written] = &[
    ("echo a 1>&2", &["echo", "a"]),
    ("LANG=C printf y >out", &["printf", "y"]),
    ("cd sub", &["cd", "sub"]),
    ("cd ../sub", &["cd", "../sub"]),
    ("cat <absent 2>&1 >out", &["cat"]),
    ("printf more >>out", &["printf", "more"]),
    ("echo >> 'out' a b", &["echo", "a", "b"]),
    (">out echo a", &["echo", "a"]),
    ("echo a >out b >sub/out c", &["echo", "a", "b", "c"]),
    ("echo both 2>>out >&2", &["echo", "both"]),
    ("LANG=C >out printf z", &["printf", "z"]),
    ("LC_ALL='C' TZ=\"U\"'TC' printf w >\"o\"ut", &["printf", "w"]),
    ("cat absent 2>>out", &["cat", "absent"]),
];

/// One command of a script.
#[derive(Clone, Debug)]
struct Generated {
    written: String,
    words: Vec<String>,
    loud: bool,
}

fn command() -> impl Strategy<Value = Generated> {
    let fixed = |commands: &'static [Written], loud| {
        prop::sample::select(commands).prop_map(move |(written, words)| Generated {
            written: written.to_owned(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            loud,
        })
    };
    let printed = prop::collection::vec(word(), 0..4).prop_map(|words| {
        let written = words.iter().map(|word| format!(" {}", word.written)).collect::<String>();
        let meant = words.into_iter().map(|word| word.meant);
        let words = ["printf".to_owned(), r"<%s>\n".to_owned()].into_iter().chain(meant).collect();
        Generated { written: format!(r"printf '<%s>\n'{written}"), words, loud: false }
    });
    prop_oneof![3 => printed, 3 => fixed(QUIET, false), 3 => fixed(LOUD, true)]
}

fn script() -> impl Strategy<Value = (String, Vec<Vec<String>>)> {
    let joins = prop::sample::select(vec!["; ", " && ", " || ", " | ", "\n", ";\n", "&&\n", "|", "  ||\t"]);
    (command(), prop::collection::vec((joins, command()), 0..5)).prop_map(|(first, rest)| {
        let (mut text, mut vectors, mut loud) = (first.written, vec![first.words], first.loud);
        for (join, next) in rest {
            let pipe = join.trim() == "|";
            let join = if pipe && loud && next.loud { "; " } else { join };
            loud = next.loud || join.trim() == "|" && loud;
            text.push_str(join);
            text.push_str(&next.written);
            vectors.push(next.words);
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
        for shell in ["/bin/sh", "/bin/bash"] {
            // Its absence is said once, below.
            if !Path::new(shell).exists() {
                continue;
            }
            let original = run(&[shell, "-c", &text]);
            let replaced = match &rendered {
                Rendered::Script(script) => run(&[shell, "-c", script]),
                Rendered::Argv(argv) => run(&argv.iter().map(String::as_str).collect::<Vec<_>>()),
            };
            prop_assert_eq!(original, replaced, "{} {:?} {:?}", shell, &text, &rendered);
        }
    }
}

#[test]
fn each_fixed_command_is_what_it_is_taken_for() {
    if !Path::new("/bin/bash").exists() {
        onward_test::not_tested("that what runs means to bash what was written", "there is no /bin/bash");
    }
    for (text, words) in QUIET.iter().chain(LOUD) {
        let Analysis::Plain(commands, _) = analyse(text) else {
            panic!("opaque: {text}: {:?}", analyse(text))
        };
        let found: Vec<&[String]> = commands.iter().map(|command| command.argv.as_slice()).collect();
        assert_eq!(found, [*words], "{text}");
    }
}

/// What a command printed, how it ended, and what it left.
type Seen = (Vec<u8>, Vec<u8>, std::process::ExitStatus, Vec<(String, Vec<u8>)>);

/// Runs it in a folder of its own, of which nothing but what is in it differs from that of another one.
fn run(argv: &[&str]) -> Seen {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("folder");
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    std::fs::write(folder.join("in"), "in\n").unwrap();
    std::fs::write(folder.join("sub/in"), "in sub\n").unwrap();
    let output = Command::new(argv[0])
        .args(&argv[1..])
        .current_dir(&folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let mut left = Vec::new();
    contents(temp.path(), temp.path(), &mut left);
    left.sort();
    (output.stdout, without_lines(&output.stderr), output.status, left)
}

/// Without the number of the line that a shell complains about: what runs in place of a script is one line.
fn without_lines(said: &[u8]) -> Vec<u8> {
    let said = String::from_utf8_lossy(said);
    let without = |line: &str| {
        let of_shell = ["/bin/sh: ", "/bin/bash: "].iter().find_map(|name| line.strip_prefix(name));
        let numbered =
            of_shell.map(|rest| rest.trim_start_matches("line ")).and_then(|rest| rest.split_once(": "));
        match numbered {
            Some((number, what)) if number.bytes().all(|byte| byte.is_ascii_digit()) => what.to_owned(),
            _ => line.to_owned(),
        }
    };
    said.split('\n').map(without).collect::<Vec<_>>().join("\n").into_bytes()
}

fn contents(root: &Path, folder: &Path, left: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => contents(root, &path, left),
            false => {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                left.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
}
