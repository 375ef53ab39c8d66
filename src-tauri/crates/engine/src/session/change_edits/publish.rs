//! Pushes a session's branch, and opens a pull request with GitHub's `gh` program.
//!
//! `gh` runs git with the same settings as this program, so that git does not run the repository's hooks or
//! file monitor.

use super::commit_files;
use crate::{
    context::{Context, count, errors::git_error},
    session::{
        changes::SessionTree,
        place_files::{FileCommand, FilesAtPlace},
    },
};
use bc_core::{
    ids::{BranchName, SessionId},
    text::{cut, one_line},
};
use bc_git::{Git, PushOutcome};
use bc_process::{
    find::find,
    run::{Finished, Program},
};
use bc_wire::{ApiError, ErrorCode, session::*};
use std::{path::Path, time::Duration};

/// The time limit for `gh`, which waits for the network.
const DEADLINE: Duration = Duration::from_secs(120);
/// The maximum length of a pull request's title, in bytes.
const TITLE_MAX: usize = 1 << 10;
/// The maximum length of a pull request's description, in bytes.
const BODY_MAX: usize = 64 << 10;

pub(crate) fn publish_preview(ctx: &Context, id: SessionId) -> Result<PublishPreview, ApiError> {
    let meta = ctx.meta(id)?;
    let tree = SessionTree::of(ctx, meta)?;
    let (repo, branch) = (&tree.worktree, branch(&tree)?);
    let remote = repo.remote_for_pushes().map_err(git_error)?;
    let tip = repo.commit_of("HEAD").map_err(git_error)?;
    let seen = match &remote {
        Some(remote) => repo.remote_tip(remote, &branch).map_err(git_error)?,
        None => None,
    };
    let changes = tree.changes()?;
    let unpushed = match seen {
        Some(seen) => repo.divergence(&tip, &seen).map_err(git_error)?.0,
        None => {
            let all = repo.commits_since(changes.base.as_deref()).map_err(git_error)?;
            count(all.len())
        }
    };
    let subjects: Vec<String> = changes.commits.iter().map(|commit| one_line(&commit.subject)).collect();
    let title = tree.meta.title.as_deref().map(one_line).filter(|title| !title.is_empty());
    let title = title.or_else(|| subjects.last().cloned()).unwrap_or_else(|| branch.to_string());
    let mut body = vec![tree.meta.objective.as_deref().unwrap_or_default().trim().to_owned()];
    if subjects.len() > 1 {
        let list: Vec<String> = subjects.iter().map(|subject| format!("- {subject}")).collect();
        body.push(list.join("\n"));
    }
    body.extend(tree.meta.bead_id.as_ref().map(|bead| format!("Bead: {bead}")));
    body.retain(|part| !part.is_empty());
    let uncommitted = match FilesAtPlace::of(ctx, &tree.meta)? {
        // The branch can also be published while the place does not answer.
        Some(files) => {
            files.run(FileCommand::CommitPreview).ok().map(|preview: CommitPreview| preview.files.len())
        }
        None => Some(commit_files::uncommitted(&tree)?.len()),
    };
    Ok(PublishPreview {
        base: tree.meta.base_branch.clone().filter(|base| *base != branch),
        branch,
        remote,
        unpushed,
        uncommitted: uncommitted.map(count),
        gh: gh().is_ok(),
        title: cut(&title, 200),
        body: cut(&body.join("\n\n"), BODY_MAX / 4),
    })
}

pub(crate) fn push(ctx: &Context, id: SessionId) -> Result<Pushed, ApiError> {
    ctx.writable()?;
    push_tree(&SessionTree::of(ctx, ctx.meta(id)?)?)
}

fn push_tree(tree: &SessionTree) -> Result<Pushed, ApiError> {
    let (repo, branch) = (&tree.worktree, branch(tree)?);
    let Some(remote) = repo.remote_for_pushes().map_err(git_error)? else {
        return Err(ApiError::new(ErrorCode::GitFailed, "the repository has no remote to push to")
            .hint("add one with `git remote add origin ADDRESS`, or set git's remote.pushDefault"));
    };
    let tip = repo.commit_of("HEAD").map_err(git_error)?;
    match repo.push_branch(&remote, &branch, &tip).map_err(git_error)? {
        PushOutcome::Done => Ok(Pushed { remote, branch }),
        PushOutcome::Behind => {
            let text = format!("{remote} has commits of {branch} that this clone lacks: nothing was pushed");
            Err(ApiError::new(ErrorCode::GitFailed, text).hint("fetch and merge them first"))
        }
        PushOutcome::Refused(why) => {
            Err(ApiError::new(ErrorCode::GitFailed, format!("{remote} refused {branch}: {why}")))
        }
    }
}

