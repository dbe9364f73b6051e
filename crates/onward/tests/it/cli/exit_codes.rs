//! Every exit code, by a run that really ends like this. What waits, is denied, unknown or interrupted has files of
//! its own: `approvals`, `unknown_outcomes`, `interrupts`.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use insta::assert_snapshot;
use onward_event::{AttemptOutcome, ErrorClass, Event};
use serde_json::{Value, json};

use crate::support::Sandbox;

/// A model that never comes to an end; every step leaves a line in the ledger.
fn endless() -> Value {
    let step = json!({
        "repeat": 50, "usage": { "input": 100, "output": 10 },
        "calls": [{ "tool": "shell", "input": { "command": "echo {n} >> ledger" } }],
    });
    json!({ "steps": [step] })
}

#[test]
fn one_when_the_model_refuses() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": "No.", "finish": "refusal" }] }));
    let done = sandbox.run(&["exec", "something"]).ended(1);
    assert_snapshot!(sandbox.shown(&done));
    sandbox.assert_checked();
}

#[test]
fn two_when_the_command_line_is_wrong() {
    let sandbox = Sandbox::new(&json!({}));
    let done = sandbox.run(&["exec", "--mode", "yolo", "something"]).ended(2);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn six_when_the_steps_are_used_up() {
    let sandbox = Sandbox::new(&endless());
    let done = sandbox.run(&["exec", "--mode", "auto", "--max-steps", "2", "go"]).ended(6);
    assert_eq!(sandbox.read("ledger"), "1\n2\n");
    assert_snapshot!(sandbox.shown(&done));
    sandbox.run(&["send", "go on"]).ended(6);
    assert_eq!(sandbox.read("ledger"), "1\n2\n3\n4\n", "a message starts a fresh count");
    sandbox.assert_checked();
}

#[test]
fn six_when_the_budget_is_used_up() {
    let sandbox = Sandbox::new(&endless());
    let done = sandbox.run(&["exec", "--mode", "auto", "--budget", "tokens=200", "go"]).ended(6);
    assert_eq!(sandbox.read("ledger"), "1\n2\n");
    assert_snapshot!(sandbox.shown(&done));
    sandbox.assert_checked();
}

#[test]
fn seven_when_the_key_is_wrong() {
    let port = server_that_says_no();
    let sandbox = Sandbox::bare();
    let key = sandbox.path().join("key");
    std::fs::write(&key, "sk-secret-value\n").unwrap();
    let key = key.display();
    sandbox.set_config(&format!(
        "model = \"local/m\"\n[providers.local]\nbase_url = \"http://127.0.0.1:{port}/v1\"\nkey = \"file:{key}\"\n"
    ));
    let done = sandbox.run(&["exec", "something"]).ended(7);
    assert_snapshot!(sandbox.shown(&done).replace(&port.to_string(), "[port]"));
    assert_eq!(failures(&sandbox), [ErrorClass::Auth], "it is not tried again");
    let log = sandbox.run(&["log"]).ended(0);
    assert!(!format!("{done:?}{log:?}").contains("sk-secret-value"));
    sandbox.assert_checked();
}

#[test]
fn seven_when_nobody_is_there() {
    // A port that was free a moment ago, and that nobody listens on.
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let sandbox = Sandbox::bare();
    sandbox.set_config(&format!(
        "model = \"local/m\"\nlimits.max_attempts = 2\n[providers.local]\nbase_url = \"http://127.0.0.1:{port}/v1\"\n"
    ));
    let done = sandbox.run(&["exec", "something"]).ended(7);
    assert!(done.stderr.contains("trying again in"), "{done:?}");
    assert!(done.stderr.contains("the model could not be reached"), "{done:?}");
    assert_eq!(failures(&sandbox), [ErrorClass::Network, ErrorClass::Network]);
    sandbox.assert_checked();
}

/// The classes of the failed attempts.
fn failures(sandbox: &Sandbox) -> Vec<ErrorClass> {
    sandbox.records().all(|event| match event {
        Event::AttemptEnd(end) => match &end.outcome {
            AttemptOutcome::Failed { class, .. } => Some(*class),
            _ => None,
        },
        _ => None,
    })
}

/// A server that answers every request with 401, for as long as the tests run.
fn server_that_says_no() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            let mut piece = [0; 4096];
            while !is_whole(&request) {
                match stream.read(&mut piece) {
                    Ok(0) | Err(_) => break,
                    Ok(n) => request.extend_from_slice(&piece[..n]),
                }
            }
            let body = r#"{"error":{"message":"the key is not known","code":"invalid_api_key"}}"#;
            let answer = format!(
                "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
                 connection: close\r\n\r\n{body}",
                body.len()
            );
            // The client may be gone.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    port
}

/// Whether a request's head and body have arrived.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0_usize)
}
