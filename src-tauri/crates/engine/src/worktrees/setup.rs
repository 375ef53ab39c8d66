//! Sets up a new worktree before an agent works in it: copies and links files, and runs the user's setup command.
//!
//! A pending setup is recorded in a file in the worktree's own git folder, which is removed with the worktree. An
//! interrupted setup runs again when the next session uses the worktree.

use super::{setup_permission, worktree_files};
use crate::{
    context::{Context, errors::file_error, paths::canonical},
    settings::{self, preferences},
};
use bc_core::fleet::FleetSettings;
use bc_git::Repo;
use bc_hooks::LoggedCommand;
use bc_store::file;
use bc_wire::{ApiError, ErrorCode};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The file in the worktree's own git folder that marks a pending setup.
const PENDING: &str = "beads-console-setup";

/// Records in the repository that the worktree at this path needs a setup, before the worktree and its own git folder
/// exist. Otherwise a crash could leave a worktree that looks ready.
pub(super) fn record_intent(repo: &Repo, tree: &Path, settings: &FleetSettings) -> Result<(), ApiError> {
    if !has_extras(settings) {
        return Ok(());
    }
    let note = intent_path(repo, tree);
    file::create_dir(note.parent().unwrap_or(&note)).map_err(file_error)?;
    file::replace(&note, tree.as_os_str().as_encoded_bytes()).map_err(file_error)
}

/// Removes the record that [`record_intent`] wrote, once the worktree has its own record or could not be created.
pub(super) fn clear_intent(repo: &Repo, tree: &Path) -> Result<(), ApiError> {
    file::remove(&intent_path(repo, tree)).map_err(file_error)
}

/// The record's path for a worktree that is being created at `tree`.
fn intent_path(repo: &Repo, tree: &Path) -> PathBuf {
    let real = tree.parent().and_then(|above| canonical(above).ok()).zip(tree.file_name());
    let real = real.map_or_else(|| tree.to_owned(), |(above, name)| above.join(name));
    repo.common_dir().join("beads-console-making").join(settings::short_name(&real))
}

/// Whether new worktrees get copies, links or a setup in addition to the committed files.
pub(crate) fn has_extras(settings: &FleetSettings) -> bool {
    let lists = [&settings.worktree_copy, &settings.worktree_link, &settings.worktree_setup];
    lists.iter().any(|list| !list.is_empty())
}

/// Records in the worktree's own git folder that its setup is pending.
pub(super) fn record_pending(repo: &Repo, tree: &Path, settings: &FleetSettings) -> Result<(), ApiError> {
    match repo.admin_of(tree) {
        Some(admin) if has_extras(settings) => file::replace(&admin.join(PENDING), b"").map_err(file_error),
        Some(_) | None => Ok(()),
    }
}

/// Sets up the worktree that contains this folder, if its setup is pending. This can take minutes, so call it without
/// the session lock.
pub(crate) fn set_up(ctx: &Context, folder: &Path) -> Result<(), ApiError> {
    let Ok(repo) = ctx.project.repo()?.at(folder) else { return Ok(()) };
    let Some(note) = repo.admin_of(repo.top_level()).map(|admin| admin.join(PENDING)) else { return Ok(()) };
    if !repo.is_linked() || !(note.exists() || intent_path(&repo, repo.top_level()).exists()) {
        return Ok(());
    }
    let settings = settings::fleet(&ctx.project);
    // Existing files are kept. The warnings are ignored, because the creation of the worktree has already
    // reported them.
    worktree_files::copy_and_link(&settings, &ctx.project.root, folder, &repo)?;
    if !settings.worktree_setup.is_empty() {
        setup_permission::check(ctx, &settings.worktree_setup, folder, repo.top_level())?;
        run(ctx, &settings, folder, repo.top_level())?;
    }
    clear_intent(&repo, repo.top_level())?;
    file::remove(&note).map_err(file_error)
}

/// The setup command for a session at a place; `None` if the user has not set one. `folder` is the session's
/// worktree on this machine.
pub(crate) fn setup_at_place(ctx: &Context, folder: &Path) -> Option<bc_remote::WorktreeSetup> {
    let settings = settings::fleet(&ctx.project);
    let refused = check_permission(ctx, folder).err().map(|error| error.message);
    let minutes = setup_minutes(&settings);
    let words = settings.worktree_setup;
    (!words.is_empty()).then_some(bc_remote::WorktreeSetup { words, minutes, refused })
}

/// Fails if the setup command runs a repository file whose content the user has not allowed.
pub(crate) fn check_permission(ctx: &Context, folder: &Path) -> Result<(), ApiError> {
    let words = settings::fleet(&ctx.project).worktree_setup;
    let Ok(repo) = ctx.project.repo()?.at(folder) else { return Ok(()) };
    match words.is_empty() {
        true => Ok(()),
        false => setup_permission::check(ctx, &words, folder, repo.top_level()),
    }
}

fn setup_minutes(settings: &FleetSettings) -> u32 {
    settings.worktree_setup_minutes.max(1)
}

fn run(ctx: &Context, settings: &FleetSettings, folder: &Path, tree: &Path) -> Result<(), ApiError> {
    let log = log_of(ctx, tree)?;
    let mut env = vec![("BEADS_CONSOLE_PROJECT".to_owned(), ctx.project.root.to_str().map(str::to_owned))];
    // An inherited git environment would refer to another repository.
    env.extend(bc_git::INHERITED_VARIABLES.map(|name| (name.to_owned(), None)));
    let words = &settings.worktree_setup;
    let timeout = Duration::from_secs(u64::from(setup_minutes(settings)) * 60);
    let command = LoggedCommand { words, cwd: folder, env, timeout, log: &log };
    let Some(failure) = command.failure(&command.run(&ctx.programs.console)) else { return Ok(()) };
    let text = format!("the setup of the worktree {} failed: {failure}", tree.display());
    let hint = format!(
        "the complete output is in {}; `beads-console fleet settings worktree_setup` shows the command",
        log.display()
    );
    Err(ApiError::new(ErrorCode::SetupFailed, text).hint(hint))
}

/// The path of the log of this worktree's last setup. Creates the log's folder.
fn log_of(ctx: &Context, tree: &Path) -> Result<PathBuf, ApiError> {
    let folder = preferences::state_folder()
        .ok_or_else(|| ApiError::new(ErrorCode::Io, "logs cannot be saved: there is no home folder"))?
        .join("worktrees")
        .join(settings::short_name(&ctx.project.root));
    file::create_dir(&folder).map_err(file_error)?;
    let name = tree.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(folder.join(format!("{name}.log")))
}
