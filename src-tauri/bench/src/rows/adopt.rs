//! Adopting a long conversation of claude, compared with reading its file.

use crate::{
    environment::Bench,
    error::BenchError,
    recorded::TextGenerator,
    rounds::{Pair, ms_since, rounds},
    samples::Samples,
};
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    process::Stdio,
    time::Instant,
};

/// The size of the transcript, in bytes.
const BYTES: u64 = 50 << 20;
const ID: &str = "9e107d9d-372b-4683-8d3d-9e8f0f1c2d3e";

struct Adopting {
    sandbox: Sandbox,
    program: PathBuf,
    transcript: PathBuf,
    lines: usize,
}

impl Pair for Adopting {
    fn ours(&mut self) -> Result<f64, BenchError> {
        // Removes the session that the previous round made, so that each round adopts the conversation for
        // the first time.
        let sessions = self.sandbox.project().join(".beads/sessions");
        for entry in fs::read_dir(&sessions).into_iter().flatten().flatten() {
            if entry.path().join("meta.json").exists() {
                fs::remove_dir_all(entry.path()).map_err(BenchError::io("the last session"))?;
            }
        }
        let started = Instant::now();
        let mut command = self.sandbox.command(&self.program);
        command.args(["session", "adopt", ID, "--no-resume", "--json"]).stdin(Stdio::null());
        let done = command.output().map_err(BenchError::io("beads-console"))?;
        let took = ms_since(started);
        match done.status.success() {
            true => Ok(took),
            false => Err(BenchError::unexpected_output(
                "beads-console",
                String::from_utf8_lossy(&done.stderr).into_owned(),
            )),
        }
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let file = File::open(&self.transcript).map_err(BenchError::io("the transcript"))?;
        self.lines = 0;
        for line in BufReader::with_capacity(1 << 20, file).lines() {
            let line = line.map_err(BenchError::io("the transcript"))?;
            let _: Value = serde_json::from_str(&line)
                .map_err(|error| BenchError::unexpected_output("the transcript", error.to_string()))?;
            self.lines += 1;
        }
        Ok(ms_since(started))
    }
}

/// Writes a conversation of prompts, answers and tool calls, as claude does.
#[allow(clippy::disallowed_methods, reason = "claude's file, not one of ours")]
fn write(path: &Path, cwd: &Path, bytes: u64) -> Result<(), BenchError> {
    let failed = || BenchError::io("the transcript");
    let folder = path.parent().expect("it is in a folder");
    fs::create_dir_all(folder).map_err(failed())?;
    let mut file = BufWriter::new(File::create(path).map_err(failed())?);
    let (mut generator, mut written, mut n) = (TextGenerator::new(), 0, 0_u64);
    let mut line = |mut value: Value, n: u64| -> Result<u64, BenchError> {
        value["cwd"] = cwd.display().to_string().into();
        value["timestamp"] =
            format!("2026-01-{:02}T{:02}:{:02}:00.000Z", n / 1440 % 28 + 1, n / 60 % 24, n % 60).into();
        value["sessionId"] = ID.into();
        value["version"] = "2.1.329".into();
        let text = value.to_string() + "\n";
        file.write_all(text.as_bytes()).map_err(BenchError::io("the transcript"))?;
        Ok(text.len() as u64)
    };
    while written < bytes {
        n += 1;
        let usage = json!({"input_tokens": 3, "output_tokens": 400, "cache_read_input_tokens": 9000, "cache_creation_input_tokens": 800});
        let (prompt, answer, command, output) =
            (generator.text(250), generator.text(1_500), generator.text(120), generator.text(4_000));
        written += line(
            json!({"type": "user", "uuid": format!("u{n}"), "message": {"role": "user", "content": prompt}}),
            n,
        )?;
        let assistant = |block: Value| json!({"id": format!("m{n}"), "role": "assistant", "model": "m", "usage": usage, "content": [block]});
        let text = assistant(json!({"type": "text", "text": answer}));
        written += line(json!({"type": "assistant", "uuid": format!("a{n}"), "message": text}), n)?;
        let call = assistant(
            json!({"type": "tool_use", "id": format!("t{n}"), "name": "Bash", "input": {"command": command}}),
        );
        written += line(json!({"type": "assistant", "uuid": format!("b{n}"), "message": call}), n)?;
        let result = json!([{"type": "tool_result", "tool_use_id": format!("t{n}"), "content": output}]);
        written += line(
            json!({"type": "user", "uuid": format!("r{n}"), "message": {"role": "user", "content": result}}),
            n,
        )?;
    }
    file.flush().map_err(failed())
}

pub(crate) fn adopt(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = bench.project(10)?;
    let bytes = if bench.quick { BYTES / 20 } else { BYTES };
    let project = sandbox.project().to_owned();
    let folder: String = project
        .display()
        .to_string()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let transcript = sandbox.home().join(".claude/projects").join(folder).join(format!("{ID}.jsonl"));
    write(&transcript, &project, bytes)?;
    let program = bench.program("beads-console")?;
    let mut adopting = Adopting { sandbox, program, transcript, lines: 0 };
    let samples = rounds(bench.rounds(5), &mut adopting)?;
    Ok(samples.note(format!(
        "{} lines, {:.0} MB; ours: `session adopt --no-resume`, process start to exit, every message on disk; baseline: the same \
         file read and each line parsed as JSON",
        adopting.lines,
        bytes as f64 / 1e6
    )))
}
