//! The program that the tests start as supervisor and as launcher, as the product starts itself.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    match words.as_slice() {
        [_, word] if word == onward_sandbox::LAUNCHER => onward_sandbox::launch(std::io::stdin()),
        [_, word] if word == "supervise-command" => {
            onward_sandbox::supervise(std::io::stdin());
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(2),
    }
}
