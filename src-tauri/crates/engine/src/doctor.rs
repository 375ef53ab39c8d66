//! Checks the environment of sessions, reports installed and missing programs, and suggests fixes. Works in
//! any folder.
//!
//! May use: `backup`, `claude`, `context`.

use crate::{
    backup, claude,
    context::{
        Context, Programs, Project,
        errors::{chain, git_error, tracker_error},
    },
};
use bc_beads::TrackerKind;
use bc_core::{agent_files::wider_rules, session::unknown_in_words};
use bc_git::{Git, Repo};
use bc_store::repository::{self, limits};
use bc_wire::{ApiError, ErrorCode, doctor::*};
use std::{collections::BTreeMap, path::Path};

/// Checks what a session in the folder `start` needs, and the project's backups.
pub fn doctor(start: &Path, programs: &Programs) -> DoctorReport {
    let mut checks = vec![git()];
    match Project::around(start) {
        Ok(project) => {
            checks.push(repository(&project));
            checks.extend(volume(&project.root));
            checks.push(tracker(&project));
            checks.push(claude(&project));
            checks.extend(transcripts(&project));
            checks.extend(agent_permissions(&project));
            checks.extend(backups(project, programs));
        }
        Err(error) => checks.push(problem("project", &error)),
    }
    checks.push(simulated(programs));
    checks.push(sockets());
    DoctorReport {
        ok: checks.iter().all(|c| c.state != CheckState::Problem),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        checks,
    }
}

fn check(name: &str, state: CheckState, found: impl Into<String>, hint: Option<String>) -> Check {
    Check { name: name.to_owned(), state, found: found.into(), hint }
}

fn problem(name: &str, error: &ApiError) -> Check {
    check(name, CheckState::Problem, error.message.clone(), error.hint.clone())
}

fn git() -> Check {
    match Git::find().and_then(|git| Ok((git.path().display().to_string(), git.version()?))) {
        Ok((path, version)) => check("git", CheckState::Ok, format!("{version} at {path}"), None),
        Err(error) => problem("git", &git_error(error)),
    }
}

fn repository(project: &Project) -> Check {
    let described = Repo::discover(&project.root).and_then(|repo| {
        let head = repo.head()?;
        let branch = head.branch.map_or("a detached head".to_owned(), |b| b.to_string());
        Ok((format!("{} on {branch}", repo.main_root().display()), head.commit.is_some()))
    });
    match described {
        Ok((found, true)) => check("repository", CheckState::Ok, found, None),
        Ok((found, false)) => check(
            "repository",
            CheckState::Warning,
            format!("{found}, without a commit yet"),
            Some("create a first commit: worktrees need one".to_owned()),
        ),
        Err(error) => problem("repository", &git_error(error)),
    }
}

/// Warns about a project on a network drive, or in a folder that a sync service copies to other machines. A
/// network drive without locks is a problem. `None` for any other folder.
fn volume(root: &Path) -> Option<Check> {
    let shown = root.display();
    if let Some(kind) = bc_store::volume::network_file_system(root) {
        let found = format!("{shown} is on a network drive ({kind})");
        let (state, found) = match bc_store::volume::has_locks(&root.join(".beads")) {
            Ok(true) => (
                CheckState::Warning,
                format!("{found}; its locks work on this machine, but other machines may not see them"),
            ),
            Ok(false) => {
                let found = format!("{found} without locks: two programs could write the same files");
                let hint = Some("move the project to a local disk".to_owned());
                return Some(check("volume", CheckState::Problem, found, hint));
            }
            Err(error) => {
                (CheckState::Warning, format!("{found}, and its locks could not be tried: {}", chain(&error)))
            }
        };
        let hint = "open the project on one machine at a time, or move it to a local disk";
        return Some(check("volume", state, found, Some(hint.to_owned())));
    }
    let home = std::env::home_dir()?;
    let service = bc_store::volume::sync_service(root, &home)?;
    Some(check(
        "volume",
        CheckState::Warning,
        format!("{shown} is copied to other machines by {service}, which do not see this machine's locks"),
        Some("open the project on one machine at a time, or move it out of this folder".to_owned()),
    ))
}

