//! The commands and skills available after a `/` at claude's prompt: claude's own, the project's and the
//! user's.
//!
//! The built-in commands are those of 2.1.329. An older version answers a command that it lacks with an
//! error. Commands that end claude or leave the terminal are omitted.

use crate::frontmatter::{split, value};
use std::{fs, path::Path};

/// The maximum number of bytes read from a file. Only the description is needed, which is at the beginning.
const READ_MAX: u64 = 16 * 1024;
/// The maximum number of commands, and of skills, of the project or of the user.
const FILES_MAX: usize = 500;
/// The maximum depth of folders below `commands`.
const DEPTH_MAX: usize = 4;

/// Where a command is defined. `Claude` means built into Claude Code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Claude,
    Project,
    User,
}

/// A command or skill that can be typed after `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The name without the slash, such as `compact` or `frontend:fix`.
    pub name: String,
    /// A short description for lists of commands; may be empty.
    pub about: String,
    pub origin: Origin,
}

/// Claude's own commands, sorted by name.
const OWN: [(&str, &str); 40] = [
    ("add-dir", "Add a working directory"),
    ("batch", "Plan a large change; background agents each open a PR"),
    ("branch", "Create a branch of the current conversation at this point"),
    ("btw", "Ask a side question without interrupting Claude"),
    ("clear", "Start a new conversation with empty context"),
    ("code-review", "Review the current diff or a PR for bugs"),
    ("compact", "Free up context by summarizing the conversation so far"),
    ("config", "Open settings"),
    ("context", "Show what fills the context"),
    ("copy", "Copy the last response to clipboard"),
    ("debug", "Turn on debug logging and investigate problems"),
    ("deep-research", "Web searches in parallel, with their claims verified"),
    ("diff", "Toggle the diff panel showing uncommitted changes"),
    ("doctor", "Health-check your setup and fix issues"),
    ("effort", "Set the model's effort level"),
    ("fewer-permission-prompts", "Pre-approve safe read-only commands based on your usage"),
    ("goal", "Set a goal Claude checks before stopping"),
    ("help", "Show help and available commands"),
    ("hooks", "View hook configurations for tool events"),
    ("init", "Initialize a new CLAUDE.md file with codebase documentation"),
    ("login", "Switch Anthropic accounts"),
    ("loop", "Repeat a prompt or command on an interval"),
    ("mcp", "Manage MCP servers"),
    ("memory", "Edit CLAUDE.md files and memory settings"),
    ("model", "Switch model"),
    ("output-style", "List output styles or switch to one"),
    ("permissions", "Manage allow and deny tool permission rules"),
    ("plan", "Turn on plan mode or view the plan"),
    ("plugin", "Manage Claude Code plugins"),
    ("recap", "Generate a one-line session recap now"),
    ("rename", "Rename the current conversation"),
    ("rewind", "Restore earlier code, conversation, or both"),
    ("security-review", "Complete a security review of the pending changes on the current branch"),
    ("simplify", "Clean up the changed code without changing behavior"),
    ("skills", "List available skills"),
    ("status", "Show version, account, model, MCP servers, and setup warnings"),
    ("statusline", "Set up the status line"),
    ("tasks", "View and manage this session's background work"),
    ("usage", "Show session cost, plan usage, and activity stats"),
    ("verify", "Try your change and report if it works"),
];

/// The project's commands, then the user's, then claude's own, each group sorted by name. Of several commands
/// with the same name, only the first is listed. Unreadable files are skipped.
pub fn list(project: &Path, claude_dir: Option<&Path>) -> Vec<Command> {
    let mut all: Vec<Command> = Vec::new();
    let user = claude_dir.map(|folder| (folder.to_owned(), Origin::User));
    for (folder, origin) in [(project.join(".claude"), Origin::Project)].into_iter().chain(user) {
        let mut found = Vec::new();
        commands_in(&folder.join("commands"), &mut Vec::new(), origin, &mut found);
        skills_in(&folder.join("skills"), origin, &mut found);
        found.sort_by(|a, b| a.name.cmp(&b.name));
        add(&mut all, found);
    }
    let own = |(name, about): (&str, &str)| Command {
        name: name.to_owned(),
        about: about.to_owned(),
        origin: Origin::Claude,
    };
    add(&mut all, OWN.map(own));
    all
}

