//! Restores the records that are missing, older or incomplete on this machine, and missing messages. Newer
//! local records are kept, sessions in the trash are not restored, and a repeated restore changes nothing.

use super::{
    branch::{Tips, branch, folder_of},
    committed::Stored,
    snapshot::Snapshot,
};
use crate::{
    context::{
        Context, Programs, Project, count,
        errors::{chain, git_error, store_error, tracker_error},
    },
    memory,
};
use bc_beads::LeftOut;
use bc_core::{
    backup::{Changes, Conversation, Kind, Record, changes},
    ids::SessionId,
    memory::{KEY, from_row},
    message::Message,
    session::Meta,
    text::one_line,
};
use bc_git::{ObjectId, Repo};
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode, backup::*};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The maximum number of records in the list of changes.
const SHOWN: usize = 500;

struct Plan {
    stored: Stored,
    repo: Repo,
    from: Vec<ObjectId>,
    beads: Changes,
    memories: Changes,
    sessions: Changes,
    fresh_tracker: bool,
    warnings: Vec<String>,
}

/// A preview of a restore, which works even in a folder without beads.
///
/// # Errors
/// There is no backup, the requested fetch fails, or the project or its repository cannot be read.
pub fn preview_at(start: &Path, programs: Programs, params: &RestoreParams) -> Result<Restore, ApiError> {
    let why = ApiError::new(ErrorCode::Internal, "a preview changes nothing");
    preview(&Context::read_only(Project::around(start)?, programs, why), params)
}

/// The prefix of the bead ids in the backup, for a project without local beads. The outer `None` means that
/// the project has beads, and the inner `None` means that no id in the backup has a prefix.
///
/// # Errors
/// There is no backup, the requested fetch fails, or the project or its repository cannot be read.
pub fn prefix_in_backup(
    start: &Path,
    programs: Programs,
    params: &RestoreParams,
) -> Result<Option<Option<String>>, ApiError> {
    let project = Project::around(start)?;
    if bc_beads::locate(&project.root, &project.environment()).map_err(tracker_error)?.is_some() {
        return Ok(None);
    }
    let why = ApiError::new(ErrorCode::Internal, "this command changes nothing");
    let ctx = Context::read_only(project, programs, why);
    let (repo, from) = source(&ctx, params)?;
    let stored = Stored::of(&repo, &from, &folder_of(&ctx.project, &repo))?;
    let first =
        stored.beads.iter().find_map(|(id, _)| id.rsplit_once('-').map(|(prefix, _)| prefix.to_owned()));
    Ok(Some(first))
}

pub(crate) fn preview(ctx: &Context, params: &RestoreParams) -> Result<Restore, ApiError> {
    plan(ctx, params).map(Plan::shown)
}

pub(crate) fn restore(ctx: &Context, params: &RestoreParams) -> Result<Restore, ApiError> {
    ctx.writable()?;
    let mut plan = plan(ctx, params)?;
    let _sessions = ctx.session_lock();
    import_beads(ctx, &mut plan)?;
    memory::restore_rows(ctx, &new_records(&plan.memories))?;
    import_sessions(ctx, &mut plan)?;
    ctx.sync_index()?;
    Ok(plan.shown())
}

fn plan(ctx: &Context, params: &RestoreParams) -> Result<Plan, ApiError> {
    let (repo, from) = source(ctx, params)?;
    let stored = Stored::of(&repo, &from, &folder_of(&ctx.project, &repo))?;
    // Compare the backup with the local data in the form in which it would be backed up: without secrets.
    let local = Snapshot::take(ctx, false)?;
    let mut sessions = changes(&local.sessions, &stored.sessions);
    let deleted: BTreeSet<String> = match ctx.store.trashed() {
        Ok((trashed, _)) => trashed.iter().map(|session| session.meta.id.to_string()).collect(),
        Err(_) => BTreeSet::new(),
    };
    let id = |row: &Record| row.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let (in_trash, added): (Vec<Record>, Vec<Record>) =
        sessions.added.into_iter().partition(|row| deleted.contains(&id(row)));
    sessions.added = added;
    sessions.kept.extend(in_trash.iter().map(id));
    let mut plan = Plan {
        beads: changes(&local.beads, &stored.beads),
        memories: changes(&local.memories, &stored.memories),
        sessions,
        fresh_tracker: local.fresh_tracker,
        warnings: local.warnings,
        stored,
        repo,
        from,
    };
    match bc_beads::unfit(&ctx.project.root, &ctx.project.environment(), &new_records(&plan.beads)) {
        Ok(unfit) => plan.skip(unfit),
        Err(error) => plan.warnings.push(format!("the tracker failed: {}", tracker_error(error))),
    }
    // If the restored text differs only by a missing secret, keep this machine's text.
    for row in
        plan.beads.changed.iter_mut().chain(&mut plan.memories.changed).chain(&mut plan.sessions.changed)
    {
        local.redacted.restore(row);
    }
    Ok(plan)
}

