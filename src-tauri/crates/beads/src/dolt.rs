//! Finds the files of a Dolt database that change whenever beads change. Their content is not parsed.
//!
//! bd opens a database itself (`embeddeddolt`), or uses a server: the project's own (`dolt`), one that the
//! user's projects share, or a remote one. A remote server's files are not on this machine.

use crate::beads_files::metadata;
use bc_store::repository::{self, limits};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A database on this machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Database {
    /// Contains the hash of the database's root. bd writes the file at the end of each command.
    pub(crate) manifest: PathBuf,
    /// The file to which a server appends each change; a server writes the manifest only when it ends.
    pub(crate) journal: Option<PathBuf>,
}

/// The file name of a Dolt journal, the same in every database.
const JOURNAL: &str = "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv";

/// The databases of a project, in a fixed order; empty without Dolt or with a remote server.
pub(crate) fn databases(dir: &Path) -> Vec<Database> {
    let mut found = Vec::new();
    for (folder, served) in [("embeddeddolt", false), ("dolt", true)] {
        let folder = dir.join(folder);
        let names = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        found.extend(names.filter_map(|name| database(&folder.join(name), served)));
    }
    if found.is_empty() && is_served(dir) {
        found.extend(shared(dir));
    }
    found.sort();
    found
}

/// Whether bd uses a server for the beads, a local or a remote one.
pub(crate) fn is_served(dir: &Path) -> bool {
    metadata(dir).get("dolt_mode").and_then(Value::as_str).is_some_and(|mode| mode.contains("server"))
}

fn database(folder: &Path, served: bool) -> Option<Database> {
    let noms = folder.join(".dolt/noms");
    let manifest = noms.join("manifest");
    let journal = served.then(|| noms.join(JOURNAL));
    manifest.is_file().then_some(Database { manifest, journal })
}

/// The project's database on the server that the user's projects share. `None` if the project does not use
/// that server.
fn shared(dir: &Path) -> Option<Database> {
    let metadata = metadata(dir);
    let name = metadata.get("dolt_database").and_then(Value::as_str)?;
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let named = std::env::var_os("BEADS_SHARED_SERVER_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let server = named.or_else(|| Some(std::env::home_dir()?.join(".beads/shared-server")))?;
    let uses_it = || {
        let config = repository::read(&dir.join("config.yaml"), limits::SETTINGS).ok().flatten();
        let config = config.unwrap_or_default();
        let config = String::from_utf8_lossy(&config);
        config.lines().any(|line| line.trim_end() == "dolt.shared-server: true")
    };
    (is_name && uses_it()).then(|| database(&server.join("dolt").join(name), true)).flatten()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use crate::{Environment, change_mark};
    use std::fs;

    #[test]
    fn a_local_servers_writes_change_the_mark_and_a_remote_server_has_none() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = dir.path().join(".beads").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let mark = || change_mark(dir.path(), &Environment::default()).unwrap();
        put("metadata.json", r#"{"backend":"dolt","dolt_mode":"server","dolt_database":"tea_rags_mcp"}"#);
        // An outdated export does not reflect the server's beads.
        put("issues.jsonl", "{\"id\":\"a-1\"}\n");
        assert_eq!(mark(), None);
        put("dolt/tea_rags_mcp/.dolt/noms/manifest", "5:__DOLT__:root");
        put("dolt/tea_rags_mcp/.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv", "one");
        let first = mark().unwrap();
        assert_eq!(mark().as_ref(), Some(&first));
        put("dolt/tea_rags_mcp/.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv", "one more");
        assert_ne!(mark().unwrap(), first);
    }
}
