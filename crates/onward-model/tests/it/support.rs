//! What every scenario needs: a model, a request, and answers as a server would frame them.

use std::time::Duration;

use onward_event::{AcceptedPart, Message, ModelConfig, Part, RequestHead};
use onward_model::{ChatConfig, ChatModel};
use onward_port::{Model, ModelDelta, ModelFailure, ModelReply, ModelRequest, Secret};

use crate::server::{Act, Server};

pub(crate) const KEY: &str = "sk-test-0123456789";

/// Long enough for the slowest machine, where the test is not about silence.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn chat_config(server: &Server) -> ChatConfig {
    let mut config = ChatConfig::new(server.base_url());
    config.key = Some(Secret::new(KEY.into()));
    config.idle_timeout = PATIENCE;
    config
}

pub(crate) fn request(model: &ChatModel) -> ModelRequest {
    let config = ModelConfig::new("local", "m", 32_000, 4_000);
    let encoder = model.encoder();
    let mut body = encoder.head(&config, &RequestHead::default());
    body.extend(encoder.message(&Message::User(vec![Part::text("hello")]), true));
    body.extend(encoder.tail());
    ModelRequest { config, body: body.into(), number: 1 }
}

pub(crate) type Outcome = Result<ModelReply, ModelFailure>;

/// One request to this model.
pub(crate) async fn ask(model: &ChatModel) -> (Outcome, Vec<ModelDelta>) {
    let mut deltas = Vec::new();
    let outcome = model.stream(request(model), &mut |delta| deltas.push(delta)).await;
    (outcome, deltas)
}

/// One request to a server that does this.
pub(crate) async fn ask_one(acts: Vec<Act>) -> Outcome {
    let server = Server::start(vec![acts]).await;
    ask(&ChatModel::new(chat_config(&server)).unwrap()).await.0
}

pub(crate) fn text(reply: &ModelReply) -> &str {
    match reply.content.as_slice() {
        [AcceptedPart::Text(text)] => text,
        other => panic!("not one text: {other:?}"),
    }
}

pub(crate) const STREAM_HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// A stream whose end is the end of the connection.
pub(crate) const UNFRAMED_HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// Words with characters of several bytes, and usage.
pub(crate) const EVENTS: &str = concat!(
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"héllo \"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"wörld😀\"},\"finish_reason\":null}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\n",
    "data: [DONE]\n\n",
);
pub(crate) const WORDS: &str = "héllo wörld😀";

pub(crate) fn send(bytes: impl AsRef<[u8]>) -> Act {
    Act::Send(bytes.as_ref().to_vec())
}

/// A piece in the framing of HTTP.
pub(crate) fn http_chunk(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    let mut out = format!("{:x}\r\n", bytes.len()).into_bytes();
    out.extend_from_slice(bytes);
    out.extend_from_slice(b"\r\n");
    out
}

/// A whole stream, one event a chunk.
pub(crate) fn whole_stream() -> Vec<Act> {
    let mut acts = vec![send(STREAM_HEAD)];
    acts.extend(EVENTS.split_inclusive("\n\n").map(|event| send(http_chunk(event))));
    acts.push(send("0\r\n\r\n"));
    acts
}

/// An answer that is not a stream; `headers` are whole lines.
pub(crate) fn plain(status: &str, headers: &str, body: &str) -> Vec<Act> {
    let len = body.len();
    vec![send(format!("HTTP/1.1 {status}\r\n{headers}content-length: {len}\r\n\r\n{body}"))]
}
