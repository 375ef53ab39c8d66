//! The queue: its order, the state of each request, and all permitted changes.

use super::{Current, MergeStep, MergeTrouble};
use crate::{
    Extra, Timestamp,
    fleet::{MergeRequest, MergeStatus},
    ids::MergeRequestId,
};
use serde::{Deserialize, Serialize};

/// The version that this build writes.
const VERSION: u32 = 1;

/// The maximum number of merged requests to remember. There is no limit for other requests.
const MERGED_KEPT: usize = 50;

/// Why a change to the queue is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueueRefused {
    #[error("{0} is not in the queue")]
    Unknown(MergeRequestId),
    #[error("{0} is already merged")]
    Merged(MergeRequestId),
    #[error("{0} is currently being merged")]
    BeingMerged(MergeRequestId),
    #[error("{0} is no longer being merged")]
    NotBeingMerged(MergeRequestId),
    /// The request is neither blocked nor skipped.
    #[error("{0} is waiting, so there is nothing to retry")]
    NotStopped(MergeRequestId),
    /// A newer version wrote the queue.
    #[error("the queue was written by a newer version of this program ({0})")]
    Later(u32),
}

/// The state of a request in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum EntryState {
    /// Waiting for its turn.
    Waiting {},
    /// Waiting for a decision; the requests behind it wait, too.
    Blocked { trouble: MergeTrouble },
    /// Skipped by the user; the requests behind it do not wait for it.
    Skipped {
        /// The obstacle that blocked the request, if any.
        #[serde(default)]
        trouble: Option<MergeTrouble>,
    },
    Merged {
        /// The resulting commit of the target; unknown if another program merged it.
        #[serde(default)]
        commit: Option<String>,
        at: Timestamp,
        /// A note for the user, for example that the remote refused the push.
        #[serde(default)]
        note: Option<String>,
    },
}

/// A request in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueEntry {
    pub id: MergeRequestId,
    pub queued_at: Timestamp,
    /// Whether this merge may also update a working tree that has the target checked out.
    #[serde(default)]
    pub follow: bool,
    /// The target's new commit, if the target has moved and the bead still has to be closed.
    #[serde(default)]
    pub landed: Option<String>,
    /// The approved commit of the branch; later commits are not merged without approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    #[serde(flatten)]
    pub state: EntryState,
}

/// The content of `queue.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeQueue {
    /// The version of the file format; [`MergeQueue::readable`] checks it.
    pub version: u32,
    /// Whether the queue is paused, so that no new merge starts.
    #[serde(default)]
    pub paused: bool,
    /// The requests, in the order of merging.
    #[serde(default)]
    pub entries: Vec<QueueEntry>,
    #[serde(default)]
    pub current: Option<Current>,
    #[serde(default)]
    pub worktree: Option<String>,
    /// Unknown fields, which are kept.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Default for MergeQueue {
    fn default() -> MergeQueue {
        let (entries, extra) = (Vec::new(), Extra::new());
        MergeQueue { version: VERSION, paused: false, entries, current: None, worktree: None, extra }
    }
}

impl MergeQueue {
    /// Returns an error if a newer version wrote the queue, because this build may not know its format.
    pub fn readable(&self) -> Result<(), QueueRefused> {
        if self.version > VERSION { Err(QueueRefused::Later(self.version)) } else { Ok(()) }
    }

    /// The entry of a request; `None` if the request is not in the queue.
    pub fn entry(&self, id: &MergeRequestId) -> Option<&QueueEntry> {
        self.entries.iter().find(|entry| entry.id == *id)
    }

    /// The blocked request that stops the queue, if any.
    pub fn blocked(&self) -> Option<&QueueEntry> {
        self.front().filter(|entry| matches!(entry.state, EntryState::Blocked { .. }))
    }

    /// The next request, if it may start.
    pub fn next(&self) -> Option<&QueueEntry> {
        let front = self.front().filter(|entry| matches!(entry.state, EntryState::Waiting {}));
        front.filter(|_| !self.paused && self.current.is_none())
    }

    /// The first request that is neither merged nor skipped.
    fn front(&self) -> Option<&QueueEntry> {
        let open = |entry: &&QueueEntry| {
            !matches!(entry.state, EntryState::Merged { .. } | EntryState::Skipped { .. })
        };
        self.entries.iter().find(open)
    }

