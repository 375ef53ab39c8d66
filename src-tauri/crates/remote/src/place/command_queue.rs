//! Agents' commands that wait for the user's machine. They are kept in order in a file of the session at the
//! place.
//!
//! A command is queued if the user's machine cannot be reached, or if earlier commands are still waiting.
//! Only commands that change beads or memories, and whose output agents do not need, are queued. The user's
//! machine runs each command once, even if it arrives twice because its answer was lost.

use super::home_requests::AskError;
use crate::home_request::{ChangeCommand, CommandId, CommandOutput, CommandRequest, Tool};
use bc_store::{
    SessionDir,
    file::{self, Appender},
    lock::FileLock,
};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, time::Duration};

const VERSION: u32 = 1;

/// The time limit for acquiring the lock. Each process holds the lock only for one read and one write.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// The size of the queue, in bytes, above which further commands are refused.
const FULL: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
struct Line {
    version: u32,
    #[serde(flatten)]
    entry: Entry,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    Queued(ChangeCommand),
    /// The user's machine has answered the command.
    Answered(CommandId),
}

/// The queue of one session.
#[derive(Debug)]
pub(super) struct CommandQueue {
    path: PathBuf,
    lock: PathBuf,
    /// The file's length when no command was waiting, which avoids reading the file again.
    empty_at: Option<u64>,
}

impl CommandQueue {
    pub(super) fn of(session: &SessionDir) -> CommandQueue {
        let path = |name| session.path().join(name);
        CommandQueue {
            path: path("queued-commands.jsonl"),
            lock: path("queued-commands.lock"),
            empty_at: None,
        }
    }

    /// Runs a command on the user's machine. Queues it if that machine cannot be reached or earlier commands
    /// are waiting.
    ///
    /// # Errors
    /// Fails if the user's machine refuses the command, or if the command cannot be queued.
    pub(super) fn run(
        &mut self,
        change: ChangeCommand,
        ask: impl FnOnce(&ChangeCommand) -> Result<CommandOutput, AskError>,
    ) -> Result<CommandOutput, String> {
        if self.first()?.is_none() {
            match ask(&change) {
                Err(AskError::Unreachable(why)) => tracing::info!(%why, "a command is queued"),
                Err(AskError::Refused(why)) => return Err(why),
                Ok(output) => return Ok(output),
            }
        }
        let _lock = self.locked()?;
        if self.len() >= FULL {
            return Err("the user's machine cannot be reached, and too many commands wait for it".to_owned());
        }
        let json = change.command.args.iter().any(|arg| arg == "--json");
        self.append(Entry::Queued(change))?;
        let stdout = match json {
            true => "{\"queued\":true}\n",
            false => {
                "Queued. The user's machine cannot be reached now; it runs this command when it is back.\n"
            }
        };
        Ok(CommandOutput { code: Some(0), stdout: stdout.to_owned(), stderr: String::new() })
    }

    /// The first waiting command.
    pub(super) fn first(&mut self) -> Result<Option<ChangeCommand>, String> {
        let len = self.len();
        if len == 0 || self.empty_at == Some(len) {
            return Ok(None);
        }
        let bytes = file::read(&self.path).map_err(|error| error.to_string())?.unwrap_or_default();
        let first = first_waiting(&bytes);
        self.empty_at = first.is_none().then_some(bytes.len() as u64);
        Ok(first)
    }

    /// Marks a command as answered, so that it no longer waits.
    pub(super) fn mark_answered(&self, id: CommandId) -> Result<(), String> {
        let _lock = self.locked()?;
        self.append(Entry::Answered(id))
    }

    fn len(&self) -> u64 {
        self.path.metadata().map_or(0, |metadata| metadata.len())
    }

    fn locked(&self) -> Result<FileLock, String> {
        let lock = FileLock::exclusive(&self.lock, LOCK_WAIT).map_err(|error| error.to_string())?;
        lock.ok_or_else(|| "the queue of commands is locked by another process".to_owned())
    }

