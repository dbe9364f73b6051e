//! The strict reader of plain scripts.

use super::lexer::{Redirection, Token, Word, tokens};
use super::step::{Connection, Join, Step, Target};
use crate::shell::{chars, limits, names};

/// Reads `script` if it is plain, or says why it is not.
pub(in crate::shell) fn read(script: &str) -> Result<Vec<Step>, String> {
    if script.len() > limits::PLAIN_BYTES {
        return Err(format!("longer than {} bytes", limits::PLAIN_BYTES));
    }
    if let Some(why) = script.chars().find_map(chars::forbidden) {
        return Err(why);
    }
    let steps = Reading::default().steps(tokens(script)?)?;
    steps.iter().try_for_each(refuse_meaning)?;
    match steps.len() {
        0 => Err("there is no command in it".to_owned()),
        count if count > limits::PLAIN_COMMANDS => {
            Err(format!("more than {} commands", limits::PLAIN_COMMANDS))
        }
        _ => Ok(steps),
    }
}

#[derive(Default)]
struct Reading {
    steps: Vec<Step>,
    /// The command that is being read.
    open: Option<Step>,
    /// An operator before it, which must have a command behind it.
    pending: Option<Join>,
}

impl Reading {
    fn steps(mut self, tokens: Vec<Token>) -> Result<Vec<Step>, String> {
        let mut tokens = tokens.into_iter();
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(word) => self.word(word)?,
                Token::Redirect(redirection) => {
                    let path = match redirection {
                        Redirection::Duplicate { .. } => None,
                        _ => tokens.next(),
                    };
                    let connection = connection(redirection, path)?;
                    self.step().connections.push(connection);
                }
                Token::Join(join) => {
                    let step = self.open.take().ok_or("an operator without a command before it")?;
                    self.steps.push(step);
                    self.pending = Some(join).filter(|join| *join != Join::Then);
                }
                Token::Line => self.steps.extend(self.open.take()),
            }
        }
        self.steps.extend(self.open.take());
        match self.pending {
            None => Ok(self.steps),
            Some(_) => Err("an operator without a command behind it".to_owned()),
        }
    }

    fn step(&mut self) -> &mut Step {
        let pending = &mut self.pending;
        self.open.get_or_insert_with(|| Step::new(pending.take().unwrap_or(Join::Then)))
    }

    fn word(&mut self, word: Word) -> Result<(), String> {
        let step = self.step();
        if step.argv.is_empty()
            && let Some((name, value)) = word.text.split_once('=')
        {
            // Anything else with `=` in the place of a name is an assignment to some shells.
            if name.len() >= word.bare || !names::is_variable(name) {
                return Err("`=` in the name of a command".to_owned());
            }
            step.assignments.push((name.to_owned(), value.to_owned()));
        } else {
            step.argv.push(word.text);
        }
        Ok(())
    }
}

fn connection(redirection: Redirection, path: Option<Token>) -> Result<Connection, String> {
    let path = match path {
        Some(Token::Word(word)) => word.text,
        _ => String::new(),
    };
    let (descriptor, to) = match redirection {
        Redirection::Duplicate { descriptor, of } => {
            return Ok(Connection { descriptor, to: Target::Descriptor(of) });
        }
        _ if path.is_empty() => return Err("a redirection without a path".to_owned()),
        // bash makes connections of these.
        _ if is_network(&path) => return Err("a redirection to a network address".to_owned()),
        Redirection::Read(descriptor) => (descriptor, Target::Read(path)),
        Redirection::Write(descriptor) => (descriptor, Target::Write(path)),
        Redirection::Append(descriptor) => (descriptor, Target::Append(path)),
    };
    Ok(Connection { descriptor, to })
}

/// Refuses what reads as a command but means more to a shell.
fn refuse_meaning(step: &Step) -> Result<(), String> {
    let Some(name) = step.argv.first() else {
        return Err("assignments or redirections without a command".to_owned());
    };
    if name.is_empty() {
        return Err("a command without a name".to_owned());
    }
    if names::is_reserved(name) {
        return Err(format!("the shell's word `{name}`"));
    }
    refuse_shaping(&step.argv)?;
    if let Some((variable, _)) = step.assignments.iter().find(|(variable, _)| names::steers(variable)) {
        return Err(format!("`{variable}` is set, which can change what runs"));
    }
    // What is set before some of these stays set.
    if !step.assignments.is_empty() && names::is_builtin_only(name) {
        return Err(format!("a variable is set for the builtin `{name}`"));
    }
    Ok(())
}

/// Refuses builtins that run text or change what follows, `command` and `builtin` before them or not.
fn refuse_shaping(argv: &[String]) -> Result<(), String> {
    let mut words = argv.iter().map(String::as_str);
    let mut name = words.next().unwrap_or_default();
    while matches!(name, "command" | "builtin") {
        name = words.find(|word| !word.starts_with('-')).unwrap_or_default();
    }
    let shapes = match name {
        // These set variables, and evaluate subscripts.
        "printf" => words.next().is_some_and(|first| first.starts_with("-v")),
        "test" | "[" => words.any(|word| word == "-v" || word == "-R"),
        "wait" => words.any(|word| word.starts_with("-p")),
        _ => names::shapes(name),
    };
    if shapes { Err(format!("the builtin `{name}`, which can change what follows")) } else { Ok(()) }
}

fn is_network(path: &str) -> bool {
    path.contains("/dev/tcp/") || path.contains("/dev/udp/")
}
