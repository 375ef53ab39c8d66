//! Finds a project's Claude Code conversations by their transcript files, and the running claude processes.
//!
//! Only the beginning and the end of a file are read, because a transcript can be many megabytes long. Claude
//! can give two folders the same name in `projects`, so conversations are matched by the working folder
//! recorded in the transcript.

use crate::paths::{Places, folder_name_prefix};
use bc_core::{Timestamp, ids::ConversationId};
use serde_json::Value;
use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The maximum number of bytes read from the beginning of a file. The larger number is used only if the
/// smaller part lacks the folder, the start time or the first prompt.
const HEADS: [u64; 2] = [64 << 10, 1 << 20];
/// The maximum number of bytes read from the end of a file.
const TAIL: u64 = 64 << 10;
/// The maximum title length, in characters.
const TITLE: usize = 120;

/// A conversation, described by the beginning and the end of its transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationFile {
    pub id: ConversationId,
    pub path: PathBuf,
    /// The folder in which the conversation began.
    pub cwd: PathBuf,
    /// The title or summary recorded in the transcript, otherwise the beginning of the first prompt; may be
    /// empty.
    pub title: String,
    /// The git branch that was recorded last.
    pub branch: Option<String>,
    pub started_at: Timestamp,
    pub bytes: u64,
    /// When the file was last written.
    pub written_at: SystemTime,
    /// The version of claude that last wrote the file.
    pub version: Option<String>,
}

/// Returns the conversations that began in one of these folders or their subfolders, the most recently
/// written first, and a message for each unreadable file.
pub fn conversations(places: &Places, folders: &[PathBuf]) -> (Vec<ConversationFile>, Vec<String>) {
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    let names: Vec<String> = folders.iter().map(|folder| folder_name_prefix(folder)).collect();
    let Ok(entries) = fs::read_dir(places.config_dir.join("projects")) else { return (found, unreadable) };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if !names.iter().any(|ours| name.starts_with(ours.as_str())) {
            continue;
        }
        for file in fs::read_dir(entry.path()).into_iter().flatten().flatten().map(|file| file.path()) {
            let Some(id) = conversation_id(&file) else { continue };
            match read(&file, id) {
                Ok(Some(read)) if folders.iter().any(|folder| read.cwd.starts_with(folder)) => {
                    found.push(read)
                }
                Ok(_) => {}
                Err(error) => unreadable.push(format!("{}: {error}", file.display())),
            }
        }
    }
    found.sort_by(|a, b| {
        b.written_at.cmp(&a.written_at).then_with(|| a.id.to_string().cmp(&b.id.to_string()))
    });
    (found, unreadable)
}

/// The id in the name of a transcript, `<uuid>.jsonl`.
fn conversation_id(file: &Path) -> Option<ConversationId> {
    file.file_name()?.to_str()?.strip_suffix(".jsonl")?.parse().ok()
}

/// Reads the facts of a transcript; `None` if it is not a regular file or contains no conversation.
fn read(path: &Path, id: ConversationId) -> io::Result<Option<ConversationFile>> {
    let mut file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Ok(None);
    }
    let mut facts = Facts::default();
    let mut read = 0;
    // Usually the first lines suffice. Sometimes long internal records of claude precede the first prompt.
    for part in HEADS {
        let mut head = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        (&mut file).take(part).read_to_end(&mut head)?;
        facts = Facts::default();
        head.split(|&byte| byte == b'\n').for_each(|line| facts.line(line));
        read = head.len() as u64;
        if facts.is_complete() || read < part {
            break;
        }
    }
    if meta.len() > read {
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(meta.len().saturating_sub(TAIL).max(read)))?;
        (&mut file).take(TAIL).read_to_end(&mut tail)?;
        tail.split(|&byte| byte == b'\n').for_each(|line| facts.line(line));
    }
    let (Some(cwd), Some(started_at), true) = (facts.cwd, facts.started_at, facts.has_messages) else {
        return Ok(None);
    };
    let title = facts.named.or(facts.generated).or(facts.summary).or(facts.prompt).unwrap_or_default();
    Ok(Some(ConversationFile {
        id,
        path: path.to_owned(),
        cwd,
        title: bc_core::text::cut(&bc_core::text::one_line(&title), TITLE),
        branch: facts.branch,
        started_at,
        bytes: meta.len(),
        written_at: meta.modified()?,
        version: facts.version,
    }))
}

