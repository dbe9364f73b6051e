//! Adding a grant to the text of a person's file. Writing the file is the caller's business.

use onward_event::Timestamp;

use crate::layer::Layer;
use crate::load::{LoadErrors, parse};
use crate::moment::moment;

/// Before each grant of a proposal, on a line of its own: no text that it holds has lines.
const HEADER: &str = "[[grant]]";

/// The text of a file of rules with a proposed grant ([`onward_port::PolicyDecision::always`]) at its end. What is there
/// stays as it is, to the last comment; a grant that is there already is not added again.
///
/// # Errors
/// What is wrong with the file as it is, or with the grant: then nothing is to be written.
pub fn with_grant(text: &str, file: &str, grant: &str) -> Result<String, LoadErrors> {
    let there = parsed(text, file)?;
    let added = parsed(grant, "the proposed grant")?;
    let known = |id: &String| there.grants.iter().any(|grant| grant.id == *id);
    if !added.grants.is_empty() && added.grants.iter().all(|grant| known(&grant.id)) {
        return Ok(text.to_owned());
    }
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let whole = format!("{text}{gap}{}\n", grant.trim_end());
    // Two texts that are right can be wrong together: a table that is written in another way cannot be added to.
    parsed(&whole, file)?;
    Ok(whole)
}

/// A proposed grant that answers nothing after this moment.
pub fn valid_until(grant: &str, until: Timestamp) -> String {
    let line = |line: &str| match line {
        HEADER => format!("{HEADER}\nvalid_until = {}\n", moment(until)),
        other => format!("{other}\n"),
    };
    grant.lines().map(line).collect()
}

fn parsed(text: &str, file: &str) -> Result<crate::load::Parsed, LoadErrors> {
    let parsed = parse(Layer::User, file, text);
    if parsed.errors.is_empty() { Ok(parsed) } else { Err(LoadErrors(parsed.errors)) }
}
