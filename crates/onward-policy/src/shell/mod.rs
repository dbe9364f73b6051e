//! Reads shell scripts: which commands they run, and whether that is all of what they do.

use onward_event::Rendered;

/// What a script is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Understood to the last word: these commands, and what runs in place of the text.
    Plain(Vec<Simple>, Rendered),
    /// Not understood: the commands that were found all the same, and why.
    Opaque {
        /// What was found.
        commands: Vec<Simple>,
        /// Why it is not plain.
        why: String,
    },
}

/// One command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// Its words.
    pub argv: Vec<String>,
    /// Its redirections.
    pub redirects: Vec<Redirect>,
    /// The variables set for it.
    pub assignments: Vec<(String, String)>,
    /// Whether all its words are known.
    pub complete: bool,
}

/// One redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// Whether it changes its target.
    pub writes: bool,
    /// Its target; `None`: unknown.
    pub path: Option<String>,
}

/// The commands that a command runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwrapped {
    /// Outermost first.
    pub commands: Vec<Simple>,
    /// Whether these are all.
    pub complete: bool,
}

/// Reads a script.
pub fn analyse(script: &str) -> Analysis {
    let safe = |c: char| c.is_ascii_alphanumeric() || " _-./=:,@+*~{}[]|&;<>".contains(c);
    let mut commands = vec![Simple { complete: true, ..Simple::default() }];
    let mut words = script.split_ascii_whitespace();
    let mut plain = script.chars().all(safe);
    while let Some(word) = words.next() {
        let Some(last) = commands.last_mut() else { break };
        match word {
            "|" | "&&" | "||" | ";" => commands.push(Simple { complete: true, ..Simple::default() }),
            ">" | ">>" | "<" => {
                let path = words.next().map(str::to_owned);
                last.redirects.push(Redirect { writes: word != "<", path });
            }
            word => {
                plain &= !word.contains(['*', '~', '{', '[', '|', '&', ';', '<', '>']);
                last.argv.push(word.to_owned());
            }
        }
    }
    commands.retain(|command| !command.argv.is_empty());
    match (plain, commands.as_slice()) {
        (true, [one]) if one.redirects.is_empty() => {
            let argv = one.argv.clone();
            Analysis::Plain(commands, Rendered::Argv(argv))
        }
        (true, [_, ..]) => Analysis::Plain(commands, Rendered::Script(script.to_owned())),
        _ => Analysis::Opaque { commands, why: "it has characters that a shell gives a meaning".into() },
    }
}

/// The commands inside wrappers.
pub fn unwrap(command: &Simple) -> Unwrapped {
    let inner = match command.argv.first().map(String::as_str) {
        Some("sudo" | "nice" | "setsid") => 1,
        Some("timeout") => 2,
        Some("sh") if command.argv.get(1).is_some_and(|word| word == "-c") => 2,
        Some("xargs") => 1,
        _ => return Unwrapped { commands: Vec::new(), complete: true },
    };
    let argv: Vec<String> = command.argv.iter().skip(inner).cloned().collect();
    let complete = command.argv[0] != "xargs";
    Unwrapped { commands: vec![Simple { argv, complete, ..Simple::default() }], complete: true }
}

/// Whether a command is on the short list of those that only look.
pub fn harmless(command: &Simple) -> bool {
    const NAMES: &[&str] = &["ls", "cat", "head", "tail", "wc", "pwd", "echo", "grep", "true", "cd"];
    command.complete && command.argv.first().is_some_and(|name| NAMES.contains(&name.as_str()))
}
