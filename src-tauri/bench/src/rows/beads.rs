//! Boards of ten thousand and a hundred thousand beads: the first page, one changed bead, a keystroke in the query
//! line, the ready beads after a change, and the server's memory.

use crate::{
    environment::Bench,
    error::BenchError,
    family,
    rounds::{Pair, ms_since, rounds},
    samples::{Samples, Unit, median},
    serving::{Serving, open_socket},
};
use bc_beads::measure::Changing;
use bc_testkit::Sandbox;
use foldhash::fast::RandomState;
use memchr::{memchr_iter, memmem::Finder};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    hash::BuildHasher,
    net::TcpStream,
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};
use tungstenite::{Message, WebSocket};

const MANY: usize = 100_000;
/// The number of beads of each column that the UI requests first.
const PAGE: usize = 60;
/// The pause before each measured change.
const QUIET: Duration = Duration::from_millis(200);
/// The search text after each key that the user types.
const KEYS: [&str; 4] = ["4", "47", "471", "4711"];

struct FirstPage {
    sandbox: Sandbox,
    project: String,
    ours: PathBuf,
    bare: PathBuf,
    beads: usize,
}

impl Pair for FirstPage {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let mut serving = Serving::start(&self.sandbox, &self.ours)?;
        let page = serving.call_raw("bead.list", Some(&self.project), json!({"page": PAGE}))?;
        let took = ms_since(started);
        let page: Value = serde_json::from_slice(&page).unwrap_or_default();
        match page["total"].as_u64() == u64::try_from(self.beads).ok() {
            true => Ok(took),
            false => {
                Err(BenchError::unexpected_output("bead.list", format!("has a total of {}", page["total"])))
            }
        }
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let mut command = self.sandbox.command(&self.bare);
        command.arg("typed").arg(self.sandbox.project().join(".beads/issues.jsonl")).arg("/dev/null");
        let done = command.stderr(Stdio::null()).output().map_err(BenchError::io("bc-bench-bare"))?;
        let took = ms_since(started);
        match done.stdout.starts_with(self.beads.to_string().as_bytes()) {
            true => Ok(took),
            false => Err(BenchError::unexpected_output("bc-bench-bare", "read something else")),
        }
    }
}

pub(crate) fn first_page(bench: &Bench, beads: usize) -> Result<Samples, BenchError> {
    let sandbox = bench.project(beads)?;
    let ours = bench.program("beads-console")?;
    let project = Serving::start(&sandbox, &ours)?.project()?;
    let bare = bench.program("bc-bench-bare")?;
    let mut page = FirstPage { sandbox, project, ours, bare, beads };
    let samples = rounds(bench.rounds(15), &mut page)?;
    Ok(samples.note(format!(
        "embedded store; ours: process start, link, token, and the first {PAGE} beads of each column over HTTP; baseline: a \
         process that reads issues.jsonl and parses each line into a struct"
    )))
}

/// A server with a large board, and the text of the file with its beads.
struct Large {
    serving: Serving,
    project: String,
    sandbox: Sandbox,
    text: String,
}

impl Large {
    fn start(bench: &Bench) -> Result<Large, BenchError> {
        let sandbox = bench.project(MANY)?;
        let mut serving = Serving::start(&sandbox, &bench.program("beads-console")?)?;
        let project = serving.project()?;
        let file = sandbox.project().join(".beads/issues.jsonl");
        let text = std::fs::read_to_string(file).map_err(BenchError::io("issues.jsonl"))?;
        Ok(Large { serving, project, sandbox, text })
    }

    fn call(&mut self, method: &str, params: Value) -> Result<Value, BenchError> {
        self.serving.call(method, Some(&self.project), params)
    }
}

struct OneChange {
    large: Large,
    events: WebSocket<TcpStream>,
    content: Value,
    changed: usize,
    hasher: RandomState,
    /// The sizes of the answers of `bead.list`, in MiB.
    bytes: Vec<f64>,
}

