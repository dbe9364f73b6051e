//! Canaries: secrets in every place where the configuration may have one, a provider that repeats them, commands that
//! print them. Afterwards no form of them is anywhere but where they were planted.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::Sandbox;

const KEY: &str = "sk-canary/4f9+Q7zz81bd77ab31";
const HEADER: &str = "header-canary=90c1+ee/24";
const PROXY: &str = "proxy-canary-5512aa";
const TOKEN: &str = "deploy/canary+7719bb'0c";
const ALL: [&str; 4] = [KEY, HEADER, PROXY, TOKEN];
/// Longer than the lines of `base64` and `fold`, and than several of a dump.
const LONG: &str =
    "long-canary+0011223344556677889900/AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQrrSSttUUvvWWxxYYzz=5544332211=Z9y8";

/// Prints what it knows as it is, in two writes, and in the forms of other programs.
const PRINTING: &str = r#"echo "$DEPLOY_TOKEN"; printf %s "$DEPLOY_TOKEN" | cut -c1-9 | tr -d '\n'; sleep 0.1
printf %s "$DEPLOY_TOKEN" | cut -c10-; printf %s "$DEPLOY_TOKEN" | base64; printf "u:$DEPLOY_TOKEN" | base64
printf "me:$DEPLOY_TOKEN" | base64; printf %s "$DEPLOY_TOKEN" | od -An -v -tx1 | tr -d ' \n'
echo; echo 'deploy%2Fcanary%2B7719bb%270c deploy%2fcanary%2b7719bb%270c'
printf %s "$LONG_TOKEN" > long; base64 long; base64 -w64 long; od -An -tx1 long; od -tx1z long; fold -w 40 long; echo
if command -v xxd > /dev/null; then xxd long; xxd -p long; xxd -i < long; fi
if command -v hexdump > /dev/null; then hexdump -C long; hexdump long; fi; rm long"#;

#[test]
fn no_secret_is_anywhere_but_where_it_was_planted() {
    let script = vec![
        reply(
            &["I know sk-can", "ary/4f9+Q7", "zz81bd77ab31, ", HEADER, " and ", PROXY],
            &[
                ("shell", json!({ "command": format!("echo '{KEY}' > leaked; {PRINTING}") })),
                ("shell", json!({ "command": format!("{PRINTING}; sleep 0.3"), "background": true })),
            ],
        ),
        reply(&["done: ", KEY], &[]),
        reply(&["the job, too: ", KEY], &[]),
    ];
    let (port, received) = provider(script);
    let sandbox = Sandbox::bare();
    let planted = sandbox.path().join("planted");
    std::fs::write(&planted, format!("{HEADER}\n")).unwrap();
    sandbox.set_config(&format!(
        "model = \"loop/m\"\n[providers.loop]\nbase_url = \"http://127.0.0.1:{port}/v1\"\nkey = \"env:CANARY_KEY\"\n\
         headers = {{ X-Api-Key = \"file:{}\" }}\n[shell.env]\npass = [\"DEPLOY_TOKEN\", \"LONG_TOKEN\"]\n",
        planted.display()
    ));
    let run = |args: &[&str]| {
        let mut command = sandbox.command(args);
        command.env("CANARY_KEY", KEY).env("DEPLOY_TOKEN", TOKEN).env("LONG_TOKEN", LONG);
        command.env("HTTPS_PROXY", format!("http://me:{PROXY}@127.0.0.1:9"));
        sandbox.start_command(command, std::process::Stdio::null()).wait()
    };
    // What a person says may hold one, too.
    let task = format!("use {KEY} and {PROXY}");
    let done = run(&["exec", "--mode", "auto", "--json", &task]).ended(0);
    assert!(done.stdout.contains("I know [secret:CANARY_KEY], [secret:providers.loop.headers."), "{done:?}");
    let mut seen = format!("{done:?}");
    for args in [
        &["log"] as &[&str],
        &["log", "--json"],
        &["show"],
        &["jobs"],
        &["config"],
        &["check"],
        &["sessions", "--json"],
    ] {
        write!(seen, "{:?}", run(args).ended(0)).unwrap();
    }
    write!(seen, "{:?}", run(&["exec", &format!("--token={KEY}")]).ended(2)).unwrap();
    assert!(seen.contains("[secret:LONG_TOKEN]"), "{seen}");
    assert!(seen.contains("[secret:DEPLOY_TOKEN]") && seen.contains("env:CANARY_KEY"), "{seen}");
    assert_none(seen.as_bytes(), "what was printed");

    let bodies = received.lock().unwrap();
    assert!(bodies.len() >= 2, "{} requests", bodies.len());
    for body in bodies.iter() {
        assert_none(body, "a request");
    }
    assert!(String::from_utf8_lossy(&bodies[1]).contains("[secret:CANARY_KEY]"));
    // What was judged and recorded is what ran.
    assert_eq!(sandbox.read("leaked"), "[secret:CANARY_KEY]\n");
    let mut files = 0;
    for folder in [sandbox.data(), &sandbox.path().join("output"), &sandbox.workspace()] {
        files += search(folder);
    }
    assert!(files > 3, "{files} files");
}

