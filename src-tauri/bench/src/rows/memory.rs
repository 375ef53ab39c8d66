//! The commands `remember` and `prime`, from process start to exit, and the server's search in ten thousand
//! memories.

use crate::{
    environment::Bench,
    error::BenchError,
    recorded::TextGenerator,
    rounds::{Pair, ms_since, rounds},
    samples::{Samples, median},
    serving::Serving,
};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{
    fmt::Write,
    path::PathBuf,
    process::{Command, Stdio},
    time::Instant,
};

const BEADS: usize = 10_000;
const MEMORIES: usize = 2_000;
const SEARCHED: usize = 10_000;
/// The number of starts in each round. The round's result is their median.
const STARTS: usize = 5;
/// A word that one memory in a thousand contains.
const RARE_WORD: &str = "zephyrlathe";
/// A word that one memory in a hundred contains.
const COMMON_WORD: &str = "quillfeather";

/// A project with this number of beads and memories, written as `remember` writes them.
fn project(
    bench: &Bench,
    beads: usize,
    memories: usize,
    generator: &mut TextGenerator,
) -> Result<Sandbox, BenchError> {
    let sandbox = bench.project(beads)?;
    let mut text = String::new();
    for n in 0..memories {
        let content = generator.text(300).replace('\n', " ");
        let also = match n % 1_000 {
            7 => RARE_WORD,
            _ if n % 100 == 3 => COMMON_WORD,
            _ => "",
        };
        let _ = writeln!(
            text,
            r#"{{"id":"BC-m{n:07}","title":"Memory {n}","description":"{content} {also}","status":"pinned","priority":{},"issue_type":"chore","assignee":"tester","created_at":"2026-10-{:02}T09:{:02}:00.000000Z","created_by":"tester","updated_at":"2026-10-{:02}T09:{:02}:00.000000Z","labels":["session:session_20261001_090000","agent:tester","memory:learning","part-{}"],"metadata":{{"workstream":"main","memory_key":"memory-{n}"}}}}"#,
            n % 5,
            1 + n % 28,
            n % 60,
            1 + n % 28,
            n % 60,
            n % 12,
        );
    }
    sandbox.write(".beads/memories.jsonl", &text);
    Ok(sandbox)
}

/// Runs a program to completion and returns the time in milliseconds.
fn run(command: &mut Command, what: &str) -> Result<f64, BenchError> {
    let started = Instant::now();
    let done = command.stdin(Stdio::null()).output().map_err(BenchError::io(what.to_owned()))?;
    let took = ms_since(started);
    match done.status.success() && !done.stdout.is_empty() {
        true => Ok(took),
        false => Err(BenchError::unexpected_output(what, String::from_utf8_lossy(&done.stderr))),
    }
}

struct Starts {
    sandbox: Sandbox,
    ours: PathBuf,
    bare: PathBuf,
    remembered: usize,
    prime: bool,
}

impl Starts {
    fn one(&mut self) -> Result<f64, BenchError> {
        let mut command = self.sandbox.command(&self.ours);
        match self.prime {
            true => command.arg("prime"),
            false => {
                self.remembered += 1;
                let text = format!("What was found the {}th time: the parser keeps it.", self.remembered);
                command.arg("remember").arg(text)
            }
        };
        run(&mut command, "beads-console")
    }

    fn bare_one(&self) -> Result<f64, BenchError> {
        let beads = self.sandbox.project().join(".beads");
        let mut command = self.sandbox.command(&self.bare);
        match self.prime {
            true => command.arg("typed").arg(beads.join("issues.jsonl")).arg(beads.join("memories.jsonl")),
            false => {
                command.arg("append").arg(beads.join("bare.jsonl")).arg("{\"text\":\"the parser keeps it\"}")
            }
        };
        run(&mut command, "bc-bench-bare")
    }
}

