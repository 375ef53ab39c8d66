//! The agents' commands that this machine has run, in one of the session's files. A command that arrives
//! again because its answer was lost is not run again.

use crate::home_request::{CommandId, CommandOutput};
use bc_store::{
    SessionDir,
    file::{self, Appender},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

const VERSION: u32 = 1;

/// The maximum size of each saved output, in bytes.
const OUTPUT_KEPT: usize = 4 << 10;

#[derive(Serialize, Deserialize)]
struct Line {
    version: u32,
    id: CommandId,
    /// Absent until the command has run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<CommandOutput>,
}

/// The commands of one session, in memory and in the session's file.
pub(super) struct CommandJournal {
    path: PathBuf,
    /// Locked while a command runs, because the tracker has one writer.
    known: Mutex<HashMap<CommandId, Option<CommandOutput>>>,
}

impl CommandJournal {
    pub(super) fn open(session: &SessionDir) -> Result<CommandJournal, bc_store::FileError> {
        let path = session.path().join("place-commands.jsonl");
        let mut known = HashMap::new();
        let bytes = file::read(&path)?.unwrap_or_default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            // An incomplete last line belongs to a run that had not begun, or whose result is unknown.
            if let Ok(line) = serde_json::from_slice::<Line>(line) {
                known.insert(line.id, line.output);
            }
        }
        Ok(CommandJournal { path, known: Mutex::new(known) })
    }

    /// Runs a command, or returns its saved output if the command already ran. Fails if an earlier run was cut
    /// off or failed, because its result is unknown.
    pub(super) fn run_once(
        &self,
        id: CommandId,
        run: impl FnOnce() -> Result<CommandOutput, String>,
    ) -> Result<CommandOutput, String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(&id) {
            Some(Some(output)) => return Ok(output.clone()),
            Some(None) => {
                return Err(
                    "Beads Console ended while it ran this command, so check whether it is done".to_owned()
                );
            }
            None => {}
        }
        self.append(&Line { version: VERSION, id, output: None })?;
        known.insert(id, None);
        let output = run()?;
        let kept = CommandOutput {
            code: output.code,
            stdout: bc_core::text::cut(&output.stdout, OUTPUT_KEPT),
            stderr: bc_core::text::cut(&output.stderr, OUTPUT_KEPT),
        };
        self.append(&Line { version: VERSION, id, output: Some(kept.clone()) })?;
        known.insert(id, Some(kept));
        Ok(output)
    }

    fn append(&self, line: &Line) -> Result<(), String> {
        let line = serde_json::to_vec(line).map_err(|error| error.to_string())?;
        Appender::append_once(&self.path, &line).map(drop).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::SessionStore;

    #[test]
    fn a_command_that_arrives_again_is_not_run_again() {
        let dir = tempfile::tempdir().unwrap();
        let session = "00000000-0000-0000-0000-000000000001".parse().expect("a UUID");
        let session = SessionStore::at(dir.path()).session(session);
        file::create_dir(session.path()).unwrap();
        let output =
            CommandOutput { code: Some(1), stdout: String::new(), stderr: "already claimed".to_owned() };
        let (id, killed) = (CommandId::new(), CommandId::new());
        let journal = CommandJournal::open(&session).unwrap();
        assert_eq!(journal.run_once(id, || Ok(output.clone())), Ok(output.clone()));
        // Simulates a link that is killed during a run.
        journal.append(&Line { version: VERSION, id: killed, output: None }).unwrap();
        for journal in [journal, CommandJournal::open(&session).unwrap()] {
            assert_eq!(journal.run_once(id, || panic!("run again")), Ok(output.clone()));
        }
        let next = CommandJournal::open(&session).unwrap();
        assert!(next.run_once(killed, || panic!("run again")).is_err());
    }
}
