//! The queue: its order, what each request waits for, and the only ways in which that changes.

use super::{Current, MergeStep, MergeTrouble};
use crate::{
    Extra, Timestamp,
    fleet::{MergeRequest, MergeStatus},
    ids::MergeRequestId,
};
use serde::{Deserialize, Serialize};

/// The version of what this build writes.
const VERSION: u32 = 1;

/// So many merged requests are remembered, beside all that are not merged.
const MERGED_KEPT: usize = 50;

/// A change of the queue that makes no sense now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueueRefused {
    /// It is not in the queue.
    #[error("{0} is not in the queue")]
    Unknown(MergeRequestId),
    /// It is over.
    #[error("{0} is merged already")]
    Merged(MergeRequestId),
    /// It is being merged.
    #[error("{0} is being merged just now")]
    InHand(MergeRequestId),
    /// It is not being merged.
    #[error("{0} is not being merged any more")]
    NotInHand(MergeRequestId),
    /// There is nothing to retry.
    #[error("{0} waits for its turn, there is nothing to try again")]
    NotStopped(MergeRequestId),
    /// Another version wrote the queue.
    #[error("the queue was written by a later version of this program ({0})")]
    Later(u32),
}

/// What a request waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum EntryState {
    /// For its turn.
    Waiting {},
    /// For somebody to decide; what is behind it waits too.
    Blocked {
        /// Why.
        trouble: MergeTrouble,
    },
    /// For nothing: it was left aside.
    Skipped {
        /// What had been in its way.
        #[serde(default)]
        trouble: Option<MergeTrouble>,
    },
    /// It is over.
    Merged {
        /// What the target became by it; not known of one that another program merged.
        #[serde(default)]
        commit: Option<String>,
        /// When.
        at: Timestamp,
        /// What the person should know, of a push that was refused, say.
        #[serde(default)]
        note: Option<String>,
    },
}

/// A request in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueEntry {
    /// Which.
    pub id: MergeRequestId,
    /// When it came.
    pub queued_at: Timestamp,
    /// Whether a working tree that has the target checked out is brought along this time.
    #[serde(default)]
    pub follow: bool,
    /// What the target became, where only what comes after that is left to do.
    #[serde(default)]
    pub landed: Option<String>,
    /// The branch's commit that a person approved; nothing that came later is merged unseen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    /// What it waits for.
    #[serde(flatten)]
    pub state: EntryState,
}

