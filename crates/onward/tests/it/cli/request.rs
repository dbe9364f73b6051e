//! What a model is sent first: how large it is.

use serde_json::Value;

use crate::support::Sandbox;

/// Bytes that the first request with all tools may have: each of them is paid for with every request.
const MOST: usize = 8_000;

#[test]
fn the_first_request_with_all_tools_is_small() {
    let sandbox = Sandbox::bare();
    // Nobody listens there: the request is put together, recorded, and not delivered.
    sandbox.set_config(
        "model = \"none/m\"\n[providers.none]\nbase_url = \"http://127.0.0.1:9/v1\"\n[limits]\nmax_attempts = 1\n",
    );
    sandbox.run(&["exec", "hello"]).ended(7);
    let log = sandbox.run(&["log"]).ended(0).stdout;
    let attempt = log.split_whitespace().find(|word| word.starts_with("att_")).unwrap();
    let body = sandbox.run(&["request", "show", attempt]).ended(0).stdout;
    let request: Value = serde_json::from_str(&body).unwrap();
    let tools = request["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 12);
    // Some servers refuse an object without.
    assert!(tools.iter().all(|tool| tool["function"]["parameters"]["properties"].is_object()), "{body}");
    assert!(body.len() <= MOST, "{} bytes: {body}", body.len());
}
