//! Commands whose arguments are not options and operands.

use crate::shell::sed;

/// Whether `name` is such a command, and only looks with these arguments.
pub(super) fn permits(name: &str, arguments: &[String]) -> bool {
    match name {
        "echo" | "true" | "false" | ":" => true,
        // `printf -v` sets a variable.
        "printf" => arguments.first().is_some_and(|format| !format.starts_with('-')),
        // bash evaluates the subscript of a variable that `-v` or `-R` asks about.
        "test" | "[" => !arguments.iter().any(|word| word == "-v" || word == "-R"),
        "find" => arguments.iter().all(|word| find(word)),
        "sed" => sed(arguments),
        "xxd" => xxd(arguments),
        _ => false,
    }
}

/// The words of `find` that only look.
const LOOKING: &str = "-H -L -P -a -amin -and -anewer -atime -cmin -cnewer -ctime -daystart -depth -empty -executable \
     -false -follow -fstype -gid -group -iname -inum -ipath -iregex -links -ls -maxdepth -mindepth -mmin \
     -mount -mtime -name -newer -nogroup -not -nouser -o -or -path -perm -print -print0 -printf -prune \
     -quit -readable -regex -regextype -samefile -size -true -type -uid -user -wholename -writable -xdev \
     -xtype";

/// Whether a word of `find` is a path, a value, or an expression that only looks.
fn find(word: &str) -> bool {
    !word.starts_with('-') || LOOKING.split_ascii_whitespace().any(|known| known == word) || is_amount(word)
}

/// `-mtime -1`, `-perm -644`.
fn is_amount(word: &str) -> bool {
    let Some(amount) = word.strip_prefix('-') else { return false };
    let digits = amount.trim_end_matches(|unit| "cwbkMG".contains(unit));
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `sed -n 10,20p files` prints lines, `sed s/old/new/ files` changes them on their way.
fn sed(arguments: &[String]) -> bool {
    let named = |files: &[String]| files.iter().all(|file| !file.starts_with('-'));
    match arguments {
        [flag, script, files @ ..] if flag == "-n" => {
            (prints_lines(script) || sed::only_substitutes(script)) && named(files)
        }
        [flag, script, files @ ..] if matches!(flag.as_str(), "-E" | "-r") => {
            sed::only_substitutes(script) && named(files)
        }
        [script, files @ ..] => sed::only_substitutes(script) && named(files),
        [] => false,
    }
}

fn prints_lines(script: &str) -> bool {
    let Some(address) = script.strip_suffix('p') else { return false };
    let mut ends = address.split(',');
    let lines = |end: &str| end == "$" || !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    ends.clone().count() <= 2 && ends.all(lines)
}

/// `xxd -l 16 file`. A second file would be written, and its options are no letters that could be joined.
fn xxd(arguments: &[String]) -> bool {
    let mut words = arguments.iter().map(String::as_str).peekable();
    while let Some(option) = words.next_if(|word| word.starts_with('-')) {
        let amount = |word: Option<&str>| {
            word.is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
        };
        match option {
            "-p" | "-b" | "-u" | "-e" => {}
            "-c" | "-g" | "-l" | "-s" if amount(words.next()) => {}
            _ => return false,
        }
    }
    words.next();
    words.next().is_none()
}
