//! `awk`: its language can read and write any file and run any program, and most of its programs only print.

use super::step::Step;
use crate::shell::options::Options;

const AWK: Options = Options { flags: "", valued: "Fv", long: "", long_valued: "" };

/// Signs and words without which a program of `awk` runs nothing, writes nothing, loads nothing and reads no file that is
/// not among its operands. They count wherever they stand: in a text or a comment, too.
const REACHES: &[&str] = &["|", ">", "<", "@", "\\\n", "system", "getline", "ARGV", "ARGC"];

/// What `awk` with these arguments runs.
pub(super) fn step(arguments: &[String]) -> Step {
    let program = AWK.leading(arguments).and_then(|(_, count)| arguments.get(count));
    match program {
        Some(program) if !REACHES.iter().any(|word| program.contains(word)) => Step::nothing(),
        _ => Step::unknown(),
    }
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn a_program_that_only_prints_is_known() {
        let unknown =
            |words: &[&str]| step(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).unknown;
        for words in [
            &["{ print $2 }", "data.csv"][..],
            &["-F,", "{ print $2 }"],
            &["-F", ",", "-v", "n=3", "NR == n { print; exit }", "x"],
            &["END { print NR }"],
        ] {
            assert!(!unknown(words), "{words:?}");
        }
        for words in [
            &[][..],
            &["-f", "prog.awk", "x"],
            &["-i", "inplace", "{ print }", "x"],
            &["-lext", "{ print }"],
            &["{ print > \"out\" }"],
            &["{ print | \"sh\" }"],
            &["BEGIN { system(\"id\") }"],
            &["BEGIN { sys\\\ntem(\"id\") }"],
            &["BEGIN { getline x < \"/etc/passwd\" }"],
            &["BEGIN { f = \"sys\" \"tem\"; @f(\"id\") }"],
            &["BEGIN { ARGV[1] = \"/etc/passwd\"; ARGC = 2 } { print }"],
            &["--source", "{ print }"],
        ] {
            assert!(unknown(words), "{words:?}");
        }
    }
}