    /// The status for the request's own file.
    pub fn status(&self, entry: &QueueEntry) -> MergeStatus {
        match &entry.state {
            _ if self.is_being_merged(&entry.id) => MergeStatus::Merging,
            EntryState::Merged { .. } => MergeStatus::Merged,
            EntryState::Blocked { .. } | EntryState::Skipped { trouble: Some(_) } => MergeStatus::Conflicted,
            EntryState::Waiting {} | EntryState::Skipped { trouble: None } => MergeStatus::Pending,
        }
    }

    /// Applies the changes that other programs made to the request files. New unmerged requests are appended,
    /// missing ones removed, and merged ones, except the current one, marked as merged.
    pub fn adopt(&mut self, requests: &[MergeRequest], now: Timestamp) {
        self.entries.retain(|entry| requests.iter().any(|request| request.id == entry.id));
        let entries = &self.entries;
        self.current.take_if(|current| entries.iter().all(|entry| entry.id != current.id));
        for request in requests {
            let merged = request.status == MergeStatus::Merged;
            let is_being_merged = self.is_being_merged(&request.id);
            match self.entries.iter_mut().find(|entry| entry.id == request.id) {
                Some(entry)
                    if merged && !is_being_merged && !matches!(entry.state, EntryState::Merged { .. }) =>
                {
                    entry.state = EntryState::Merged { commit: None, at: now, note: None };
                }
                None if !merged => self.add(request.id.clone(), now),
                _ => {}
            }
        }
    }

    /// Appends a request; does nothing if it is already queued.
    pub fn add(&mut self, id: MergeRequestId, now: Timestamp) {
        if self.entry(&id).is_none() {
            let state = EntryState::Waiting {};
            let (follow, landed, approved) = (false, None, None);
            self.entries.push(QueueEntry { id, queued_at: now, follow, landed, approved, state });
        }
    }

    /// Makes a request wait again in its position, for its branch's current commits. A merge in progress
    /// continues. `approved` is the approved commit, if any.
    pub fn again(&mut self, id: &MergeRequestId, approved: Option<String>) -> Result<(), QueueRefused> {
        match self.retry(id, false) {
            Ok(()) | Err(QueueRefused::NotStopped(_) | QueueRefused::BeingMerged(_)) => {}
            Err(refused) => return Err(refused),
        }
        let entry = self.known(id)?;
        (entry.landed, entry.approved) = (None, approved);
        Ok(())
    }

    /// Starts the next request; `None` if no request may start.
    pub fn begin(&mut self, now: Timestamp) -> Option<Current> {
        let next = self.next()?;
        let step = match next.landed.clone() {
            Some(candidate) => MergeStep::Finish { candidate, note: None },
            None => MergeStep::Prepare {},
        };
        self.current = Some(Current { id: next.id.clone(), step, branch_at: None, tries: 0, since: now });
        self.current.clone()
    }

    /// Records the next step of the current request.
    pub fn step(&mut self, id: &MergeRequestId, step: MergeStep, now: Timestamp) -> Result<(), QueueRefused> {
        let current = self.current.as_mut().filter(|current| current.id == *id);
        let current = current.ok_or_else(|| QueueRefused::NotBeingMerged(id.clone()))?;
        current.tries += u32::from(matches!(step, MergeStep::Prepare {}));
        match &step {
            MergeStep::Prepare {} => current.branch_at = None,
            MergeStep::Combine { source, .. } => current.branch_at = Some(source.clone()),
            MergeStep::Check { .. }
            | MergeStep::Move { .. }
            | MergeStep::Push { .. }
            | MergeStep::Finish { .. } => {}
        }
        (current.step, current.since) = (step, now);
        Ok(())
    }

    /// Ends the current merge as blocked, so that the queue stops at this request.
    pub fn block(&mut self, id: &MergeRequestId, trouble: MergeTrouble) -> Result<(), QueueRefused> {
        let landed = match self.take_current(id)?.step {
            MergeStep::Finish { candidate, .. } => Some(candidate),
            _ => None,
        };
        let entry = self.known(id)?;
        (entry.state, entry.landed) = (EntryState::Blocked { trouble }, landed);
        Ok(())
    }

