//! The one HTTP transport: a request out, the pieces of an answer in, every failure classified.
//!
//! The client is made when the first request needs it, and kept. For a server that is reached without TLS it is made
//! without certificates: reading and parsing the system's takes longer than everything else that happens before the
//! first request. This is the only place of the project that chooses a TLS provider (ring).
//!
//! Redirects are not followed: none of these protocols uses them, and a key must not travel to a host that nobody
//! configured. Answers are not compressed, because a compressed stream arrives in bursts. A connection is kept for the
//! next request once its answer has been read to the end.

use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use onward_event::ErrorClass;
use onward_port::ModelFailure;
use reqwest::header::{HeaderMap, HeaderName};
use reqwest::{Client, ClientBuilder, NoProxy, Proxy, Response, Url};
use rustls::{ClientConfig, RootCertStore};

use crate::classify;
use crate::retry_after::RetryHeaders;

/// How much of an error's body is read.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// How long reading it may take: the status is known by then, the rest is for people.
const ERROR_BODY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long, after the protocol's own end of an answer, HTTP's end may take to arrive. Past it the connection is
/// given up.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);
/// How long an unused connection is kept: shorter than servers keep theirs, so that a request rarely meets a
/// connection that is just being closed.
const POOL_IDLE: Duration = Duration::from_secs(50);
/// An address that does not answer at all is noticed by the kernel.
const TCP_KEEPALIVE: Duration = Duration::from_secs(30);

/// How to reach one endpoint; all of it was checked before.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) url: Url,
    /// Sent with every request; secrets among them are marked as such.
    pub(crate) headers: HeaderMap,
    pub(crate) proxy: Option<EndpointProxy>,
    pub(crate) connect_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) max_response_bytes: u64,
}

/// A proxy, and what is reached without it.
#[derive(Clone, Debug)]
pub(crate) struct EndpointProxy {
    pub(crate) url: Url,
    pub(crate) bypass: String,
}

/// One endpoint, and the client that is made for it once.
pub(crate) struct Transport {
    endpoint: Endpoint,
    client: OnceLock<Result<Client, String>>,
}

/// The body of a successful answer.
pub(crate) struct Body {
    response: Response,
    server: String,
    idle_timeout: Duration,
    limit: u64,
    left: u64,
}

impl Transport {
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self { endpoint, client: OnceLock::new() }
    }

    /// Sends the request and returns when the head of a successful answer has arrived.
    pub(crate) async fn post(&self, body: Bytes) -> Result<Body, ModelFailure> {
        let Endpoint { url, headers, idle_timeout, max_response_bytes, .. } = &self.endpoint;
        let client = self.client.get_or_init(|| make_client(&self.endpoint)).as_ref();
        let client = client.map_err(|why| {
            failure(
                ErrorClass::InvalidRequest,
                format!("the HTTP client cannot be set up, nothing was sent: {why}"),
            )
        })?;
        let server = server_name(url);
        let request = client.post(url.clone()).headers(headers.clone()).body(body).send();
        let response = match tokio::time::timeout(*idle_timeout, request).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(not_reached(&server, error)),
            Err(_) => return Err(silent(&server, *idle_timeout)),
        };
        if !response.status().is_success() {
            return Err(read_refusal(&server, response).await);
        }
        let limit = *max_response_bytes;
        Ok(Body { response, server, idle_timeout: *idle_timeout, limit, left: limit })
    }
}

impl Body {
    /// The next bytes; `None` at the end that HTTP's framing announces. Dropping the body closes the connection.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, ModelFailure> {
        let piece = match tokio::time::timeout(self.idle_timeout, self.response.chunk()).await {
            Ok(Ok(Some(piece))) => piece,
            Ok(Ok(None)) => return Ok(None),
            Ok(Err(error)) => return Err(broken(&self.server, error)),
            Err(_) => return Err(silent(&self.server, self.idle_timeout)),
        };
        let Some(left) = self.left.checked_sub(piece.len() as u64) else {
            let message = format!("the answer of {} is larger than {} bytes", self.server, self.limit);
            return Err(failure(ErrorClass::Protocol, message));
        };
        self.left = left;
        Ok(Some(piece))
    }

    /// Reads to the end in the background, so that the connection can be used again; the caller has all it needs.
    pub(crate) fn drain(mut self) {
        tokio::spawn(tokio::time::timeout(DRAIN_TIMEOUT, async move {
            while let Ok(Some(_)) = self.next().await {}
        }));
    }
}

