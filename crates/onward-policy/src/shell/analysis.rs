//! The analysis of a script: plain, with what runs in its place, or opaque.

use onward_event::Rendered;

use super::{names, plain, scan};

/// What a script was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Understood completely: these commands in this order, and what runs in place of the text. It is a vector for
    /// one command that needs no shell, and otherwise a script in which every word is quoted. Every command has a
    /// name and is complete.
    Plain(Vec<Simple>, Rendered),
    /// Not understood completely. Only the whole text can be agreed to.
    Opaque {
        /// Every command that could be found, also ones that would not run; for denials only.
        commands: Vec<Simple>,
        /// What makes it opaque, as a lowercase fragment for a person.
        why: String,
    },
}

/// One command: a program or builtin with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// The name and the arguments, unquoted. Empty where a command of an opaque script has no name (`> file`).
    pub argv: Vec<String>,
    /// The files that it is connected with, and those that its own arguments make it write where that is known
    /// (`find -fprint`). Duplicated descriptors (`2>&1`) are not files.
    pub redirects: Vec<Redirect>,
    /// Variables that are set for it. An allowance for the vector alone does not cover them.
    pub assignments: Vec<(String, String)>,
    /// Whether all words are known. Where one is not, `argv` holds its text as written.
    pub complete: bool,
}

/// A file that a command reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// Whether the file is written, rather than read.
    pub writes: bool,
    /// Which, as written; absent when it is not known, or is relative behind a change of directory.
    pub path: Option<String>,
}

/// Finds out what `script` does. Each command of the result may be a wrapper around others: see
/// [`unwrap`](super::unwrap()).
pub fn analyse(script: &str) -> Analysis {
    analyse_with(script, plain::second)
}

/// [`analyse`] with another parser in the place of the second one.
pub(super) fn analyse_with(script: &str, second: plain::Reader) -> Analysis {
    let first = plain::read(script);
    let agreed = first.and_then(|steps| match second(script) {
        Ok(other) if other == steps => Ok(steps),
        Ok(_) => Err("two parsers read different commands in it".to_owned()),
        Err(why) => Err(why),
    });
    match agreed {
        Ok(steps) => {
            let mut commands = steps.iter().map(plain::Step::simple).collect::<Vec<_>>();
            forget_relative_targets(&mut commands);
            Analysis::Plain(commands, plain::render(&steps))
        }
        Err(why) => {
            let mut commands = scan::commands(script);
            forget_relative_targets(&mut commands);
            Analysis::Opaque { commands, why }
        }
    }
}

/// Behind a change of directory a relative path names another file. The order in which an opaque script runs is not
/// known, so one change anywhere is enough.
fn forget_relative_targets(commands: &mut [Simple]) {
    if !commands.iter().any(|command| command.argv.iter().any(|word| names::moves(word))) {
        return;
    }
    for redirect in commands.iter_mut().flat_map(|command| &mut command.redirects) {
        redirect.path.take_if(|path| !path.starts_with('/'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::plain::Step;

    fn why(analysis: Analysis) -> String {
        match analysis {
            Analysis::Opaque { why, .. } => why,
            Analysis::Plain(commands, _) => panic!("plain: {commands:?}"),
        }
    }

    #[test]
    fn a_second_parser_that_reads_other_words_makes_a_script_opaque() {
        fn liar(_: &str) -> Result<Vec<Step>, String> {
            plain::read("ls other")
        }
        assert!(matches!(analyse("ls there"), Analysis::Plain(..)));
        let analysis = analyse_with("ls there", liar);
        let Analysis::Opaque { commands, .. } = &analysis else { panic!("{analysis:?}") };
        assert_eq!(commands[0].argv, ["ls", "there"]);
        assert_eq!(why(analysis), "two parsers read different commands in it");
    }

    #[test]
    fn a_second_parser_that_fails_makes_a_script_opaque() {
        assert_eq!(why(analyse_with("ls", |_| Err("cannot be read".to_owned()))), "cannot be read");
    }

    #[test]
    fn a_second_parser_cannot_make_a_script_plain() {
        fn lenient(_: &str) -> Result<Vec<Step>, String> {
            plain::read("ls")
        }
        assert_eq!(why(analyse_with("ls *", lenient)), "`*` outside quotes");
    }

    #[test]
    fn a_relative_target_behind_a_change_of_directory_is_not_known() {
        let paths = |script| match analyse(script) {
            Analysis::Plain(commands, _) | Analysis::Opaque { commands, .. } => {
                commands.into_iter().flat_map(|command| command.redirects).map(|r| r.path).collect::<Vec<_>>()
            }
        };
        assert_eq!(paths("echo a > b"), [Some("b".to_owned())]);
        assert_eq!(paths("cd c && echo a > b"), [None]);
        assert_eq!(paths("cd c && echo a > /b"), [Some("/b".to_owned())]);
        assert_eq!(paths("(cd c; echo $a > b)"), [None]);
    }
}