#[derive(Default)]
struct Facts {
    cwd: Option<PathBuf>,
    started_at: Option<Timestamp>,
    branch: Option<String>,
    version: Option<String>,
    named: Option<String>,
    generated: Option<String>,
    summary: Option<String>,
    prompt: Option<String>,
    has_messages: bool,
}

impl Facts {
    fn is_complete(&self) -> bool {
        self.cwd.is_some() && self.started_at.is_some() && self.prompt.is_some()
    }

    fn line(&mut self, line: &[u8]) {
        // A truncated line is not valid JSON and is skipped.
        let Ok(entry) = serde_json::from_slice::<Value>(line) else { return };
        let text = |key: &str| entry[key].as_str().map(str::to_owned);
        self.branch = text("gitBranch").filter(|branch| !branch.is_empty()).or(self.branch.take());
        self.version = text("version").or(self.version.take());
        if self.cwd.is_none() {
            self.cwd = text("cwd").map(PathBuf::from);
        }
        if self.started_at.is_none() {
            self.started_at = text("timestamp").and_then(|at| Timestamp::parse_from_rfc3339(&at).ok());
        }
        match entry["type"].as_str() {
            Some("custom-title") => self.named = text("customTitle").or(self.named.take()),
            Some("ai-title") => self.generated = text("aiTitle").or(self.generated.take()),
            Some("summary") => self.summary = text("summary").or(self.summary.take()),
            Some("assistant") => self.has_messages = true,
            Some("user") => {
                self.has_messages = true;
                if self.prompt.is_none() && entry["isMeta"] != true && entry["isSidechain"] != true {
                    self.prompt = prompt(&entry["message"]["content"]);
                }
            }
            _ => {}
        }
    }
}

/// The text of a prompt; `None` if it has no text, or if it is from a command or a program.
fn prompt(content: &Value) -> Option<String> {
    let texts = match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().find_map(|block| block["text"].as_str())?.to_owned(),
        _ => return None,
    };
    // Text from commands and programs begins with a tag.
    Some(texts.trim().to_owned()).filter(|text| !text.is_empty() && !text.starts_with('<'))
}

/// A running claude process on this machine.
#[derive(Debug)]
pub struct RunningClaude {
    /// The conversation ids in its arguments.
    conversations: Vec<ConversationId>,
    cwd: Option<PathBuf>,
    started_at: Option<SystemTime>,
}

impl RunningClaude {
    /// All claude processes on this machine. Empty on a system without `/proc`.
    pub fn all() -> Vec<RunningClaude> {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
        processes.filter(|path| is_process(path)).filter_map(|path| RunningClaude::of(&path)).collect()
    }

    /// Inspects a process. `None` if it is not claude or has exited.
    fn of(process: &Path) -> Option<RunningClaude> {
        let line = fs::read(process.join("cmdline")).ok()?;
        let words: Vec<&str> =
            line.split(|&byte| byte == 0).map(|word| std::str::from_utf8(word).unwrap_or("")).collect();
        // If claude is a script, its path is the second word, after the interpreter.
        words.iter().take(2).find(|word| word.rsplit('/').next() == Some("claude"))?;
        Some(RunningClaude {
            conversations: words.iter().filter_map(|word| word.parse().ok()).collect(),
            cwd: fs::read_link(process.join("cwd")).ok(),
            started_at: fs::metadata(process).and_then(|meta| meta.modified()).ok(),
        })
    }

    /// Whether this process is probably writing the conversation. This is the case if its arguments name the
    /// conversation. If they name no conversation, the process must run in the conversation's folder and have
    /// started before the last write.
    pub fn writes(&self, conversation: &ConversationFile) -> bool {
        let same_folder = self.cwd.as_ref() == Some(&conversation.cwd);
        let before = self.started_at.is_some_and(|started_at| started_at <= conversation.written_at);
        self.conversations.contains(&conversation.id)
            || (self.conversations.is_empty() && same_folder && before)
    }
}

