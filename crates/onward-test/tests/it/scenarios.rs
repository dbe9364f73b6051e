//! Every scenario by name, so that the test runner can spread them: as a snapshot without a crash, and with a crash at
//! every point.

use std::collections::BTreeSet;

use onward_test::{events, history, screen};

use crate::crashes::crash_everywhere;
use crate::support::{assert_good, deaths, folder, load, run_within};

macro_rules! scenarios {
    (crashed everywhere { $($name:ident)* } with crashes of their own { $($own:ident)* }) => {
        $(mod $name {
            #[test]
            fn goes_as_it_should() {
                super::calm(stringify!($name));
            }

            #[test]
            fn survives_a_crash_at_every_point() {
                super::crash_everywhere(stringify!($name));
            }
        })*
        $(#[test]
        fn $own() {
            calm(stringify!($own));
        })*
        const NAMES: &[&str] = &[$(stringify!($name),)* $(stringify!($own),)*];
    };
}

scenarios! {
    crashed everywhere {
        plain_answer
        look_once
        peek_once
        interrupt_hung_look
        put_once
        place_once
        fire_once
        launch_once
        fire_settled_applied
        seal_once
        edit_file
        write_file
        shell_command
        parallel_calls
        conflicting_calls
        invalid_calls
        ask_approve_once
        ask_twice
        ask_approve_session
        ask_bound
        ask_reject
        ask_unanswered
        ask_interrupted
        release_while_asked
        deny_read_only
        retry_rate_limited
        attempts_exhausted
        auth_failure
        broken_arguments
        rejections_exhausted
        cut_off_at_length
        steer_during_step
        inject_during_step
        follow_up
        said_while_leaving
        interrupt_model
        interrupt_tool
        interrupt_then_next
        max_steps
        token_budget
        repeated_call
        polling
        repeated_error
        refused_again_and_again
        refused_now_and_then
        context_cannot_fit
        project_instructions
        calls_wait_for_their_place
        job_once
        jobs_wait_for_their_place
        jobs_have_a_budget
        pause_while_asking
        pause_during_call
        pause_before_supervised
        pause_leaves_supervised
        pause_leaves_job
    }
    with crashes of their own {
        five_crashes
        six_crashes
        put_cut_off_often
        put_cut_off_then_denied
    }
}

/// Without a crash of our making: what happens, what the model sees, what a client sees.
fn calm(name: &str) {
    let scenario = load(name);
    let run = run_within(&scenario, &[]);
    let crashes = if scenario.crashes() { deaths(&run) } else { Vec::new() };
    assert_good(&scenario, &run, &[], &crashes);
    let shown = format!(
        "{}\n\n{}\n--- the model sees\n{}\n--- a client sees\n{}",
        scenario.about,
        events(&run),
        history(&run),
        screen(&run)
    );
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, shown);
    });
}

#[test]
fn every_file_is_a_test() {
    let files: BTreeSet<String> = std::fs::read_dir(folder("scenarios"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, NAMES.iter().map(|name| (*name).to_owned()).collect());
}
