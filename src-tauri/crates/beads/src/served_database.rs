//! The database of a project whose beads are on a Dolt server.

use crate::{Environment, TrackerError, beads_files::metadata, detect::locate};
use serde_json::Value;
use std::path::Path;

/// The database of a project whose beads are on a Dolt server, as `metadata.json` names it. Values that are not set
/// have bd's defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedDatabase {
    /// The database's name.
    pub name: Option<String>,
    /// The user of the server.
    pub user: Option<String>,
    /// The id by which bd recognizes the database.
    pub project_id: Option<String>,
    /// Whether bd requires TLS.
    pub tls: bool,
}

/// The project's database on a Dolt server that bd uses directly; `None` without beads, for other trackers,
/// and for bd's proxy to a server.
///
/// # Errors
///
/// Returns an error if the folder of the beads cannot be read, or its redirect cannot be followed.
pub fn served_database(
    project_root: &Path,
    environment: &Environment,
) -> Result<Option<ServedDatabase>, TrackerError> {
    let Some(beads) = locate(project_root, environment)? else { return Ok(None) };
    let metadata = metadata(&beads.path);
    let value = |key: &str| metadata.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_direct = value("dolt_mode").is_some_and(|mode| mode.eq_ignore_ascii_case("server"));
    Ok(is_direct.then(|| ServedDatabase {
        name: value("dolt_database"),
        user: value("dolt_server_user"),
        project_id: value("project_id"),
        tls: metadata.get("dolt_server_tls").and_then(Value::as_bool).unwrap_or(false),
    }))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_database_is_known_if_bd_uses_the_server_directly() {
        let dir = tempfile::tempdir().unwrap();
        let (served, other) = (dir.path().to_owned(), dir.path().join("other/.beads"));
        fs::create_dir_all(&other).unwrap();
        fs::create_dir_all(served.join(".beads")).unwrap();
        // The project's beads are in another folder.
        fs::write(served.join(".beads/redirect"), other.display().to_string()).unwrap();
        let of = |metadata: &str| {
            fs::write(other.join("metadata.json"), metadata).unwrap();
            served_database(&served, &Environment::default()).unwrap()
        };
        let found =
            of(r#"{"dolt_mode":"server","dolt_database":"a","project_id":"id","dolt_server_tls":true}"#);
        let found = found.expect("bd uses a server");
        assert_eq!((found.name.as_deref(), found.project_id.as_deref()), (Some("a"), Some("id")));
        assert!(found.tls && found.user.is_none());
        for other in
            [r#"{"dolt_mode":"proxied-server"}"#, r#"{"dolt_mode":"embedded"}"#, r#"{"backend":"dolt"}"#]
        {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
