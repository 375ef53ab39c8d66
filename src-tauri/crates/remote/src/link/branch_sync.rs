//! Keeps the session's local branch in sync with the branch at the place, on a separate thread.

use super::{
    connection::control_socket,
    git_command::{GitTarget, TARGET_VARIABLE, git_command_line},
};
use crate::spec::LinkSpec;
use bc_git::{GitError, PlaceTransport, Repo, TreeUpdate};
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
                let fetched = fetch(&own);
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

    /// Pushes the branch to the place before the host is started.
    pub(super) fn push(&self) -> Result<(), GitError> {
        repo(&self.spec)?.push_to_place(&transport(&self.spec)?, &self.spec.branch)
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

fn repo(spec: &LinkSpec) -> Result<Repo, GitError> {
    Repo::discover(&spec.project_root)
}

fn transport(spec: &LinkSpec) -> Result<PlaceTransport, GitError> {
    let unknown = |_| GitError::GitMissing;
    let exe = std::env::current_exe().map_err(unknown)?;
    let control = control_socket(spec).map_err(|_| GitError::GitMissing)?;
    let target = GitTarget {
        place: spec.place.clone(),
        project: spec.project.clone(),
        session: spec.session,
        control,
    };
    let target = serde_json::to_string(&target).expect("our own record has string keys");
    Ok(PlaceTransport { command: git_command_line(&exe), env: vec![(TARGET_VARIABLE.to_owned(), target)] })
}

/// Fetches the branch and the checkpoints, and fast-forwards the local worktree unless local changes prevent
/// it.
fn fetch(spec: &LinkSpec) -> Result<(), GitError> {
    let repo = repo(spec)?;
    let tip = repo.fetch_from_place(&transport(spec)?, &spec.place.name, &spec.branch, spec.session)?;
    let Some(tip) = tip else { return Ok(()) };
    if repo.tip(&spec.branch)?.as_deref() == Some(tip.as_str()) {
        return Ok(());
    }
    if let TreeUpdate::Refused(why) = repo.update_worktree(&spec.worktree, &spec.branch, &tip)? {
        tracing::warn!(%why, "the local worktree does not follow the place");
    }
    Ok(())
}
