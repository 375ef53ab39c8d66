//! Connects the agents' `bd` at a place directly to the Dolt server with the project's beads.
//!
//! The password is not sent: bd takes it from `BEADS_DOLT_PASSWORD` in the place's own environment.

use super::folders::ProjectFolders;
use crate::{spec::DoltServer, verbs::TRACKER};
use bc_core::text::plain;
use bc_process::run::Program;
use bc_store::file;
use serde_json::json;
use std::time::Duration;

/// The time limit for one command of bd.
const WITHIN: Duration = Duration::from_secs(30);

/// The environment variables with which a session's `bd` uses the server; `None` removes a variable. They take
/// precedence over bd's files, which all sessions of the project at this place share.
pub(super) fn variables(server: &DoltServer) -> [(&'static str, Option<String>); 10] {
    [
        ("BEADS_DOLT_SERVER_HOST", Some(server.host.clone())),
        ("BEADS_DOLT_SERVER_PORT", Some(server.port.to_string())),
        // If the server does not answer, bd would otherwise start another one, with an empty database.
        ("BEADS_DOLT_AUTO_START", Some("0".to_owned())),
        // The account may have set these for another project.
        ("BEADS_DOLT_DATA_DIR", None),
        ("BEADS_DOLT_PORT", None),
        ("BEADS_DOLT_PROXIED_SERVER", None),
        ("BEADS_DOLT_SERVER_DATABASE", None),
        ("BEADS_DOLT_SERVER_MODE", None),
        ("BEADS_DOLT_SERVER_SOCKET", None),
        ("BEADS_DOLT_SHARED_SERVER", None),
    ]
}

/// Writes the name of the project's database into the project's `.beads` folder, and checks that bd can read the
/// beads.
pub(super) fn connect(folders: &ProjectFolders, server: &DoltServer) -> Result<(), String> {
    let folder = folders.beads_dir();
    file::create_dir(&folder).map_err(|error| error.to_string())?;
    let metadata = metadata(server)?;
    file::replace(&folder.join("metadata.json"), metadata.as_bytes()).map_err(|error| error.to_string())?;
    let bd = Program::new(TRACKER).args(["list", "--limit", "1", "--json"]).cwd(folders.root());
    let bd = bd.env("BEADS_DIR", &folder).timeout(WITHIN);
    let bd = variables(server).into_iter().fold(bd, |bd, (name, value)| match value {
        Some(value) => bd.env(name, value),
        None => bd.env_remove(name),
    });
    let done = bd.run().map_err(|error| failure(server, &error.to_string()))?;
    if done.ok() {
        return Ok(());
    }
    let said = done.err();
    let reason = said.lines().find_map(|line| line.strip_prefix("Error: ")).or_else(|| said.lines().last());
    Err(failure(server, reason.unwrap_or("bd failed without a message")))
}

/// The content of bd's `metadata.json`, without the server's address.
fn metadata(server: &DoltServer) -> Result<String, String> {
    let Some(project_id) = &server.project_id else {
        // The name of the database comes from the repository. Only with the id does bd refuse another project's
        // database.
        return Err("the project's `metadata.json` has no `project_id`, so bd at the place \
                    could not check that the database is the project's"
            .to_owned());
    };
    let mut metadata = json!({
        "backend": "dolt",
        "database": "dolt",
        "dolt_mode": "server",
        "project_id": project_id,
    });
    for (key, value) in [("dolt_database", &server.database), ("dolt_server_user", &server.user)] {
        if let Some(value) = value {
            metadata[key] = value.as_str().into();
        }
    }
    if server.tls {
        metadata["dolt_server_tls"] = true.into();
    }
    Ok(metadata.to_string())
}

fn failure(DoltServer { host, port, .. }: &DoltServer, reason: &str) -> String {
    format!("bd at the place cannot use the Dolt server at {host}:{port}: {}", plain(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> DoltServer {
        DoltServer {
            host: "db.example".to_owned(),
            port: 3307,
            database: Some("shop".to_owned()),
            user: None,
            project_id: Some("an-id".to_owned()),
            tls: true,
        }
    }

    #[test]
    fn shared_settings_name_the_database_and_not_the_address() {
        let metadata: serde_json::Value = serde_json::from_str(&metadata(&server()).unwrap()).unwrap();
        let expected = json!({
            "backend": "dolt", "database": "dolt", "dolt_mode": "server", "project_id": "an-id",
            "dolt_database": "shop", "dolt_server_tls": true,
        });
        assert_eq!(metadata, expected);
        let variables = variables(&server());
        assert!(variables.contains(&("BEADS_DOLT_SERVER_HOST", Some("db.example".to_owned()))));
        assert!(variables.contains(&("BEADS_DOLT_SERVER_PORT", Some("3307".to_owned()))));
    }

    #[test]
    fn a_database_without_an_id_is_refused() {
        let why = metadata(&DoltServer { project_id: None, ..server() }).unwrap_err();
        assert!(why.contains("project_id"), "{why}");
    }
}
