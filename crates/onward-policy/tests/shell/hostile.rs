//! Texts that are made to break a parser: nothing panics, recurses too deeply or passes for plain.

use onward_policy::{Analysis, Simple, analyse, harmless, unwrap};
use proptest::prelude::*;

/// Everything that can be asked about a script.
fn ask(script: &str) -> Analysis {
    let analysis = analyse(script);
    let (Analysis::Plain(commands, _) | Analysis::Opaque { commands, .. }) = &analysis;
    for command in commands.iter().take(64) {
        let unwrapped = unwrap(command);
        assert!(!unwrapped.commands.is_empty());
        harmless(command);
    }
    analysis
}

fn finds(analysis: &Analysis, argv: &[&str]) -> bool {
    let (Analysis::Plain(commands, _) | Analysis::Opaque { commands, .. }) = analysis;
    commands.iter().any(|command| command.argv == argv)
}

#[test]
fn what_is_nested_too_deeply_is_opaque_and_still_searched() {
    let pairs = [
        ("(", ")"),
        ("$(", ")"),
        ("\"$(", ")\""),
        ("{ ", "; }"),
        ("${a:-", "}"),
        ("<(", ")"),
        ("`", "`"),
        ("((", "))"),
        ("if ", "; fi"),
        ("cat <<E\n$(", ")\nE\n"),
        ("case a in a) ", ";; esac"),
        ("f() ", ""),
    ];
    for (open, close) in pairs {
        for depth in [1, 30, 3000] {
            let script = format!("{}; rm x; {}", open.repeat(depth), close.repeat(depth));
            let analysis = ask(&script);
            assert!(matches!(analysis, Analysis::Opaque { .. }), "{open} {depth}");
            // In `${..}` it is text.
            assert!(open == "${a:-" || finds(&analysis, &["rm", "x"]), "{open} {depth}: {analysis:?}");
            ask(&open.repeat(depth));
            ask(&close.repeat(depth));
        }
    }
}

#[test]
fn a_script_over_a_limit_is_opaque_and_still_searched() {
    for script in [
        format!("rm x; echo {}", "a".repeat(64 * 1024)),
        format!("rm x; {}", "true; ".repeat(300)),
        format!("rm x; {}", "true; ".repeat(30_000)),
        format!("rm x; {}", "a `b` ".repeat(100_000)),
    ] {
        let analysis = ask(&script);
        assert!(matches!(analysis, Analysis::Opaque { .. }));
        assert!(finds(&analysis, &["rm", "x"]));
    }
}

#[test]
fn what_lies_beyond_the_budget_is_marked() {
    let script = format!("{}; rm x", "true; ".repeat(100_000));
    let Analysis::Opaque { commands, .. } = ask(&script) else { panic!("plain") };
    assert!(commands.iter().any(|command| !command.complete));
}

#[test]
fn what_is_well_formed_is_read_without_the_last_resort() {
    for [before, after] in LAYERS {
        let script = format!("{before}rm -rf target{after}");
        let (Analysis::Plain(commands, _) | Analysis::Opaque { commands, .. }) = ask(&script);
        assert!(commands.iter().any(|command| command.argv == ["rm", "-rf", "target"]), "{script:?}");
        // Shells differ in these.
        let differs = ["((", "$'", "${a:-\""].iter().any(|start| script.contains(start));
        assert_eq!(commands.contains(&Simple::default()), differs, "{script:?}: {commands:?}");
    }
}

/// Pieces that mean something to a shell, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "rm",
        " ",
        "\n",
        "\t",
        "'",
        "\"",
        "\\",
        "\\\n",
        "$",
        "${",
        "}",
        "{",
        "$(",
        "(",
        ")",
        "((",
        "))",
        "`",
        "|",
        "||",
        "&",
        "&&",
        ";",
        ";;",
        "<",
        ">",
        "<<",
        "<<-",
        "<<<",
        "<(",
        ">(",
        ">&",
        "&>",
        "1",
        "2>&1",
        "EOF",
        "\nEOF\n",
        "if ",
        "then ",
        "fi ",
        "case ",
        "in ",
        "esac ",
        "for ",
        "do ",
        "done ",
        "function ",
        "coproc ",
        "time ",
        "! ",
        "[[ ",
        " ]]",
        "=",
        "A=",
        "+=",
        "#",
        "~",
        "*",
        "?",
        "[",
        "]",
        "$'",
        "$\"",
        "\\x",
        "sh -c ",
        "eval ",
        "sudo ",
        "env ",
        "find . -exec ",
        "xargs ",
        "git -c ",
        "\r",
        "\0",
        "\u{a0}",
        "é",
        "\u{202e}",
        "😀",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_pieces_are_survived(script in pieces()) {
        ask(&script);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        ask(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_command_is_found_in_any_nesting(layers in prop::collection::vec(0..LAYERS.len(), 0..12)) {
        let script = layers.iter().fold("rm -rf target".to_owned(), |inner, &layer| {
            // A second here-document of the same name would end the first.
            let [before, after] = LAYERS[layer].map(|part| part.replace("EOF", &format!("E{}", inner.len())));
            format!("{before}{inner}{after}")
        });
        let analysis = ask(&script);
        prop_assert!(finds(&analysis, &["rm", "-rf", "target"]), "{:?}: {:?}", script, analysis);
    }
}

/// What a command can stand in, so that a shell runs it.
const LAYERS: &[[&str; 2]] = &[
    ["(", ")"],
    ["{ ", "; }"],
    ["echo $(", ")"],
    ["echo \"a $(", ") b\""],
    ["echo 'it is' \"'\"$(", ")'\"'"],
    ["a && ", " || b"],
    ["a | ", " | b"],
    ["a & ", " & b"],
    ["! ", ""],
    ["if ", "; then a; fi"],
    ["if a; then ", "; else b; fi"],
    ["if a; then b; elif c; then d; else ", "; fi"],
    ["while a; do ", "; done"],
    ["until ", "; do a; done"],
    ["for a in b c; do ", "; done"],
    ["for a\ndo ", "\ndone"],
    ["for ((a=0; a<1; a++)); do ", "; done"],
    ["case a in b) c;; d|e) ", ";; esac"],
    ["case $a in (b) ", ";; *) c; esac"],
    ["f() { ", "; }; f"],
    ["function f { ", "; }"],
    ["coproc f { ", "; }"],
    ["coproc f if a; then ", "; fi"],
    ["time if a; then ", "; fi"],
    ["time -p { ", "; }"],
    ["function f if ", "; then a; fi"],
    ["> a ", ""],
    ["A=1 B=$c ", ""],
    ["echo ${a:-$(", ")}"],
    ["echo \"${a:-\"$(", ")\"}\""],
    ["echo $((1 + $(", ")))"],
    ["a <(", ") b"],
    ["a > >(", ")"],
    ["[[ -n $(", ") ]]"],
    ["a=$(", ")"],
    ["a=(b $(", "))"],
    ["a # comment ' \" ( $( `\n", ""],
    ["cat <<EOF\n$(", ")\nEOF\n"],
    ["cat <<-EOF\n\ta \"$(", ")\"\n\tEOF\n"],
    ["cat <<'EOF'\nit's (\nEOF\n", ""],
    ["echo \\' \\\"; ", ""],
    ["echo a\\\n  b; ", ""],
    ["echo $'\\''; ", ""],
    ["echo ${#a} $# a#b; ", ""],
];
