//! The agent's tools: their actions, and their inputs and results in claude's format.

use crate::{os::bash, plan::Tool, shared::Shared, transcript::shown};
use serde_json::{Value, json};
use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

#[derive(Debug)]
pub(crate) struct Outcome {
    /// The text for the model.
    pub(crate) text: String,
    /// Additional data for the hooks and the transcript.
    pub(crate) details: Value,
    pub(crate) failed: bool,
    pub(crate) interrupted: bool,
}

impl Tool {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Tool::Bash { .. } => "Bash",
            Tool::Read { .. } => "Read",
            Tool::Write { .. } => "Write",
            Tool::Edit { .. } => "Edit",
        }
    }

    /// The call's input in claude's format, with absolute paths.
    pub(crate) fn input(&self, cwd: &Path) -> Value {
        let absolute = |path: &str| shown(&cwd.join(path));
        match self {
            Tool::Bash { command } => json!({"command": command, "description": "Simulated command"}),
            Tool::Read { path } => json!({"file_path": absolute(path)}),
            Tool::Write { path, text } => json!({"file_path": absolute(path), "content": text}),
            Tool::Edit { path, old, new } => {
                json!({"file_path": absolute(path), "old_string": old, "new_string": new})
            }
        }
    }

    /// The call on one line of the screen.
    pub(crate) fn line(&self) -> String {
        let what = match self {
            Tool::Bash { command } => command,
            Tool::Read { path } | Tool::Write { path, .. } | Tool::Edit { path, .. } => path,
        };
        format!("{}({})", self.name(), bc_core::text::one_line(what))
    }
}

pub(crate) fn run(tool: &Tool, shared: &Arc<Shared>) -> Outcome {
    match tool {
        Tool::Bash { command } => run_bash(command, shared),
        Tool::Read { path } => read(&shared.cwd.join(path)),
        Tool::Write { path, text } => write(&shared.cwd.join(path), text),
        Tool::Edit { path, old, new } => edit(&shared.cwd.join(path), old, new),
    }
}

fn run_bash(command: &str, shared: &Arc<Shared>) -> Outcome {
    let ended = match bash(command, shared) {
        Ok(ended) => ended,
        Err(error) => return failure(error.to_string()),
    };
    let details =
        json!({"stdout": ended.output, "stderr": "", "interrupted": ended.interrupted, "isImage": false});
    let failed = ended.code != Some(0);
    let text = match ended.code {
        Some(0) => ended.output,
        Some(code) => format!("Exit code {code}\n{}", ended.output),
        None => format!("The command was stopped.\n{}", ended.output),
    };
    Outcome { text, details, failed, interrupted: ended.interrupted }
}

fn read(path: &Path) -> Outcome {
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return file_failure(path, &error),
    };
    let numbered =
        text.lines().take(2000).enumerate().map(|(n, line)| format!("{:>6}\t{line}\n", n + 1)).collect();
    let lines = text.lines().count();
    let file = json!({"filePath": shown(path), "content": text, "numLines": lines, "startLine": 1, "totalLines": lines});
    success(numbered, json!({"type": "text", "file": file}))
}

fn write(path: &Path, text: &str) -> Outcome {
    let before = fs::read_to_string(path).ok();
    if let Err(error) = put(path, text) {
        return file_failure(path, &error);
    }
    let (kind, word) = if before.is_some() { ("update", "updated") } else { ("create", "created") };
    let details = json!({"type": kind, "filePath": shown(path), "content": text, "structuredPatch": [], "originalFile": before});
    success(format!("File {word} successfully at: {}", shown(path)), details)
}

fn edit(path: &Path, old: &str, new: &str) -> Outcome {
    let before = match fs::read_to_string(path) {
        Ok(before) => before,
        Err(error) => return file_failure(path, &error),
    };
    if old.is_empty() || !before.contains(old) {
        return failure(format!("String to replace not found in file.\nString: {old}"));
    }
    if let Err(error) = put(path, &before.replacen(old, new, 1)) {
        return file_failure(path, &error);
    }
    let details = json!({"filePath": shown(path), "oldString": old, "newString": new, "originalFile": before,
        "structuredPatch": [], "userModified": false, "replaceAll": false});
    success(format!("The file {} has been updated.", shown(path)), details)
}

/// Writes a user's file directly, as an editor does. The store's rules for writing apply to the product's own
/// files.
fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| *folder != PathBuf::new()) {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new().create(true).write(true).truncate(true).open(path)?.write_all(text.as_bytes())
}

fn success(text: String, details: Value) -> Outcome {
    Outcome { text, details, failed: false, interrupted: false }
}

fn failure(text: String) -> Outcome {
    let details = Value::String(format!("Error: {text}"));
    Outcome { text, details, failed: true, interrupted: false }
}

fn file_failure(path: &Path, error: &io::Error) -> Outcome {
    failure(format!("{}: {error}", shown(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_read_and_edited() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new folder/a.txt");
        assert_eq!(write(&path, "one\ntwo\n").details["type"], "create");
        assert_eq!(read(&path).text, "     1\tone\n     2\ttwo\n");
        assert!(!edit(&path, "two", "three").failed);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nthree\n");
        assert_eq!(write(&path, "x").details["originalFile"], "one\nthree\n");
    }

    #[test]
    fn failed_tools_return_an_error_result() {
        let dir = tempfile::tempdir().unwrap();
        assert!(read(&dir.path().join("none")).failed);
        assert!(write(dir.path(), "x").failed);
        let path = dir.path().join("a");
        put(&path, "text").unwrap();
        let outcome = edit(&path, "other", "x");
        assert!(outcome.failed && outcome.text.contains("not found"), "{}", outcome.text);
    }
}