/// Searches every file below; how many there were.
fn search(folder: &Path) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files += search(&path);
        } else {
            assert_none(&std::fs::read(&path).unwrap(), &path.display().to_string());
            files += 1;
        }
    }
    files
}

#[track_caller]
fn assert_none(bytes: &[u8], place: &str) {
    let text = String::from_utf8_lossy(bytes);
    for secret in ALL {
        for form in forms(secret) {
            assert!(!text.contains(&form), "{place} holds {form}");
        }
    }
    for part in parts_of_lines() {
        assert!(!text.contains(&part), "{place} holds {part}");
    }
}

/// What would stand in some line if the long secret were shown in lines or in a dump.
fn parts_of_lines() -> Vec<String> {
    let whole = |part: &&[u8]| part.len() >= 4;
    let text = |part: &[u8]| String::from_utf8(part.to_vec()).unwrap();
    let mut parts: Vec<String> = LONG.as_bytes().chunks_exact(8).map(text).collect();
    parts.extend(base64("", LONG).as_bytes().chunks_exact(16).map(text));
    for bytes in LONG.as_bytes().chunks(4).filter(whole) {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let [a, b, c, d] = digits.as_slice() else { unreachable!() };
        parts.extend([format!("{a} {b} {c} {d}"), format!("{a}{b} {c}{d}"), format!("{b}{a} {d}{c}")]);
        parts.extend([format!("{a}{b}{c}{d}"), format!("0x{a}, 0x{b}, 0x{c}")]);
    }
    parts
}

fn forms(secret: &str) -> Vec<String> {
    let escape = |keep: fn(u8) -> bool, upper: bool| {
        secret.bytes().fold(String::new(), |out, byte| match (keep(byte), upper) {
            (true, _) => out + &char::from(byte).to_string(),
            (false, true) => out + &format!("%{byte:02X}"),
            (false, false) => out + &format!("%{byte:02x}"),
        })
    };
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let hex = secret.bytes().fold(String::new(), |out, byte| out + &format!("{byte:02x}"));
    let mut forms =
        vec![secret.to_owned(), secret[..16].to_owned(), escape(unreserved, true), escape(unreserved, false)];
    forms.extend([hex.to_uppercase(), hex]);
    forms.extend(["", "u", "me"].map(|before| base64(before, secret)));
    forms
}

/// What of the encoding the secret alone decides.
fn base64(before: &str, secret: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: String = format!("{before}{secret}").bytes().map(|byte| format!("{byte:08b}")).collect();
    let first = (before.len() * 8).div_ceil(6);
    let sextets =
        (first..bits.len() / 6).map(|at| usize::from_str_radix(&bits[at * 6..at * 6 + 6], 2).unwrap());
    sextets.map(|sextet| char::from(ALPHABET[sextet])).collect()
}

/// One reply as a stream of events.
fn reply(pieces: &[&str], calls: &[(&str, Value)]) -> String {
    let mut out = String::new();
    let mut event = |delta: Value, finish: Value| {
        let chunk = json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] });
        write!(out, "data: {chunk}\n\n").unwrap();
    };
    for piece in pieces {
        event(json!({ "content": piece }), Value::Null);
    }
    for (n, (tool, input)) in calls.iter().enumerate() {
        let arguments = input.to_string();
        let (first, rest) = arguments.split_at(30);
        let function = json!({ "name": tool, "arguments": first });
        let call = json!({ "index": n, "id": format!("call_{n}"), "type": "function", "function": function });
        event(json!({ "tool_calls": [call] }), Value::Null);
        event(json!({ "tool_calls": [{ "index": n, "function": { "arguments": rest } }] }), Value::Null);
    }
    event(json!({}), json!(if calls.is_empty() { "stop" } else { "tool_calls" }));
    out + "data: [DONE]\n\n"
}

/// A server that answers with these replies, one after the other, and keeps what it was sent.
fn provider(replies: Vec<String>) -> (u16, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let received = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&received);
    std::thread::spawn(move || {
        for reply in replies {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let Some(body) = body(&mut stream) else { return };
            kept.lock().unwrap().push(body);
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
            let _ = write!(stream, "{head}content-length: {}\r\n\r\n{reply}", reply.len());
        }
    });
    (port, received)
}

/// The body of a request.
fn body(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).ok().filter(|length| *length > 0)?;
        bytes.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let Some(end) = text.find("\r\n\r\n").map(|at| at + 4) else { continue };
        let wanted =
            text[..end].split("content-length: ").nth(1)?.lines().next()?.trim().parse::<usize>().ok()?;
        if bytes.len() >= end + wanted {
            return Some(bytes.split_off(end));
        }
    }
}
