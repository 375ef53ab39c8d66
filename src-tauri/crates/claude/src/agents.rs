//! Agent prompts: `.claude/agents/*.md` of the project, then of the user.
//!
//! Claude identifies an agent by the `name` in its frontmatter and ignores files without one. This program
//! identifies an agent by the file's stem and also accepts files without a name: see [`Agent::known_as`].

use crate::frontmatter::{split, value};
use bc_core::ids::AgentName;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The maximum number of bytes read from a file. The prompt can become a command-line argument, which Linux
/// limits to this length.
const READ_MAX: u64 = 128 * 1024;
const FILES_MAX: usize = 1000;

/// An agent prompt: a Markdown file with frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The file's stem.
    pub name: AgentName,
    /// The value for claude's `--agent`. `None` if claude ignores the agent, or if its name is not an
    /// [`AgentName`]; its body must then be passed instead.
    pub known_as: Option<String>,
    /// The description from the frontmatter; may be empty.
    pub description: String,
    /// The model from the frontmatter; `None` if it is missing or `inherit`.
    pub model: Option<String>,
    /// The trimmed text after the frontmatter.
    pub body: String,
    pub path: PathBuf,
    /// Whether the agent belongs to the project rather than to the user.
    pub of_project: bool,
}

/// The project's agents, then the user's, each group sorted by name. A project's agent hides a user's agent
/// with the same name. Unreadable files are skipped.
pub fn list(project: &Path, claude_dir: Option<&Path>) -> Vec<Agent> {
    let mut agents = in_folder(&project.join(".claude").join("agents"), true);
    let user = claude_dir.map(|dir| in_folder(&dir.join("agents"), false)).unwrap_or_default();
    for agent in user {
        if !agents.iter().any(|known| known.name == agent.name) {
            agents.push(agent);
        }
    }
    agents
}

/// The agent with this name. The project's agent takes precedence over the user's.
pub fn find(name: &AgentName, project: &Path, claude_dir: Option<&Path>) -> Option<Agent> {
    list(project, claude_dir).into_iter().find(|agent| agent.name == *name)
}

fn in_folder(dir: &Path, of_project: bool) -> Vec<Agent> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut agents: Vec<Agent> =
        entries.flatten().take(FILES_MAX).filter_map(|entry| read(&entry.path(), of_project)).collect();
    agents.sort_by(|a, b| a.name.cmp(&b.name));
    agents
}

fn read(path: &Path, of_project: bool) -> Option<Agent> {
    if path.extension()? != "md" {
        return None;
    }
    let name: AgentName = path.file_stem()?.to_str()?.parse().ok()?;
    let bytes = crate::foreign_files::read_head(path, of_project, READ_MAX).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (front, body) = split(text.trim_start_matches('\u{feff}'));
    let field = |key| front.and_then(|front| value(front, key));
    let known_as = field("name").filter(|name| name.parse::<AgentName>().is_ok());
    let description = field("description").unwrap_or_default();
    Some(Agent {
        name,
        // Claude ignores an agent without a description, even if it has a name.
        known_as: known_as.filter(|_| !description.is_empty()),
        description,
        model: field("model").filter(|model| model != "inherit"),
        body: body.trim().to_owned(),
        path: path.to_owned(),
        of_project,
    })
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // The tests write files as an editor does.
mod tests {
    use super::*;

    fn put(dir: &Path, name: &str, text: &str) {
        fs::create_dir_all(dir).unwrap();
        fs::write(dir.join(name), text).unwrap();
    }

    #[test]
    fn project_agents_come_first_and_override_the_users() {
        let (project, user) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (ours, theirs) = (project.path().join(".claude/agents"), user.path().join("agents"));
        put(&ours, "b.md", "---\nname: bee\ndescription: \"Does b: well\"\nmodel: sonnet\n---\n\nBe b.\n");
        put(&ours, "a.md", "Just text.");
        put(&ours, "c.txt", "no agent");
        put(&ours, "-x.md", "a name that is an option");
        put(&theirs, "a.md", "hidden");
        put(
            &theirs,
            "d.md",
            "---\r\nname: d\r\ndescription: >-\r\n  two\r\n  lines\r\nmodel: inherit\r\n---\r\nD.",
        );
        let all = list(project.path(), Some(user.path()));
        let names: Vec<(&str, Option<&str>)> =
            all.iter().map(|a| (a.name.as_str(), a.known_as.as_deref())).collect();
        assert_eq!(names, [("a", None), ("b", Some("bee")), ("d", Some("d"))]);
        assert_eq!((all[1].description.as_str(), all[1].model.as_deref()), ("Does b: well", Some("sonnet")));
        assert_eq!((all[1].body.as_str(), all[0].body.as_str()), ("Be b.", "Just text."));
        assert_eq!(
            (all[2].description.as_str(), &all[2].model, all[2].of_project),
            ("two lines", &None, false)
        );
    }

    #[test]
    fn unreadable_and_odd_agent_files_are_skipped() {
        let project = tempfile::tempdir().unwrap();
        let dir = project.path().join(".claude/agents");
        put(&dir, "open.md", "---\nname: never closed\n");
        put(&dir, "huge.md", &"x".repeat(3 << 20));
        fs::write(dir.join("binary.md"), [0xff, 0xfe, 0x00]).unwrap();
        fs::create_dir(dir.join("folder.md")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.join("open.md"), dir.join("link.md")).unwrap();
            std::os::unix::fs::symlink("/nowhere", dir.join("dangling.md")).unwrap();
            std::os::unix::fs::symlink("/dev/zero", dir.join("zero.md")).unwrap();
        }
        let all = list(project.path(), None);
        let names: Vec<&str> = all.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["binary", "huge", "link", "open"]);
        assert!(all.iter().all(|a| a.body.len() as u64 <= READ_MAX));
        assert!(list(Path::new("/nowhere"), None).is_empty());
    }
}
