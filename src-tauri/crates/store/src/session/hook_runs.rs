//! `hooks.jsonl`: the runs of lifecycle hooks, one per line, append-only. `hooks-due.json` exists while a
//! `sessionEnd` event is due.

use super::{
    Problem, SessionDir, SessionLock, StoreError,
    files::{json_bytes, read_json},
    lines::{append_lines, read_lines},
};
use crate::file::{self, Appender};
use bc_core::{Timestamp, hooks::HookRun};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of `hooks-due.json` that this build writes.
const VERSION: u32 = 1;

/// The content of `hooks.jsonl`.
#[derive(Debug, Default)]
pub struct HookRuns {
    /// The runs, in the order of their completion.
    pub runs: Vec<HookRun>,
    /// Skipped lines.
    pub problems: Vec<Problem>,
}

/// Appends runs to `hooks.jsonl`.
#[derive(Debug)]
pub struct HookRunWriter {
    appender: Appender,
}

impl HookRunWriter {
    /// Appends a run. The run is on disk when this function returns.
    pub fn append(&self, run: &HookRun) -> Result<(), StoreError> {
        append_lines(&self.appender, std::slice::from_ref(run))
    }
}

/// The content of `hooks-due.json`.
#[derive(Serialize, Deserialize)]
struct Due {
    version: u32,
    since: Timestamp,
}

impl SessionDir {
    /// The path of `hooks.jsonl`.
    pub fn hook_runs_path(&self) -> PathBuf {
        self.path().join("hooks.jsonl")
    }

    fn due_path(&self) -> PathBuf {
        self.path().join("hooks-due.json")
    }

    /// Returns the session's hook runs.
    pub fn hook_runs(&self) -> Result<HookRuns, StoreError> {
        let mut runs = Vec::new();
        let problems = read_lines(&self.hook_runs_path(), |run| runs.push(run))?;
        Ok(HookRuns { runs, problems })
    }

    /// Returns the start of the agent's run whose `sessionEnd` event is still due, or `None` if no event is
    /// due.
    pub fn session_end_owed(&self) -> Result<Option<Timestamp>, StoreError> {
        let due: Option<Due> = read_json(&self.due_path())?;
        Ok(due.map(|due| due.since))
    }
}

impl SessionLock {
    /// Opens `hooks.jsonl` for appending and moves a torn last line to another file. Only one writer may
    /// exist at a time.
    pub fn hook_run_writer(&self) -> Result<HookRunWriter, StoreError> {
        let (appender, _) = Appender::open(&self.hook_runs_path())?;
        Ok(HookRunWriter { appender })
    }

    /// Records that a `sessionEnd` event is due for the run that started at `since`. Call it before the hooks
    /// receive `sessionStart`. A power cut can lose the record.
    pub fn owe_session_end(&self, since: Timestamp) -> Result<(), StoreError> {
        let path = self.due_path();
        Ok(file::replace_volatile(&path, &json_bytes(&path, &Due { version: VERSION, since })?)?)
    }

    /// Removes the record. Call it before the hooks receive `sessionEnd`, so that they never receive it
    /// twice.
    pub fn session_end_paid(&self) -> Result<(), StoreError> {
        Ok(file::remove(&self.due_path())?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, scribble};
    use super::*;
    use bc_core::{
        Extra,
        hooks::{HOOK_RUN_VERSION, HookEvent},
    };

    fn at() -> Timestamp {
        Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap()
    }

    fn run(command: &str) -> HookRun {
        HookRun {
            version: HOOK_RUN_VERSION,
            at: at(),
            event: HookEvent::SessionEnd,
            reason: Some("pause".into()),
            file: "/p/hooks.json".into(),
            command: command.into(),
            duration_ms: 12,
            exit: Some(0),
            stdout: "{}".into(),
            stderr: "größe\n".into(),
            warning: None,
            decision: None,
            context_bytes: 0,
            extra: Extra::new(),
        }
    }

    #[test]
    fn runs_are_read_in_order_and_torn_lines_skipped() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert!(lock.hook_runs().unwrap().runs.is_empty());
        lock.hook_run_writer().unwrap().append(&run("one")).unwrap();
        let mut bytes = file::read(&lock.hook_runs_path()).unwrap().unwrap();
        bytes.extend_from_slice(b"{\"version\":1,");
        scribble(&lock.hook_runs_path(), &bytes);
        assert_eq!(lock.hook_runs().unwrap().problems.len(), 1);
        lock.hook_run_writer().unwrap().append(&run("two")).unwrap();
        assert_eq!(lock.hook_runs().unwrap().runs, [run("one"), run("two")]);
    }

    #[test]
    fn a_session_end_is_owed_until_it_is_reported() {
        let fixture = Fixture::new();
        let lock = fixture.create(1);
        assert_eq!(lock.session_end_owed().unwrap(), None);
        lock.owe_session_end(at()).unwrap();
        assert_eq!(lock.session_end_owed().unwrap(), Some(at()));
        lock.session_end_paid().unwrap();
        lock.session_end_paid().unwrap();
        assert_eq!(lock.session_end_owed().unwrap(), None);
    }
}
