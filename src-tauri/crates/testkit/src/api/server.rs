//! The server of the scripted API, which uses axum on its own runtime.

use super::{
    Turn,
    reply::{Reply, failure, words_of},
    script::{Asked, asked, turn_for},
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, State},
    http::{
        Method, Uri,
        header::{CONNECTION, CONTENT_TYPE},
    },
    response::Response,
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use std::{
    collections::{HashMap, VecDeque},
    convert::Infallible,
    iter::once,
    net::{SocketAddr, TcpListener},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::runtime::{self, Runtime};

/// The pause between the words of a slow response.
const PAUSE: Duration = Duration::from_millis(100);

/// One recorded request from claude.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The path, such as `/v1/messages`.
    pub path: String,
    /// The body; null if it is not JSON.
    pub body: Value,
}

impl Recorded {
    /// Whether the request belongs to the conversation, unlike side requests for a title or a token count.
    pub fn is_conversation(&self) -> bool {
        self.path == "/v1/messages" && self.body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
    }

    /// The system prompt and the messages that the model receives, as JSON text.
    pub fn seen(&self) -> String {
        format!("{}\n{}", self.body["system"], self.body["messages"])
    }
}

#[derive(Debug, Default)]
struct Script {
    requests: Vec<Recorded>,
    queue: VecDeque<Turn>,
    replies: usize,
    failed: HashMap<String, u32>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<Script>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, Script> {
        // If the lock is poisoned, the test has already failed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A scripted Messages API, which stops when it is dropped. See [`super`] for its responses.
#[derive(Debug)]
pub struct ScriptedApi {
    shared: Arc<Shared>,
    address: SocketAddr,
    /// `None` only while the server is being dropped.
    runtime: Option<Runtime>,
}

impl ScriptedApi {
    /// Starts a server on a free loopback port.
    pub fn start() -> Self {
        ScriptedApi::start_on(0)
    }

    /// Starts a server on this loopback port; 0 selects a free port.
    pub fn start_on(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port on loopback");
        listener.set_nonblocking(true).expect("a bound socket can be non-blocking");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared::default());
        // Prompts can be longer than axum's default limit.
        let routes = Router::new().fallback(answer).layer(DefaultBodyLimit::disable());
        let routes = routes.with_state(Arc::clone(&shared));
        let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a thread for the server");
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("it is non-blocking");
            axum::serve(listener, routes).await
        });
        ScriptedApi { shared, address, runtime: Some(runtime) }
    }

    /// The value for `ANTHROPIC_BASE_URL`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Queues a response. Each conversation request gets the oldest queued response, regardless of its
    /// prompt. If the queue is empty, the prompt's markers determine the response.
    pub fn queue(&self, turn: Turn) {
        self.shared.state().queue.push_back(turn);
    }

    /// Returns all requests received so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.state().requests.clone()
    }

    /// Waits without a time limit for the request with this index, counted from 0.
    pub fn nth(&self, number: usize) -> Recorded {
        let is_missing = |state: &mut Script| state.requests.len() <= number;
        let state = self.shared.changed.wait_while(self.shared.state(), is_missing);
        state.unwrap_or_else(PoisonError::into_inner).requests[number].clone()
    }

    /// Returns the requests received so far for which [`Recorded::is_conversation`] is true.
    pub fn conversation(&self) -> Vec<Recorded> {
        self.requests().into_iter().filter(Recorded::is_conversation).collect()
    }

    /// Waits until a conversation request contains `text`, and returns it.
    ///
    /// # Panics
    /// If no such request arrives within `deadline`.
    #[track_caller]
    pub fn wait_for(&self, text: &str, deadline: Duration) -> Recorded {
        let found = |state: &Script| {
            state.requests.iter().find(|r| r.is_conversation() && r.seen().contains(text)).cloned()
        };
        let (state, _) = self
            .shared
            .changed
            .wait_timeout_while(self.shared.state(), deadline, |state| found(state).is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let seen = state.requests.len();
        found(&state).unwrap_or_else(|| {
            panic!("no request with {text:?} within {deadline:?}; {seen} requests arrived")
        })
    }
}

impl Drop for ScriptedApi {
    fn drop(&mut self) {
        // Closes all connections without waiting, because an async test must not wait for a runtime.
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

/// Answers a request with any path.
async fn answer(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let recorded = Recorded { path: uri.path().to_owned(), body };
    let (turn, reply) = {
        let mut state = shared.state();
        state.requests.push(recorded.clone());
        plan(&mut state, &recorded)
    };
    shared.changed.notify_all();
    match (method, uri.path()) {
        (Method::POST, "/v1/messages") => {
            answer_with(recorded.body["stream"] == json!(true), &turn, &reply).await
        }
        (Method::POST, "/v1/messages/count_tokens") => {
            send(200, &json!({"input_tokens": super::USAGE.input}))
        }
        _ => send(404, &failure(404)),
    }
}

fn plan(state: &mut Script, request: &Recorded) -> (Turn, Reply) {
    let asked = asked(&request.body);
    let turn = match request.is_conversation() {
        true => match state.queue.pop_front() {
            Some(turn) => turn,
            None => turn_for(&asked),
        },
        // A side request, such as one for a title, only quotes the prompt, so its markers are ignored.
        false if request.path == "/v1/messages" => Turn::Say("Scripted title".to_owned()),
        false => Turn::Say(String::new()),
    };
    let turn = match (turn, asked) {
        (Turn::FailTimes(code, times), Asked::Prompt(prompt)) => {
            let failed = state.failed.entry(prompt).or_default();
            *failed += 1;
            if *failed <= times {
                Turn::Fail(code)
            } else {
                Turn::Say(format!("Succeeded after {times} failures."))
            }
        }
        (turn, _) => turn,
    };
    state.replies += 1;
    let model = request.body["model"].as_str().unwrap_or("scripted");
    let reply = Reply::new(state.replies, model, &turn);
    (turn, reply)
}

async fn answer_with(streamed: bool, turn: &Turn, reply: &Reply) -> Response {
    match turn {
        // Waits until the client disconnects or the server stops.
        Turn::Hang => return std::future::pending().await,
        Turn::Fail(status) | Turn::FailTimes(status, _) => return send(*status, &failure(*status)),
        _ if !streamed => return send(200, &reply.message()),
        _ => {}
    }
    let now = |text: String| (text, Duration::ZERO);
    let (pieces, stalled) = match turn {
        Turn::Slow(words) => {
            (words_of(*words).iter().map(|word| (Reply::piece(word), PAUSE)).collect(), false)
        }
        turn => (vec![now(Reply::piece(reply.text()))], matches!(turn, Turn::Stall)),
    };
    let events = once(now(reply.opening())).chain(pieces).chain((!stalled).then(|| now(reply.rest())));
    let events = stream::iter(events.collect::<Vec<_>>()).then(async |(text, pause)| {
        tokio::time::sleep(pause).await;
        Ok::<_, Infallible>(text)
    });
    let silence = stream::pending().take(if stalled { 1 } else { 0 });
    respond(200, "text/event-stream", Body::from_stream(events.chain(silence)))
}

fn send(status: u16, body: &Value) -> Response {
    respond(status, "application/json", Body::from(body.to_string()))
}

/// A response that closes the connection.
fn respond(status: u16, kind: &str, body: Body) -> Response {
    let response = Response::builder().status(status).header(CONTENT_TYPE, kind);
    let response = response.header("request-id", "req_scripted").header(CONNECTION, "close").body(body);
    response.expect("the headers are valid")
}
