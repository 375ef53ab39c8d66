//! The paths of claude's files, and the environment that determines them.

use bc_core::ids::ConversationId;
use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The environment variables with which claude is found and run. Functions take this value as a parameter, so
/// that tests do not depend on the real environment.
#[derive(Debug, Clone, Default)]
pub struct Env(BTreeMap<OsString, OsString>);

impl Env {
    /// The environment of this process.
    pub fn of_process() -> Self {
        Env(std::env::vars_os().collect())
    }

    /// The value of a variable. An empty variable counts as missing, as in claude.
    pub fn get(&self, key: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(key)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// All variables, including empty ones.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(key, value)| (key.as_os_str(), value.as_os_str()))
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Env {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(vars: T) -> Self {
        Env(vars.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

/// The paths of claude's folder and of its state file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// `$CLAUDE_CONFIG_DIR`, or `~/.claude`: settings, agents, transcripts.
    pub config_dir: PathBuf,
    /// `.claude.json`, in `$CLAUDE_CONFIG_DIR` if set, otherwise in the home folder.
    pub state_file: PathBuf,
}

impl Places {
    /// The paths that claude uses in this environment; `None` without a home folder.
    pub fn of(env: &Env) -> Option<Self> {
        if let Some(dir) = env.get("CLAUDE_CONFIG_DIR").map(PathBuf::from) {
            return Some(Places { state_file: dir.join(".claude.json"), config_dir: dir });
        }
        let home = home(env)?;
        Some(Places { config_dir: home.join(".claude"), state_file: home.join(".claude.json") })
    }

    /// The path of the user's `settings.json`, which may not exist.
    pub fn user_settings(&self) -> PathBuf {
        self.config_dir.join("settings.json")
    }

    /// The expected path of the transcript of a conversation in `cwd`. Prefer the path that a SessionStart
    /// hook reports: if a conversation is resumed in another folder, its transcript keeps the original path.
    pub fn transcript(&self, cwd: &Path, id: ConversationId) -> PathBuf {
        self.config_dir.join("projects").join(folder_name(cwd)).join(format!("{id}.jsonl"))
    }
}

/// The folder for the transcripts of a conversation's subagents.
pub fn subagents_dir(transcript: &Path) -> PathBuf {
    transcript.with_extension("").join("subagents")
}

/// The id in the name of a subagent's transcript, `agent-<id>.jsonl`.
pub fn subagent_id(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    (!id.is_empty()).then(|| id.to_owned())
}

/// The user's home folder, from `HOME` or, on Windows, `USERPROFILE`; `None` if the variable is unset or
/// empty.
pub fn home(env: &Env) -> Option<PathBuf> {
    env.get(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from)
}

/// The maximum length of a name that claude does not shorten, in characters.
const PLAIN_NAME: usize = 200;

/// Claude's name for a folder. A long name is truncated and followed by a hash of the full path.
fn folder_name(cwd: &Path) -> String {
    let name = replaced(cwd);
    if name.len() <= PLAIN_NAME {
        return name;
    }
    format!("{}-{}", &name[..PLAIN_NAME], base_36(hash(&cwd.to_string_lossy())))
}

/// The common prefix of claude's names for this folder and for all folders inside it.
pub(crate) fn folder_name_prefix(cwd: &Path) -> String {
    let mut name = replaced(cwd);
    name.truncate(PLAIN_NAME);
    name
}

/// The path in ASCII: every UTF-16 code unit except ASCII letters and digits becomes `-`.
fn replaced(cwd: &Path) -> String {
    let text = cwd.to_string_lossy();
    text.encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect()
}

/// Claude's hash of a string: for each UTF-16 code unit, the hash is multiplied by 31 and the code unit is
/// added, in signed 32 bits. The result is the absolute value.
fn hash(text: &str) -> u32 {
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    text.encode_utf16().fold(0, add).unsigned_abs()
}

fn base_36(mut number: u32) -> String {
    let mut digits = Vec::new();
    while number > 0 || digits.is_empty() {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_config_dir_wins_over_the_home() {
        let home: Env =
            [("HOME", "/h"), ("USERPROFILE", "/h"), ("CLAUDE_CONFIG_DIR", "")].into_iter().collect();
        let places = Places::of(&home).unwrap();
        assert_eq!((places.config_dir, places.state_file), ("/h/.claude".into(), "/h/.claude.json".into()));
        let set: Env = [("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "/c")].into_iter().collect();
        let places = Places::of(&set).unwrap();
        assert_eq!((places.config_dir, places.state_file), ("/c".into(), "/c/.claude.json".into()));
        assert_eq!(Places::of(&Env::default()), None);
    }

    #[test]
    fn a_transcripts_folder_is_named_after_the_working_folder() {
        let check = |cwd: &str, expect: &str| assert_eq!(folder_name(Path::new(cwd)), expect);
        check("/home/dev/my.project_1", "-home-dev-my-project-1");
        check("/w/größe-日本 🦀", "-w-gr--e------");
    }

    /// The expected name was recorded from claude 2.1.329.
    #[test]
    fn the_name_of_a_long_path_is_cut_and_ends_with_a_hash() {
        let (first, second, third) = ("a-long-name-".repeat(6), "öne-🦀-".repeat(20), "third-".repeat(12));
        let long = format!("/tmp/bc-long/{first}/{second}/{third}/project");
        let name = folder_name(Path::new(&long));
        assert_eq!(name.len(), 207);
        assert!(name.ends_with("-ne-----ne-----ne-----n-socr2q"), "{name}");
        assert!(name.starts_with(&folder_name_prefix(Path::new(&long))));
        assert_eq!(folder_name(Path::new(&format!("/{}", "x".repeat(199)))).len(), 200);
    }

    #[test]
    fn subagents_have_a_folder_beside_the_transcript() {
        assert_eq!(subagents_dir(Path::new("/p/abc.jsonl")), Path::new("/p/abc/subagents"));
        assert_eq!(subagent_id(Path::new("/p/agent-a1b2.jsonl")).as_deref(), Some("a1b2"));
        assert_eq!(subagent_id(Path::new("/p/agent-.jsonl")), None);
        assert_eq!(subagent_id(Path::new("/p/other.jsonl")), None);
    }
}
