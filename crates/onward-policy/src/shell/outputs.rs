//! Words of a command that surely name the files that it writes, and that it does not execute.
//!
//! What such a file held before does not say what the command does, so an approval is not bound to it ([`crate::files`]).
//! Only programs that execute none of the files that they name are here, and only with options that are known: another
//! option might name a file that matters.

use super::options::{Options, Parsed};
use super::{Simple, sed};

const SORT: Options = Options {
    flags: "bdfghiMnRrsuVzm",
    valued: "kto",
    long: "ignore-leading-blanks ignore-case human-numeric-sort numeric-sort reverse stable unique version-sort \
           zero-terminated",
    long_valued: "key field-separator output",
};
const TEE: Options = Options { flags: "aip", valued: "", long: "append ignore-interrupts", long_valued: "" };
const SED: Options = Options {
    flags: "inErsz",
    valued: "",
    long: "in-place quiet silent regexp-extended separate null-data",
    long_valued: "",
};
const CP: Options = Options { flags: "fpuv", valued: "", long: "force update verbose", long_valued: "" };

/// The words, as they are written; none where not all of the command is understood.
pub(crate) fn outputs(command: &Simple) -> Vec<&str> {
    let Some((name, arguments)) = command.argv.split_first().filter(|_| command.complete) else {
        return Vec::new();
    };
    match name.as_str() {
        "sort" => valued(&SORT.all(arguments), &["o", "output"]),
        "tee" => operands(&TEE.all(arguments)),
        "cp" => match operands(&CP.all(arguments)).as_slice() {
            [_, target] => vec![target],
            _ => Vec::new(),
        },
        "sed" => edited(arguments),
        _ => Vec::new(),
    }
}

/// `sed -i s/old/new/ FILE…`: the files.
fn edited(arguments: &[String]) -> Vec<&str> {
    let parsed = SED.all(arguments);
    let in_place = |argument: &Parsed<'_>| matches!(argument, Parsed::Option { name: "i" | "in-place", .. });
    match operands(&parsed).as_slice() {
        [script, files @ ..] if parsed.iter().any(in_place) && sed::only_substitutes(script) => {
            files.to_vec()
        }
        _ => Vec::new(),
    }
}

fn operands<'a>(parsed: &[Parsed<'a>]) -> Vec<&'a str> {
    if parsed.contains(&Parsed::Unknown) {
        return Vec::new();
    }
    let operand = |argument: &Parsed<'a>| match argument {
        Parsed::Operand(operand) => Some(*operand),
        Parsed::Option { .. } | Parsed::Unknown => None,
    };
    parsed.iter().filter_map(operand).collect()
}

fn valued<'a>(parsed: &[Parsed<'a>], names: &[&str]) -> Vec<&'a str> {
    if parsed.contains(&Parsed::Unknown) {
        return Vec::new();
    }
    let value = |argument: &Parsed<'a>| match argument {
        Parsed::Option { name, value } if names.contains(name) => *value,
        Parsed::Option { .. } | Parsed::Operand(_) | Parsed::Unknown => None,
    };
    parsed.iter().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        let argv = text.split_whitespace().map(str::to_owned).collect();
        let command = Simple { argv, complete: true, ..Simple::default() };
        outputs(&command).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn what_a_command_surely_writes_is_known() {
        assert_eq!(of("sort -o data data"), ["data"]);
        assert_eq!(of("sort -ruodata other"), ["data"]);
        assert_eq!(of("sort --output=data data"), ["data"]);
        assert_eq!(of("tee -a log out"), ["log", "out"]);
        assert_eq!(of("sed -i s/1/2/ notes.md more.md"), ["notes.md", "more.md"]);
        assert_eq!(of("cp new.conf app.conf"), ["app.conf"]);
    }

    #[test]
    fn what_a_command_may_execute_or_read_is_not_among_it() {
        for command in [
            "sort data",
            "sort -o prog --compress-program=./prog data",
            "sort -S 1 -o data data",
            "sed s/1/2/ notes.md",
            "sed -i -f prog.sed notes.md",
            "sed -i e notes.md",
            "sed -i s/1/2/e notes.md",
            "cp a b c",
            "cp -t dir a b",
            "./sort -o data data",
            "perl -i -pe 1 data",
        ] {
            assert!(of(command).is_empty(), "{command}: {:?}", of(command));
        }
    }
}