fn make_client(endpoint: &Endpoint) -> Result<Client, String> {
    let mut builder = ClientBuilder::new()
        .user_agent(concat!("onward/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .connect_timeout(endpoint.connect_timeout)
        .tcp_nodelay(true)
        .tcp_keepalive(TCP_KEEPALIVE)
        .pool_idle_timeout(POOL_IDLE)
        // What the environment says about proxies is for the binary to read.
        .no_proxy();
    let mut uses_tls = endpoint.url.scheme() == "https";
    if let Some(proxy) = &endpoint.proxy {
        uses_tls |= proxy.url.scheme() == "https";
        let bypass = NoProxy::from_string(&proxy.bypass);
        builder = builder.proxy(Proxy::all(proxy.url.clone()).map_err(explain)?.no_proxy(bypass));
    }
    builder = if uses_tls {
        // An error says that a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        builder
    } else {
        builder.tls_backend_preconfigured(without_certificates()?)
    };
    builder.build().map_err(explain)
}

/// A TLS configuration that trusts nobody: the client wants one, and never uses it.
fn without_certificates() -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| error.to_string())?;
    Ok(versions.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

async fn read_refusal(server: &str, mut response: Response) -> ModelFailure {
    let status = response.status().as_u16();
    let retry_after = retry_headers(response.headers()).millis_from(unix_millis());
    let mut body = Vec::new();
    let read = async {
        while body.len() < MAX_ERROR_BYTES
            && let Ok(Some(piece)) = response.chunk().await
        {
            body.extend_from_slice(&piece);
        }
    };
    // What has arrived by then is enough, or nothing is.
    let _ = tokio::time::timeout(ERROR_BODY_TIMEOUT, read).await;
    body.truncate(MAX_ERROR_BYTES);
    classify::refused(server, status, &body, retry_after)
}

fn retry_headers(headers: &HeaderMap) -> RetryHeaders<'_> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    RetryHeaders {
        millis: text(HeaderName::from_static("retry-after-ms")),
        after: text(reqwest::header::RETRY_AFTER),
        date: text(reqwest::header::DATE),
    }
}

fn unix_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Host and port, which is what a person recognises; never a user, a password or a query.
fn server_name(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn not_reached(server: &str, error: reqwest::Error) -> ModelFailure {
    if error.is_builder() {
        return failure(
            ErrorClass::InvalidRequest,
            format!("the request cannot be sent: {}", explain(error)),
        );
    }
    let class = if error.is_timeout() { ErrorClass::Timeout } else { ErrorClass::Network };
    match error.is_connect() {
        true => failure(class, format!("{server} cannot be reached: {}", unreachable(&error))),
        false => failure(
            class,
            format!("{server} closed the connection before it answered: {}", innermost(&error)),
        ),
    }
}

fn broken(server: &str, error: reqwest::Error) -> ModelFailure {
    let class = if error.is_timeout() { ErrorClass::Timeout } else { ErrorClass::Network };
    failure(
        class,
        format!("the connection to {server} broke before the answer was whole: {}", innermost(&error)),
    )
}

fn silent(server: &str, limit: Duration) -> ModelFailure {
    failure(ErrorClass::Timeout, format!("nothing came from {server} for {} seconds", limit.as_secs_f64()))
}

/// What failed, and what to check.
fn unreachable(error: &reqwest::Error) -> String {
    let why = innermost(error);
    let chain = || causes(error);
    let io =
        chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>()).last().map(std::io::Error::kind);
    let (why, check) = match io {
        _ if error.is_timeout() => {
            ("no connection within the time for it".into(), "check the network, the proxy and the firewall")
        }
        _ if chain().any(|cause| cause.to_string().contains("dns error")) => {
            ("nobody knows this name".into(), "check base_url and the network")
        }
        Some(std::io::ErrorKind::ConnectionRefused) => {
            ("connection refused".into(), "check that the server runs, and base_url")
        }
        _ if why.contains("certificate") => (why, "check base_url and the certificates of this machine"),
        _ => (why, "check base_url, the network and the proxy"),
    };
    format!("{why}; {check}")
}

/// The cause that all others only pass on, without the number that the system has for it.
fn innermost(error: &reqwest::Error) -> String {
    let text = causes(error).last().map_or_else(|| "no reason is given".to_owned(), ToString::to_string);
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause| {
        let cause: &(dyn Error + 'static) = *cause;
        cause.source()
    })
}

/// The causes of an error, from the outermost in; without the URL, which may hold a secret.
fn explain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut out = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !out.contains(&text) {
            out.push_str(": ");
            out.push_str(&text);
        }
        cause = inner.source();
    }
    out
}

fn failure(class: ErrorClass, message: String) -> ModelFailure {
    ModelFailure { class, message, retry_after_millis: None, usage: None }
}