fn is_process(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Home(tempfile::TempDir);

    impl Home {
        // The fixture imitates claude, so the store's rules for writing files do not apply.
        #[allow(clippy::disallowed_methods)]
        fn write(&self, folder: &str, name: &str, lines: &[Value]) {
            let path = self.0.path().join("projects").join(folder).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
            fs::write(path, text).unwrap();
        }

        fn found(&self, folders: &[&str]) -> Vec<(String, String)> {
            let places = Places { config_dir: self.0.path().to_owned(), state_file: self.0.path().join("x") };
            let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
            let (found, unreadable) = conversations(&places, &folders);
            assert_eq!(unreadable, [] as [String; 0]);
            let mut found: Vec<_> =
                found.into_iter().map(|c| (c.title, c.cwd.to_string_lossy().into_owned())).collect();
            found.sort();
            found
        }
    }

    fn id(n: u32) -> String {
        format!("{n:08x}-0000-4000-8000-000000000000.jsonl")
    }

    fn said(cwd: &str, text: &str) -> Value {
        serde_json::json!({"type":"user","cwd":cwd,"timestamp":"2026-01-19T10:00:00.000Z","gitBranch":"main",
            "message":{"role":"user","content":text}})
    }

    #[test]
    fn conversations_are_found_in_the_folder_and_its_subfolders_but_not_in_siblings() {
        let home = Home(tempfile::tempdir().unwrap());
        home.write("-w-app", &id(1), &[said("/w/app", "one\nline")]);
        home.write("-w-app-ui", &id(2), &[said("/w/app/ui", "in a subfolder")]);
        home.write("-w-app-2", &id(3), &[said("/w/app-2", "a neighbour")]);
        home.write("-w-app", "agent-a1.jsonl", &[said("/w/app", "a subagent")]);
        home.write("-w-app", &id(4), &[serde_json::json!({"type":"mode","cwd":"/w/app"})]);
        home.write("-other", &id(5), &[said("/other", "elsewhere")]);
        let expect = [("in a subfolder", "/w/app/ui"), ("one line", "/w/app")];
        assert_eq!(home.found(&["/w/app"]), expect.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(home.found(&["/nowhere"]), []);
    }

    #[test]
    fn conversations_of_a_folder_with_a_long_path_are_found() {
        let home = Home(tempfile::tempdir().unwrap());
        let long = format!("/{}", "x".repeat(210));
        let name = |hash: &str| format!("-{}-{hash}", "x".repeat(199));
        home.write(&name("kr1xio"), &id(1), &[said(&long, "here")]);
        home.write(&name("a"), &id(2), &[said(&format!("{long}/below"), "below")]);
        home.write(&name("b"), &id(3), &[said(&format!("{long}-2"), "a neighbour")]);
        let titles: Vec<String> = home.found(&[&long]).into_iter().map(|(title, _)| title).collect();
        assert_eq!(titles, ["below", "here"]);
    }

    #[test]
    fn a_process_writes_the_conversation_in_its_arguments_or_in_its_folder() {
        let (one, other): (ConversationId, ConversationId) =
            (id(1)[..36].parse().unwrap(), id(2)[..36].parse().unwrap());
        let (early, late) = (SystemTime::UNIX_EPOCH, SystemTime::now());
        let conversation = ConversationFile {
            id: one,
            path: "/x".into(),
            cwd: "/w/app".into(),
            title: String::new(),
            branch: None,
            started_at: "2026-01-19T10:00:00Z".parse().unwrap(),
            bytes: 1,
            written_at: early,
            version: None,
        };
        let writes = |names: &[ConversationId], cwd: &str, started_at| {
            let cwd = Some(cwd.into());
            RunningClaude { conversations: names.to_vec(), cwd, started_at: Some(started_at) }
                .writes(&conversation)
        };
        assert!(writes(&[one], "/elsewhere", late));
        assert!(writes(&[], "/w/app", early));
        assert!(!writes(&[], "/w/app", late), "it started after the last write");
        assert!(!writes(&[], "/w/other", early));
        assert!(!writes(&[other], "/w/app", early));
    }

    #[test]
    fn a_title_at_the_end_of_a_long_file_takes_precedence_over_the_first_prompt() {
        let home = Home(tempfile::tempdir().unwrap());
        let long = said("/w/app", &"x".repeat(1 << 20));
        let named = serde_json::json!({"type":"custom-title","customTitle":"The user's name"});
        let generated = serde_json::json!({"type":"ai-title","aiTitle":"Claude's"});
        let first = said("/w/app", "<command-name>/clear</command-name>");
        home.write("-w-app", &id(1), &[first, said("/w/app", "the prompt"), long, named, generated]);
        assert_eq!(home.found(&["/w/app"])[0].0, "The user's name");
        home.write("-w-app", &id(1), &[said("/w/app", "the prompt")]);
        assert_eq!(home.found(&["/w/app"])[0].0, "the prompt");
    }
}
