//! Fetches a session's branch from its place: for the link on a separate thread, and for the engine after a command on
//! the session's files.

use super::{
    connection::control_socket,
    git_command::{GitTarget, TARGET_VARIABLE, git_command_line},
};
use crate::{
    programs,
    spec::{CheckpointId, LinkSpec},
};
use bc_core::ids::SessionId;
use bc_git::{GitError, PlaceTransport, PushedCheckpoints, Repo, TreeUpdate};
use bc_process::socket;
use bc_store::lock::FileLock;
use std::{
    io,
    sync::{
        Arc,
        mpsc::{SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::Duration,
};

/// The time limit for the last fetch when a session ends.
const LAST_WITHIN: Duration = Duration::from_secs(50);

/// How long a fetch waits for another one of the same session.
const LOCKED_WITHIN: Duration = Duration::from_secs(20);

pub(super) struct BranchSync {
    spec: Arc<LinkSpec>,
    requests: SyncSender<Option<SyncSender<bool>>>,
}

impl BranchSync {
    pub(super) fn start(spec: Arc<LinkSpec>) -> io::Result<BranchSync> {
        // At most one request waits while another is processed. The waiting request covers all commits made
        // before its fetch starts.
        let (requests, received) = sync_channel::<Option<SyncSender<bool>>>(1);
        let own = Arc::clone(&spec);
        thread::Builder::new().name("branches".into()).spawn(move || {
            while let Ok(done) = received.recv() {
                let fetched = fetch_work(&own);
                if let Some(done) = done {
                    let _ = done.send(fetched.is_ok());
                }
                if let Err(error) = fetched {
                    tracing::warn!(%error, "the branch could not be fetched; the next commit tries again");
                }
            }
        })?;
        Ok(BranchSync { spec, requests })
    }

    /// Pushes the branch, the checkpoint whose files a new worktree gets, and with `own_checkpoints` the
    /// session's checkpoints, before the host is started.
    pub(super) fn push(
        &self,
        checkpoint: Option<&CheckpointId>,
        own_checkpoints: bool,
    ) -> Result<(), GitError> {
        let pushed = PushedCheckpoints {
            one: checkpoint.map(|one| (one.session, one.number)),
            all_of: own_checkpoints.then_some(self.spec.session),
        };
        repo(&self.spec)?.push_to_place(&transport(&self.spec)?, &self.spec.branch, pushed)
    }

    /// Requests a fetch without waiting for it.
    pub(super) fn sync(&self) {
        match self.requests.try_send(None) {
            Ok(()) | Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => tracing::warn!("branches are not fetched any more"),
        }
    }

    /// Requests a fetch and waits for it, with a time limit. Returns whether all work at the place was
    /// fetched.
    pub(super) fn sync_and_wait(&self) -> bool {
        let (sender, done) = sync_channel(1);
        self.requests.send(Some(sender)).is_ok() && done.recv_timeout(LAST_WITHIN).unwrap_or(false)
    }
}

/// Prevents simultaneous fetches of a session. `None` if the lock is not free in time; git then reports a conflict.
fn fetch_lock(session: SessionId) -> Option<FileLock> {
    let path = socket::runtime_dir().ok()?.join(format!("{}.f", session.short()));
    FileLock::exclusive(&path, LOCKED_WITHIN).ok().flatten()
}

fn repo(spec: &LinkSpec) -> Result<Repo, GitError> {
    Repo::discover(&spec.project_root)
}

fn transport(spec: &LinkSpec) -> Result<PlaceTransport, GitError> {
    let unknown = |_| GitError::GitMissing;
    // The engine also fetches, and its program can be the window's.
    let console = programs::console().map_err(unknown)?;
    let control = control_socket(spec.session).map_err(unknown)?;
    let target = GitTarget {
        place: spec.place.clone(),
        project: spec.project.clone(),
        session: spec.session,
        control,
    };
    let target = serde_json::to_string(&target).expect("our own record has string keys");
    Ok(PlaceTransport {
        command: git_command_line(&console),
        env: vec![(TARGET_VARIABLE.to_owned(), target)],
    })
}

/// Fetches a session's branch and checkpoints, and fast-forwards the local worktree unless local changes prevent
/// it. Works without a link.
///
/// # Errors
/// The place cannot be reached, or git fails.
pub fn fetch_work(spec: &LinkSpec) -> Result<(), GitError> {
    let repo = repo(spec)?;
    // The link and the engine can fetch at the same time, and git fails if both update the same reference.
    let _lock = fetch_lock(spec.session);
    let tip = repo.fetch_from_place(&transport(spec)?, &spec.place.name, &spec.branch, spec.session)?;
    if let Some(tip) = &tip
        && repo.tip(&spec.branch)?.as_deref() != Some(tip.as_str())
        && let TreeUpdate::Refused(why) = repo.update_worktree(&spec.worktree, &spec.branch, tip)?
    {
        tracing::warn!(%why, "the local worktree does not follow the place");
    }
    Ok(())
}
