//! The user's permissions for repository files that a setup command runs. As with hooks, a permission applies
//! to exactly one content of the files; changed content needs a new permission. The permissions are stored in
//! the user's settings for the project.

use crate::{
    context::{Context, Sessions, diffs::text_changes, now, paths::canonical_or_same},
    settings,
};
use bc_core::Timestamp;
use bc_hooks::{CommandFiles, command_files};
use bc_wire::{ApiError, ErrorCode, worktree::*};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The key in the user's settings for the project.
const PART: &str = "worktree_setup_allowed";
/// The maximum number of allowed versions to keep. Branches can differ, so one version is not enough.
const REMEMBERED: usize = 16;
/// The maximum length of a file's text that is stored for later comparison, in bytes.
const TEXT_MAX: usize = 64 << 10;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Record {
    /// The allowed versions, the latest last.
    allowed: Vec<Files>,
    /// The version that was refused most recently; the user can allow it.
    asked: Option<Files>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Files {
    fingerprint: String,
    at: Timestamp,
    texts: BTreeMap<PathBuf, String>,
}

fn record(ctx: &Context) -> Record {
    let part = settings::part(&ctx.project, PART);
    part.and_then(|part| serde_json::from_value(part).ok()).unwrap_or_default()
}

fn save(ctx: &Context, record: &Record) -> Result<(), ApiError> {
    let value = serde_json::to_value(record).expect("a record has string keys");
    settings::save_part(&ctx.project, PART, value)
}

/// The files of `tree` that the command names; `None` if it does not name any.
fn files(words: &[String], folder: &Path, tree: &Path) -> Result<Option<Files>, ApiError> {
    let found =
        command_files(words, &canonical_or_same(folder), &canonical_or_same(tree)).map_err(|why| {
            ApiError::new(ErrorCode::FileRefused, format!("the setup command cannot be checked: {why}"))
        })?;
    Ok(found.map(|CommandFiles { fingerprint, texts }| {
        let cut = |text: String| match text.len() > TEXT_MAX {
            true => bc_core::text::cut(&text, TEXT_MAX / 4),
            false => text,
        };
        Files {
            fingerprint,
            at: now(),
            texts: texts.into_iter().map(|(path, text)| (path, cut(text))).collect(),
        }
    }))
}

/// Fails if the command runs a file of the tree whose content is not allowed. The content is recorded, so that the
/// user can allow it.
pub(super) fn check(ctx: &Context, words: &[String], folder: &Path, tree: &Path) -> Result<(), ApiError> {
    let Some(found) = files(words, folder, tree)? else { return Ok(()) };
    let _sessions = ctx.session_lock();
    let mut record = record(ctx);
    if record.allowed.iter().any(|files| files.fingerprint == found.fingerprint) {
        return Ok(());
    }
    let names: Vec<String> = found.texts.keys().map(|path| path.display().to_string()).collect();
    let text = format!(
        "the setup command of worktrees was not run: you have not allowed the current content of these repository files: {}",
        names.join(", ")
    );
    record.asked = Some(found);
    save(ctx, &record)?;
    Err(ApiError::new(ErrorCode::ConfirmationNeeded, text)
        .hint("`beads-console worktree setup` shows the differences; add --allow to allow them"))
}

/// Allows the current content of the command's files in the project. Called when the user sets the command.
pub(crate) fn allow_current(ctx: &Context, sessions: &Sessions, words: &[String]) -> Result<(), ApiError> {
    let Ok(tree) = ctx.main_tree() else { return Ok(()) };
    match files(words, &ctx.project.root, &tree)? {
        Some(found) => add(ctx, sessions, found),
        None => Ok(()),
    }
}

fn add(ctx: &Context, _: &Sessions, files: Files) -> Result<(), ApiError> {
    let mut record = record(ctx);
    record.allowed.retain(|other| other.fingerprint != files.fingerprint);
    record.asked = record.asked.filter(|asked| asked.fingerprint != files.fingerprint);
    record.allowed.push(files);
    let old = record.allowed.len().saturating_sub(REMEMBERED);
    record.allowed.drain(..old);
    save(ctx, &record)
}

/// The command, and whether its files are allowed: the most recently refused version, else the version in the
/// project.
pub(crate) fn shown(ctx: &Context) -> Result<WorktreeSetup, ApiError> {
    let command = settings::fleet(&ctx.project).worktree_setup;
    let nothing = |state| WorktreeSetup {
        command: command.clone(),
        state,
        files: vec![],
        change: String::new(),
        fingerprint: None,
    };
    if command.is_empty() {
        return Ok(nothing(SetupState::None));
    }
    let Record { allowed, asked } = record(ctx);
    let found = match asked {
        Some(asked) => Some(asked),
        None => files(&command, &ctx.project.root, &ctx.main_tree()?)?,
    };
    let Some(found) = found else { return Ok(nothing(SetupState::Own)) };
    let is_allowed = allowed.iter().any(|files| files.fingerprint == found.fingerprint);
    let before = allowed.last().map(|files| files.texts.clone()).unwrap_or_default();
    Ok(WorktreeSetup {
        state: if is_allowed { SetupState::Allowed } else { SetupState::Asks },
        files: found.texts.keys().map(|path| path.display().to_string()).collect(),
        change: if is_allowed { String::new() } else { text_changes(&before, &found.texts) },
        fingerprint: Some(found.fingerprint),
        command,
    })
}

/// Allows the version with the given fingerprint, which the user has reviewed.
pub(crate) fn allow(ctx: &Context, params: &WorktreeSetupAllowParams) -> Result<WorktreeSetup, ApiError> {
    {
        let sessions = ctx.session_lock();
        let command = settings::fleet(&ctx.project).worktree_setup;
        let now = files(&command, &ctx.project.root, &ctx.main_tree()?)?;
        let meant =
            record(ctx).asked.into_iter().chain(now).find(|files| files.fingerprint == params.fingerprint);
        let meant = meant.ok_or_else(|| {
            ApiError::new(
                ErrorCode::ConfirmationNeeded,
                "the files of the setup command have changed since they were shown",
            )
            .hint("review them again: `beads-console worktree setup`")
        })?;
        add(ctx, &sessions, meant)?;
    }
    shown(ctx)
}
