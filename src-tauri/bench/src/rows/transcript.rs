//! The time from a new line in claude's transcript until the message is at a client's socket.

use crate::{
    environment::Bench,
    error::BenchError,
    hosting::Hosting,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, median, quantile},
};
use bc_host::{ClientError, Events, protocol::Happening};
use bc_testkit::Sandbox;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use serde::Deserialize;
use serde_json::json;
use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
    sync::mpsc::{Receiver, sync_channel},
    thread,
    time::{Duration, Instant},
};
use uuid::Uuid;

/// The number of lines in each round.
const LINES: usize = 60;
/// The pause between lines. All effects of the previous line have ended by then.
const PAUSE: Duration = Duration::from_millis(20);

/// A line as claude writes it.
fn line(conversation: &str, parent: &str, id: &str) -> String {
    let text = "What I found in the files, and what I will do next. ".repeat(12);
    let line = json!({
        "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/", "sessionId": conversation,
        "version": "2.1.329", "gitBranch": "main", "type": "assistant", "uuid": id, "timestamp": chrono::Utc::now(),
        "requestId": format!("req_{id}"),
        "message": {
            "id": format!("msg_{id}"), "type": "message", "role": "assistant", "model": "claude",
            "content": [{"type": "text", "text": text}], "stop_reason": null,
            "usage": {"input_tokens": 10, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 5},
        },
    });
    line.to_string() + "\n"
}

/// The fields that a reader of a line needs.
#[derive(Deserialize)]
#[allow(dead_code, reason = "only the time of parsing is measured")]
struct Typed {
    uuid: String,
    timestamp: chrono::DateTime<chrono::Utc>,
    message: TypedMessage,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only the time of parsing is measured")]
struct TypedMessage {
    id: String,
    role: String,
    content: Vec<TypedBlock>,
    usage: TypedUsage,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only the time of parsing is measured")]
struct TypedBlock {
    text: String,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only the time of parsing is measured")]
struct TypedUsage {
    input_tokens: u64,
    output_tokens: u64,
}

/// The baseline, which watches the file, reads new data and parses it.
struct Plain {
    file: File,
    reading: File,
    changed: Receiver<()>,
    _watcher: RecommendedWatcher,
}

impl Plain {
    fn new(path: &Path) -> Result<Plain, BenchError> {
        let failed = |error: notify::Error| BenchError::unexpected_output("the watcher", error.to_string());
        let file = appending(path)?;
        let reading = File::open(path).map_err(BenchError::io("the plain transcript"))?;
        let (sender, changed) = sync_channel(1);
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| event.kind.is_modify()) {
                // A notification that is already pending is enough.
                let _ = sender.try_send(());
            }
        })
        .map_err(failed)?;
        let folder = path.parent().expect("it is in a folder");
        watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failed)?;
        Ok(Plain { file, reading, changed, _watcher: watcher })
    }

    /// Writes a line. Returns the time until it is read and parsed.
    fn delivery(&mut self, line: &str, id: &str) -> Result<Duration, BenchError> {
        let started = Instant::now();
        self.file.write_all(line.as_bytes()).map_err(BenchError::io("the plain transcript"))?;
        loop {
            if self.changed.recv_timeout(Duration::from_secs(20)).is_err() {
                let what = "a change of the plain transcript".to_owned();
                return Err(BenchError::TimedOut { what, after: Duration::from_secs(20) });
            }
            let mut text = String::new();
            self.reading.read_to_string(&mut text).map_err(BenchError::io("the plain transcript"))?;
            for line in text.lines() {
                let typed: Typed = serde_json::from_str(line).map_err(|error| {
                    BenchError::unexpected_output("the plain transcript", error.to_string())
                })?;
                if typed.uuid == id {
                    return Ok(started.elapsed());
                }
            }
        }
    }
}

fn appending(path: &Path) -> Result<File, BenchError> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.map_err(BenchError::io(format!("{}", path.display())))
}

struct Lines {
    host: Hosting,
    events: Events,
    transcript: File,
    plain: Plain,
    parent: String,
    slow: Vec<f64>,
    /// This round's times until the client has also parsed the message, in microseconds.
    parsed: Vec<f64>,
    /// The median of `parsed` of each round.
    read: Vec<f64>,
    _sandbox: Sandbox,
}

impl Lines {
    /// Writes a line. Returns the time until the message is at the client's socket.
    fn delivery(&mut self, line: &str, id: &str) -> Result<Duration, BenchError> {
        let failed = |error: ClientError| BenchError::unexpected_output("the host", error.to_string());
        let started = Instant::now();
        self.transcript.write_all(line.as_bytes()).map_err(BenchError::io("the transcript"))?;
        loop {
            self.events.wait(Duration::from_secs(20)).map_err(failed)?;
            let arrived = started.elapsed();
            let event = self.events.next_within(Duration::from_secs(20)).map_err(failed)?;
            let Some(event) = event else { return Err(BenchError::unexpected_output("the host", "ended")) };
            if let Happening::Message { message } = event.what
                && message.id.contains(id)
            {
                self.parsed.push(started.elapsed().as_secs_f64() * 1e6);
                return Ok(arrived);
            }
        }
    }

    fn round(
        &mut self,
        mut one: impl FnMut(&mut Lines, &str, &str) -> Result<Duration, BenchError>,
    ) -> Result<Vec<f64>, BenchError> {
        let mut took = Vec::new();
        for _ in 0..LINES {
            thread::sleep(PAUSE);
            let id = Uuid::new_v4().to_string();
            let conversation = self.host.spec.conversation.to_string();
            let line = line(&conversation, &self.parent, &id);
            took.push(one(self, &line, &id)?.as_secs_f64() * 1e6);
            self.parent = id;
        }
        Ok(took)
    }
}

impl Pair for Lines {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = self.round(Lines::delivery)?;
        self.slow.push(quantile(&took, 0.95));
        self.read.push(median(&std::mem::take(&mut self.parsed)));
        Ok(median(&took))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        Ok(median(&self.round(|lines, line, id| lines.plain.delivery(line, id))?))
    }
}

pub(crate) fn transcript(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(1)?;
    let mut host = Hosting::prepare(bench, &sandbox, bench.program("bc-bench-agent")?, &[])?;
    let transcript = appending(host.transcript())?;
    host.launch()?;
    let events = host.events()?;
    let folder = sandbox.root().join("plain");
    std::fs::create_dir(&folder).map_err(BenchError::io("a folder"))?;
    let plain = Plain::new(&folder.join("transcript.jsonl"))?;
    let parent = Uuid::new_v4().to_string();
    let mut lines = Lines {
        host,
        events,
        transcript,
        plain,
        parent,
        slow: Vec::new(),
        parsed: Vec::new(),
        read: Vec::new(),
        _sandbox: sandbox,
    };
    let samples = rounds(bench.rounds(10), &mut lines)?;
    Ok(samples
        .note(format!(
            "the median of {LINES} lines per round, one every 20 ms; baseline: notify, read, serde into types"
        ))
        .aside("ours, 95 % of lines", Unit::Us, lines.slow)
        .aside("ours, until the client has also parsed it as a message", Unit::Us, lines.read))
}