impl OneChange {
    /// Writes a copy of the beads' file in which another bead is changed; returns the paths of the copy and of the
    /// file.
    fn next_file(&mut self) -> Result<(PathBuf, PathBuf), BenchError> {
        self.changed += 1;
        let from = format!("Bead number {}:", self.changed * 997 % MANY);
        let text = self.large.text.replacen(&from, &format!("{from} (changed {})", self.changed), 1);
        self.large.sandbox.write("next.jsonl", &text);
        let project = self.large.sandbox.project();
        Ok((project.join("next.jsonl"), project.join(".beads/issues.jsonl")))
    }
}

impl Pair for OneChange {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let (next, file) = self.next_file()?;
        // Waits, so that two changes are not handled as one burst.
        std::thread::sleep(QUIET);
        // The old file is kept open. Otherwise the rename includes freeing its memory, which takes as long as
        // everything else.
        let replaced = std::fs::File::open(&file).map_err(BenchError::io("issues.jsonl"))?;
        let started = Instant::now();
        std::fs::rename(next, file).map_err(BenchError::io("issues.jsonl"))?;
        loop {
            let message = self.events.read().map_err(BenchError::socket("/events"))?;
            if matches!(&message, Message::Text(text) if text.contains("beads_changed")) {
                break;
            }
        }
        let params = json!({"since": self.content});
        let answer = self.large.serving.call_raw("bead.list", Some(&self.large.project), params)?;
        let took = ms_since(started);
        drop(replaced);
        self.bytes.push(answer.len() as f64 / f64::from(1 << 20));
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let changed = answer["beads"].as_array().map_or(0, Vec::len);
        // Two beads changed, because the one of the previous round has its old title again. A bead that waits
        // for one of them changes as well, because it shows the title of the bead that blocks it.
        if answer["changes_only"] != true || !(1..=4).contains(&changed) {
            return Err(BenchError::unexpected_output("bead.list", format!("has {changed} changed beads")));
        }
        self.content = answer["content"].clone();
        Ok(took)
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let file = self.large.sandbox.project().join(".beads/issues.jsonl");
        let bytes = std::fs::read(file).map_err(BenchError::io("issues.jsonl"))?;
        let (mut from, mut hashes) = (0, Vec::new());
        for end in memchr_iter(b'\n', &bytes).chain([bytes.len()]) {
            hashes.push(self.hasher.hash_one(&bytes[from..end]));
            from = end + 1;
        }
        let took = ms_since(started);
        match hashes.len() > MANY {
            true => Ok(took),
            false => {
                Err(BenchError::unexpected_output("issues.jsonl", format!("has {} lines", hashes.len())))
            }
        }
    }
}

/// Measures the time until a client has received the change of one bead.
pub(crate) fn change(bench: &Bench) -> Result<Samples, BenchError> {
    let mut large = Large::start(bench)?;
    let content = large.call("bead.list", json!({}))?["content"].clone();
    let events = open_socket(large.serving.port, "/events", &large.serving.token)?;
    let (hasher, bytes) = (RandomState::default(), Vec::new());
    let mut one = OneChange { large, events, content, changed: 0, hasher, bytes };
    let samples = rounds(bench.rounds(15), &mut one)?;
    Ok(samples
        .note(
            "ours: from the renaming of the new file until the changed bead is on the client's socket, event and request \
             included; baseline: reading the file and hashing its lines with the same function",
        )
        .aside("the answer", Unit::Mib, one.bytes))
}

/// The fields of a bead that a query searches.
#[derive(Deserialize)]
struct Texts {
    id: String,
    title: String,
    description: String,
}

struct Keystrokes {
    large: Large,
    texts: Vec<(String, String)>,
    found: [usize; 2],
}

