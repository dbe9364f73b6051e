//! Programs that run the rest of their arguments.

use super::env::{self, Split};
use super::step::Step;
use super::table::{Form, WRAPPERS, Wrapper};
use crate::shell::names;
use crate::shell::options::Parsed;

/// What a wrapper of this name runs, if it is one.
pub(super) fn step(name: &str, arguments: &[String]) -> Option<Step> {
    let wrapper =
        WRAPPERS.iter().find(|wrapper| wrapper.names.split_ascii_whitespace().any(|known| known == name))?;
    if !matches!(name, "env" | "genv") {
        return Some(open(wrapper, arguments));
    }
    Some(match env::split(arguments) {
        Split::None => open(wrapper, arguments),
        Split::Into(words) if env::split(&words) == Split::None => open(wrapper, &words),
        // A split within a split is nobody's habit.
        Split::Into(words) | Split::Unclear(words) => Step::guesses(&words),
    })
}

fn open(wrapper: &Wrapper, arguments: &[String]) -> Step {
    let Some((options, count)) = wrapper.options.leading(arguments) else { return Step::guesses(arguments) };
    if wrapper.form == Form::Unknown {
        return Step::guesses(arguments);
    }
    let stops =
        |option: &&Parsed<'_>| matches!(option, Parsed::Option { name, .. } if has(wrapper.shows, name));
    if options.iter().any(|option| stops(&option)) {
        return Step::nothing();
    }
    let operands = arguments.get(count..).unwrap_or_default();
    let script = options.iter().find_map(|option| match option {
        Parsed::Option { name: "c" | "command", value: Some(script) } if wrapper.form == Form::Session => {
            Some(*script)
        }
        _ => None,
    });
    if let Some(script) = script {
        return Step::script(script);
    }
    let (assignments, operands) =
        if wrapper.assigns { assignments(operands) } else { (Vec::new(), operands) };
    let rest = operands.get(wrapper.operands..).unwrap_or_default();
    let steered = assignments.iter().any(|(variable, _)| names::steers(variable));
    let step = rest_of(wrapper.form, rest, assignments);
    if steered { step.and(Step::unknown()) } else { step }
}

/// What runs of the words behind options and operands.
fn rest_of(form: Form, rest: &[String], assignments: Vec<(String, String)>) -> Step {
    match form {
        Form::Command => Step::command(rest, assignments),
        Form::Appending => {
            let mut step = Step::command(rest, assignments);
            step.inner.iter_mut().for_each(|command| command.complete = false);
            step
        }
        Form::Joined if rest.is_empty() => Step::nothing(),
        Form::Joined => Step::script(&rest.join(" ")),
        // `flock file -c script`
        Form::Locked => match rest {
            [flag, script] if flag == "-c" || flag == "--command" => Step::script(script),
            _ => Step::command(rest, assignments),
        },
        // Without a command it starts a shell.
        Form::Shell if rest.is_empty() => Step::unknown(),
        Form::Shell => Step::command(rest, assignments),
        Form::Session | Form::Unknown => Step::unknown(),
    }
}

fn assignments(operands: &[String]) -> (Vec<(String, String)>, &[String]) {
    let assigned = operands.iter().map_while(|word| {
        let (name, value) = word.split_once('=')?;
        (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
    });
    let assigned = assigned.collect::<Vec<_>>();
    let rest = operands.get(assigned.len()..).unwrap_or_default();
    (assigned, rest)
}

fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_in_the_table_twice() {
        let all =
            WRAPPERS.iter().flat_map(|wrapper| wrapper.names.split_ascii_whitespace()).collect::<Vec<_>>();
        for (at, name) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(name), "{name}");
            assert_eq!(names::base(name), *name);
        }
    }
}