fn add(all: &mut Vec<Command>, more: impl IntoIterator<Item = Command>) {
    for command in more {
        if !all.iter().any(|known| known.name == command.name) {
            all.push(command);
        }
    }
}

/// Finds commands: `commands/frontend/fix.md` is `/frontend:fix`.
fn commands_in(folder: &Path, inside: &mut Vec<String>, origin: Origin, found: &mut Vec<Command>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_name(stem)) else {
            continue;
        };
        if found.len() >= FILES_MAX {
            return;
        }
        // Symbolic links to folders are not followed, because they may lead out of the project.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && inside.len() < DEPTH_MAX {
            inside.push(stem.to_owned());
            commands_in(&path, inside, origin, found);
            inside.pop();
        } else if path.extension().is_some_and(|extension| extension == "md")
            && let Some(about) = about(&path, origin)
        {
            let name = inside.iter().map(String::as_str).chain([stem]).collect::<Vec<_>>().join(":");
            found.push(Command { name, about, origin });
        }
    }
}

/// Finds skills: `skills/release/SKILL.md` is `/release`.
fn skills_in(folder: &Path, origin: Origin, found: &mut Vec<Command>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().take(FILES_MAX) {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| is_name(name)) else { continue };
        if let Some(about) = about(&entry.path().join("SKILL.md"), origin) {
            found.push(Command { name: name.to_owned(), about, origin });
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// The description in the frontmatter, otherwise the first line of the text that is not blank; may be empty.
/// `None` if the file cannot be read.
fn about(path: &Path, origin: Origin) -> Option<String> {
    let bytes = crate::foreign_files::read_head(path, origin == Origin::Project, READ_MAX).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (front, body) = split(text.trim_start_matches('\u{feff}'));
    let described = front.and_then(|front| value(front, "description"));
    let first = || body.lines().map(|line| line.trim_start_matches('#').trim()).find(|line| !line.is_empty());
    Some(bc_core::text::cut(
        &described.or_else(|| first().map(bc_core::text::one_line)).unwrap_or_default(),
        200,
    ))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // The tests write files as an editor does.
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn project_and_user_commands_come_before_claudes() {
        let dir = tempfile::tempdir().unwrap();
        let (project, user) = (dir.path().join("app"), dir.path().join("home"));
        write(&project.join(".claude/commands/fix.md"), "---\ndescription: Fix an issue\n---\nFix $1\n");
        write(&project.join(".claude/commands/web/thing.md"), "# Do a thing\nmore\n");
        write(
            &project.join(".claude/skills/release/SKILL.md"),
            "---\nname: release\ndescription: Ship it\n---\n",
        );
        write(&project.join(".claude/commands/notes.txt"), "no command");
        write(&user.join("commands/fix.md"), "Mine");
        write(&user.join("commands/hello.md"), "Say hello");
        write(&user.join("commands/compact.md"), "My own way");
        let all = list(&project, Some(&user));
        let of = |name: &str| {
            let found = all.iter().find(|command| command.name == name).unwrap();
            (found.about.as_str(), found.origin)
        };
        assert_eq!(of("fix"), ("Fix an issue", Origin::Project));
        assert_eq!(of("web:thing"), ("Do a thing", Origin::Project));
        assert_eq!(of("release"), ("Ship it", Origin::Project));
        assert_eq!(of("hello"), ("Say hello", Origin::User));
        assert_eq!(of("compact"), ("My own way", Origin::User));
        assert_eq!(of("model").1, Origin::Claude);
        assert!(!all.iter().any(|command| command.name == "notes" || command.name == "exit"));
        assert_eq!(all.iter().filter(|command| command.name == "compact").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn cyclic_links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join(".claude/commands/a.md"), "A");
        std::os::unix::fs::symlink(dir.path(), dir.path().join(".claude/commands/again")).unwrap();
        let own = list(dir.path(), None).into_iter().filter(|c| c.origin == Origin::Project).count();
        assert_eq!(own, 1);
    }
}
