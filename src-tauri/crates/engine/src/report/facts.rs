//! A report's facts about the system and the project's sessions.

use crate::context::Project;
use bc_core::{
    Timestamp,
    ids::SessionId,
    session::{Meta, Status},
};
use bc_store::SessionStore;
use serde::Serialize;
use std::path::Path;

/// The maximum number of sessions in a report; older sessions are omitted.
const SESSIONS: usize = 100;

/// The environment variables in a report: they change the program's behaviour and do not identify a user.
const SHOWN: [&str; 8] = [
    "LANG",
    "TERM",
    "SHELL",
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "WEBKIT_DISABLE_DMABUF_RENDERER",
    "WEBKIT_DISABLE_COMPOSITING_MODE",
    bc_log::LEVEL_VARIABLE,
];

/// The program's version, and the system.
#[derive(Debug, Serialize)]
pub(super) struct System {
    version: &'static str,
    debug_build: bool,
    os: &'static str,
    arch: &'static str,
    processors: usize,
    variables: Vec<(&'static str, String)>,
}

#[derive(Debug, Serialize)]
struct Session {
    id: SessionId,
    status: Status,
    created_at: Timestamp,
    paused_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
    files_touched: usize,
    commits: usize,
    total_tokens: Option<u64>,
    total_duration_ms: Option<u64>,
}

/// The number of the project's sessions, and facts about the newest sessions.
#[derive(Debug, Default, Serialize)]
pub(super) struct Sessions {
    count: usize,
    unreadable: usize,
    error: Option<String>,
    newest: Vec<Session>,
}

pub(super) fn system() -> System {
    let shown = |name: &'static str| Some((name, std::env::var(name).ok()?));
    System {
        version: env!("CARGO_PKG_VERSION"),
        debug_build: cfg!(debug_assertions),
        os: std::env::consts::OS,
        arch: std::env::consts::ARCH,
        processors: std::thread::available_parallelism().map_or(0, usize::from),
        variables: SHOWN.into_iter().filter_map(shown).collect(),
    }
}

pub(super) fn sessions(start: &Path) -> Sessions {
    let Ok(project) = Project::around(start) else { return Sessions::default() };
    match SessionStore::at(&project.beads_dir).list() {
        Err(error) => Sessions { error: Some(error.to_string()), ..Sessions::default() },
        Ok(listing) => {
            let mut metas = listing.sessions;
            metas.sort_by_key(|meta| std::cmp::Reverse(meta.created_at));
            Sessions {
                count: metas.len(),
                unreadable: listing.problems.len(),
                error: None,
                newest: metas.into_iter().take(SESSIONS).map(session).collect(),
            }
        }
    }
}

fn session(meta: Meta) -> Session {
    Session {
        id: meta.id,
        status: meta.status,
        created_at: meta.created_at,
        paused_at: meta.paused_at,
        closed_at: meta.closed_at,
        files_touched: meta.files_touched.len(),
        commits: meta.commits.len(),
        total_tokens: meta.total_tokens,
        total_duration_ms: meta.total_duration_ms,
    }
}
