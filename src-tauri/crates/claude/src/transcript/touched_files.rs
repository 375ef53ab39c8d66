//! Finds the file that a tool call touches, and the path under which it is recorded.

use bc_core::Extra;
use std::path::{Component, Path, PathBuf};

/// The path in the input of a tool that reads or writes one file; `None` for other tools or without a path.
pub(super) fn path_of<'a>(tool: &str, input: &'a Extra) -> Option<&'a str> {
    match tool {
        "Read" | "Write" | "Edit" | "MultiEdit" => input.get("file_path"),
        "NotebookEdit" | "NotebookRead" => input.get("notebook_path"),
        _ => None,
    }
    .and_then(|path| path.as_str())
    .filter(|path| !path.is_empty())
}

/// The path in the input of a tool that changes one file; `None` for other tools or without a path.
pub fn edited_path<'a>(tool: &str, input: &'a Extra) -> Option<&'a str> {
    path_of(tool, input).filter(|_| !matches!(tool, "Read" | "NotebookRead"))
}

/// The working folder, by its given path and by the path with resolved symbolic links.
#[derive(Debug)]
pub struct Folder {
    names: Vec<PathBuf>,
}

impl Folder {
    /// Also resolves the path, because claude reports files by their resolved paths.
    pub fn new(cwd: &Path) -> Self {
        let mut names = vec![cwd.to_path_buf()];
        if let Ok(resolved) = cwd.canonicalize().map(bc_core::paths::plain)
            && resolved != cwd
        {
            names.push(resolved);
        }
        Folder { names }
    }

    /// The path with `.` and `..` resolved, relative to the folder if it is inside the folder.
    pub fn relative(&self, path: &str) -> String {
        let clean = clean(Path::new(path));
        let inside = self.names.iter().find_map(|name| bc_core::paths::inside(&clean, name));
        let inside = inside.filter(|rest| !rest.as_os_str().is_empty());
        bc_core::paths::recorded(&inside.unwrap_or(clean))
    }
}

fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_changing_tools_count_as_edits() {
        let edited = |tool: &str, key: &str| {
            let input = serde_json::json!({key: "a.rs"});
            edited_path(tool, input.as_object().unwrap()).map(str::to_owned)
        };
        for (tool, key) in [("Write", "file_path"), ("Edit", "file_path"), ("NotebookEdit", "notebook_path")]
        {
            assert_eq!(edited(tool, key).as_deref(), Some("a.rs"), "{tool}");
        }
        for (tool, key) in [("Read", "file_path"), ("Bash", "command"), ("Write", "other"), ("Glob", "path")]
        {
            assert_eq!(edited(tool, key), None, "{tool}");
        }
    }

    #[test]
    fn files_in_the_working_folder_have_relative_names() {
        let folder = Folder::new(Path::new("/home/dev/my project"));
        let check = |path, expect: &str| assert_eq!(folder.relative(path), expect);
        check("/home/dev/my project/src/a.rs", "src/a.rs");
        check("/home/dev/my project/./src/../b.rs", "b.rs");
        check("/home/dev/my project 2/a.rs", "/home/dev/my project 2/a.rs");
        check("/home/dev/my project/../x", "/home/dev/x");
        check("/home/dev/my project", "/home/dev/my project");
        check("../x", "../x");
        check("src/ä.rs", "src/ä.rs");
    }
}
