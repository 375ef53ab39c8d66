//! A search in thousands of sessions, as the page requests it while the user types, compared with ripgrep on
//! the same files.

use crate::{
    environment::Bench,
    error::BenchError,
    recorded::{self, TextGenerator},
    rounds::{Pair, ms_since, rounds},
    samples::{Samples, Unit},
    serving::Serving,
};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

const SESSIONS: u32 = 5_000;
/// The bytes of messages in each session; all sessions together have a gigabyte.
const BYTES: usize = 200_000;
/// A word that is in every seventh session.
const COMMON_WORD: &str = "quillfeather";
/// A word that one session in a thousand contains.
const RARE_WORD: &str = "zephyrlathe";

/// A searched word, and the number of sessions that contain it.
struct Word {
    text: String,
    sessions: u32,
}

struct Searches {
    serving: Serving,
    project: String,
    folder: PathBuf,
    words: Vec<Word>,
    took: Vec<Vec<f64>>,
    baseline: Vec<Vec<f64>>,
}

impl Searches {
    /// Requests one search: a page of fifty sessions with excerpts. Returns the milliseconds.
    fn one(&mut self, text: &str, sessions: u32) -> Result<f64, BenchError> {
        let started = Instant::now();
        let answer = self.serving.call_raw("session.search", Some(&self.project), json!({"text": text}))?;
        let took = ms_since(started);
        let answer: serde_json::Value = serde_json::from_slice(&answer).map_err(|error| {
            BenchError::unexpected_output("session.search", format!("answered with no JSON: {error}"))
        })?;
        let found = answer["sessions"].as_array().map_or(0, Vec::len);
        if found != sessions.min(50) as usize || answer["more"] != (sessions > 50) {
            let what = format!("has {found} sessions with {text}, of {sessions}");
            return Err(BenchError::unexpected_output("session.search", what));
        }
        Ok(took)
    }

    /// Finds the files with the word; ripgrep stops at the first match of each file. Returns the
    /// milliseconds.
    fn ripgrep(&self, text: &str, sessions: u32) -> Result<f64, BenchError> {
        // The lint is meant for programs that the product starts; ripgrep is only the baseline.
        #[allow(clippy::disallowed_methods)]
        let mut command = Command::new("rg");
        command.args(["--no-config", "-uu", "--files-with-matches", "--fixed-strings", "--ignore-case"]);
        command.args(["--glob", "messages.jsonl", "--", text]).arg(&self.folder).stdin(Stdio::null());
        let started = Instant::now();
        let done = command.output().map_err(|_| BenchError::Missing {
            what: "rg".to_owned(),
            hint: "install Debian's package ripgrep, the baseline of this row",
        })?;
        let took = ms_since(started);
        let found = done.stdout.iter().filter(|byte| **byte == b'\n').count();
        match found == sessions as usize {
            true => Ok(took),
            false => Err(BenchError::unexpected_output(
                "rg",
                format!("found {found} files with {text}, of {sessions}"),
            )),
        }
    }

    fn each(
        &mut self,
        one: impl Fn(&mut Searches, &str, u32) -> Result<f64, BenchError>,
    ) -> Result<Vec<f64>, BenchError> {
        let words: Vec<_> = self.words.iter().map(|word| (word.text.clone(), word.sessions)).collect();
        words.iter().map(|(text, sessions)| one(self, text, *sessions)).collect()
    }
}

impl Pair for Searches {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = self.each(Searches::one)?;
        self.took.push(took.clone());
        Ok(took.iter().sum())
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let took = self.each(|searches, text, sessions| searches.ripgrep(text, sessions))?;
        self.baseline.push(took.clone());
        Ok(took.iter().sum())
    }
}

pub(crate) fn search(bench: &Bench) -> Result<Samples, BenchError> {
    let sessions = if bench.quick { SESSIONS / 10 } else { SESSIONS };
    let sandbox = bench.project(10)?;
    let beads_dir = sandbox.project().join(".beads");
    let mut generator = TextGenerator::new();
    for number in 0..sessions {
        let mut also = String::new();
        if number % 7 == 0 {
            also = format!("{also} {COMMON_WORD}");
        }
        if number % 1_000 == 0 {
            also = format!("{also} {RARE_WORD}");
        }
        recorded::session(&beads_dir, number, BYTES, &mut generator, &also)?;
    }
    let words = vec![
        Word { text: RARE_WORD.to_owned(), sessions: sessions.div_ceil(1_000) },
        Word { text: COMMON_WORD.to_owned(), sessions: sessions.div_ceil(7) },
        Word { text: generator.word(0).to_owned(), sessions },
        // A prefix of many words, as the user types it.
        Word { text: generator.word(24)[..4].to_owned(), sessions },
    ];
    let ours = bench.program("beads-console")?;
    let mut serving = Serving::start(&sandbox, &ours)?;
    let project = serving.project()?;
    let folder = beads_dir.join("sessions");
    let (took, baseline) = (Vec::new(), Vec::new());
    let mut searches = Searches { serving, project, folder, words, took, baseline };
    // The first search waits until all sessions have been read and cached.
    let first = searches.one(RARE_WORD, sessions.div_ceil(1_000))?;
    let samples = rounds(bench.rounds(20), &mut searches)?;
    let cache = cache(&searches.folder);
    let mut samples = samples
        .note(format!(
            "{sessions} sessions, {} MB; four words per round, one after the other: in {}; ours: `session.search` of the \
             server, fifty sessions with snippets; baseline: `rg -uu -l -F -i`, files in the page cache",
            u64::from(sessions) * BYTES as u64 / 1_000_000,
            searches.words.iter().map(|word| word.sessions.to_string()).collect::<Vec<_>>().join(", "),
        ))
        .aside(format!("the first search, which builds the cache of {cache} MB"), Unit::Ms, vec![first]);
    for (at, word) in searches.words.iter().enumerate() {
        let of = |all: &[Vec<f64>]| all.iter().skip(1).map(|round| round[at]).collect();
        samples = samples
            .aside(format!("ours, a word of {} sessions", word.sessions), Unit::Ms, of(&searches.took))
            .aside(
                format!("ripgrep, the same word ({} files)", word.sessions),
                Unit::Ms,
                of(&searches.baseline),
            );
    }
    // Ends the server, because it has the cache open.
    drop(searches);
    let alone: Result<Vec<f64>, BenchError> = (0..bench.rounds(5)).map(|_| alone(&sandbox, &ours)).collect();
    Ok(samples.aside("`beads-console session search` alone, from start to end", Unit::Ms, alone?))
}

/// Measures a search on the command line, which opens the project and the cache each time. Returns the
/// milliseconds.
fn alone(sandbox: &Sandbox, program: &Path) -> Result<f64, BenchError> {
    let mut command = sandbox.command(program);
    command.arg("--project").arg(sandbox.project()).args(["session", "search", RARE_WORD, "--json"]);
    let started = Instant::now();
    let done = command.output().map_err(BenchError::io("beads-console session search"))?;
    let took = ms_since(started);
    match done.status.success() {
        true => Ok(took),
        false => Err(BenchError::unexpected_output("session search", String::from_utf8_lossy(&done.stderr))),
    }
}

/// The size of the search cache, in megabytes.
fn cache(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder.join(".cache")).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum::<u64>() / 1_000_000
}
