//! The merge queue. Each request is a file in the shared format; the requests' order and progress are in
//! `queue.json`, which only this program uses.
//!
//! `queue.json` is authoritative. The request files are updated after it, for other programs. If a crash
//! leaves them inconsistent, the next change repairs them ([`State::change_queue`]).

use crate::{FleetError, State, files::Kind};
use bc_core::{
    fleet::{EntryState, FleetEventKind, MergeQueue, MergeRequest, MergeStatus, QueueEntry},
    ids::{BeadId, BranchName, MergeRequestId},
};
use bc_store::{file, lock::FileLock};
use std::{path::PathBuf, time::Duration};

/// The name of the file with the queue.
const QUEUE: &str = "queue";

/// The time limit for taking the merge lock.
const LOCK_WAIT: Duration = Duration::from_secs(2);

impl State {
    /// All merge requests, sorted by id.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn merge_requests(&self) -> Result<Vec<MergeRequest>, FleetError> {
        self.all(Kind::MergeQueue)
    }

    /// The queue and its requests. The result includes other programs' changes to the requests; nothing is
    /// written.
    ///
    /// # Errors
    ///
    /// A file cannot be read or was written by a later version.
    pub fn queue(&self) -> Result<(MergeQueue, Vec<MergeRequest>), FleetError> {
        let requests = self.merge_requests()?;
        let mut queue: MergeQueue = self.read_at(self.path(Kind::Console, QUEUE))?.unwrap_or_default();
        queue.readable()?;
        queue.adopt(&requests, self.now());
        Ok((queue, requests))
    }

    /// Appends a branch to the queue. A queued request for the same bead and branches keeps its position; a
    /// stopped request is queued again. `approved` is the commit that the user approved, if any; the branch
    /// is then merged only at this commit.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written, or was written by a later version.
    pub fn enqueue_merge(
        &self,
        bead: &BeadId,
        source: &BranchName,
        target: &BranchName,
        approved: Option<&str>,
    ) -> Result<MergeRequest, FleetError> {
        let _lock = self.lock()?;
        let approved = approved.map(str::to_owned);
        let (queue, requests) = self.queue()?;
        // A request that may already be merged cannot take new commits, so it is not reused.
        let open = |id: &MergeRequestId| {
            let landing = queue.current.as_ref().is_some_and(|at| at.id == *id && at.step.may_have_landed());
            let merged = |entry: &QueueEntry| matches!(entry.state, EntryState::Merged { .. });
            !landing && queue.entry(id).is_some_and(|entry| !merged(entry))
        };
        let same = |request: &MergeRequest| {
            open(&request.id)
                && (&request.bead_id, &request.source_branch, &request.target_branch)
                    == (bead, source, target)
        };
        if let Some(waits) = requests.into_iter().find(same) {
            self.change_locked(|queue| Ok(queue.again(&waits.id, approved.clone())?))?;
            return Ok(waits);
        }
        let request = MergeRequest {
            id: MergeRequestId::new(State::random()),
            source_branch: source.clone(),
            target_branch: target.clone(),
            status: MergeStatus::Pending,
            bead_id: bead.clone(),
            extra: Default::default(),
        };
        let written = request.clone();
        self.change(Kind::MergeQueue, request.id.as_str(), move |_| Ok(written.clone()))?;
        self.change_locked(|queue| Ok(queue.again(&request.id, approved.clone())?))?;
        self.log_event(FleetEventKind::MergeQueued { request: request.id.clone(), bead: bead.clone() })?;
        Ok(request)
    }

    /// Changes the queue and updates the request files.
    ///
    /// # Errors
    ///
    /// The change is not valid, or a file cannot be written.
    pub fn change_queue<T>(
        &self,
        change: impl FnMut(&mut MergeQueue) -> Result<T, FleetError>,
    ) -> Result<T, FleetError> {
        let _lock = self.lock()?;
        self.change_locked(change)
    }

    /// Removes a request from the queue and deletes its file.
    ///
    /// # Errors
    ///
    /// The request does not exist, has been merged or may already have reached the target, or a file cannot
    /// be written.
    pub fn cancel_merge(&self, id: &MergeRequestId) -> Result<(), FleetError> {
        let _lock = self.lock()?;
        let (mut queue, requests) = self.queue()?;
        queue.cancel(id)?;
        // Remove the file first, because a remaining file would be added to the queue again.
        file::remove(&self.path(Kind::MergeQueue, id.as_str()))?;
        self.change_locked(|_| Ok(()))?;
        if let Some(request) = requests.into_iter().find(|request| request.id == *id) {
            self.log_event(FleetEventKind::MergeCancelled { request: request.id, bead: request.bead_id })?;
        }
        Ok(())
    }

    /// Takes the merge lock, or returns `None` if another process holds it. Waits for up to [`LOCK_WAIT`],
    /// because a child of a killed program can hold the lock slightly longer, and [`State::is_merging`] takes
    /// it briefly.
    ///
    /// # Errors
    ///
    /// The lock file cannot be created.
    pub fn merging_lock(&self) -> Result<Option<FileLock>, FleetError> {
        Ok(FileLock::exclusive(&self.console("merging.lock")?, LOCK_WAIT)?)
    }

    /// Whether any process holds the merge lock.
    ///
    /// # Errors
    ///
    /// The lock file cannot be created.
    pub fn is_merging(&self) -> Result<bool, FleetError> {
        Ok(FileLock::try_exclusive(&self.console("merging.lock")?)?.is_none())
    }

    /// Returns the path of a file that only this program uses, and creates its folder.
    ///
    /// # Errors
    ///
    /// The folder cannot be created.
    pub fn console(&self, name: &str) -> Result<PathBuf, FleetError> {
        let path = self.dir().join("console").join(name);
        self.make()?;
        file::create_dir(&self.dir().join("console"))?;
        Ok(path)
    }

    /// Like [`State::change_queue`]. The caller holds the lock.
    fn change_locked<T>(
        &self,
        mut change: impl FnMut(&mut MergeQueue) -> Result<T, FleetError>,
    ) -> Result<T, FleetError> {
        let requests = self.merge_requests()?;
        let now = self.now();
        let mut outcome = None;
        let queue = self.change(Kind::Console, QUEUE, |queue: Option<MergeQueue>| {
            let mut queue = queue.unwrap_or_default();
            queue.readable()?;
            queue.adopt(&requests, now);
            outcome = Some(change(&mut queue)?);
            Ok(queue)
        })?;
        for request in &requests {
            let Some(entry) = queue.entry(&request.id) else { continue };
            let status = queue.status(entry);
            if status == request.status {
                continue;
            }
            self.change(Kind::MergeQueue, request.id.as_str(), |found: Option<MergeRequest>| {
                Ok(MergeRequest { status, ..found.unwrap_or_else(|| request.clone()) })
            })?;
            let (request, bead) = (request.id.clone(), request.bead_id.clone());
            self.log_event(FleetEventKind::MergeStatus { request, bead, status })?;
        }
        Ok(outcome.expect("a successful change ran the closure"))
    }
}
