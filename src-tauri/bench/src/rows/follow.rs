//! The longest task of the page's main thread while Chromium opens and follows a conversation of 50 MB with a
//! line of 13 MB. It is measured from the click on the session to the last line that claude wrote meanwhile.

use super::scrolling::watched_page;
use crate::{
    chromium::Chromium,
    environment::Bench,
    error::BenchError,
    recorded::TextGenerator,
    samples::{Samples, Unit},
    serving::{Serving, TITLE},
};
use serde_json::{Value, json};
use std::{
    fs::{self, File, OpenOptions},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The sizes of the transcript and of its longest line, in bytes.
const BYTES: usize = 50 << 20;
const GIANT: usize = 13 << 20;
/// The number of lines that are written while the page follows.
const LINES: usize = 60;
/// The time limit for the host to name and to record the transcript.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Writes a transcript as claude does.
struct Transcript {
    file: BufWriter<File>,
    conversation: String,
    parent: Value,
    lines: usize,
    generator: TextGenerator,
}

impl Transcript {
    fn open(path: &Path, conversation: String) -> Result<Transcript, BenchError> {
        let failed = BenchError::io(format!("{}", path.display()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(BenchError::io("the transcript's folder"))?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let file = BufWriter::new(file);
        Ok(Transcript { file, conversation, parent: Value::Null, lines: 0, generator: TextGenerator::new() })
    }

    fn line(&mut self, kind: &str, mut message: Value) -> Result<usize, BenchError> {
        self.lines += 1;
        let uuid = format!("00000000-0000-4000-8000-{:012}", self.lines);
        if kind == "assistant" {
            message["id"] = json!(format!("msg_{}", self.lines));
            message["model"] = json!("claude");
            message["usage"] = json!({"input_tokens": 10, "output_tokens": 20, "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 5});
        }
        let line = json!({"parentUuid": self.parent, "isSidechain": false, "userType": "external", "cwd": "/",
            "sessionId": self.conversation, "version": "2.1.329", "type": kind, "uuid": uuid,
            "timestamp": chrono::Utc::now(), "message": message});
        self.parent = json!(uuid);
        let line = line.to_string();
        writeln!(self.file, "{line}").map_err(BenchError::io("the transcript"))?;
        Ok(line.len() + 1)
    }

    /// Writes a prompt, an answer, and a command with an output of this size. Returns the number of bytes.
    fn turn(&mut self, output: usize) -> Result<usize, BenchError> {
        let (prompt, answer) = (self.generator.text(250), self.generator.text(1_500));
        let command = self.generator.text(120);
        let output = self.generator.text(output);
        let call = format!("call_{}", self.lines);
        let used = json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}});
        let result = json!({"type": "tool_result", "tool_use_id": call, "content": output});
        Ok(self.line("user", json!({"role": "user", "content": prompt}))?
            + self.line(
                "assistant",
                json!({"role": "assistant", "content": [{"type": "text", "text": answer}, used]}),
            )?
            + self.line("user", json!({"role": "user", "content": [result]}))?)
    }

    fn say(&mut self, text: &str) -> Result<(), BenchError> {
        let content = json!([{"type": "text", "text": text}]);
        self.line("assistant", json!({"role": "assistant", "content": content}))?;
        self.file.flush().map_err(BenchError::io("the transcript"))
    }
}

/// The path of the session's transcript, and the id of its conversation.
fn find_transcript(serving: &mut Serving, project: &str, id: &str) -> Result<(PathBuf, String), BenchError> {
    let started = Instant::now();
    loop {
        let session = serving.call("session.show", Some(project), json!({"id": id}))?;
        let conversation = &session["claude_sessions"][0];
        if let (Some(path), Some(id)) =
            (conversation["transcript_path"].as_str(), conversation["id"].as_str())
        {
            return Ok((PathBuf::from(path), id.to_owned()));
        }
        if started.elapsed() > TIMEOUT {
            return Err(BenchError::unexpected_output(
                "session.show",
                format!("named no transcript: {session}"),
            ));
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until the last recorded message has the text `end`, so that the page opens the conversation at that
/// message. Fails after [`TIMEOUT`].
fn wait_recorded(serving: &mut Serving, project: &str, id: &str, end: &str) -> Result<(), BenchError> {
    let started = Instant::now();
    loop {
        let page = serving.call("session.page", Some(project), json!({"id": id, "limit": 1}))?;
        if page["messages"][0]["content"] == end {
            return Ok(());
        }
        if started.elapsed() > TIMEOUT {
            let last: String = page["messages"][0].to_string().chars().take(300).collect();
            let what = format!("the recording, whose last message is {last}");
            return Err(BenchError::TimedOut { what, after: TIMEOUT });
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Waits until the page shows this text in its conversation.
fn wait_shown(page: &mut Chromium, text: &str) -> Result<(), BenchError> {
    let text = json!(text);
    page.until(&format!("(document.querySelector('[role=log]')?.textContent ?? '').includes({text})"))
}

/// Measures the longest task, in milliseconds. It is 0 if no task took 50 ms.
pub(crate) fn follow(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(10)?;
    let folder = bench.programs_with_bench_agent(&sandbox)?;
    let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
    let project = serving.project()?;
    let id = serving.session(&project)?;
    let (path, conversation) = find_transcript(&mut serving, &project, &id)?;
    let mut transcript = Transcript::open(&path, conversation)?;
    let mut written = 0;
    while written < BYTES - GIANT {
        written += transcript.turn(4_000)?;
    }
    // The giant line is near the end, so that the page's first request includes it.
    transcript.turn(GIANT)?;
    for _ in 0..40 {
        transcript.turn(4_000)?;
    }
    transcript.say("and that was all")?;
    wait_recorded(&mut serving, &project, &id, "and that was all")?;

    let mut samples = Samples::default();
    let (mut opening, mut elements) = (Vec::new(), 0.0_f64);
    for round in 0..bench.rounds(3) {
        let mut page = watched_page(&serving)?;
        let title = json!(TITLE);
        page.value(&format!(
            "[...document.querySelectorAll('aside button, nav button, button')]
               .find((one) => one.textContent.includes({title})).click()"
        ))?;
        let end = match round {
            0 => "and that was all".to_owned(),
            round => format!("last line of round {}", round - 1),
        };
        wait_shown(&mut page, &end)?;
        page.value("new Promise((done) => setTimeout(done, 1000))")?;
        opening.push(page.value("window.__bench.longest")?.as_f64().unwrap_or(f64::NAN));
        for line in 0..LINES {
            // Meanwhile, a command prints 13 MB.
            if line == LINES / 3 {
                transcript.turn(GIANT)?;
            }
            transcript.say(&format!("line {line} of round {round}"))?;
            thread::sleep(Duration::from_millis(50));
        }
        transcript.say(&format!("last line of round {round}"))?;
        wait_shown(&mut page, &format!("last line of round {round}"))?;
        page.value("new Promise((done) => setTimeout(done, 1000))")?;
        let seen = page
            .value("({ longest: window.__bench.longest, nodes: document.querySelectorAll('*').length })")?;
        samples.ours.push(seen["longest"].as_f64().unwrap_or(f64::NAN));
        elements = elements.max(seen["nodes"].as_f64().unwrap_or(f64::NAN));
    }
    Ok(samples
        .note(format!(
            "opened at its end and followed while {LINES} lines and one of 13 MB more are written; 0 means that no task \
             took 50 ms; at most {elements} elements in the page"
        ))
        .aside("until it is open", Unit::Ms, opening))
}