impl Pair for Keystrokes {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let mut took = Vec::new();
        for query in KEYS {
            let started = Instant::now();
            let params = json!({"query": query});
            let answer = self.large.serving.call_raw("bead.query", Some(&self.large.project), params)?;
            took.push(ms_since(started));
            let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
            self.found[0] = answer["ids"].as_array().map_or(0, Vec::len);
        }
        Ok(median(&took))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let mut took = Vec::new();
        for query in KEYS {
            let started = Instant::now();
            let finder = Finder::new(query);
            let found = self.texts.iter().filter(|(_, text)| finder.find(text.as_bytes()).is_some());
            let ids: Vec<&String> = found.map(|(id, _)| id).collect();
            took.push(ms_since(started));
            self.found[1] = ids.len();
        }
        match self.found[0] == self.found[1] {
            true => Ok(median(&took)),
            false => Err(BenchError::unexpected_output("bead.query", format!("finds {:?}", self.found))),
        }
    }
}

pub(crate) fn keystroke(bench: &Bench) -> Result<Samples, BenchError> {
    let large = Large::start(bench)?;
    let mut texts = Vec::with_capacity(MANY);
    for line in large.text.lines() {
        let Texts { id, title, description } = serde_json::from_str(line)
            .map_err(|error| BenchError::unexpected_output("issues.jsonl", error.to_string()))?;
        let text = format!("{id}\0{title}\0{description}").to_lowercase();
        texts.push((id, text));
    }
    let mut keys = Keystrokes { large, texts, found: [0, 0] };
    let samples = rounds(bench.rounds(15), &mut keys)?;
    Ok(samples.note(format!(
        "the median of {KEYS:?}; ours: `bead.query` over HTTP, with the ids of all matching beads; baseline: the same texts, \
         lower-cased in memory, searched by the same library"
    )))
}

struct ReadySet {
    beads: Changing,
    lines: [String; 2],
    changed: usize,
}

impl Pair for ReadySet {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let line = &self.lines[self.changed % 2];
        self.changed += 1;
        match self.beads.change(line.as_bytes()) {
            Some((took, 2)) => Ok(micros(took)),
            other => Err(BenchError::unexpected_output("a change", format!("was answered with {other:?}"))),
        }
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        Ok(micros(self.beads.recompute().0))
    }
}

fn micros(took: Duration) -> f64 {
    took.as_secs_f64() * 1e6
}

pub(crate) fn ready(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(MANY)?;
    let file = sandbox.project().join(".beads/issues.jsonl");
    let text = std::fs::read_to_string(file).map_err(BenchError::io("issues.jsonl"))?;
    // The two states of a bead that blocks another one: closed, and open again.
    let open = text.lines().nth(50_000 / 35 * 35 + 2).unwrap_or_default().to_owned();
    let lines = [open.replacen("\"status\":\"open\"", "\"status\":\"closed\"", 1), open];
    let mut set = ReadySet { beads: Changing::read(text.as_bytes()), lines, changed: 0 };
    let samples = rounds(bench.rounds(40), &mut set)?;
    Ok(samples.note(format!(
        "{MANY} beads in memory; ours: a blocker is closed or reopened, the two changed beads are listed; baseline: the ready \
         beads are computed from all rows"
    )))
}

pub(crate) fn memory(bench: &Bench) -> Result<Samples, BenchError> {
    let mut samples = Samples::default();
    let (mut listed, mut size) = (Vec::new(), 0.0);
    for _ in 0..bench.rounds(3) {
        let mut large = Large::start(bench)?;
        size = large.text.len() as f64 / f64::from(1 << 20);
        large.call("bead.list", json!({"page": PAGE}))?;
        large.serving.call_raw("bead.list", Some(&large.project.clone()), json!({}))?;
        family::wait_idle(&large.sandbox)?;
        listed.push(family::memory(large.serving.pid()));
        for query in KEYS {
            large.call("bead.query", json!({"query": query}))?;
        }
        family::wait_idle(&large.sandbox)?;
        samples.ours.push(family::memory(large.serving.pid()));
        samples.baseline.push(size);
    }
    Ok(samples
        .note(format!("PSS after the first page, all beads, and a query by text; the file has {size:.0} MiB"))
        .aside("before the query", Unit::Mib, listed))
}
