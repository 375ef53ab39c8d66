//! Agent prompts: `.claude/agents/*.md` of the project, then of the user.

use bc_core::{ids::AgentName, text};
use std::path::{Path, PathBuf};

/// A file longer than this is no prompt.
const LONGEST: u64 = 256 * 1024;

/// One agent prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// What claude calls it: its own `name`, else the stem of its file.
    pub name: AgentName,
    /// Its own words about itself.
    pub description: Option<String>,
    /// Its file.
    pub file: PathBuf,
    /// Whether it is the project's and not the user's.
    pub of_project: bool,
    /// What it says, the front matter left out.
    pub prompt: String,
}

/// Every agent prompt: the project's first; one of the user's with the same name is hidden by it. Files
/// that are no prompt are passed over.
pub fn list(project: &Path, user_folder: Option<&Path>) -> Vec<Agent> {
    let mut agents = in_folder(&project.join(".claude").join("agents"), true);
    for agent in user_folder.map(|dir| in_folder(&dir.join("agents"), false)).unwrap_or_default() {
        if !agents.iter().any(|known| known.name == agent.name) {
            agents.push(agent);
        }
    }
    agents
}

fn in_folder(folder: &Path, of_project: bool) -> Vec<Agent> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    files.into_iter().filter_map(|file| read(file, of_project)).collect()
}

fn read(file: PathBuf, of_project: bool) -> Option<Agent> {
    if file.extension()? != "md" || file.metadata().ok().filter(|m| m.is_file())?.len() > LONGEST {
        return None;
    }
    let text = String::from_utf8_lossy(&std::fs::read(&file).ok()?).into_owned();
    let (front, prompt) = split(&text);
    let field = |key: &str| {
        front.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(':')).map(|value| {
            text::one_line(value.trim().trim_matches(['"', '\'']))
        })
    };
    let stem = file.file_stem()?.to_str()?.to_owned();
    let name = field("name").and_then(|n| n.parse().ok()).or_else(|| stem.parse().ok())?;
    Some(Agent {
        name,
        description: field("description").filter(|d| !d.is_empty()),
        of_project,
        prompt: text::plain(prompt).trim().to_owned(),
        file,
    })
}

/// The front matter between two lines of `---`, and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return ("", text);
    };
    match rest.find("\n---") {
        Some(end) => {
            let body = &rest[end + 4..];
            (&rest[..end], body.split_once('\n').map_or("", |(_, body)| body))
        }
        None => ("", text),
    }
}
