//! The transcript in claude's location and line format. It is created with the first prompt; after that,
//! lines are only appended.

use crate::args::VERSION;
use serde_json::{Value, json};
use std::{
    fs::{self, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// The folder of transcripts: `$CLAUDE_CONFIG_DIR/projects`, or `~/.claude/projects`.
pub(crate) fn projects() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || set("HOME").or_else(|| set("USERPROFILE")).map(|home| home.join(".claude"));
    Some(set("CLAUDE_CONFIG_DIR").or_else(home)?.join("projects"))
}

/// The path for the transcript of a conversation that starts in this folder.
pub(crate) fn place(projects: &Path, cwd: &Path, id: Uuid) -> PathBuf {
    projects.join(folder_name(&shown(cwd))).join(format!("{id}.jsonl"))
}

/// Claude's name for the folder of a project. The name of a long path is truncated and followed by a hash of
/// the full path, because file systems limit the length of a name.
fn folder_name(cwd: &str) -> String {
    const PLAIN: usize = 200;
    let dashed = |unit| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    };
    let name: String = cwd.encode_utf16().map(dashed).collect();
    if name.len() <= PLAIN {
        return name;
    }
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    let mut hash = cwd.encode_utf16().fold(0, add).unsigned_abs();
    let mut digits = Vec::new();
    while hash > 0 || digits.is_empty() {
        digits.extend(char::from_digit(hash % 36, 36));
        hash /= 36;
    }
    format!("{}-{}", &name[..PLAIN], digits.iter().rev().collect::<String>())
}

/// The path of a conversation's transcript, regardless of the folder in which the conversation started.
pub(crate) fn find(projects: &Path, id: Uuid) -> Option<PathBuf> {
    let folders = fs::read_dir(projects).ok()?;
    folders
        .filter_map(Result::ok)
        .map(|folder| folder.path().join(format!("{id}.jsonl")))
        .find(|f| f.is_file())
}

#[derive(Debug, Clone)]
pub(crate) struct Current {
    pub(crate) id: Uuid,
    pub(crate) transcript: PathBuf,
}

pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[derive(Debug)]
pub(crate) struct Transcript {
    current: Current,
    cwd: PathBuf,
    model: String,
    parent: Option<String>,
}

/// The simulated tokens of a prompt and an answer: a quarter of the number of characters, plus one. This
/// makes the counts predictable in tests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    pub(crate) input: usize,
    pub(crate) output: usize,
}

impl Transcript {
    /// Opens a transcript. New lines continue after its last line.
    pub(crate) fn open(current: Current, cwd: &Path, model: &str) -> Transcript {
        let parent = fs::File::open(&current.transcript).ok().and_then(|file| {
            let lines = BufReader::new(file).lines().map_while(Result::ok);
            let uuid =
                |line: String| Some(serde_json::from_str::<Value>(&line).ok()?["uuid"].as_str()?.to_owned());
            lines.filter_map(uuid).last()
        });
        Transcript { current, cwd: cwd.to_owned(), model: model.to_owned(), parent }
    }

    pub(crate) fn prompt(&mut self, text: &str, prompt: Uuid, mode: &str) -> io::Result<()> {
        self.append(json!({
            "type": "user",
            "promptId": prompt.to_string(),
            "message": {"role": "user", "content": text},
            "permissionMode": mode,
            "origin": {"kind": "human"},
            "promptSource": "typed",
        }))
    }

    /// Appends the hooks' context for the model.
    pub(crate) fn context(&mut self, event: &str, text: &str) -> io::Result<()> {
        let attachment = json!({"type": "hook_additional_context", "content": [text], "hookName": event, "hookEvent": event});
        self.append(json!({"type": "attachment", "attachment": attachment}))
    }

    /// Appends one block of an answer. All blocks of a message share its id and usage, as in claude.
    pub(crate) fn answer(&mut self, message: &str, block: Value, stop: &str, usage: Usage) -> io::Result<()> {
        self.append(json!({
            "type": "assistant",
            "message": {
                "id": message,
                "type": "message",
                "role": "assistant",
                "model": self.model,
                "content": [block],
                "stop_reason": stop,
                "stop_sequence": null,
                "usage": {
                    "input_tokens": usage.input,
                    "cache_creation_input_tokens": 0,
                    "cache_read_input_tokens": 0,
                    "output_tokens": usage.output,
                },
            },
        }))
    }

    /// Appends a tool's result. `details` is claude's more detailed form of the result.
    pub(crate) fn result(&mut self, prompt: Uuid, block: Value, details: Value) -> io::Result<()> {
        self.append(json!({
            "type": "user",
            "promptId": prompt.to_string(),
            "message": {"role": "user", "content": [block]},
            "toolUseResult": details,
        }))
    }

    pub(crate) fn interrupted(&mut self, prompt: Uuid, words: &str) -> io::Result<()> {
        self.append(json!({
            "type": "user",
            "promptId": prompt.to_string(),
            "message": {"role": "user", "content": [{"type": "text", "text": words}]},
        }))
    }

    pub(crate) fn turn(&mut self, millis: u64) -> io::Result<()> {
        self.append(
            json!({"type": "system", "subtype": "turn_duration", "durationMs": millis, "isMeta": false}),
        )
    }

    fn append(&mut self, mut line: Value) -> io::Result<()> {
        let uuid = Uuid::new_v4().to_string();
        let now = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        line["parentUuid"] = self.parent.replace(uuid.clone()).into();
        line["uuid"] = uuid.into();
        line["isSidechain"] = false.into();
        line["timestamp"] = now.into();
        line["userType"] = "external".into();
        line["entrypoint"] = "cli".into();
        line["cwd"] = shown(&self.cwd).into();
        line["sessionId"] = self.current.id.to_string().into();
        line["version"] = VERSION.into();
        let path = &self.current.transcript;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Each line is one write, so that a reader never finds half a line unless the system crashes during
        // the write.
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{line}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claude 2.1.329 created these names.
    #[test]
    fn the_folder_of_a_long_path_has_a_short_name_with_a_hash() {
        let (first, second, third) = ("a-long-name-".repeat(6), "öne-🦀-".repeat(20), "third-".repeat(12));
        let long = format!("/tmp/bc-long/{first}/{second}/{third}/project");
        let name = folder_name(&long);
        assert_eq!(name.len(), 207);
        assert!(name.ends_with("-ne-----ne-----ne-----n-socr2q"), "{name}");
        assert_eq!(folder_name("/w/größe 🦀"), "-w-gr--e---");
    }

    #[test]
    fn lines_are_linked_and_continue_after_a_resume() {
        let dir = tempfile::tempdir().unwrap();
        let id = Uuid::new_v4();
        let path = place(dir.path(), Path::new("/home/u/my project"), id);
        assert!(path.starts_with(dir.path().join("-home-u-my-project")));
        assert_eq!(find(dir.path(), id), None);
        for text in ["first", "second"] {
            let current = Current { id, transcript: path.clone() };
            let mut transcript = Transcript::open(current, Path::new("/home/u/my project"), "m");
            transcript.prompt(text, Uuid::new_v4(), "default").unwrap();
        }
        assert_eq!(find(dir.path(), id), Some(path.clone()));
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[1]["parentUuid"], lines[0]["uuid"]);
        assert_eq!(lines[0]["parentUuid"], Value::Null);
        assert_eq!(lines[1]["message"]["content"], "second");
        assert!(lines[0]["version"].as_str().unwrap().contains("simulated"));
    }
}
