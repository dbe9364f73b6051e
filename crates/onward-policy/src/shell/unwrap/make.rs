//! `make -C folder …`: the same as `make …` in that folder.

use super::step::Step;

/// What `make` with these arguments is. What its files say is not looked at.
pub(super) fn step(arguments: &[String]) -> Step {
    match arguments {
        [option, _, rest @ ..] if option == "-C" => {
            let inner: Vec<String> = ["make".to_owned()].into_iter().chain(rest.iter().cloned()).collect();
            Step::command(&inner, Vec::new())
        }
        _ => Step::nothing(),
    }
}
