//! Reads whether the user trusted a folder in claude. The result is only shown: claude asks in its own
//! terminal, and this program never answers for the user.

use crate::paths::Places;
use serde_json::Value;
use std::path::Path;

/// Whether claude starts in this folder without its trust dialog, because claude's state file marks the
/// folder or one of its parents as trusted. `None` if the state file cannot be read or is not JSON.
pub fn is_trusted(places: &Places, folder: &Path) -> Option<bool> {
    let text = crate::foreign_files::settings(&places.state_file, false)?;
    let state: Value = serde_json::from_str(&text).ok()?;
    let projects = state.get("projects").and_then(Value::as_object);
    let accepted = |dir: &Path| {
        let project = projects?.get(&*dir.to_string_lossy())?;
        project.get("hasTrustDialogAccepted")?.as_bool()
    };
    Some(folder.ancestors().any(|dir| accepted(dir) == Some(true)))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // Claude's own file.
mod tests {
    use super::*;

    #[test]
    fn trust_in_a_folder_includes_its_subfolders() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places { config_dir: dir.path().into(), state_file: dir.path().join(".claude.json") };
        assert_eq!(is_trusted(&places, Path::new("/a")), None);
        std::fs::write(
            &places.state_file,
            "{\"projects\":{\"/a\":{\"hasTrustDialogAccepted\":true},\"/b\":{\"hasTrustDialogAccepted\":false},\"/c\":7}}",
        )
        .unwrap();
        let check =
            |folder: &str, expect: bool| assert_eq!(is_trusted(&places, Path::new(folder)), Some(expect));
        check("/a", true);
        check("/a/worktree", true);
        check("/ab", false);
        check("/b", false);
        check("/c", false);
    }
}
