//! Creates a backup: merges the local records with those on the branch and on its remote, commits the result,
//! moves the branch, and pushes it if wanted. If another program moved the branch meanwhile, the next attempt
//! merges its records as well.

use super::{
    branch::{Tips, branch, folder_of, reference},
    committed::{Stored, keep},
    conversation_files,
    secrets::{Redacted, without_secrets},
    snapshot::{self, Snapshot},
    state::{REDACTION, State},
};
use crate::{
    context::{
        Context,
        errors::{file_error, git_error},
        now,
    },
    settings,
};
use bc_core::{
    backup::{Conversation, Tie},
    ids::SessionId,
    session::{Meta, Status},
};
use bc_git::{ObjectId, PushOutcome, RefMove, Repo};
use bc_store::{SessionStore, lock::FileLock};
use bc_wire::{ApiError, ErrorCode, backup::*, settings::SettingsInForce};
use std::time::Duration;

/// The maximum number of attempts if other programs move the branch meanwhile.
const ATTEMPTS: u32 = 8;
/// How long a backup on request waits for another backup of this project.
const INTERACTIVE_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a backup at a session's end waits for another backup of this project.
const AT_END_TIMEOUT: Duration = Duration::from_secs(600);

struct Wanted {
    push: bool,
    transcripts: bool,
    keep_secrets: bool,
}

pub(crate) fn run(ctx: &Context, params: &BackupRunParams) -> Result<BackupDone, ApiError> {
    let settings = settings::in_force(&ctx.project);
    if params.at_end && !settings.backup_at_end {
        return Ok(nothing());
    }
    SessionStore::open(&ctx.project.beads_dir).map_err(file_error)?;
    let Some(_lock) = lock_backups(ctx, params.at_end)? else { return Ok(nothing()) };
    let mut state = State::read(ctx);
    let done = create(ctx, params, &settings, &mut state);
    match &done {
        Ok(done) => {
            state.last_at = Some(now());
            state.problem = done.warnings.first().cloned();
        }
        // A project without a repository has no automatic backups, which is not a failure.
        Err(error) if params.at_end && error.code == ErrorCode::NotARepository => return Ok(nothing()),
        Err(error) => state.problem = Some(error.message.clone()),
    }
    state.write(ctx);
    done
}

fn nothing() -> BackupDone {
    BackupDone {
        changed: false,
        commit: None,
        counts: BackupCounts::default(),
        secrets_removed: 0,
        push: BackupPush::NotWanted,
        warnings: Vec::new(),
    }
}

/// Takes the lock on the project's backups. If many sessions end at the same time, only one of their backups
/// waits for the running backup. Returns `None` for the others, because the waiting backup includes their
/// data. Also returns `None` if the waiting backup reaches its time limit.
fn lock_backups(ctx: &Context, at_end: bool) -> Result<Option<FileLock>, ApiError> {
    let folder = ctx.store.path();
    let lock = |wait| FileLock::exclusive(&folder.join("backup.lock"), wait).map_err(file_error);
    if at_end {
        let Some(_next) = FileLock::try_exclusive(&folder.join("backup-next.lock")).map_err(file_error)?
        else {
            return Ok(None);
        };
        return lock(AT_END_TIMEOUT);
    }
    match lock(INTERACTIVE_TIMEOUT)? {
        Some(lock) => Ok(Some(lock)),
        None => Err(ApiError::new(ErrorCode::GitFailed, "another backup of this project is still running")
            .hint("wait for it to end, and try again")),
    }
}

fn create(
    ctx: &Context,
    params: &BackupRunParams,
    settings: &SettingsInForce,
    state: &mut State,
) -> Result<BackupDone, ApiError> {
    let repo = ctx.project.repo()?;
    repo.refuse_checked_out(&branch()).map_err(|error| {
        git_error(error).hint("backups are written to that branch: check out another branch in that folder")
    })?;
    let wanted = Wanted {
        // If the last push failed, push again.
        push: params.push.unwrap_or(settings.backup_push && params.at_end) || state.push_error.is_some(),
        transcripts: params.transcripts.unwrap_or(settings.backup_transcripts),
        keep_secrets: params.keep_secrets,
    };
    let local = Snapshot::take(ctx, wanted.keep_secrets)?;
    let mut done =
        BackupDone { secrets_removed: local.redacted.count, warnings: local.warnings.clone(), ..nothing() };
    for _ in 0..ATTEMPTS {
        let remote = if wanted.push { fetch(&repo, state, &mut done)? } else { None };
        let Some(commit) = attempt(ctx, &repo, &local, &wanted, state, &mut done)? else { continue };
        state.secrets_kept = wanted.keep_secrets;
        if wanted.transcripts {
            state.redaction = REDACTION;
        }
        done.commit = Some(commit.as_str().to_owned());
        let Some(remote) = remote else { return Ok(done) };
        match repo.push_branch(&remote, &branch(), &commit).map_err(git_error)? {
            PushOutcome::Behind => continue,
            PushOutcome::Done => {
                (state.last_push_at, state.push_error) = (Some(now()), None);
                done.push = BackupPush::Done { remote };
            }
            PushOutcome::Refused(error) => {
                state.push_error = Some(error.clone());
                done.push = BackupPush::Failed { remote, error };
            }
        }
        return Ok(done);
    }
    let text = "the backup branch was changed by other programs during every attempt";
    if done.commit.is_some() {
        let remote = Tips::of(&repo)?.remote.unwrap_or_default();
        state.push_error = Some(text.to_owned());
        done.push = BackupPush::Failed { remote, error: text.to_owned() };
        return Ok(done);
    }
    Err(ApiError::new(ErrorCode::GitFailed, text).hint("try again"))
}

