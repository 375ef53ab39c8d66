//! A checkpoint before a prompt, compared with `git stash create`, which saves only tracked files.

use crate::{
    environment::Bench,
    error::BenchError,
    rounds::{Pair, rounds},
    samples::Samples,
};
use bc_git::{Git, NewTurn, PromptPlace, Repo};
use bc_testkit::Sandbox;
use chrono::Utc;
use std::time::{Duration, Instant};

/// The number of files in the tree. `CHANGED` of them change before each sample.
const FILES: usize = 10_000;
const CHANGED: usize = 10;

struct Checkpoints {
    sandbox: Sandbox,
    repo: Repo,
    session: bc_core::ids::SessionId,
    edits: usize,
}

impl Checkpoints {
    /// Changes some files, so that their content is new in each round.
    fn edit(&mut self) {
        for n in 0..CHANGED {
            self.edits += 1;
            let path = path(n * (FILES / CHANGED));
            self.sandbox.write(&path, &format!("edit {}\n", self.edits).repeat(40));
        }
    }
}

impl Pair for Checkpoints {
    fn ours(&mut self) -> Result<f64, BenchError> {
        self.edit();
        let turn = NewTurn { prompt: "go on".into(), at: Utc::now().into(), place: PromptPlace::default() };
        let started = Instant::now();
        let kept = self.repo.keep_before_prompt(self.session, &turn, Duration::from_secs(60));
        let took = started.elapsed().as_secs_f64() * 1e3;
        match kept {
            Ok(kept) if kept.is_new && kept.checkpoint.record.uncommitted as usize == CHANGED => Ok(took),
            Ok(kept) => Err(BenchError::unexpected_output(
                "the checkpoint",
                format!("has {:?}", kept.checkpoint.record),
            )),
            Err(error) => Err(BenchError::unexpected_output("git", error.to_string())),
        }
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        self.edit();
        let started = Instant::now();
        let commit = self.sandbox.git(["stash", "create"]);
        let took = started.elapsed().as_secs_f64() * 1e3;
        match commit.is_empty() {
            false => Ok(took),
            true => {
                Err(BenchError::unexpected_output("git stash create", "found nothing to keep".to_owned()))
            }
        }
    }
}

fn path(n: usize) -> String {
    format!("src/{}/file-{n}.txt", n / 100)
}

/// Measures how long a prompt waits for its checkpoint.
pub(crate) fn checkpoint(bench: &Bench) -> Result<Samples, BenchError> {
    let sandbox = Sandbox::new();
    for n in 0..FILES {
        sandbox.write(&path(n), &format!("file {n}\n").repeat(40));
    }
    sandbox.git(["add", "-A"]);
    sandbox.git(["commit", "-q", "-m", "ten thousand files"]);
    let found = Git::find().map_err(|error| BenchError::unexpected_output("git", error.to_string()))?;
    let git = sandbox.env().iter().fold(found, |git, (key, value)| git.env(key, value));
    let repo = Repo::discover_with(git, sandbox.project())
        .map_err(|error| BenchError::unexpected_output("git", error.to_string()))?;
    let session = "0197f3b0-0000-7000-8000-000000000001".parse();
    let session =
        session.map_err(|_| BenchError::unexpected_output("the session's id", "is not valid".to_owned()))?;
    let mut pair = Checkpoints { sandbox, repo, session, edits: 0 };
    let samples = rounds(bench.rounds(30), &mut pair)?;
    Ok(samples.note(format!(
        "{FILES} tracked files, {CHANGED} changed before each sample, none untracked; ours also looks for untracked \
         files, and keeps the commit under a reference with its record"
    )))
}
