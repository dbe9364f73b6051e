//! SIGKILL again and again.

use onward_event::{Event, StopReason};
use serde_json::json;

use crate::support::{Sandbox, hanging};

#[test]
fn it_goes_on_five_times_by_itself_and_not_a_sixth_time() {
    let sandbox = Sandbox::new(&hanging());
    let mut running = sandbox.start(&["exec", "think"]);
    for attempts in 1..=6 {
        sandbox.until("attempt/start", attempts);
        running.kill();
        running = sandbox.start(&["resume"]);
    }
    let last = running.wait().ended(6);
    let records = sandbox.records();
    assert_eq!(records.count("recovery/continuation"), 5);
    assert_eq!(records.count("attempt/start"), 6, "the first, and five more");
    let stop = records.all(|event| match event {
        Event::TurnEnd(end) => Some(end.stop),
        _ => None,
    });
    assert_eq!(stop.last(), Some(&StopReason::PausedForResume));
    insta::assert_snapshot!(sandbox.shown(&last));
    sandbox.assert_checked();

    sandbox.set_script(&json!({ "final": "At last." }));
    assert_eq!(sandbox.run(&["send", "try once more"]).ended(0).stdout, "At last.\n");
    sandbox.assert_checked();
}
