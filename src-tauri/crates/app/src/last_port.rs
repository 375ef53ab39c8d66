//! The last port of each served project, in `$XDG_STATE_HOME/beads-console/server/ports.json`. A server that
//! is restarted without `--port` tries this port first, so that open tabs can reconnect.

use crate::config;
use bc_wire::app::ProjectKey;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The format version that this build writes.
const VERSION: u32 = 1;
/// The maximum number of projects in the file.
const PROJECTS_MAX: usize = 64;

#[derive(Debug, Default, Serialize, Deserialize)]
struct PortsFile {
    version: u32,
    /// The project keys with their ports, the most recently served project first.
    ports: Vec<(String, u16)>,
}

fn path(state: &Path) -> PathBuf {
    state.join("server").join("ports.json")
}

fn read(state: &Path) -> PortsFile {
    let file = config::read::<PortsFile>(&path(state)).filter(|file| file.version == VERSION);
    file.unwrap_or_default()
}

pub(crate) fn last(state: &Path, project: &ProjectKey) -> Option<u16> {
    let known = read(state).ports;
    known.into_iter().find_map(|(key, port)| (key == project.0).then_some(port))
}

/// Saves a project's port. A failure is ignored; the next server may then have another address.
pub(crate) fn save(state: &Path, project: &ProjectKey, port: u16) {
    let mut file = read(state);
    if file.ports.first().is_some_and(|(key, known)| *key == project.0 && *known == port) {
        return;
    }
    file.version = VERSION;
    file.ports.retain(|(key, _)| *key != project.0);
    file.ports.insert(0, (project.0.clone(), port));
    file.ports.truncate(PROJECTS_MAX);
    let _ = config::write(&path(state), &file);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_project_has_its_last_port_and_a_limited_number_is_remembered() {
        let state = tempfile::tempdir().unwrap();
        let key = |n: usize| ProjectKey(format!("{n:x}"));
        assert_eq!(last(state.path(), &key(1)), None);
        save(state.path(), &key(1), 4100);
        save(state.path(), &key(2), 4200);
        save(state.path(), &key(1), 4101);
        assert_eq!([1, 2].map(|n| last(state.path(), &key(n))), [Some(4101), Some(4200)]);
        for n in 3..3 + PROJECTS_MAX {
            save(state.path(), &key(n), 5000);
        }
        assert_eq!([1, 2, 3].map(|n| last(state.path(), &key(n))), [None, None, Some(5000)]);
    }
}
