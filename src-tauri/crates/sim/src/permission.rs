//! The tools for which each permission mode asks. Performs no I/O. The rules approximate claude's, so that
//! dialogs appear where claude would show them.

use crate::plan::Tool;
use bc_core::mode::PermissionMode;
use std::path::Path;

/// A mode's decision on a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    Allowed,
    Ask,
    Refused(&'static str),
}

const HARMLESS: &[&str] = if cfg!(windows) {
    &["echo", "dir", "rem", "type", "findstr"]
} else {
    &["echo", "ls", "pwd", "cat", "true", "head", "tail", "wc"]
};
const EDITING: &[&str] = &["touch", "mkdir", "mv", "cp"];

pub(crate) fn rule(mode: PermissionMode, tool: &Tool, cwd: &Path) -> Rule {
    let is_harmless = match tool {
        Tool::Read { .. } => true,
        Tool::Bash { command } => begins_with(command, HARMLESS),
        Tool::Write { .. } | Tool::Edit { .. } => false,
    };
    match mode {
        PermissionMode::Auto | PermissionMode::BypassPermissions => Rule::Allowed,
        _ if is_harmless => Rule::Allowed,
        PermissionMode::Manual => Rule::Ask,
        PermissionMode::AcceptEdits => match tool {
            Tool::Bash { command } if begins_with(command, EDITING) => Rule::Allowed,
            Tool::Write { path, .. } | Tool::Edit { path, .. } if is_inside(path, cwd) => Rule::Allowed,
            _ => Rule::Ask,
        },
        PermissionMode::Plan => Rule::Refused("plan mode changes nothing"),
    }
}

/// Whether the command line starts with one of these commands and has no shell syntax.
fn begins_with(command: &str, words: &[&str]) -> bool {
    let expands = if cfg!(windows) { '%' } else { '$' };
    let plain = !command.contains(['|', '&', ';', '>', '<', expands, '`', '\n', '(']);
    plain && command.split_whitespace().next().is_some_and(|word| words.contains(&word))
}

fn is_inside(path: &str, cwd: &Path) -> bool {
    let path = cwd.join(path);
    path.starts_with(cwd) && !path.components().any(|part| part == std::path::Component::ParentDir)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mode: PermissionMode, tool: &Tool, wanted: Rule) {
        assert_eq!(rule(mode, tool, Path::new("/home/u/project")), wanted, "{mode:?} {tool:?}");
    }

    fn bash(command: &str) -> Tool {
        Tool::Bash { command: command.into() }
    }

    fn write(path: &str) -> Tool {
        Tool::Write { path: path.into(), text: String::new() }
    }

    #[test]
    fn manual_asks_for_everything_except_reading() {
        let mode = PermissionMode::Manual;
        check(mode, &bash("echo hi"), Rule::Allowed);
        check(mode, &Tool::Read { path: "a".into() }, Rule::Allowed);
        for command in ["curl x", "echo hi > a", "echo $(rm a)", "ls; rm a", "ls\nrm a", ""] {
            check(mode, &bash(command), Rule::Ask);
        }
        check(mode, &bash(if cfg!(windows) { "echo %TEMP%" } else { "echo $HOME" }), Rule::Ask);
        check(mode, &write("a"), Rule::Ask);
    }

    #[test]
    fn accept_edits_covers_the_folder() {
        let mode = PermissionMode::AcceptEdits;
        check(mode, &write("src/a"), Rule::Allowed);
        check(mode, &write("/home/u/project/a"), Rule::Allowed);
        check(mode, &write("/home/u/other/a"), Rule::Ask);
        check(mode, &write("../a"), Rule::Ask);
        check(mode, &bash("touch a"), Rule::Allowed);
        check(mode, &bash("cargo test"), Rule::Ask);
    }

    #[test]
    fn plan_denies_changes_and_bypass_asks_nothing() {
        assert!(matches!(rule(PermissionMode::Plan, &write("a"), Path::new("/")), Rule::Refused(_)));
        check(PermissionMode::Plan, &bash(HARMLESS[1]), Rule::Allowed);
        check(PermissionMode::BypassPermissions, &bash("curl x"), Rule::Allowed);
    }
}