    /// Marks the current request as merged.
    pub fn merged(
        &mut self,
        id: &MergeRequestId,
        commit: String,
        note: Option<String>,
        now: Timestamp,
    ) -> Result<(), QueueRefused> {
        self.take_current(id)?;
        self.known(id)?.state = EntryState::Merged { commit: Some(commit), at: now, note };
        // The queue drops the oldest merged requests; their own files remain and already have the status
        // `merged`. This request is kept, because its file is not updated yet.
        let over = |entry: &QueueEntry| match &entry.state {
            EntryState::Merged { at, .. } if entry.id != *id => Some((*at, entry.id.clone())),
            _ => None,
        };
        let mut others: Vec<_> = self.entries.iter().filter_map(over).collect();
        others.sort();
        others.truncate((others.len() + 1).saturating_sub(MERGED_KEPT));
        self.entries.retain(|entry| !others.iter().any(|(_, forgotten)| *forgotten == entry.id));
        Ok(())
    }

    /// Retries a blocked or skipped request in its position. An earlier approval is dropped, because the
    /// retry is itself the user's decision.
    pub fn retry(&mut self, id: &MergeRequestId, follow: bool) -> Result<(), QueueRefused> {
        self.free(id)?;
        let entry = self.known(id)?;
        match &entry.state {
            EntryState::Waiting {} => return Err(QueueRefused::NotStopped(id.clone())),
            EntryState::Merged { .. } => return Err(QueueRefused::Merged(id.clone())),
            EntryState::Blocked { .. } | EntryState::Skipped { .. } => entry.state = EntryState::Waiting {},
        }
        (entry.follow, entry.approved) = (follow, None);
        Ok(())
    }

    /// Skips a request, so that the queue continues with the next one.
    pub fn skip(&mut self, id: &MergeRequestId) -> Result<(), QueueRefused> {
        self.free(id)?;
        let entry = self.known(id)?;
        entry.state = match entry.state.clone() {
            EntryState::Merged { .. } => return Err(QueueRefused::Merged(id.clone())),
            EntryState::Blocked { trouble } => EntryState::Skipped { trouble: Some(trouble) },
            EntryState::Waiting {} => EntryState::Skipped { trouble: None },
            skipped @ EntryState::Skipped { .. } => skipped,
        };
        Ok(())
    }

    /// Removes a request that is not merged. The current request can be removed only while its target cannot
    /// have moved yet.
    pub fn cancel(&mut self, id: &MergeRequestId) -> Result<(), QueueRefused> {
        if matches!(self.known(id)?.state, EntryState::Merged { .. }) {
            return Err(QueueRefused::Merged(id.clone()));
        }
        if self.is_being_merged(id) {
            if self.current.as_ref().is_some_and(|current| current.step.may_have_landed()) {
                return Err(QueueRefused::BeingMerged(id.clone()));
            }
            self.current = None;
        }
        self.entries.retain(|entry| entry.id != *id);
        Ok(())
    }

    /// Moves a request before another one, or to the end.
    pub fn move_before(
        &mut self,
        id: &MergeRequestId,
        before: Option<&MergeRequestId>,
    ) -> Result<(), QueueRefused> {
        self.free(id)?;
        if let Some(before) = before {
            self.known(before)?;
        }
        if matches!(self.known(id)?.state, EntryState::Merged { .. }) {
            return Err(QueueRefused::Merged(id.clone()));
        }
        if before == Some(id) {
            return Ok(());
        }
        let Some(from) = self.entries.iter().position(|entry| entry.id == *id) else { return Ok(()) };
        let entry = self.entries.remove(from);
        let place = before.and_then(|before| self.entries.iter().position(|entry| entry.id == *before));
        self.entries.insert(place.unwrap_or(self.entries.len()), entry);
        Ok(())
    }

    fn is_being_merged(&self, id: &MergeRequestId) -> bool {
        self.current.as_ref().is_some_and(|current| current.id == *id)
    }

    fn free(&self, id: &MergeRequestId) -> Result<(), QueueRefused> {
        if self.is_being_merged(id) { Err(QueueRefused::BeingMerged(id.clone())) } else { Ok(()) }
    }

    fn known(&mut self, id: &MergeRequestId) -> Result<&mut QueueEntry, QueueRefused> {
        let entry = self.entries.iter_mut().find(|entry| entry.id == *id);
        entry.ok_or_else(|| QueueRefused::Unknown(id.clone()))
    }

    fn take_current(&mut self, id: &MergeRequestId) -> Result<Current, QueueRefused> {
        let current = self.current.take_if(|current| current.id == *id);
        current.ok_or_else(|| QueueRefused::NotBeingMerged(id.clone()))
    }
}
