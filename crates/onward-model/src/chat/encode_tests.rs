//! The bytes of `chat/1`, and what must hold for any of them.

use onward_event::{AnswerStatus, ArtifactId, Digest, Part, Trust};
use proptest::prelude::*;
use serde_json::json;

use super::super::REASONING_FIELD;
use super::*;

const ENCODER: ChatEncoder = ChatEncoder::new(MaxTokensField::MaxTokens);

fn config() -> ModelConfig {
    ModelConfig::new("local", "some \"model\"", 32_000, 4_000)
}

fn section(source: &str, text: &str) -> Section {
    Section { source: source.into(), trust: Trust::System, text: text.into(), hash: None }
}

fn full_head() -> RequestHead {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let read = ToolDefinition {
        name: "read_file".into(),
        version: "1".into(),
        description: "Reads a file.".into(),
        input_schema: schema,
    };
    RequestHead {
        instructions: vec![section(INSTRUCTIONS, "Be brief."), section("AGENTS.md", "Use \"tabs\".")],
        tools: vec![read],
    }
}

fn text(text: &str) -> Vec<Part> {
    vec![Part::text(text)]
}

fn thoughts(text: &str, mark: Option<&str>) -> AcceptedPart {
    AcceptedPart::Reasoning { text: text.into(), opaque: mark.map(str::to_owned) }
}

fn call(id: &str, input: Value) -> AssistantCall {
    AssistantCall { id: id.into(), name: "read_file".into(), input }
}

/// One of every kind.
fn messages() -> Vec<Message> {
    let asked = [call("c1", json!({"path": "a \"b\""})), call("c2", json!({}))];
    let blob = Part::Blob { hash: Digest([0xab; 32]), media_type: "image/png".into(), size: 1234 };
    let parts = vec![
        Part::text("see "),
        blob,
        Part::text(" and "),
        Part::Reference(ArtifactId::from_bits(7)),
        Part::text(", with "),
        Part::SecretRef("DEPLOY_KEY".into()),
    ];
    let tool = |id: &str, status, words: &str| Message::Tool {
        id: id.into(),
        name: "read_file".into(),
        status,
        content: text(words),
    };
    vec![
        Message::User(text("What is in a?\n\u{1}😀")),
        Message::Notice("The mode is now plan.".into()),
        Message::Assistant {
            content: vec![thoughts("hm, ", Some(REASONING_FIELD)), thoughts("not this", None)],
            calls: asked.to_vec(),
        },
        tool("c1", AnswerStatus::Ok, "content of a"),
        tool("c2", AnswerStatus::Denied, "denied: not now"),
        Message::Assistant {
            content: vec![thoughts("hm", Some(REASONING_FIELD)), AcceptedPart::Text("It is empty.".into())],
            calls: vec![],
        },
        Message::User(parts),
    ]
}

fn body(encoder: &ChatEncoder, config: &ModelConfig, head: &RequestHead, messages: &[Message]) -> String {
    let mut out = encoder.head(config, head);
    for (at, message) in messages.iter().enumerate() {
        out.extend(encoder.message(message, at == 0));
    }
    out.extend(encoder.tail());
    String::from_utf8(out).unwrap()
}

/// On several lines, with the order of the bytes kept.
fn shown(body: &str) -> String {
    serde_json::from_str::<Value>(body).unwrap();
    body.replace(r#","messages":["#, ",\n\"messages\":[\n").replace(r#"},{"role""#, "},\n{\"role\"")
}

#[test]
fn a_whole_request() {
    insta::assert_snapshot!(shown(&body(&ENCODER, &config(), &full_head(), &messages())), @r#"
    {"model":"some \"model\"","stream":true,"stream_options":{"include_usage":true},"max_tokens":4000,"tools":[{"type":"function","function":{"name":"read_file","description":"Reads a file.","parameters":{"properties":{"path":{"type":"string"}},"required":["path"],"type":"object"}}}],
    "messages":[
    {"role":"system","content":"Be brief.\n\n<document path=\"AGENTS.md\">\nUse \"tabs\".\n</document>"},
    {"role":"user","content":"What is in a?\n\u0001😀"},
    {"role":"user","content":"<notice>The mode is now plan.</notice>"},
    {"role":"assistant","content":null,"reasoning_content":"hm, ","tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a \\\"b\\\"\"}"}},{"id":"c2","type":"function","function":{"name":"read_file","arguments":"{}"}}]},
    {"role":"tool","tool_call_id":"c1","content":"content of a"},
    {"role":"tool","tool_call_id":"c2","content":"denied: not now"},
    {"role":"assistant","content":"It is empty."},
    {"role":"user","content":"see [image/png, 1234 bytes, abababab: stored, not shown] and [stored result art_00000000000000000000000007], with {{secret:DEPLOY_KEY}}"}]}
    "#);
}

