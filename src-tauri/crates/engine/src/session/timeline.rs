//! When a session did what, from all that is recorded of it.

use crate::{
    engine::Engine,
    errors::{chain, store_error},
};
use bc_core::{
    ids::SessionId,
    session::Meta,
    timeline::{self, CommitMade, Records, Timeline},
};
use bc_git::{Commit, Repo};
use bc_wire::ApiError;
use std::{collections::HashMap, path::Path};

pub(crate) fn timeline(engine: &Engine, id: SessionId) -> Result<Timeline, ApiError> {
    let dir = engine.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    let transcript = dir.transcript().map_err(store_error)?;
    let injections = dir.injections().map_err(store_error)?;
    let activity = dir.activity().map_err(store_error)?;
    let hooks = dir.hook_runs().map_err(store_error)?;
    let commits = commits(engine, &meta);
    let made = timeline::timeline(Records {
        meta: &meta,
        messages: &transcript.messages,
        injections: &injections.injections,
        activity: &activity.lines,
        commits: &commits,
        hooks: &hooks.runs,
    });
    let problems = [transcript.problems, injections.problems, activity.problems, hooks.problems];
    let warnings = problems.iter().flatten().map(|problem| chain(problem)).collect();
    Ok(Timeline { warnings, ..made })
}

/// The session's commits as git knows them; of one that is gone the hash is left.
fn commits(engine: &Engine, meta: &Meta) -> Vec<CommitMade> {
    if meta.commits.is_empty() {
        return Vec::new();
    }
    // A worktree that is gone was of the same repository.
    let there = meta.cwd.as_deref().and_then(|cwd| Repo::discover(Path::new(cwd)).ok());
    let repo = there.or_else(|| engine.project.repo().ok());
    let known = repo.and_then(|repo| repo.commits_known(&meta.commits).ok()).unwrap_or_default();
    let known: HashMap<String, Commit> = known.into_iter().map(|c| (c.hash.clone(), c)).collect();
    let made = |hash: &String| match known.get(hash) {
        Some(commit) => CommitMade { hash: hash.clone(), subject: commit.subject.clone(), at: commit.at },
        None => CommitMade { hash: hash.clone(), subject: String::new(), at: None },
    };
    meta.commits.iter().map(made).collect()
}
