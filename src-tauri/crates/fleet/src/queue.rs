//! The merge queue: the requests, each a file of the format, and their order and progress in a file of our own.
//!
//! The order's file is what counts; the requests' files say the same to other programs and are written after it,
//! so that whoever looks next brings them in line ([`State::change_queue`]).

use crate::{FleetError, State, files::Kind};
use bc_core::{
    fleet::{EntryState, FleetEventKind, MergeQueue, MergeRequest, MergeStatus, QueueEntry},
    ids::{BeadId, BranchName, MergeRequestId},
};
use bc_store::{file, lock::FileLock};
use std::{path::PathBuf, time::Duration};

/// How long the right to merge is waited for.
const MOMENT: Duration = Duration::from_secs(2);

impl State {
    /// All requests to merge, by name.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn merge_requests(&self) -> Result<Vec<MergeRequest>, FleetError> {
        self.all(Kind::MergeQueue)
    }

    /// Our own part of the queue, with what other programs did to the requests taken in; nothing is written.
    ///
    /// # Errors
    /// A file cannot be read, or a later version wrote it.
    pub fn queue(&self) -> Result<(MergeQueue, Vec<MergeRequest>), FleetError> {
        let requests = self.merge_requests()?;
        let mut queue: MergeQueue = self.read_at(self.queue_path())?.unwrap_or_default();
        queue.readable()?;
        queue.adopt(&requests, self.now());
        Ok((queue, requests))
    }

    /// Puts a branch behind all that wait. One of the same work into the same target that is in the queue
    /// already keeps its place; where it was stopped, it begins anew. `approved` is the branch's commit that a
    /// person approved, where somebody did: no other is merged then.
    ///
    /// # Errors
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
        // What is on the branch by now comes too late for one that is landing.
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
        self.told(FleetEventKind::MergeQueued { request: request.id.clone(), bead: bead.clone() })?;
        Ok(request)
    }

    /// Changes our own part of the queue, and brings the requests' files in line with it.
    ///
    /// # Errors
    /// The change makes no sense, or a file cannot be written.
    pub fn change_queue<T>(
        &self,
        change: impl FnMut(&mut MergeQueue) -> Result<T, FleetError>,
    ) -> Result<T, FleetError> {
        let _lock = self.lock()?;
        self.in_line(change)
    }

    /// Takes a request out of the queue; its file goes.
    ///
    /// # Errors
    /// It is not there, is merged or about to be, or a file cannot be written.
    pub fn cancel_merge(&self, id: &MergeRequestId) -> Result<(), FleetError> {
        let _lock = self.lock()?;
        let (mut queue, requests) = self.queue()?;
        queue.cancel(id)?;
        // The file first: one that is there would be taken in again.
        file::remove(&self.path(Kind::MergeQueue, id.as_str()))?;
        self.in_line(|_| Ok(()))?;
        if let Some(request) = requests.into_iter().find(|request| request.id == *id) {
            self.told(FleetEventKind::MergeCancelled { request: request.id, bead: request.bead_id })?;
        }
        Ok(())
    }

    /// The right to merge, of one program at a time; `None` while another one has it. One that was killed may
    /// have it a moment longer, through a child that had not become another program yet; somebody who only looks has it for less.
    ///
    /// # Errors
    /// The lock's file cannot be made.
    pub fn merging_lock(&self) -> Result<Option<FileLock>, FleetError> {
        Ok(FileLock::exclusive(&self.console("merging.lock")?, MOMENT)?)
    }

    /// Whether a program has the right to merge just now.
    ///
    /// # Errors
    /// The lock's file cannot be made.
    pub fn is_merging(&self) -> Result<bool, FleetError> {
        Ok(FileLock::try_exclusive(&self.console("merging.lock")?)?.is_none())
    }

    /// A file of our own beside the format's, its folder made.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn console(&self, name: &str) -> Result<PathBuf, FleetError> {
        let path = self.dir().join("console").join(name);
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
            self.told(FleetEventKind::MergeStatus { request, bead, status })?;
        }
        Ok(outcome.expect("a change that succeeded was asked"))
    }
}