pub(crate) fn pull_request(ctx: &Context, params: &PullRequestParams) -> Result<PullRequest, ApiError> {
    ctx.writable()?;
    pull_request_with(&gh()?, ctx, params)
}

pub(super) fn pull_request_with(
    gh: &Path,
    ctx: &Context,
    params: &PullRequestParams,
) -> Result<PullRequest, ApiError> {
    let title = one_line(&params.title);
    let usage = |text: &str| Err(ApiError::new(ErrorCode::Usage, text));
    if title.is_empty() {
        return usage("the pull request has no title");
    }
    if title.len() > TITLE_MAX || params.body.len() > BODY_MAX {
        return Err(ApiError::new(ErrorCode::TextTooLarge, "the title or the description is too long"));
    }
    if params.body.contains('\0') {
        return usage("the description contains a NUL character");
    }
    let meta = ctx.meta(params.id)?;
    let tree = SessionTree::of(ctx, meta)?;
    let Pushed { branch, .. } = push_tree(&tree)?;
    if params.base.as_ref() == Some(&branch) {
        return usage("a pull request needs a branch other than its target");
    }
    // `gh` runs `git status`. Run git first, to report its own error instead of `gh`'s.
    tree.worktree.dirty_files().map_err(git_error)?;
    let mut args: Vec<String> = ["pr", "create", "--head"].map(str::to_owned).to_vec();
    args.extend([branch.to_string(), "--title".into(), title, "--body-file".into(), "-".into()]);
    if let Some(base) = &params.base {
        args.extend(["--base".into(), base.to_string()]);
    }
    if params.draft {
        args.push("--draft".into());
    }
    let done = run(gh, tree.worktree.top_level(), &args, &params.body)?;
    let url = |text: &str| text.split_whitespace().rev().find(|word| is_page(word)).map(str::to_owned);
    if done.ok() {
        let found = url(&done.out()).or_else(|| url(&done.err()));
        return found.map(|url| PullRequest { url, existed: false }).ok_or_else(|| {
            let said = cut(&one_line(&done.out()), 300);
            ApiError::new(
                ErrorCode::GitFailed,
                format!("gh did not report the address of the pull request: {said}"),
            )
        });
    }
    let said = done.err();
    if let Some(url) = url(&said).filter(|_| said.contains("already exists")) {
        return Ok(PullRequest { url, existed: true });
    }
    let text = format!("gh could not open the pull request: {}", cut(&one_line(&said), 500));
    Err(ApiError::new(ErrorCode::GitFailed, text)
        .hint(format!("{branch} is pushed; `gh auth status` shows whether gh is logged in")))
}

/// Whether a word of `gh`'s output is an address that is safe to open.
fn is_page(word: &str) -> bool {
    word.starts_with("https://") && !word.chars().any(|c| c.is_control() || matches!(c, '"' | '<' | '>'))
}

fn gh() -> Result<std::path::PathBuf, ApiError> {
    find("gh", None).ok_or_else(|| {
        ApiError::new(ErrorCode::GhMissing, "GitHub's program gh is not installed")
            .hint("install it from https://cli.github.com and run `gh auth login`")
    })
}

fn run(gh: &Path, folder: &Path, args: &[String], input: &str) -> Result<Finished, ApiError> {
    let mut program =
        Program::new(gh).args(args).cwd(folder).stdin(input.as_bytes()).timeout(DEADLINE).cap(1 << 20);
    for (key, value) in Git::safe_settings() {
        program = program.env(key, value);
    }
    for (key, value) in [("GH_PROMPT_DISABLED", "1"), ("NO_COLOR", "1"), ("GH_NO_UPDATE_NOTIFIER", "1")] {
        program = program.env(key, value);
    }
    let failed = |error| {
        let text = format!("gh could not be run: {}", crate::context::errors::chain(&error));
        ApiError::new(ErrorCode::GitFailed, text)
    };
    program.run().map_err(failed)
}

fn branch(tree: &SessionTree) -> Result<BranchName, ApiError> {
    let missing = || ApiError::new(ErrorCode::SessionState, "the session has no branch to push");
    tree.meta.branch.clone().ok_or_else(missing)
}
