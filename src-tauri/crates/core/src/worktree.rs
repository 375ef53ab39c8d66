//! Checks the names of project files that the user wants to copy or link into new worktrees.

/// A name that cannot be used in a worktree, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} cannot be copied or linked into worktrees: {why}")]
pub struct UnusableName {
    /// The name, cut to 80 characters.
    pub name: String,
    pub why: &'static str,
}

/// Checks that a name is a relative path inside the project that belongs neither to git nor to the tracker.
/// The file need not exist.
pub fn inside(name: &str) -> Result<(), UnusableName> {
    let why = why_not(name);
    why.map_or(Ok(()), |why| Err(UnusableName { name: name.chars().take(80).collect(), why }))
}

fn why_not(name: &str) -> Option<&'static str> {
    let drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
    if name.trim().is_empty() {
        return Some("it is empty");
    }
    if name.contains('\0') {
        return Some("no file has such a name");
    }
    if name.starts_with(['/', '\\']) || drive {
        return Some("it must be relative to the project");
    }
    let parts: Vec<&str> = name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Some("it points outside of the project");
    }
    match parts.first() {
        None => Some("it is the whole project"),
        Some(_) if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) => Some("it belongs to git"),
        Some(first) if first.eq_ignore_ascii_case(".beads") => {
            Some("all worktrees share the project's beads")
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::{Component, Path};

    #[test]
    fn only_paths_in_the_project_are_accepted() {
        for name in [".env", "node_modules", "a/b c/-rf", "./x", "größe", "a\nb", "..x", ".gitignore"] {
            assert_eq!(inside(name), Ok(()), "{name:?}");
        }
        for name in [
            "",
            "  ",
            ".",
            "./",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a\\..\\x",
            "C:\\x",
            ".git",
            "a/.GIT/hooks",
            ".beads",
            "a\0",
        ] {
            assert!(inside(name).is_err(), "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn accepted_paths_have_no_parent_steps(name in "[a./\\\\]{0,12}") {
            if inside(&name).is_ok() {
                let normal = |part| matches!(part, Component::Normal(_) | Component::CurDir);
                prop_assert!(Path::new(&name).components().all(normal));
            }
        }
    }
}
