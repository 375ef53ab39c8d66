//! The command and the environment of a hook. Variables and search paths that a repository could control are removed.

use crate::{os, parse::Entry};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Inherited variables that are removed for hooks. They change the behaviour of a shell or its programs, or
/// belong to this program's processes.
const REMOVED: [&str; 10] = [
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "CDPATH",
    "PROMPT_COMMAND",
    "GLOBIGNORE",
    "BEADS_CONSOLE_HOST",
    "BEADS_CONSOLE_SOCKET",
    "BEADS_CONSOLE_LOCK_FD",
];

/// The prefix of the variables with which a shell exports functions to its child shells.
const FUNCTIONS: &str = "BASH_FUNC_";

/// The hook's command for this operating system; `None` if the hook has none.
pub(crate) fn of(entry: &Entry) -> Option<&str> {
    os::pick(entry.bash.as_deref(), entry.powershell.as_deref())
}

/// The changes to the environment for a hook; `None` removes the variable. The variables from the hooks file
/// come last, so they override the others.
pub(crate) fn environment(
    boundary: &Path,
    folder: &Path,
    own: &BTreeMap<String, String>,
) -> Vec<(String, Option<String>)> {
    let functions = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let removed = REMOVED.iter().map(|name| (*name).to_owned());
    let removed = removed.chain(functions.filter(|name| name.starts_with(FUNCTIONS)));
    let mut changes: Vec<(String, Option<String>)> = removed.map(|name| (name, None)).collect();
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    changes.push(("PATH".into(), Some(clean_path(&inherited, boundary))));
    changes.push(("BEADS_CONSOLE_HOOKS_DIR".into(), folder.to_str().map(str::to_owned)));
    changes.extend(own.iter().map(|(name, value)| (name.clone(), Some(value.clone()))));
    changes
}

/// The absolute folders of a PATH that are outside the repository, without duplicates, followed by the system's
/// folders.
fn clean_path(inherited: &OsString, boundary: &Path) -> String {
    let mut folders: Vec<PathBuf> = Vec::new();
    let system = os::SYSTEM_PATH.iter().map(PathBuf::from);
    for folder in std::env::split_paths(inherited).chain(system) {
        let resolved = folder.canonicalize().map(bc_core::paths::plain).unwrap_or_else(|_| folder.clone());
        let inside = folder.starts_with(boundary) || resolved.starts_with(boundary);
        if folder.is_absolute() && !inside && folder.to_str().is_some() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    std::env::join_paths(folders).unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_search_path_excludes_the_repository_and_the_current_folder() {
        let path = OsString::from("/opt/x:.:/repo/node_modules/.bin::relative:/opt/x:/usr/bin");
        let clean = clean_path(&path, Path::new("/repo"));
        assert_eq!(clean, "/opt/x:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin");
    }

    #[test]
    fn variables_of_the_hooks_file_come_last() {
        let own = BTreeMap::from([("PATH".to_owned(), "/mine".to_owned())]);
        let changes = environment(Path::new("/repo"), Path::new("/repo/.beads"), &own);
        let paths: Vec<_> = changes.iter().filter(|(name, _)| name == "PATH").collect();
        assert_eq!(paths.last().unwrap().1.as_deref(), Some("/mine"));
        assert!(changes.contains(&("BASH_ENV".into(), None)));
    }
}