impl Pair for Starts {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took: Result<Vec<f64>, BenchError> = (0..STARTS).map(|_| self.one()).collect();
        Ok(median(&took?))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let took: Result<Vec<f64>, BenchError> = (0..STARTS).map(|_| self.bare_one()).collect();
        Ok(median(&took?))
    }
}

fn starts(bench: &Bench, memories: usize, prime: bool) -> Result<Samples, BenchError> {
    let sandbox = project(bench, BEADS, memories, &mut TextGenerator::new())?;
    let (ours, bare) = (bench.program("beads-console")?, bench.program("bc-bench-bare")?);
    let mut starts = Starts { sandbox, ours, bare, remembered: 0, prime };
    rounds(bench.rounds(20), &mut starts)
}

pub(crate) fn remember(bench: &Bench) -> Result<Samples, BenchError> {
    Ok(starts(bench, MEMORIES, false)?.note(format!(
        "{BEADS} beads, {MEMORIES} memories at the start, one more each time, on disk when the program has ended; \
         the median of {STARTS} starts per round"
    )))
}

pub(crate) fn prime(bench: &Bench) -> Result<Samples, BenchError> {
    Ok(starts(bench, MEMORIES, true)?.note(format!(
        "{BEADS} beads, {MEMORIES} memories; baseline: a program that starts, reads both files and parses each line into \
         a struct; the median of {STARTS} starts per round"
    )))
}

struct Searches {
    serving: Serving,
    project: String,
    file: PathBuf,
    words: [(String, usize); 3],
}

impl Pair for Searches {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        for (word, found) in self.words.clone() {
            let asked = json!({"query": word});
            let answer = self.serving.call("memory.search", Some(&self.project), asked)?;
            if answer["total"] != found {
                let what = format!("found {} memories with {word}, of {found}", answer["total"]);
                return Err(BenchError::unexpected_output("memory.search", what));
            }
        }
        Ok(ms_since(started))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        for (word, found) in &self.words {
            // The lint is meant for programs that the product starts; ripgrep is only the baseline.
            #[allow(clippy::disallowed_methods)]
            let mut command = Command::new("rg");
            command.args(["--no-config", "-uu", "--fixed-strings", "--ignore-case", "--", word]);
            let done = command.arg(&self.file).stdin(Stdio::null()).output();
            let done = done.map_err(|_| BenchError::Missing {
                what: "rg".to_owned(),
                hint: "install Debian's package ripgrep, the baseline of this row",
            })?;
            let lines = done.stdout.iter().filter(|byte| **byte == b'\n').count();
            if lines != *found {
                return Err(BenchError::unexpected_output(
                    "rg",
                    format!("found {lines} memories with {word}, of {found}"),
                ));
            }
        }
        Ok(ms_since(started))
    }
}

pub(crate) fn search(bench: &Bench) -> Result<Samples, BenchError> {
    let mut generator = TextGenerator::new();
    let sandbox = project(bench, 10, SEARCHED, &mut generator)?;
    let file = sandbox.project().join(".beads/memories.jsonl");
    let text = sandbox.read(".beads/memories.jsonl");
    let counted = |word: &str| (word.to_owned(), text.lines().filter(|line| line.contains(word)).count());
    let words = [counted(RARE_WORD), counted(COMMON_WORD), counted(generator.word(700))];
    let mut serving = Serving::start(&sandbox, &bench.program("beads-console")?)?;
    let project = serving.project()?;
    let mut searches = Searches { serving, project, file, words };
    let samples = rounds(bench.rounds(40), &mut searches)?;
    Ok(samples.note(format!(
        "{SEARCHED} memories, {} MB; three words per round, in {} of them; ours: `memory.search` of the \
         server, the ten best and the total number; baseline: `rg -uu -F -i` on the same file, in the page \
         cache",
        text.len() / 1_000_000,
        searches.words.iter().map(|(_, found)| found.to_string()).collect::<Vec<_>>().join(", "),
    )))
}
