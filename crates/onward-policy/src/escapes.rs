//! Options by which a program that is known for looking writes a file or runs another program.
//!
//! `argv = ["git", "diff", "..."]` is written by somebody who thinks of looking at differences, not of
//! `git diff --output=FILE`. So the `...` of an *allow* never stands for these; who wants one allowed writes it down.

/// A program, and how words start that change what it is.
struct Escapes {
    program: &'static str,
    words: &'static [&'static str],
}

/// Plug-ins and programs in front of the compiler, and files with more options.
const COMPILER: &[&str] = &["@", "-B", "-fplugin", "-specs", "-wrapper", "--specs", "-Xclang"];

const TABLE: &[Escapes] = &[
    Escapes { program: "find", words: &["-delete", "-exec", "-ok", "-fprint", "-fls", "-files0-from"] },
    Escapes { program: "fd", words: &["-x", "-X", "--exec", "--exec-batch"] },
    Escapes {
        program: "git",
        words: &[
            "-c",
            "-C",
            "-O",
            "--config-env",
            "--exec-path",
            "--ext-diff",
            "--filters",
            "--help",
            "--git-dir",
            "--open-files-in-pager",
            "--output",
            "--receive-pack",
            "--textconv",
            "--upload-pack",
            "--work-tree",
        ],
    },
    Escapes { program: "rg", words: &["--pre", "--hostname-bin"] },
    Escapes {
        program: "sort",
        words: &["-o", "-T", "--output", "--compress-program", "--temporary-directory"],
    },
    Escapes { program: "tree", words: &["-o", "--output"] },
    Escapes { program: "sed", words: &["-i", "--in-place", "-f", "--file"] },
    Escapes {
        program: "tar",
        words: &["-I", "--to-command", "--checkpoint-action", "--use-compress-program"],
    },
    Escapes { program: "cargo", words: &["--config", "--manifest-path", "-C", "-Z"] },
    Escapes { program: "rustc", words: &["-C", "-o", "--out-dir"] },
    Escapes { program: "npm", words: &["--prefix", "--script-shell", "--userconfig", "--globalconfig"] },
    Escapes { program: "pnpm", words: &["-C", "--dir", "--script-shell"] },
    Escapes { program: "yarn", words: &["--cwd", "--use-yarnrc"] },
    Escapes { program: "go", words: &["-exec", "-toolexec", "-o", "-C", "-vettool", "-modfile", "-overlay"] },
    Escapes { program: "c++", words: COMPILER },
    Escapes { program: "cc", words: COMPILER },
    Escapes { program: "clang", words: COMPILER },
    Escapes { program: "clang++", words: COMPILER },
    Escapes { program: "g++", words: COMPILER },
    Escapes { program: "gcc", words: COMPILER },
    Escapes { program: "javac", words: &["@", "-J", "-processor", "--processor"] },
    Escapes { program: "java", words: &["@", "-agent", "-javaagent"] },
    Escapes { program: "cmake", words: &["-E", "-P", "-C", "--install"] },
    Escapes { program: "make", words: &["-f", "-C", "-I", "--file", "--directory", "--eval", "SHELL="] },
    Escapes { program: "pytest", words: &["-c", "-p", "--confcutdir", "--rootdir", "--config-file"] },
    Escapes { program: "man", words: &["-P", "-H", "--pager", "--html"] },
    Escapes { program: "date", words: &["-s", "--set"] },
    Escapes { program: "python", words: &["-c", "-m"] },
    Escapes { program: "python3", words: &["-c", "-m"] },
    Escapes {
        program: "node",
        words: &["-e", "-p", "-r", "--eval", "--print", "--require", "--import", "--inspect"],
    },
    Escapes { program: "perl", words: &["-e", "-E", "-i"] },
    Escapes { program: "ruby", words: &["-e", "-i"] },
    Escapes { program: "php", words: &["-r"] },
    Escapes { program: "awk", words: &["-f", "-i"] },
    Escapes { program: "ssh", words: &["-o", "-F"] },
];

/// Whether this word turns this program into something else. The program is named as it was written.
pub(crate) fn is_escape(program: &str, word: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    let known = TABLE.iter().filter(|row| row.program == name);
    known.flat_map(|row| row.words).any(|escape| is_written_as(escape, word))
}

/// Long options may be shortened, and values may follow both kinds without a space.
fn is_written_as(escape: &str, word: &str) -> bool {
    if word.starts_with(escape) {
        return true;
    }
    let name = word.split('=').next().unwrap_or(word);
    escape.starts_with("--") && name.len() > 3 && escape.starts_with(name)
}
