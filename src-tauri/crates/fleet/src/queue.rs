//! The merge queue. Each request is a file of the format; their order and progress are in a file of this
//! program.
//!
//! The order's file is authoritative. The requests' files are written after it, for other programs; the next
//! change repairs a difference ([`State::change_queue`]).

use crate::{FleetError, State, files::Kind};
use bc_core::{
    fleet::{EntryState, FleetEventKind, MergeQueue, MergeRequest, MergeStatus, QueueEntry},
    ids::{BeadId, BranchName, MergeRequestId},
};
use bc_store::{file, lock::FileLock};
use std::{path::PathBuf, time::Duration};

/// Timeout for the merge lock.
const MOMENT: Duration = Duration::from_secs(2);

impl State {
    /// All requests to merge, by name.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn merge_requests(&self) -> Result<Vec<MergeRequest>, FleetError> {
        self.all(Kind::MergeQueue)
    }

    /// The queue with the changes of other programs to the requests applied, without writing anything.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or a later version wrote it.
    pub fn queue(&self) -> Result<(MergeQueue, Vec<MergeRequest>), FleetError> {
        let requests = self.merge_requests()?;
        let mut queue: MergeQueue = self.read_at(self.queue_path())?.unwrap_or_default();
        queue.readable()?;
        queue.adopt(&requests, self.now());
        Ok((queue, requests))
    }

    /// Appends a branch to the queue. A queued request of the same work and target keeps its position; a
    /// stopped one starts again. `approved` is the commit that the user approved, if any: no other commit is
    /// merged then.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
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
        // New commits are too late for a request that is landing.
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
            self.in_line(|queue| Ok(queue.again(&waits.id, approved.clone())?))?;
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
        self.in_line(|queue| Ok(queue.again(&request.id, approved.clone())?))?;
        self.log_event(FleetEventKind::MergeQueued { request: request.id.clone(), bead: bead.clone() })?;
        Ok(request)
    }

    /// Changes the queue and updates the requests' files.
    ///
    /// # Errors
    ///
    /// The change is not valid, or a file cannot be written.
    pub fn change_queue<T>(
        &self,
        change: impl FnMut(&mut MergeQueue) -> Result<T, FleetError>,
    ) -> Result<T, FleetError> {
        let _lock = self.lock()?;
        self.in_line(change)
    }

    /// Removes a request from the queue and deletes its file.
    ///
    /// # Errors
    ///
    /// The request does not exist, is merged or landing, or a file cannot be written.
    pub fn cancel_merge(&self, id: &MergeRequestId) -> Result<(), FleetError> {
        let _lock = self.lock()?;
        let (mut queue, requests) = self.queue()?;
        queue.cancel(id)?;
        // The file first: an existing one would be added to the queue again.
        file::remove(&self.path(Kind::MergeQueue, id.as_str()))?;
        self.in_line(|_| Ok(()))?;
        if let Some(request) = requests.into_iter().find(|request| request.id == *id) {
            self.log_event(FleetEventKind::MergeCancelled { request: request.id, bead: request.bead_id })?;
        }
        Ok(())
    }

    /// The lock for merging, for one program at a time; `None` while another one holds it. A killed program's
    /// lock may live a moment longer in a child before its exec. A check of the lock holds it even shorter.
    ///
    /// # Errors
    ///
    /// The lock's file cannot be created.
    pub fn merging_lock(&self) -> Result<Option<FileLock>, FleetError> {
        Ok(FileLock::exclusive(&self.console("merging.lock")?, MOMENT)?)
    }

    /// Whether a program holds the lock for merging.
    ///
    /// # Errors
    ///
    /// The lock's file cannot be created.
    pub fn is_merging(&self) -> Result<bool, FleetError> {
        Ok(FileLock::try_exclusive(&self.console("merging.lock")?)?.is_none())
    }

    /// The path of a file of this program beside the format's. Creates its folder.
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

    fn queue_path(&self) -> PathBuf {
        self.dir().join("console/queue.json")
    }

    /// The caller holds the lock.
    fn in_line<T>(
        &self,
        mut change: impl FnMut(&mut MergeQueue) -> Result<T, FleetError>,
    ) -> Result<T, FleetError> {
        let requests = self.merge_requests()?;
        let (path, now) = (self.console("queue.json")?, self.now());
        let mut outcome = None;
        let queue = self.change_at(path, |queue: Option<MergeQueue>| {
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
        Ok(outcome.expect("a change that succeeded was asked"))
    }
}
