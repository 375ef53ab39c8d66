//! `worktree …`: lists, shows, removes and restores worktrees, and allows their setup command.

use super::{Context, session_lookup::resolve_session};
use crate::{args::WorktreeCommand, failure::Failure, output::worktree as show};
use bc_wire::{ErrorCode, project::Nothing, worktree::*};

pub(super) fn run(command: WorktreeCommand, context: &mut Context<'_>) -> Result<(), Failure> {
    match command {
        WorktreeCommand::List => {
            let worktrees = context.api.worktree_list(Nothing {})?;
            context.print_warned(&worktrees, &worktrees.warnings, show::all)
        }
        WorktreeCommand::Show { worktree } => {
            let loss = context.api.worktree_loss(WorktreeRef { path: worktree })?;
            context.print(&loss, show::loss)
        }
        WorktreeCommand::Remove { worktree, yes } => remove(worktree, yes, context),
        WorktreeCommand::Restore { session } => {
            let session = resolve_session(&session, context)?.id;
            let restored = context.api.worktree_restore(WorktreeRestoreParams { session })?;
            context.print_warned(&restored, &restored.warnings, show::restored)
        }
        WorktreeCommand::Setup { allow } => {
            let mut setup = context.api.worktree_setup(Nothing {})?;
            if let Some(fingerprint) = setup.fingerprint.clone().filter(|_| allow) {
                setup = context.api.worktree_allow_setup(WorktreeSetupAllowParams { fingerprint })?;
            }
            context.print(&setup, show::setup)
        }
    }
}

/// Removes a worktree. Without `yes`, asks if changes would be lost; the consent covers only the listed
/// changes.
fn remove(path: String, yes: bool, context: &mut Context<'_>) -> Result<(), Failure> {
    let params = |seen: Option<String>| WorktreeRemoveParams {
        path: path.clone(),
        force: yes || seen.is_some(),
        seen,
    };
    let removed = match context.api.worktree_remove(params(None)) {
        Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !yes => {
            let loss = context.api.worktree_loss(WorktreeRef { path: path.clone() })?;
            if !context.json && context.io.can_ask() {
                let text = show::loss(&loss, &context.io.style());
                context.io.out().write_all(text.as_bytes())?;
            }
            if !context.agrees(refusal)? {
                return context.note("nothing was removed");
            }
            context.api.worktree_remove(params(Some(loss.fingerprint)))?
        }
        other => other?,
    };
    context.print(&removed, show::removed)
}
