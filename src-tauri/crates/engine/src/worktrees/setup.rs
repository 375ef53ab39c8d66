//! Making a new worktree ready: what it is given, and the setup command, the person's own, run in it before an agent
//! works there.
//!
//! Whether that is owed is a file in git's own folder of the worktree, which goes with that: one that was killed in between
//! is made ready when it is used next.

use super::{allowed, given};
use crate::{engine::Engine, errors::file_error, fleet, preferences, project_settings};
use bc_core::fleet::FleetSettings;
use bc_git::Repo;
use bc_hooks::{Logged, LoggedEnd, tail};
use bc_store::file;
use bc_wire::{ApiError, ErrorCode};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// In git's own folder of a worktree: its setup has not succeeded yet.
const OWED: &str = "beads-console-setup";
/// How much of the output a failure is told with, in characters.
const TOLD: usize = 2_000;

/// Writes down, before there is a worktree, that it will have to be made ready: git's own folder of it comes with it, and
/// whoever is killed between the two must not leave one that looks whole.
pub(super) fn intend(repo: &Repo, tree: &Path, settings: &FleetSettings) -> Result<(), ApiError> {
    if !gives(settings) {
        return Ok(());
    }
    let note = intended(repo, tree);
    file::create_dir(note.parent().unwrap_or(&note)).map_err(file_error)?;
    file::replace(&note, tree.as_os_str().as_encoded_bytes()).map_err(file_error)
}

/// It is there and its own note tells, or it is not made after all.
pub(super) fn intend_no_more(repo: &Repo, tree: &Path) -> Result<(), ApiError> {
    file::remove(&intended(repo, tree)).map_err(file_error)
}

/// Where it is written down that a worktree is being made at this place.
fn intended(repo: &Repo, tree: &Path) -> PathBuf {
    let real = tree.parent().and_then(|above| above.canonicalize().ok()).zip(tree.file_name());
    let real = real.map_or_else(|| tree.to_owned(), |(above, name)| above.join(name));
    repo.common_dir().join("beads-console-making").join(project_settings::short_name(&real))
}

/// Whether a new worktree has more than what is committed, or is set up.
pub(crate) fn gives(settings: &FleetSettings) -> bool {
    let lists = [&settings.worktree_copy, &settings.worktree_link, &settings.worktree_setup];
    lists.iter().any(|list| !list.is_empty())
}

/// Writes down that a worktree has to be made ready.
pub(super) fn owe(repo: &Repo, tree: &Path, settings: &FleetSettings) -> Result<(), ApiError> {
    match repo.admin_of(tree) {
        Some(admin) if gives(settings) => file::replace(&admin.join(OWED), b"").map_err(file_error),
        Some(_) | None => Ok(()),
    }
}

/// Makes the worktree that this folder is in ready, if that is owed. May take minutes: to be called without the engine's
/// turn.
pub(crate) fn set_up(engine: &Engine, here: &Path) -> Result<(), ApiError> {
    let Ok(repo) = engine.project.repo()?.at(here) else { return Ok(()) };
    let Some(note) = repo.admin_of(repo.top_level()).map(|admin| admin.join(OWED)) else { return Ok(()) };
    if !repo.is_linked() || !(note.exists() || intended(&repo, repo.top_level()).exists()) {
        return Ok(());
    }
    let settings = fleet::settings(&engine.project);
    // Whoever made it has heard what there is to know; what is there already stays.
    given::give(&settings, &engine.project.root, here, &repo)?;
    if !settings.worktree_setup.is_empty() {
        allowed::check(engine, &settings.worktree_setup, here, repo.top_level())?;
        run(engine, &settings, here, repo.top_level())?;
    }
    intend_no_more(&repo, repo.top_level())?;
    file::remove(&note).map_err(file_error)
}

fn run(engine: &Engine, settings: &FleetSettings, here: &Path, tree: &Path) -> Result<(), ApiError> {
    let log = log_of(engine, tree)?;
    let minutes = settings.worktree_setup_minutes.max(1);
    let mut env = vec![("BEADS_CONSOLE_PROJECT".to_owned(), engine.project.root.to_str().map(str::to_owned))];
    // What a git that started us says of its own repository is not true of this one.
    env.extend(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].map(|name| (name.to_owned(), None)));
    let words = &settings.worktree_setup;
    let timeout = Duration::from_secs(u64::from(minutes) * 60);
    let end = Logged { words, cwd: here, env, timeout, log: &log }.run(&engine.programs.console);
    let how = match end {
        LoggedEnd::Done => return Ok(()),
        LoggedEnd::Failed(Some(code)) => format!("it ended with exit code {code}"),
        LoggedEnd::Failed(None) => "it was ended by a signal".to_owned(),
        LoggedEnd::TimedOut => format!("it did not end within {minutes} minutes and was stopped"),
        LoggedEnd::NotStarted(why) => format!("it could not be started: {why}"),
    };
    let said = match tail(&log, TOLD) {
        said if said.is_empty() => "It printed nothing.".to_owned(),
        said => format!("Its last lines:\n{said}"),
    };
    let text = format!("the setup of the worktree {} failed: {how}. {said}", tree.display());
    let hint = format!(
        "all that it printed is in {}; `beads-console fleet settings worktree_setup` shows the command",
        log.display()
    );
    Err(ApiError::new(ErrorCode::SetupFailed, text).hint(hint))
}

/// The log of this worktree's setups, the last one.
fn log_of(engine: &Engine, tree: &Path) -> Result<PathBuf, ApiError> {
    let folder = preferences::state_folder()
        .ok_or_else(|| ApiError::new(ErrorCode::Io, "there is no home folder to keep logs in"))?
        .join("worktrees")
        .join(project_settings::short_name(&engine.project.root));
    file::create_dir(&folder).map_err(file_error)?;
    let name = tree.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(folder.join(format!("{name}.log")))
}