/// The queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeQueue {
    /// Of the file.
    pub version: u32,
    /// Whether nothing new is begun.
    #[serde(default)]
    pub paused: bool,
    /// In the order in which they are merged.
    #[serde(default)]
    pub entries: Vec<QueueEntry>,
    /// The one that is being merged.
    #[serde(default)]
    pub current: Option<Current>,
    /// The folder of the queue's worktree.
    #[serde(default)]
    pub worktree: Option<String>,
    /// What this build does not know.
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
    /// An error where another version wrote it in a way that this one may not know.
    pub fn readable(&self) -> Result<(), QueueRefused> {
        if self.version > VERSION { Err(QueueRefused::Later(self.version)) } else { Ok(()) }
    }

    /// The entry of a request.
    pub fn entry(&self, id: &MergeRequestId) -> Option<&QueueEntry> {
        self.entries.iter().find(|entry| entry.id == *id)
    }

    /// The request that lets nothing through.
    pub fn blocked(&self) -> Option<&QueueEntry> {
        self.front().filter(|entry| matches!(entry.state, EntryState::Blocked { .. }))
    }

    /// The request whose turn it is, where one may begin.
    pub fn next(&self) -> Option<&QueueEntry> {
        let front = self.front().filter(|entry| matches!(entry.state, EntryState::Waiting {}));
        front.filter(|_| !self.paused && self.current.is_none())
    }

    /// The first that is neither over nor left aside.
    fn front(&self) -> Option<&QueueEntry> {
        let open = |entry: &&QueueEntry| {
            !matches!(entry.state, EntryState::Merged { .. } | EntryState::Skipped { .. })
        };
        self.entries.iter().find(open)
    }

    /// What the request's own file has to say.
    pub fn status(&self, entry: &QueueEntry) -> MergeStatus {
        match &entry.state {
            _ if self.in_hand(&entry.id) => MergeStatus::Merging,
            EntryState::Merged { .. } => MergeStatus::Merged,
            EntryState::Blocked { .. } | EntryState::Skipped { trouble: Some(_) } => MergeStatus::Conflicted,
            EntryState::Waiting {} | EntryState::Skipped { trouble: None } => MergeStatus::Pending,
        }
    }

    /// Takes in what other programs did with the requests' files: new ones wait behind all others, those
    /// that are gone are gone, and what is merged is merged.
    pub fn adopt(&mut self, requests: &[MergeRequest], now: Timestamp) {
        self.entries.retain(|entry| requests.iter().any(|request| request.id == entry.id));
        let gone = self.current.as_ref().is_some_and(|current| self.entry(&current.id).is_none());
        if gone {
            self.current = None;
        }
        for request in requests {
            let merged = request.status == MergeStatus::Merged;
            let in_hand = self.in_hand(&request.id);
            let over = EntryState::Merged { commit: None, at: now, note: None };
            match self.entries.iter_mut().find(|entry| entry.id == request.id) {
                Some(entry) if merged && !in_hand && !matches!(entry.state, EntryState::Merged { .. }) => {
                    entry.state = over;
                }
                Some(_) => {}
                None if merged => {}
                None => self.add(request.id.clone(), now),
            }
        }
    }

    /// Puts a request behind all others; nothing happens where it is in the queue already.
    pub fn add(&mut self, id: MergeRequestId, now: Timestamp) {
        if self.entry(&id).is_none() {
            let state = EntryState::Waiting {};
            let (follow, landed, approved) = (false, None, None);
            self.entries.push(QueueEntry { id, queued_at: now, follow, landed, approved, state });
        }
    }

    /// Its branch is queued once more, with what is on it now: it keeps its place, and begins anew. `approved` is the
    /// commit that a person approved, if somebody did.
    pub fn again(&mut self, id: &MergeRequestId, approved: Option<String>) -> Result<(), QueueRefused> {
        match self.retry(id, false) {
            Ok(()) | Err(QueueRefused::NotStopped(_) | QueueRefused::InHand(_)) => {}
            Err(refused) => return Err(refused),
        }
        let entry = self.known(id)?;
        (entry.landed, entry.approved) = (None, approved);
        Ok(())
    }

    /// Begins with the request whose turn it is.
    pub fn begin(&mut self, now: Timestamp) -> Option<Current> {
        let next = self.next()?;
        let step = match next.landed.clone() {
            Some(candidate) => MergeStep::Finish { candidate, note: None },
            None => MergeStep::Prepare {},
        };
        self.current = Some(Current { id: next.id.clone(), step, branch_at: None, tries: 0, since: now });
        self.current.clone()
    }

    /// Goes on to a step.
    pub fn step(&mut self, id: &MergeRequestId, step: MergeStep, now: Timestamp) -> Result<(), QueueRefused> {
        let current = self.current.as_mut().filter(|current| current.id == *id);
        let current = current.ok_or_else(|| QueueRefused::NotInHand(id.clone()))?;
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

    /// Stops at the request that is being merged.
    pub fn block(&mut self, id: &MergeRequestId, trouble: MergeTrouble) -> Result<(), QueueRefused> {
        let landed = match self.take_current(id)?.step {
            MergeStep::Finish { candidate, .. } => Some(candidate),
            _ => None,
        };
        let entry = self.known(id)?;
        (entry.state, entry.landed) = (EntryState::Blocked { trouble }, landed);
        Ok(())
    }

    /// The request is merged.
    pub fn merged(
        &mut self,
        id: &MergeRequestId,
        commit: String,
        note: Option<String>,
        now: Timestamp,
    ) -> Result<(), QueueRefused> {
        self.take_current(id)?;
        self.known(id)?.state = EntryState::Merged { commit: Some(commit), at: now, note };
        // The oldest are forgotten here; their files stay, and say by now that they are merged: that of this one does not.
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

    /// Lets a request that was stopped or left aside try again, in its place, with whatever is on its branch: whoever
    /// says so has decided.
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

    /// Leaves a request aside, so that the next one has its turn.
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

    /// Takes a request out. One that is being merged can be taken out until the target may have moved.
    pub fn cancel(&mut self, id: &MergeRequestId) -> Result<(), QueueRefused> {
        if matches!(self.known(id)?.state, EntryState::Merged { .. }) {
            return Err(QueueRefused::Merged(id.clone()));
        }
        if self.in_hand(id) {
            let landing = self.current.as_ref().is_some_and(|current| current.step.may_have_landed());
            if landing {
                return Err(QueueRefused::InHand(id.clone()));
            }
            self.current = None;
        }
        self.entries.retain(|entry| entry.id != *id);
        Ok(())
    }

    /// Puts a request before another one, or behind all.
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

    fn in_hand(&self, id: &MergeRequestId) -> bool {
        self.current.as_ref().is_some_and(|current| current.id == *id)
    }

    fn free(&self, id: &MergeRequestId) -> Result<(), QueueRefused> {
        if self.in_hand(id) { Err(QueueRefused::InHand(id.clone())) } else { Ok(()) }
    }

    fn known(&mut self, id: &MergeRequestId) -> Result<&mut QueueEntry, QueueRefused> {
        let entry = self.entries.iter_mut().find(|entry| entry.id == *id);
        entry.ok_or_else(|| QueueRefused::Unknown(id.clone()))
    }

    fn take_current(&mut self, id: &MergeRequestId) -> Result<Current, QueueRefused> {
        let current = self.current.take_if(|current| current.id == *id);
        current.ok_or_else(|| QueueRefused::NotInHand(id.clone()))
    }
}
