//! Completes the path of a folder while the user types it.
//!
//! Invariants: only folders are listed, and hidden folders only if the typed name starts with a dot. The
//! number of entries that are read and the number of suggestions are limited.

use bc_wire::app::{FolderSuggestions, SuggestedFolder};
use std::{
    ffi::OsStr,
    fs,
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

/// The maximum number of suggestions.
const SUGGESTIONS_MAX: usize = 50;
/// The maximum number of entries that are read from a folder.
const ENTRIES_MAX: usize = 20_000;

/// Replaces a leading `~` with the home folder.
pub(crate) fn expanded(path: &str) -> PathBuf {
    match (path.strip_prefix('~'), std::env::home_dir()) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => PathBuf::from(path),
    }
}

/// The folders that complete the typed path. Empty if the path is relative (`~` is not) or its folder cannot
/// be read.
pub(crate) fn choices(typed: &str) -> FolderSuggestions {
    let typed = if typed == "~" { "~/" } else { typed };
    let end = typed.rfind(['/', MAIN_SEPARATOR]).map(|at| at + 1);
    let Some(end) = end else { return FolderSuggestions::default() };
    let (before, prefix) = typed.split_at(end);
    let folder = expanded(before);
    if !folder.is_absolute() {
        return FolderSuggestions::default();
    }
    let mut names = names(&folder, prefix);
    names.sort_by_cached_key(|name| (!name.starts_with(prefix), name.to_lowercase()));
    let more = names.len() > SUGGESTIONS_MAX;
    names.truncate(SUGGESTIONS_MAX);
    let choice = |name: String| {
        let path = folder.join(&name);
        let has = |entry: &str| fs::symlink_metadata(path.join(entry)).is_ok();
        SuggestedFolder {
            path: format!("{before}{name}"),
            repository: has(".git"),
            beads: has(".beads"),
            name,
        }
    };
    FolderSuggestions { folders: names.into_iter().map(choice).collect(), more }
}

/// The names of the subfolders that begin with `prefix`, compared case-insensitively.
fn names(folder: &Path, prefix: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let prefix = prefix.to_lowercase();
    let fits = |name: &OsStr| -> Option<String> {
        let name = name.to_str()?;
        let hidden = name.starts_with('.') && !prefix.starts_with('.');
        (!hidden && name.to_lowercase().starts_with(&prefix)).then(|| name.to_owned())
    };
    entries
        .take(ENTRIES_MAX)
        .flatten()
        .filter_map(|entry| {
            let name = fits(&entry.file_name())?;
            // A symbolic link to a folder counts as a folder.
            fs::metadata(entry.path()).is_ok_and(|found| found.is_dir()).then_some(name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(folders: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        folders.iter().for_each(|name| fs::create_dir_all(root.path().join(name)).unwrap());
        root
    }

    fn found(typed: &str) -> Vec<String> {
        choices(typed).folders.into_iter().map(|choice| choice.name).collect()
    }

    #[test]
    fn only_folders_with_the_typed_prefix_are_suggested() {
        let root = make(&["gatehouse/.git", "gatehouse/.beads", "Gate", "sundial", ".config", ".cache"]);
        bc_store::file::replace(&root.path().join("gate.txt"), b"a file").unwrap();
        let at = root.path().to_str().unwrap();
        assert_eq!(found(&format!("{at}/")), ["Gate", "gatehouse", "sundial"]);
        assert_eq!(found(&format!("{at}/gate")), ["gatehouse", "Gate"], "the same case comes first");
        assert_eq!(
            found(&format!("{at}/.c")),
            [".cache", ".config"],
            "hidden ones are offered once a dot is typed"
        );
        assert!(found(&format!("{at}/nothing/")).is_empty());
        let gatehouse = choices(&format!("{at}/gateh")).folders.remove(0);
        assert_eq!(
            (gatehouse.path, gatehouse.repository, gatehouse.beads),
            (format!("{at}/gatehouse"), true, true)
        );
    }

    #[test]
    fn relative_paths_have_no_suggestions_and_home_paths_keep_their_tilde() {
        assert!(found("gate").is_empty() && found("./").is_empty() && found("").is_empty());
        assert!(choices("~").folders.iter().all(|choice| choice.path.starts_with("~/")));
        assert!(
            !expanded("~other/x").starts_with(std::env::home_dir().unwrap()),
            "another user's is left as it is"
        );
    }

    #[test]
    fn suggestions_for_a_large_folder_are_limited_and_marked() {
        let many: Vec<String> = (0..SUGGESTIONS_MAX + 10).map(|n| format!("f{n:03}")).collect();
        let root = make(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let found = choices(&format!("{}/f", root.path().display()));
        assert_eq!((found.folders.len(), found.more), (SUGGESTIONS_MAX, true));
    }
}
