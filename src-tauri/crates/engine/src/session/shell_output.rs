//! Reads the output of a shell command that claude is still running.
//!
//! Claude writes each running command's output to its own file, `tasks/<id>.output` in the conversation's
//! temporary folder, and removes the files of finished commands. The id of a background command is in the
//! transcript. The id of a foreground command is not, so its output is shown only if exactly one file can
//! belong to it.

use crate::context::{Context, errors::store_error};
use bc_core::{Timestamp, message::ToolCall, session::Meta};
use bc_store::{SessionDir, repository};
use bc_wire::{ApiError, session::*};
use std::{
    fs,
    io::{Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The maximum size of the shown tail of an output, in bytes.
const SHOWN: u64 = 64 << 10;

/// The maximum time by which the output file can be older than the transcript's message with the call.
const EARLIER: Duration = Duration::from_secs(2);

pub(crate) fn shell_output(ctx: &Context, params: &ShellOutputParams) -> Result<ShellOutput, ApiError> {
    let dir = ctx.store.session(params.id);
    let meta = dir.meta().map_err(store_error)?;
    let folders = task_folders(&meta);
    let file = match &params.background {
        Some(id) if is_id(id) => {
            folders.iter().map(|folder| folder.join(format!("{id}.output"))).find(|path| path.is_file())
        }
        Some(_) => None,
        None => running_since(&dir).and_then(|since| only_file(&folders, since)),
    };
    Ok(file.and_then(|file| tail(&file)).unwrap_or_default())
}

/// The folders in which claude can keep the outputs: one per conversation, and in older versions one per project.
fn task_folders(meta: &Meta) -> Vec<PathBuf> {
    let Some(conversation) = meta.claude_sessions.last() else { return Vec::new() };
    let Some(transcript) = conversation.transcript_path.as_deref().map(Path::new) else { return Vec::new() };
    let project = transcript.parent().and_then(Path::file_name);
    let (Some(project), Some(user)) = (project, owner(transcript)) else { return Vec::new() };
    // Claude checks these variables in the same order. The engine has the environment with which claude was
    // started.
    let named = ["CLAUDE_CODE_TMPDIR", "TMPDIR"].map(std::env::var_os);
    let mut folders = Vec::new();
    for base in named.into_iter().flatten().map(PathBuf::from).chain([PathBuf::from("/tmp")]) {
        let own = base.join(format!("claude-{user}")).join(project);
        for folder in [own.join(conversation.id.to_string()).join("tasks"), own.join("tasks")] {
            // In a shared temporary folder, another user could have created this folder.
            if owner(&folder) == Some(user) {
                folders.push(folder);
            }
        }
    }
    folders
}

#[cfg(unix)]
fn owner(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    fs::symlink_metadata(path).ok().map(|metadata| metadata.uid())
}

#[cfg(not(unix))]
fn owner(_: &Path) -> Option<u32> {
    None
}

fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The time of the last message; `None` unless exactly one of its commands is still running.
fn running_since(dir: &SessionDir) -> Option<Timestamp> {
    let message = dir.latest_message()?;
    let is_running = |call: &ToolCall| call.tool == "Bash" && call.output.is_none() && !call.is_error;
    let running = message.tool_calls.as_ref()?.iter().filter(|call| is_running(call)).count();
    (running == 1).then_some(message.timestamp)
}

/// The only output file in the first folder that was created after `since`, less the tolerance [`EARLIER`].
/// `None` unless exactly one file qualifies.
fn only_file(folders: &[PathBuf], since: Timestamp) -> Option<PathBuf> {
    let since = SystemTime::from(since).checked_sub(EARLIER)?;
    let folder = folders.first()?;
    let made = |path: &Path| {
        let metadata = fs::symlink_metadata(path).ok()?;
        metadata.created().or_else(|_| metadata.modified()).ok()
    };
    let mut found = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| {
        path.extension().is_some_and(|ending| ending == "output") && made(path).is_some_and(|at| at >= since)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The tail of the file, from the beginning of a line.
fn tail(path: &Path) -> Option<ShellOutput> {
    // Do not follow links: another program could have created one at this path.
    fs::symlink_metadata(path).ok().filter(|metadata| metadata.is_file())?;
    let mut file = repository::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let from = length.saturating_sub(SHOWN);
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.take(SHOWN).read_to_end(&mut bytes).ok()?;
    let skipped = match from {
        0 => 0,
        _ => bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1),
    };
    let text = String::from_utf8_lossy(&bytes[skipped..]).into_owned();
    Some(ShellOutput { text: Some(text), omitted: from + skipped as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        // Claude writes these files, not this program.
        #[allow(clippy::disallowed_methods)]
        fs::write(path, text).unwrap();
    }

    #[test]
    fn only_a_file_that_no_other_command_can_own_is_shown() {
        let dir = tempfile::tempdir().unwrap();
        let folders = [dir.path().to_owned()];
        let before = chrono::Local::now().fixed_offset();
        assert_eq!(only_file(&folders, before), None);
        write(&dir.path().join("a.output"), "one");
        write(&dir.path().join("a.txt"), "not an output");
        assert_eq!(only_file(&folders, before), Some(dir.path().join("a.output")));
        assert_eq!(only_file(&folders, before + chrono::Duration::hours(1)), None);
        write(&dir.path().join("b.output"), "two");
        assert_eq!(only_file(&folders, before), None);
    }

    #[test]
    fn a_long_output_is_cut_at_a_line_and_a_link_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.output");
        write(&path, "tick 1\ntick 2\n");
        assert_eq!(tail(&path).unwrap().text.unwrap(), "tick 1\ntick 2\n");
        let line = "x".repeat(99) + "\n";
        write(&path, &line.repeat(2000));
        let shown = tail(&path).unwrap();
        assert_eq!(shown.omitted % 100, 0);
        assert_eq!(shown.omitted + shown.text.unwrap().len() as u64, 200_000);
        #[cfg(unix)]
        {
            let link = dir.path().join("b.output");
            std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
            assert_eq!(tail(&link), None);
        }
    }

    #[test]
    fn an_id_is_never_a_path() {
        assert!(is_id("bkhs9sw4f"));
        for id in ["", "../x", "a/b", "a.b", "a b"] {
            assert!(!is_id(id), "{id}");
        }
    }
}