/// The commits to restore from: the named commit, or the tips of the backup branch, fetched first on request.
/// Fails if none of them has a backup of this project.
fn source(ctx: &Context, params: &RestoreParams) -> Result<(Repo, Vec<ObjectId>), ApiError> {
    let repo = ctx.project.repo()?;
    if params.fetch
        && let Some(remote) = repo.remote_for_pushes().map_err(git_error)?
    {
        repo.fetch_branch(&remote, &branch()).map_err(git_error)?;
    }
    let from = match &params.from {
        Some(revision) => vec![repo.commit_of(revision).map_err(git_error)?],
        None => Tips::of(&repo)?.heads(&repo)?,
    };
    let folder = folder_of(&ctx.project, &repo);
    for commit in &from {
        if !repo.files_of(commit, &folder).map_err(git_error)?.is_empty() {
            return Ok((repo, from));
        }
    }
    let text = match &params.from {
        Some(revision) => format!("{revision} has no backup of this project"),
        None => format!("the branch {} contains no backup of this project", bc_core::backup::BRANCH),
    };
    Err(ApiError::new(ErrorCode::BackupNotFound, text)
        .hint("fetch from the remote with --fetch, or choose a branch or commit with --from"))
}

fn new_records(changes: &Changes) -> Vec<Record> {
    changes.added.iter().chain(&changes.changed).cloned().collect()
}

fn import_beads(ctx: &Context, plan: &mut Plan) -> Result<(), ApiError> {
    let project = &ctx.project;
    let taken =
        bc_beads::import(&project.root, &project.environment(), &new_records(&plan.beads), &BTreeMap::new());
    match taken.map_err(tracker_error) {
        // Memories and sessions can still be restored.
        Err(error) if error.code == ErrorCode::TrackerReadOnly => {
            plan.warnings.push(format!("no bead was restored: {}", error.message));
            let left = [std::mem::take(&mut plan.beads.added), std::mem::take(&mut plan.beads.changed)];
            plan.beads.kept.extend(left.iter().flatten().map(|row| key(Kind::Beads, row)));
        }
        imported => plan.skip(imported?),
    }
    Ok(())
}

fn import_sessions(ctx: &Context, plan: &mut Plan) -> Result<(), ApiError> {
    let ids = |rows: &[Record]| rows.iter().map(|row| key(Kind::Sessions, row)).collect::<BTreeSet<String>>();
    let (added, changed) = (ids(&plan.sessions.added), ids(&plan.sessions.changed));
    let kept: BTreeSet<String> = plan.sessions.kept.iter().cloned().collect();
    for (key, record) in plan.stored.sessions.iter().filter(|(key, _)| !kept.contains(*key)) {
        let (is_new, is_later) = (added.contains(key), changed.contains(key));
        let conversation = plan.stored.conversation(&plan.repo, key)?;
        let Ok(id) = key.parse::<SessionId>() else { continue };
        if !is_new && !is_later && conversation.is_none() {
            continue;
        }
        let Ok(meta) = serde_json::from_value::<Meta>(Value::Object(record.clone())) else {
            plan.warnings.push(format!("session {} has an unsupported format", id.short()));
            continue;
        };
        let lock = match is_new {
            true => Some(ctx.store.create(&meta).map_err(store_error)?),
            false => ctx.store.session(id).try_lock().map_err(store_error)?,
        };
        let Some(lock) = lock else {
            if is_later {
                plan.warnings.push(format!("session {} is active and was skipped", id.short()));
            }
            continue;
        };
        if is_later {
            lock.save_meta(&meta).map_err(store_error)?;
        }
        if let Some(conversation) = conversation {
            import_messages(&lock, &conversation, &mut plan.warnings)?;
        }
    }
    Ok(())
}

