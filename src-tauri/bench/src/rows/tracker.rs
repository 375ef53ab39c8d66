//! The cost of changing a bead with our program, compared with bd alone. Our program runs bd once, and compares the
//! tracker's mark before and after, to check that the change was stored.

use crate::{
    environment::Bench,
    error::BenchError,
    rounds::{Pair, rounds},
    samples::Samples,
};
use bc_testkit::Sandbox;
use serde_json::Value;
use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::Instant,
};

/// The number of beads before the changes.
const BEADS: usize = 200;

struct Writes {
    sandbox: Sandbox,
    ours: PathBuf,
    bd: PathBuf,
}

/// Runs a program to completion. Returns the time in milliseconds, and its JSON output.
fn run(mut command: Command, what: &str) -> Result<(f64, Value), BenchError> {
    let started = Instant::now();
    let done = command.stdin(Stdio::null()).output().map_err(BenchError::io(what.to_owned()))?;
    let took = started.elapsed().as_secs_f64() * 1e3;
    match serde_json::from_slice(&done.stdout) {
        Ok(output) if done.status.success() => Ok((took, output)),
        _ => Err(BenchError::unexpected_output(what, String::from_utf8_lossy(&done.stderr))),
    }
}

impl Writes {
    fn lines(&self, id: &str) -> [Vec<String>; 3] {
        let words = |line: &str| line.replace("ID", id).split('|').map(str::to_owned).collect();
        [
            words("update|ID|--claim|--actor=tester|--json"),
            words("comment|ID|What was found.|--actor=tester|--json"),
            words("close|ID|--reason=done|--actor=tester|--json"),
        ]
    }

    fn our_lines(&self, id: &str) -> [Vec<String>; 3] {
        let words = |line: &str| line.replace("ID", id).split('|').map(str::to_owned).collect();
        [
            words("bead|claim|ID|--actor=tester|--json"),
            words("bead|comment|ID|What was found.|--actor=tester|--json"),
            words("bead|close|ID|--reason=done|--actor=tester|--json"),
        ]
    }

    /// Creates a bead, claims it, comments on it and closes it. Returns the average time of these four writes, in
    /// milliseconds. `id` is the JSON pointer to the new bead's id in the output of `create`.
    fn life(
        &self,
        program: &PathBuf,
        create: &[&str],
        id: &str,
        rest: &dyn Fn(&str) -> [Vec<String>; 3],
    ) -> Result<f64, BenchError> {
        let command = |line: &[String]| {
            let mut command = self.sandbox.command(program);
            command.args(line);
            command
        };
        let create: Vec<String> = create.iter().map(|word| (*word).to_owned()).collect();
        let (mut took, created) = run(command(&create), "creating a bead")?;
        let id = created.pointer(id).and_then(Value::as_str);
        let id = id.ok_or_else(|| BenchError::unexpected_output("creating a bead", created.to_string()))?;
        for line in rest(id) {
            took += run(command(&line), &line.join(" "))?.0;
        }
        Ok(took / 4.0)
    }
}

impl Pair for Writes {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let create = ["bead", "create", "One more bead", "--json"];
        self.life(&self.ours, &create, "/bead/id", &|id| self.our_lines(id))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let create = ["create", "--title=One more bead", "--actor=tester", "--json"];
        self.life(&self.bd, &create, "/id", &|id| self.lines(id))
    }
}

pub(crate) fn write(bench: &Bench) -> Result<Samples, BenchError> {
    let bd = std::env::var_os("BC_TEST_BD").map(PathBuf::from).filter(|path| path.is_file());
    let bd = bd.ok_or_else(|| BenchError::Missing {
        what: "bd".to_owned(),
        hint: "`cargo xtask test` builds it; or set BC_TEST_BD to its path",
    })?;
    let mut sandbox = Sandbox::new();
    sandbox.install("bd", &bd);
    sandbox.set("BD_DISABLE_METRICS", "1");
    sandbox.set("BD_JSON_ENVELOPE", "0");
    let bd_in = |line: &[&str]| {
        let mut command = sandbox.command(sandbox.bin().join("bd"));
        let done = command.args(line).stdin(Stdio::null()).output().map_err(BenchError::io("bd"))?;
        match done.status.success() {
            true => Ok(()),
            false => Err(BenchError::unexpected_output("bd", String::from_utf8_lossy(&done.stderr))),
        }
    };
    bd_in(&["init", "--prefix", "BC", "--skip-hooks", "--skip-agents", "--quiet"])?;
    let lines = (0..BEADS).map(|n| format!("{{\"title\":\"Bead number {n}\",\"priority\":{}}}\n", n % 5));
    sandbox.write("beads.jsonl", &lines.collect::<String>());
    bd_in(&["import", "beads.jsonl"])?;
    let (ours, bd) = (bench.program("beads-console")?, sandbox.bin().join("bd"));
    let mut writes = Writes { sandbox, ours, bd };
    let samples = rounds(bench.rounds(15), &mut writes)?;
    Ok(samples.note(format!(
        "embedded Dolt, {BEADS} beads at the start; a bead is created, claimed, commented on and closed, each \
         by a separate process; the time of one write"
    )))
}
