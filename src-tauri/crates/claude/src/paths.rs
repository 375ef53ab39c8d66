//! Where Claude Code keeps its things.

use bc_core::ids::ConversationId;
use std::path::{Path, PathBuf};

/// Claude's own folder of this user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeHome {
    /// `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub folder: PathBuf,
    /// `.claude.json`: in that folder where `$CLAUDE_CONFIG_DIR` is set, else in the home folder.
    pub state_file: PathBuf,
}

impl ClaudeHome {
    /// As this process' environment has it; `None` without a home folder.
    pub fn from_process() -> Option<ClaudeHome> {
        ClaudeHome::of(std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from), std::env::home_dir())
    }

    fn of(config: Option<PathBuf>, home: Option<PathBuf>) -> Option<ClaudeHome> {
        match config.filter(|dir| !dir.as_os_str().is_empty()) {
            Some(folder) => Some(ClaudeHome { state_file: folder.join(".claude.json"), folder }),
            None => home.map(|home| ClaudeHome {
                state_file: home.join(".claude.json"),
                folder: home.join(".claude"),
            }),
        }
    }

    /// The transcript of a conversation that began in this folder.
    pub fn transcript(&self, cwd: &Path, conversation: ConversationId) -> PathBuf {
        self.folder.join("projects").join(folder_name(cwd)).join(format!("{conversation}.jsonl"))
    }
}

/// Claude's name for a folder: everything but ASCII letters and digits becomes `-`.
fn folder_name(cwd: &Path) -> String {
    cwd.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
