//! The server: a thread that accepts, and one per connection.

use super::{
    Turn, http,
    reply::{Reply, failure, words_of},
    script::{Asked, asked, turn_for},
};
use serde_json::{Value, json};
use std::{
    collections::{HashMap, VecDeque},
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// Pause between words of a slow response, and between checks for a hanging client.
const PAUSE: Duration = Duration::from_millis(100);

/// One recorded request of claude.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// `/v1/messages` …
    pub path: String,
    /// Its body; null if it is not JSON.
    pub body: Value,
}

impl Recorded {
    /// Whether it belongs to the conversation, and is not a side request for a title or a token count.
    pub fn is_conversation(&self) -> bool {
        self.path == "/v1/messages" && self.body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
    }

    /// All of the model's input, system prompt and messages, as JSON text.
    pub fn seen(&self) -> String {
        format!("{}\n{}", self.body["system"], self.body["messages"])
    }
}

#[derive(Debug, Default)]
struct State {
    requests: Vec<Recorded>,
    queue: VecDeque<Turn>,
    replies: usize,
    failed: HashMap<String, u32>,
    stopped: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A test that panicked with the lock held has already failed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A scripted Messages API; stops when dropped. See [`super`] for its responses.
#[derive(Debug)]
pub struct ScriptedApi {
    shared: Arc<Shared>,
    address: SocketAddr,
}

impl ScriptedApi {
    /// Starts one on a free loopback port.
    pub fn start() -> Self {
        ScriptedApi::start_on(0)
    }

    /// Starts one on this loopback port, 0 for a free one.
    pub fn start_on(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port on loopback");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared::default());
        let served = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if served.state().stopped {
                    break;
                }
                let served = Arc::clone(&served);
                // A client that disconnects early is no error.
                thread::spawn(move || serve(&served, &stream).ok());
            }
        });
        ScriptedApi { shared, address }
    }

    /// The value for `ANTHROPIC_BASE_URL`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the response to the conversation's next request, whatever its prompt.
    pub fn queue(&self, turn: Turn) {
        self.shared.state().queue.push_back(turn);
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.state().requests.clone()
    }

    /// Waits for and returns the request with this index, from 0.
    pub fn nth(&self, number: usize) -> Recorded {
        let more = |state: &mut State| state.requests.len() <= number;
        let state = self.shared.changed.wait_while(self.shared.state(), more);
        state.unwrap_or_else(PoisonError::into_inner).requests[number].clone()
    }

    /// The conversations' requests so far.
    pub fn conversation(&self) -> Vec<Recorded> {
        self.requests().into_iter().filter(Recorded::is_conversation).collect()
    }

    /// Waits until a conversation request contains `text`; panics after `deadline`.
    #[track_caller]
    pub fn wait_for(&self, text: &str, deadline: Duration) -> Recorded {
        let found = |state: &State| {
            state.requests.iter().find(|r| r.is_conversation() && r.seen().contains(text)).cloned()
        };
        let (state, _) = self
            .shared
            .changed
            .wait_timeout_while(self.shared.state(), deadline, |state| found(state).is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let seen = state.requests.len();
        found(&state)
            .unwrap_or_else(|| panic!("no request with {text:?} within {deadline:?}; {seen} requests came"))
    }
}

impl Drop for ScriptedApi {
    fn drop(&mut self) {
        self.shared.state().stopped = true;
        self.shared.changed.notify_all();
        // Wakes the accepting thread; an error means that it already ended.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(shared: &Shared, stream: &TcpStream) -> io::Result<()> {
    let Some(request) = http::read(stream)? else { return Ok(()) };
    let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
    let recorded = Recorded { path: request.path.clone(), body };
    let answer = {
        let mut state = shared.state();
        state.requests.push(recorded.clone());
        plan(&mut state, &recorded)
    };
    shared.changed.notify_all();
    match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/v1/messages") => {
            let (turn, reply) = answer;
            answer_with(shared, stream, &recorded.body, &turn, &reply)
        }
        ("POST", "/v1/messages/count_tokens") => {
            http::send(stream, 200, &json!({"input_tokens": super::USAGE.input}).to_string())
        }
        _ => http::send(stream, 404, &failure(404).to_string()),
    }
}

fn plan(state: &mut State, request: &Recorded) -> (Turn, Reply) {
    let asked = asked(&request.body);
    let turn = match request.is_conversation() {
        true => match state.queue.pop_front() {
            Some(turn) => turn,
            None => turn_for(&asked),
        },
        // A side request such as a title: its markers are quoted from the prompt.
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

fn answer_with(
    shared: &Shared,
    stream: &TcpStream,
    body: &Value,
    turn: &Turn,
    reply: &Reply,
) -> io::Result<()> {
    let mut out = stream;
    match turn {
        Turn::Hang => return stay_silent(shared, stream),
        Turn::Fail(status) | Turn::FailTimes(status, _) => {
            return http::send(stream, *status, &failure(*status).to_string());
        }
        _ if body["stream"] != json!(true) => return http::send(stream, 200, &reply.message().to_string()),
        _ => {}
    }
    http::begin_events(stream)?;
    out.write_all(reply.opening().as_bytes())?;
    match turn {
        Turn::Slow(words) => {
            for word in words_of(*words) {
                out.write_all(Reply::piece(&word).as_bytes())?;
                out.flush()?;
                thread::sleep(PAUSE);
            }
        }
        Turn::Stall => {
            out.write_all(Reply::piece(reply.text()).as_bytes())?;
            out.flush()?;
            return stay_silent(shared, stream);
        }
        _ => out.write_all(Reply::piece(reply.text()).as_bytes())?,
    }
    out.write_all(reply.rest().as_bytes())?;
    out.flush()
}

/// Sends nothing until the client disconnects or the server stops.
fn stay_silent(shared: &Shared, mut stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PAUSE))?;
    loop {
        let gone = match stream.read(&mut [0u8; 64]) {
            Ok(read) => read == 0,
            Err(error) => !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut),
        };
        if gone || shared.state().stopped {
            return Ok(());
        }
    }
}