/// Appends the messages that the local session lacks.
fn import_messages(
    lock: &SessionLock,
    conversation: &Conversation,
    warnings: &mut Vec<String>,
) -> Result<(), ApiError> {
    let existing = lock.transcript().map_err(store_error)?.messages;
    let existing =
        existing.into_iter().filter_map(|message| serde_json::to_value(message).ok()?.as_object().cloned());
    let missing = conversation.beyond(&Conversation::of(existing));
    let messages: Vec<Message> =
        missing.into_iter().filter_map(|line| serde_json::from_value(Value::Object(line)).ok()).collect();
    if messages.is_empty() {
        return Ok(());
    }
    let (writer, problems) = lock.message_writer().map_err(store_error)?;
    warnings.extend(problems.iter().map(|problem| chain(problem)));
    writer.append_all(&messages).map_err(store_error)
}

fn title(row: &Record) -> String {
    let text = |key: &str| row.get(key).and_then(Value::as_str);
    let title = text("title").or_else(|| text("objective")).or_else(|| text("id")).unwrap_or_default();
    bc_core::text::cut(&one_line(title), 200)
}

impl Plan {
    /// Marks the beads that the tracker cannot store as kept instead of added or changed, and adds a warning
    /// for each reason.
    fn skip(&mut self, left: Vec<LeftOut>) {
        for LeftOut { ids, why } in left {
            let is_left = |row: &Record| ids.contains(&key(Kind::Beads, row));
            self.beads.added.retain(|row| !is_left(row));
            self.beads.changed.retain(|row| !is_left(row));
            let named = bc_core::text::cut(&ids.join(", "), 200);
            let beads =
                if ids.len() == 1 { "1 bead is".to_owned() } else { format!("{} beads are", ids.len()) };
            self.warnings.push(format!("{beads} skipped ({named}): {why}"));
            self.beads.kept.extend(ids);
        }
    }

    fn shown(self) -> Restore {
        let mut items = Vec::new();
        let parts = [
            (Kind::Beads, &self.beads, &self.stored.beads),
            (Kind::Memories, &self.memories, &self.stored.memories),
            (Kind::Sessions, &self.sessions, &self.stored.sessions),
        ];
        for (kind, changes, stored) in parts {
            let mut add = |key: String, row: Option<&Record>, change| {
                let title = row.map(title).unwrap_or_default();
                items.push(RestoreItem { kind: RestoreKind::from(kind), key, title, change });
            };
            for row in &changes.added {
                add(key(kind, row), Some(row), RestoreChange::Added);
            }
            for row in &changes.changed {
                add(key(kind, row), Some(row), RestoreChange::Changed);
            }
            for key in &changes.kept {
                add(key.clone(), stored.get(key), RestoreChange::Kept);
            }
        }
        items.truncate(SHOWN);
        let commits = self.repo.commits_known(&names(&self.from)).unwrap_or_default();
        Restore {
            made_at: commits.iter().filter_map(|commit| commit.at).max(),
            from: names(&self.from),
            counts: self.stored.counts(),
            items,
            beads: counts(&self.beads),
            memories: counts(&self.memories),
            sessions: counts(&self.sessions),
            fresh_tracker: self.fresh_tracker,
            warnings: self.warnings,
        }
    }
}

fn names(commits: &[ObjectId]) -> Vec<String> {
    commits.iter().map(|commit| commit.as_str().to_owned()).collect()
}

fn key(kind: Kind, row: &Record) -> String {
    let id = || row.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    match kind {
        Kind::Memories => match row.get("metadata").and_then(|metadata| metadata.get(KEY)?.as_str()) {
            Some(key) => key.to_owned(),
            None => from_row(row).map_or_else(id, |entry| entry.key),
        },
        Kind::Beads | Kind::Sessions => id(),
    }
}

fn counts(changes: &Changes) -> RestoreCounts {
    RestoreCounts {
        added: count(changes.added.len()),
        changed: count(changes.changed.len()),
        kept: count(changes.kept.len()),
        same: count(changes.same),
    }
}
