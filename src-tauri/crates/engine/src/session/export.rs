//! Reads a session's conversation, and exports it as a document.

use crate::context::{
    Context,
    diffs::commit_line,
    errors::{chain, store_error},
    now, secret_redaction,
};
use bc_core::{
    export::{self, Document, SessionDocument},
    ids::SessionId,
    session::Meta,
    work::CommitLine,
};
use bc_git::Repo;
use bc_wire::{ApiError, session::*};
use serde::{Serialize, de::DeserializeOwned};
use std::{collections::HashMap, path::Path};

pub(crate) fn transcript(ctx: &Context, id: SessionId) -> Result<Transcript, ApiError> {
    let meta = ctx.meta(id)?;
    let read = ctx.store.session(id).transcript().map_err(store_error)?;
    let mut warnings: Vec<String> = read.problems.iter().map(|p| chain(p)).collect();
    if meta.unknown_transcript_lines > 0 {
        let (lines, kinds) = (meta.unknown_transcript_lines, meta.unknown_in_words());
        warnings.push(format!("{lines} lines of claude's transcript are of unknown kinds: {kinds}"));
    }
    Ok(Transcript { messages: read.messages, warnings })
}

pub(crate) fn export(ctx: &Context, params: &SessionExportParams) -> Result<Exported, ApiError> {
    let dir = ctx.store.session(params.id);
    let mut meta = dir.meta().map_err(store_error)?;
    let mut messages = transcript(ctx, params.id)?.messages;
    if params.no_tool_output && params.format == ExportFormat::Json {
        let calls = messages.iter_mut().flat_map(|message| message.tool_calls.iter_mut().flatten());
        calls.for_each(|call| call.output = None);
    }
    let mut secrets_removed = redact(&mut meta, params)?;
    let stem = file_stem(&meta);
    let mut commits = commits_of(ctx, &meta);
    secrets_removed += redact(&mut commits, params)?;
    let (text, extension) = match params.format {
        ExportFormat::Md | ExportFormat::Html => {
            if !params.keep_secrets {
                secrets_removed += secret_redaction::redact_all(&mut messages)?;
            }
            let roots = roots(ctx, &meta);
            let mut changed = changed(ctx, params.id);
            secrets_removed += redact(&mut changed, params)?;
            let document = Document {
                meta: &meta,
                messages: &messages,
                commits: &commits,
                changed: &changed,
                roots: &roots,
                now: now(),
                tool_output: !params.no_tool_output,
            };
            match params.format {
                ExportFormat::Html => (export::html(&document), "html"),
                _ => (export::markdown(&document), "md"),
            }
        }
        ExportFormat::Json => {
            let mut context_pack = dir.context().map_err(store_error)?;
            secrets_removed += redact(&mut context_pack, params)?;
            let (parts, count) =
                secret_redaction::serialize_all(messages, SessionDocument::BETWEEN, params.keep_secrets)?;
            secrets_removed += count;
            let document =
                SessionDocument { meta: &meta, context_pack: context_pack.as_ref(), commit_list: &commits };
            (document.to_json(&parts).map_err(secret_redaction::json_error)?, "json")
        }
    };
    Ok(Exported { file_name: format!("{stem}.{extension}"), text, secrets_removed })
}

/// Removes the secrets unless the user keeps them; returns the number of removed secrets.
fn redact<T: Serialize + DeserializeOwned>(
    value: &mut T,
    params: &SessionExportParams,
) -> Result<u32, ApiError> {
    if params.keep_secrets { Ok(0) } else { secret_redaction::redact(value) }
}

/// The session's commits. If git no longer has a commit, only its hash is set.
pub(super) fn commits_of(ctx: &Context, meta: &Meta) -> Vec<CommitLine> {
    if meta.commits.is_empty() {
        return Vec::new();
    }
    // If the session's worktree no longer exists, use the project's repository.
    let own_repo = meta.cwd.as_deref().and_then(|cwd| Repo::discover(Path::new(cwd)).ok());
    let repo = own_repo.or_else(|| ctx.project.repo().ok());
    let known = repo.and_then(|repo| repo.commits_known(&meta.commits).ok()).unwrap_or_default();
    let known: HashMap<String, CommitLine> =
        known.into_iter().map(|commit| (commit.hash.clone(), commit_line(commit))).collect();
    let missing = |hash: &String| CommitLine {
        hash: hash.clone(),
        subject: String::new(),
        author: String::new(),
        at: None,
    };
    meta.commits.iter().map(|hash| known.get(hash).cloned().unwrap_or_else(|| missing(hash))).collect()
}

/// The files that the session changed according to git; empty if git fails.
fn changed(ctx: &Context, id: SessionId) -> Vec<String> {
    let changes = super::changes::changes(ctx, &SessionChangesParams { id, ignore_space: false });
    changes.map(|changes| changes.files.into_iter().map(|file| file.path).collect()).unwrap_or_default()
}

/// The folders to which shown paths are relative: the session's and the project's.
fn roots(ctx: &Context, meta: &Meta) -> Vec<String> {
    let project = ctx.project.root.display().to_string();
    meta.cwd.iter().cloned().chain([project]).map(|root| root.trim_end_matches('/').to_owned()).collect()
}

/// The file's name without extension, such as `2026-01-19-BC-001-implement-login`.
fn file_stem(meta: &Meta) -> String {
    let mut stem = meta.created_at.format("%Y-%m-%d").to_string();
    let words = [meta.bead_id.as_ref().map(ToString::to_string), meta.title.clone()];
    for word in words.into_iter().flatten() {
        let parts: Vec<_> = word.split(|c: char| !c.is_alphanumeric()).filter(|p| !p.is_empty()).collect();
        if !parts.is_empty() {
            stem = format!("{stem}-{}", parts.join("-"));
        }
    }
    stem.chars().take(80).collect::<String>().trim_end_matches('-').to_owned()
}
