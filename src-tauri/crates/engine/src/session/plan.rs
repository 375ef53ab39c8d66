//! Plans a session without changing anything: its branch, folder and first prompt, and the obstacles to its start.

use super::workspace::{self, Workspace};
use crate::context::{Context, errors::git_error};
use bc_beads::TrackerKind;
use bc_core::{
    bead::{BeadDetail, BeadStatus},
    branch,
    ids::{BeadId, BranchName, SessionId},
    prompt,
    session::{Meta, Status},
};
use bc_wire::{ApiError, ErrorCode, session::*};

pub(crate) fn plan(ctx: &Context, params: SessionPlanParams) -> Result<SessionPlan, ApiError> {
    let mut problems = Vec::new();
    let bead = params.bead_id.as_ref().map(|id| ctx.bead(id)).transpose()?;
    if let Some(bead) = &bead {
        problems.extend(startable(ctx, bead).err());
    }
    let branch = wanted_branch(ctx, params.branch.as_deref(), bead.as_ref(), params.folder, None);
    let prompt = bead.as_ref().map(|b| opening(ctx, b, None)).unwrap_or_default();
    let without_folder = |branch: Option<String>, problems| SessionPlan {
        branch,
        branch_exists: false,
        cwd: ctx.project.root.display().to_string(),
        worktree: false,
        prompt: prompt.clone(),
        problems,
    };
    let branch = match branch {
        Ok(branch) => branch,
        Err(problem) => {
            problems.push(problem);
            return Ok(without_folder(params.branch, problems));
        }
    };
    match workspace::decide(ctx, params.folder, branch.as_ref(), None) {
        Ok(Workspace { branch, branch_exists, cwd, worktree, .. }) => Ok(SessionPlan {
            branch: branch.map(String::from),
            branch_exists,
            cwd: cwd.display().to_string(),
            worktree,
            prompt,
            problems,
        }),
        Err(problem) => {
            problems.push(problem);
            Ok(without_folder(branch.map(String::from), problems))
        }
    }
}

/// The branch to work on: the requested branch, else the bead's default branch, else (in a new worktree) a
/// branch named after the session. `None` keeps the branch that is checked out.
pub(crate) fn wanted_branch(
    ctx: &Context,
    requested: Option<&str>,
    bead: Option<&BeadDetail>,
    folder: FolderChoice,
    session: Option<SessionId>,
) -> Result<Option<BranchName>, ApiError> {
    if let Some(name) = requested.map(str::trim).filter(|name| !name.is_empty()) {
        let branch = ctx.project.repo()?.check_branch_name(name).map_err(git_error)?;
        return Ok(Some(branch));
    }
    if let Some(bead) = bead {
        return Ok(Some(branch::default_for(&bead.bead)));
    }
    Ok(match (folder, session) {
        (FolderChoice::Worktree, Some(id)) => format!("session/{}", id.short()).parse().ok(),
        (FolderChoice::Worktree, None) => "session/new".parse().ok(),
        (FolderChoice::Auto | FolderChoice::Repository, _) => None,
    })
}

/// Fails, with the reason, if no session can start on this bead.
pub(crate) fn startable(ctx: &Context, bead: &BeadDetail) -> Result<(), ApiError> {
    unattended(ctx, &bead.bead.id)?;
    workable(ctx, bead)
}

/// Like [`startable`], but without the check for other sessions on the bead.
pub(super) fn workable(ctx: &Context, bead: &BeadDetail) -> Result<(), ApiError> {
    let id = &bead.bead.id;
    let refused = |text: String, hint: &str| Err(ApiError::new(ErrorCode::BeadState, text).hint(hint));
    match bead.bead.status {
        BeadStatus::Open | BeadStatus::InProgress | BeadStatus::Other(_) => {}
        BeadStatus::Closed => return refused(format!("{id} is closed"), "reopen it in the tracker first"),
        BeadStatus::InReview => {
            return refused(format!("{id} is in review"), "move it back to open in the tracker first");
        }
        BeadStatus::Blocked | BeadStatus::Deferred | BeadStatus::Pinned | BeadStatus::Tombstone => {
            return refused(format!("{id} is {}", bead.bead.status.as_str()), "open it in the tracker first");
        }
    }
    if bead.bead.status != BeadStatus::InProgress && !bead.bead.blocked_by.is_empty() {
        let blockers: Vec<_> = bead.bead.blocked_by.iter().map(BeadId::as_str).collect();
        return refused(
            format!("{id} is blocked by {}", blockers.join(", ")),
            "close those first, or choose a ready bead",
        );
    }
    if let Some(by) = bead.bead.assignee.as_deref().filter(|by| !ctx.user_actor().is_person(by)) {
        return Err(ApiError::new(ErrorCode::BeadClaimed, format!("{id} is claimed by {by}"))
            .hint("ask them, or choose another bead: `beads-console bead ready`"));
    }
    Ok(())
}

/// Fails if a session on the bead is active, paused or being started.
pub(crate) fn unattended(ctx: &Context, id: &BeadId) -> Result<(), ApiError> {
    let unfinished = workspace::unfinished(ctx, |meta| meta.bead_id.as_ref() == Some(id))?;
    unattended_among(&unfinished, id)
}

/// Like [`unattended`], but for unfinished sessions that the caller has already read.
pub(super) fn unattended_among(unfinished: &[Meta], id: &BeadId) -> Result<(), ApiError> {
    let on_it = unfinished.iter().filter(|meta| meta.bead_id.as_ref() == Some(id));
    let Some(open) = on_it.max_by_key(|meta| meta.last_activated_at) else { return Ok(()) };
    let (what, how) = match open.status {
        Status::Active => ("is active on this bead", "attach"),
        Status::Draft => ("is being started on this bead", "show"),
        Status::Paused | Status::Closed => ("is paused on this bead", "resume"),
    };
    let short = open.id.short();
    Err(ApiError::new(ErrorCode::SessionState, format!("session {short} {what}: {id}"))
        .hint(format!("`beads-console session {how} {short}`, or end that session first")))
}

pub(crate) fn opening(ctx: &Context, bead: &BeadDetail, objective: Option<&str>) -> String {
    let id = &bead.bead.id;
    let read_more = match ctx.tracker().map(|t| t.kind()) {
        Ok(TrackerKind::Bd) => format!("bd show {id}"),
        Ok(TrackerKind::Br) => format!("br show {id}"),
        Ok(TrackerKind::Embedded | TrackerKind::ReadOnly) | Err(_) => format!("beads-console bead show {id}"),
    };
    prompt::opening(bead, objective, &read_more)
}
