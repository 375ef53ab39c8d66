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

/// Writes bd's settings for the server into the project's `.beads` folder, and checks that bd can read the beads.
pub(super) fn connect(folders: &ProjectFolders, server: &DoltServer) -> Result<(), String> {
    let DoltServer { host, port, database, user, project_id } = server;
    let mut metadata = json!({
        "backend": "dolt",
        "database": "dolt",
        "dolt_mode": "server",
        "dolt_server_host": host,
    });
    for (key, value) in [("dolt_database", database), ("dolt_server_user", user), ("project_id", project_id)]
    {
        if let Some(value) = value {
            metadata[key] = value.as_str().into();
        }
    }
    let folder = folders.beads_dir();
    let save = |name: &str, text: &str| {
        file::replace(&folder.join(name), text.as_bytes()).map_err(|error| error.to_string())
    };
    file::create_dir(&folder).map_err(|error| error.to_string())?;
    save("metadata.json", &metadata.to_string())?;
    // bd reads the port from this file; in `metadata.json`, it is deprecated.
    save("dolt-server.port", &port.to_string())?;
    let bd = Program::new(TRACKER).args(["list", "--limit", "1", "--json"]).cwd(folders.root());
    let done = bd
        .env("BEADS_DIR", &folder)
        .timeout(WITHIN)
        .run()
        .map_err(|error| failure(server, &error.to_string()))?;
    if done.ok() {
        return Ok(());
    }
    let said = done.err();
    let reason = said.lines().find_map(|line| line.strip_prefix("Error: ")).or_else(|| said.lines().last());
    Err(failure(server, reason.unwrap_or("bd failed without a message")))
}

fn failure(DoltServer { host, port, .. }: &DoltServer, reason: &str) -> String {
    format!("bd there cannot use the Dolt server at {host}:{port}: {}", plain(reason))
}