/// Fetches the backup branch from the remote. Returns the remote's name; `None` without a remote, or if the
/// fetch failed.
fn fetch(repo: &Repo, state: &mut State, done: &mut BackupDone) -> Result<Option<String>, ApiError> {
    let Some(remote) = repo.remote_for_pushes().map_err(git_error)? else {
        // Without a remote, an earlier push error is obsolete.
        state.push_error = None;
        done.push = BackupPush::NoRemote;
        return Ok(None);
    };
    match repo.fetch_branch(&remote, &branch()) {
        Ok(_) => Ok(Some(remote)),
        Err(error) => {
            let error = git_error(error).message;
            state.push_error = Some(error.clone());
            done.push = BackupPush::Failed { remote, error };
            Ok(None)
        }
    }
}

/// One attempt to commit a backup; `None` if another program moved the branch meanwhile.
fn attempt(
    ctx: &Context,
    repo: &Repo,
    local: &Snapshot,
    wanted: &Wanted,
    state: &State,
    done: &mut BackupDone,
) -> Result<Option<ObjectId>, ApiError> {
    let folder = folder_of(&ctx.project, repo);
    let tips = Tips::of(repo)?;
    let heads = tips.heads(repo)?;
    let mut all = Stored::of(repo, &heads, &folder)?;
    if !wanted.keep_secrets {
        // Records on the branch from earlier versions or other machines may contain secrets.
        let mut redacted = Redacted::default();
        all.beads = without_secrets(all.beads, &mut redacted);
        all.memories = without_secrets(all.memories, &mut redacted);
        all.sessions = without_secrets(all.sessions, &mut redacted);
    }
    if wanted.transcripts {
        let again = state.secrets_kept != wanted.keep_secrets || state.redaction != REDACTION;
        done.secrets_removed =
            local.redacted.count + add_transcripts(ctx, repo, &mut all, local, wanted, again)?;
    }
    all.beads = all.beads.with(local.beads.clone(), Tie::Newcomer);
    all.memories = all.memories.with(local.memories.clone(), Tie::Newcomer);
    all.sessions = all.sessions.with(local.sessions.clone(), Tie::Newcomer);
    done.counts = all.counts();
    let files = all.files(repo)?;
    let commit = match heads.as_slice() {
        [head] if repo.files_of(head, &folder).map_err(git_error)? == files => head.clone(),
        _ => {
            let BackupCounts { beads, memories, sessions, .. } = done.counts;
            let message = format!("beads backup: {beads} beads, {memories} memories, {sessions} sessions\n");
            done.changed = true;
            repo.commit_folder(&heads, &folder, &files, &message).map_err(git_error)?
        }
    };
    if tips.own.as_ref() == Some(&commit) {
        return Ok(Some(commit));
    }
    let moved = repo.move_reference(&reference(), &commit, tips.own.as_ref()).map_err(git_error)?;
    Ok((moved == RefMove::Done).then_some(commit))
}

/// Adds the conversations that may have changed since the last backup, or all conversations if `again` is
/// set. Returns the number of removed secrets.
fn add_transcripts(
    ctx: &Context,
    repo: &Repo,
    all: &mut Stored,
    local: &Snapshot,
    wanted: &Wanted,
    again: bool,
) -> Result<u32, ApiError> {
    let mut secrets = 0;
    for (key, record) in local.sessions.iter() {
        let Ok(id) = key.parse::<SessionId>() else { continue };
        let runs = ctx.store.session(id).meta().is_ok_and(|meta: Meta| meta.status == Status::Active);
        let known = all.transcripts.contains_key(key) && all.sessions.get(key) == Some(record);
        if known && !runs && !again {
            continue;
        }
        let (texts, redacted) = snapshot::conversation(ctx, id, wanted.keep_secrets)?;
        secrets += redacted;
        let parts = match all.conversation(repo, key)? {
            Some(before) => keep(repo, &before.with(Conversation::parse(texts.concat().as_bytes())))?,
            None => conversation_files::write(repo, &texts)?,
        };
        all.transcripts.insert(key.to_owned(), parts);
    }
    Ok(secrets)
}