fn tracker(project: &Project) -> Check {
    let tracker = match bc_beads::open(&project.root, &project.environment()) {
        Ok(tracker) => tracker,
        Err(error) => return problem("tracker", &tracker_error(error)),
    };
    let said = tracker.describe();
    let version = said.version.map(|v| format!(" {v}")).unwrap_or_default();
    let found = format!("{}{version}, beads in {}", said.kind.as_str(), said.beads_dir.display());
    let state = match said.kind {
        TrackerKind::ReadOnly => CheckState::Warning,
        TrackerKind::Bd | TrackerKind::Br | TrackerKind::Embedded => CheckState::Ok,
    };
    check("tracker", state, found, said.notice)
}

fn claude(project: &Project) -> Check {
    match claude::claude(project) {
        Ok(ready) => {
            let (found, hint) = claude::describe(&ready);
            check("claude", CheckState::Ok, found, hint)
        }
        Err(error) => problem("claude", &error),
    }
}

/// Warns about lines of claude's transcripts that this version does not recognize; `None` if there are none.
fn transcripts(project: &Project) -> Option<Check> {
    let listing = bc_store::SessionStore::at(&project.beads_dir).list().ok()?;
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for (kind, count) in listing.sessions.iter().flat_map(|meta| &meta.unknown_kinds) {
        *kinds.entry(kind.clone()).or_default() += count;
    }
    let all: u64 = kinds.values().sum();
    (all > 0).then(|| {
        let found = format!("{all} lines of unknown kinds: {}", unknown_in_words(&kinds));
        let hint = "everything else is recorded; update Beads Console to read these lines, too";
        check("claude's transcripts", CheckState::Warning, found, Some(hint.to_owned()))
    })
}

/// Warns about permission rules that an earlier version of `init-agent --permissions` wrote and that let an
/// agent read any file. `None` if there are none.
fn agent_permissions(project: &Project) -> Option<Check> {
    const FILES: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];
    let wide = |name: &&&str| {
        let settings = repository::read(&project.root.join(name), limits::SETTINGS).ok().flatten();
        settings.is_some_and(|settings| !wider_rules(&settings).is_empty())
    };
    let file = FILES.iter().find(wide)?;
    let found = format!(
        "{file} contains rules of an earlier version that let an agent read any file without permission"
    );
    let hint = match *file == FILES[0] {
        true => "replace them with the narrower ones: `beads-console init-agent --permissions`".to_owned(),
        false => "remove the rules that begin with Bash(beads-console or Bash(bd".to_owned(),
    };
    Some(check("agent permissions", CheckState::Warning, found, Some(hint)))
}

/// The state of the backups; empty if the project has no `.beads` folder.
fn backups(project: Project, programs: &Programs) -> Vec<Check> {
    if !project.beads_dir.is_dir() {
        return Vec::new();
    }
    let why = ApiError::new(ErrorCode::Internal, "a doctor changes nothing");
    backup::check(&Context::read_only(project, programs.clone(), why))
}

fn simulated(programs: &Programs) -> Check {
    let path = programs.sim.display();
    match programs.sim.is_file() {
        true => check("simulated agent", CheckState::Ok, format!("at {path}"), None),
        false => check("simulated agent", CheckState::Warning, format!("not at {path}"), None),
    }
}

fn sockets() -> Check {
    match bc_process::socket::check() {
        Ok(folder) => check("sockets", CheckState::Ok, folder.display().to_string(), None),
        Err(error) => check(
            "sockets",
            CheckState::Problem,
            chain(&error),
            Some("set XDG_RUNTIME_DIR to a folder that only you can access".to_owned()),
        ),
    }
}