    fn append(&self, entry: Entry) -> Result<(), String> {
        let line =
            serde_json::to_vec(&Line { version: VERSION, entry }).map_err(|error| error.to_string())?;
        Appender::append_once(&self.path, &line).map(drop).map_err(|error| error.to_string())
    }
}

/// The first queued command without an answer. Unreadable lines are skipped.
fn first_waiting(bytes: &[u8]) -> Option<ChangeCommand> {
    let mut waiting: Vec<ChangeCommand> = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(Line { version: VERSION, entry: Entry::Queued(command) }) => waiting.push(command),
            Ok(Line { version: VERSION, entry: Entry::Answered(id) }) => waiting.retain(|one| one.id != id),
            _ => tracing::warn!("a line of the queue of commands was skipped"),
        }
    }
    (!waiting.is_empty()).then(|| waiting.swap_remove(0))
}

/// Whether a command can be queued: it makes a change, and the agent does not need its output.
pub(super) fn can_wait(request: &CommandRequest) -> bool {
    let mut words = request.args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-'));
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    match (request.tool, first) {
        (Tool::Bd, "close" | "comment" | "forget" | "remember" | "reopen" | "update") => true,
        (Tool::Bd, "comments" | "dep" | "label") => matches!(second, "add" | "remove"),
        (Tool::Console, "forget" | "remember") => true,
        (Tool::Console, "bead") => {
            matches!(
                second,
                "approve" | "claim" | "close" | "comment" | "reject" | "reopen" | "submit" | "update"
            )
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::SessionStore;

    fn command(line: &str) -> ChangeCommand {
        let args = line.split(' ').map(str::to_owned).collect();
        let session = "00000000-0000-0000-0000-000000000001".parse().expect("a UUID");
        ChangeCommand {
            at: bc_core::Timestamp::parse_from_rfc3339("2026-11-27T10:00:00Z").expect("a time"),
            id: CommandId::new(),
            command: CommandRequest { session, tool: Tool::Bd, args, stdin: None },
        }
    }

    #[test]
    fn commands_wait_in_order_until_each_is_answered() {
        let dir = tempfile::tempdir().unwrap();
        let session = SessionStore::at(dir.path()).session(command("x").command.session);
        file::create_dir(session.path()).unwrap();
        let mut queue = CommandQueue::of(&session);
        let unreachable = |_: &ChangeCommand| Err(AskError::Unreachable("no".to_owned()));
        let (first, second) = (command("update a --claim"), command("close a --json"));
        assert!(queue.run(first.clone(), unreachable).unwrap().stdout.starts_with("Queued."));
        // The machine is reachable again, but an earlier command is still waiting.
        let back = |_: &ChangeCommand| panic!("asked out of order");
        assert_eq!(queue.run(second.clone(), back).unwrap().stdout, "{\"queued\":true}\n");

        let mut other = CommandQueue::of(&session);
        assert_eq!(other.first().unwrap(), Some(first.clone()));
        other.mark_answered(first.id).unwrap();
        assert_eq!(other.first().unwrap(), Some(second.clone()));
        other.mark_answered(second.id).unwrap();
        assert_eq!(other.first().unwrap(), None);
        assert_eq!(queue.first().unwrap(), None);
        let refused = queue.run(command("close b"), |_| Err(AskError::Refused("not yours".to_owned())));
        assert_eq!(refused.unwrap_err(), "not yours");
        assert_eq!(queue.first().unwrap(), None, "a refused command does not wait");
    }

    #[test]
    fn a_torn_line_does_not_hide_the_others() {
        let line = |entry| serde_json::to_string(&Line { version: VERSION, entry }).unwrap();
        let waits = command("close a");
        let text = format!("{}\n{{\"version\":1,\"que", line(Entry::Queued(waits.clone())));
        assert_eq!(first_waiting(text.as_bytes()), Some(waits));
    }

    #[test]
    fn only_changes_without_needed_output_wait() {
        for line in ["close a", "--json update a --claim", "comments add a x", "remember x --key k"] {
            assert!(can_wait(&command(line).command), "{line}");
        }
        for line in ["create x", "q x", "show a", "comments a", "dep tree a", "ready"] {
            assert!(!can_wait(&command(line).command), "{line}");
        }
    }
}
