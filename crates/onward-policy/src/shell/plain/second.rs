//! The second opinion on a plain script: a parser of all of bash, which shares no code with the strict reader.
//!
//! It only ever sees what the strict reader took for plain: flat text without nesting. So its recursion is bounded
//! by what it is given, and none of the constructs that hostile texts are made of reach it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use brush_parser::ast::{
    AndOr, Assignment, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem as Item,
    IoFileRedirectKind as Kind, IoFileRedirectTarget as End, IoRedirect, Pipeline, Program,
    SeparatorOperator, SimpleCommand,
};
use brush_parser::word::{self, WordPiece, WordPieceWithSource};
use brush_parser::{ParserOptions, SourceInfo, uncached_tokenize_str};

use super::step::{Connection, Join, Step, Target};

/// Reads `script` with the other parser; a panic in it is an answer like any other that is no script.
pub(in crate::shell) fn second(script: &str) -> Result<Vec<Step>, String> {
    catch_unwind(AssertUnwindSafe(|| parse(script)))
        .unwrap_or(None)
        .ok_or_else(|| "the second parser does not read it as plain commands".to_owned())
}

fn parse(script: &str) -> Option<Vec<Step>> {
    let options = ParserOptions::default();
    let tokens = uncached_tokenize_str(script, &options.tokenizer_options()).ok()?;
    let program = brush_parser::parse_tokens(&tokens, &options, &SourceInfo::default()).ok()?;
    steps(&program, &options)
}

fn steps(program: &Program, options: &ParserOptions) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for item in program.complete_commands.iter().flat_map(|list| &list.0) {
        if !matches!(item.1, SeparatorOperator::Sequence) {
            return None;
        }
        pipeline(&mut steps, Join::Then, &item.0.first, options)?;
        for next in &item.0.additional {
            match next {
                AndOr::And(next) => pipeline(&mut steps, Join::And, next, options)?,
                AndOr::Or(next) => pipeline(&mut steps, Join::Or, next, options)?,
            }
        }
    }
    Some(steps)
}

fn pipeline(steps: &mut Vec<Step>, join: Join, pipeline: &Pipeline, options: &ParserOptions) -> Option<()> {
    if pipeline.timed.is_some() || pipeline.bang {
        return None;
    }
    for (index, command) in pipeline.seq.iter().enumerate() {
        let Command::Simple(command) = command else { return None };
        steps.push(simple(if index == 0 { join } else { Join::Pipe }, command, options)?);
    }
    Some(())
}

fn simple(join: Join, command: &SimpleCommand, options: &ParserOptions) -> Option<Step> {
    let mut step = Step::new(join);
    for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
        match item {
            Item::AssignmentWord(assigned, _) => step.assignments.push(assignment(assigned, options)?),
            Item::IoRedirect(redirect) => step.connections.push(connection(redirect, options)?),
            Item::Word(_) | Item::ProcessSubstitution(..) => return None,
        }
    }
    step.argv.push(literal(&command.word_or_name.as_ref()?.value, options)?);
    for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
        match item {
            Item::Word(word) | Item::AssignmentWord(_, word) => {
                step.argv.push(literal(&word.value, options)?)
            }
            Item::IoRedirect(redirect) => step.connections.push(connection(redirect, options)?),
            Item::ProcessSubstitution(..) => return None,
        }
    }
    Some(step)
}

fn assignment(assignment: &Assignment, options: &ParserOptions) -> Option<(String, String)> {
    match (&assignment.name, &assignment.value) {
        (AssignmentName::VariableName(name), AssignmentValue::Scalar(value)) if !assignment.append => {
            Some((name.clone(), literal(&value.value, options)?))
        }
        _ => None,
    }
}

fn connection(redirect: &IoRedirect, options: &ParserOptions) -> Option<Connection> {
    let IoRedirect::File(descriptor, kind, end) = redirect else { return None };
    let (standard, to) = match (kind, end) {
        (Kind::Read, End::Filename(path)) => (0, Target::Read(literal(&path.value, options)?)),
        (Kind::Write, End::Filename(path)) => (1, Target::Write(literal(&path.value, options)?)),
        (Kind::Append, End::Filename(path)) => (1, Target::Append(literal(&path.value, options)?)),
        (Kind::DuplicateOutput, End::Fd(of)) => (1, Target::Descriptor(u8::try_from(*of).ok()?)),
        (Kind::DuplicateOutput, End::Duplicate(word)) => (1, Target::Descriptor(word.value.parse().ok()?)),
        _ => return None,
    };
    let descriptor = match descriptor {
        Some(descriptor) => u8::try_from(*descriptor).ok()?,
        None => standard,
    };
    Some(Connection { descriptor, to })
}

/// The value of a word as it was written, if all of it is literal.
fn literal(raw: &str, options: &ParserOptions) -> Option<String> {
    // Of an empty word there is nothing to parse.
    if raw.is_empty() {
        return Some(String::new());
    }
    let mut text = String::new();
    for piece in word::parse(raw, options).ok()? {
        match piece.piece {
            WordPiece::Text(part) | WordPiece::SingleQuotedText(part) => text.push_str(&part),
            WordPiece::DoubleQuotedSequence(parts) => double_quoted(&mut text, parts)?,
            _ => return None,
        }
    }
    Some(text)
}

fn double_quoted(text: &mut String, parts: Vec<WordPieceWithSource>) -> Option<()> {
    for part in parts {
        match part.piece {
            WordPiece::Text(part) => text.push_str(&part),
            WordPiece::EscapeSequence(escape) => text.push_str(escape.strip_prefix('\\')?),
            _ => return None,
        }
    }
    Some(())
}
