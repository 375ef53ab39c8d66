//! The thread that makes a checkpoint of the working tree before each prompt. Claude waits for the prompt's
//! hook, so a checkpoint never contains changes from the following turn.

use bc_core::ids::SessionId;
use bc_git::{Git, GitError, NewTurn, Repo};
use std::{
    io,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
    time::Duration,
};

/// The time limit for a checkpoint. The hook's relay waits longer.
pub(crate) const WITHIN: Duration = Duration::from_secs(12);

/// The maximum number of queued checkpoints. Claude submits one prompt at a time.
const QUEUE_MAX: usize = 4;

/// The result of one requested checkpoint.
#[derive(Debug)]
pub(crate) struct CheckpointReply {
    pub(crate) ticket: u64,
    pub(crate) failure: Option<CheckpointFailure>,
}

/// Why a prompt has no checkpoint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CheckpointFailure {
    NoRepository,
    /// Git exceeded the time limit.
    TooSlow,
    Failed(String),
}

/// Makes checkpoints on request.
pub(crate) trait Checkpoints: Send {
    /// Requests a checkpoint before a prompt. Returns whether a reply will follow.
    fn keep(&self, ticket: u64, turn: NewTurn) -> bool;
}

pub(crate) struct CheckpointThread(SyncSender<(u64, NewTurn)>);

impl CheckpointThread {
    /// Starts the thread, which calls `reply` until that returns false.
    pub(crate) fn start(
        session: SessionId,
        cwd: PathBuf,
        reply: impl Fn(CheckpointReply) -> bool + Send + 'static,
    ) -> io::Result<CheckpointThread> {
        let (jobs, received) = sync_channel(QUEUE_MAX);
        thread::Builder::new()
            .name("checkpoints".into())
            .spawn(move || work(session, &cwd, &received, &reply))?;
        Ok(CheckpointThread(jobs))
    }
}

impl Checkpoints for CheckpointThread {
    fn keep(&self, ticket: u64, turn: NewTurn) -> bool {
        self.0.try_send((ticket, turn)).is_ok()
    }
}

fn work(
    session: SessionId,
    cwd: &Path,
    jobs: &Receiver<(u64, NewTurn)>,
    reply: &impl Fn(CheckpointReply) -> bool,
) {
    // The repository is discovered again for each prompt, because a turn can create one.
    let git = Git::find();
    for (ticket, turn) in jobs {
        let kept = match &git {
            Ok(git) => Repo::discover_with(git.clone(), cwd)
                .and_then(|repo| repo.keep_before_prompt(session, &turn, WITHIN)),
            Err(error) => Err(GitError::Failed {
                doing: "keep a checkpoint",
                dir: cwd.to_owned(),
                said: error.to_string(),
            }),
        };
        if let Ok(kept) = &kept {
            tracing::debug!(number = kept.checkpoint.number, new = kept.is_new, "checkpoint");
        }
        let failure = kept.err().map(|error| why(&error));
        if !reply(CheckpointReply { ticket, failure }) {
            return;
        }
    }
}

fn why(error: &GitError) -> CheckpointFailure {
    match error {
        GitError::NotARepository { .. } | GitError::Bare { .. } => CheckpointFailure::NoRepository,
        error if error.is_timeout() => CheckpointFailure::TooSlow,
        error => CheckpointFailure::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_git::PromptPlace;

    #[test]
    fn a_folder_without_a_repository_is_no_failure_to_report() {
        let dir = tempfile::tempdir().unwrap();
        let (replies, received) = sync_channel(1);
        let session = "0197f3b0-0000-7000-8000-000000000001".parse().unwrap();
        let reply = move |reply| replies.send(reply).is_ok();
        let thread = CheckpointThread::start(session, dir.path().to_owned(), reply).unwrap();
        let at = chrono::DateTime::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap();
        let turn = NewTurn { prompt: "go".into(), at, place: PromptPlace::default() };
        assert!(thread.keep(7, turn));
        let reply = received.recv().unwrap();
        assert_eq!((reply.ticket, reply.failure), (7, Some(CheckpointFailure::NoRepository)));
    }
}