#[test]
fn the_smallest_request() {
    let config = ModelConfig { max_output: 0, ..config() };
    insta::assert_snapshot!(body(&ENCODER, &config, &RequestHead::default(), &messages()[..1]), @r#"{"model":"some \"model\"","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"What is in a?\n\u0001😀"}]}"#);
}

#[test]
fn every_parameter() {
    let config =
        ModelConfig { temperature_milli: Some(700), reasoning_effort: Some("low".into()), ..config() };
    let encoder = ChatEncoder::new(MaxTokensField::MaxCompletionTokens);
    insta::assert_snapshot!(body(&encoder, &config, &RequestHead::default(), &messages()[..1]), @r#"{"model":"some \"model\"","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":4000,"temperature":0.7,"reasoning_effort":"low","messages":[{"role":"user","content":"What is in a?\n\u0001😀"}]}"#);
}

#[test]
fn a_temperature_is_written_as_a_decimal_number() {
    for (milli, expect) in
        [(0, "0.0"), (1, "0.001"), (100, "0.1"), (700, "0.7"), (1000, "1.0"), (1234, "1.234")]
    {
        let config = ModelConfig { temperature_milli: Some(milli), ..config() };
        let body = body(&ENCODER, &config, &RequestHead::default(), &messages()[..1]);
        assert!(body.contains(&format!(r#""temperature":{expect},"#)), "{body}");
    }
}

#[test]
fn a_recorded_name_finds_its_encoder() {
    for field in [MaxTokensField::MaxTokens, MaxTokensField::MaxCompletionTokens] {
        let encoder = ChatEncoder::new(field);
        let found = crate::encoder(encoder.name()).unwrap();
        assert_eq!(found.head(&config(), &full_head()), encoder.head(&config(), &full_head()));
    }
    assert_eq!(crate::encoder("scripted/1").unwrap().name(), "scripted/1");
    assert!(crate::encoder("chat/2").is_none());
}

#[test]
fn consecutive_requests_share_all_earlier_bytes() {
    let all = messages();
    for head in [full_head(), RequestHead::default()] {
        for len in 1..all.len() {
            let before = body(&ENCODER, &config(), &head, &all[..len]);
            let after = body(&ENCODER, &config(), &head, &all[..=len]);
            let shared = before.strip_suffix("]}").unwrap();
            assert!(after.starts_with(shared), "{before}\n{after}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_arrives_as_it_is(words: String, answer: String, id: String, key: String) {
        let calls = vec![call(&id, json!({ key.as_str(): words.as_str() }))];
        let all = [
            Message::User(text(&words)),
            Message::Assistant { content: vec![AcceptedPart::Text(answer.clone())], calls: calls.clone() },
            Message::Tool { id: id.clone(), name: "t".into(), status: AnswerStatus::Ok, content: text(&answer) },
        ];
        let head = RequestHead { instructions: vec![section(INSTRUCTIONS, &words)], tools: vec![] };
        let sent: Value = serde_json::from_str(&body(&ENCODER, &config(), &head, &all)).unwrap();
        let sent = &sent["messages"];
        prop_assert_eq!(&sent[0]["content"], &words);
        prop_assert_eq!(&sent[1]["content"], &words);
        prop_assert_eq!(&sent[3]["content"], &answer);
        prop_assert_eq!(&sent[3]["tool_call_id"], &id);
        let arguments = sent[2]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
        prop_assert_eq!(&serde_json::from_str::<Value>(arguments).unwrap(), &calls[0].input);
    }
}
