//! Writes the copy of the session's record on this machine. Only the link writes the copy, and logs are only
//! appended to.

use crate::record_kind::{Log, Prefix, State};
use bc_core::session::{ClaudeSession, Meta, Status};
use bc_store::{
    SessionLock, StoreError,
    file::{self, Appender},
};
use std::{collections::BTreeMap, fs::File, io, sync::Arc};

pub(super) struct RecordCopy {
    lock: Arc<SessionLock>,
    logs: BTreeMap<Log, LogCopy>,
}

struct LogCopy {
    appender: Appender,
    /// The length of the log on this machine, in bytes.
    len: u64,
}

impl RecordCopy {
    pub(super) fn open(lock: Arc<SessionLock>) -> Result<RecordCopy, StoreError> {
        let mut logs = BTreeMap::new();
        for log in Log::ALL {
            let path = log.path(&lock);
            let (appender, _) = Appender::open(&path)?;
            let len = path.metadata().map_or(0, |meta| meta.len());
            logs.insert(log, LogCopy { appender, len });
        }
        Ok(RecordCopy { lock, logs })
    }

    /// The length and hash of each log on this machine.
    pub(super) fn prefixes(&self) -> io::Result<BTreeMap<Log, Prefix>> {
        let prefix = |&log: &Log| match File::open(log.path(&self.lock)) {
            Ok(mut file) => Ok((log, Prefix::of(&mut file)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((log, Prefix::of(&mut io::empty())?)),
            Err(error) => Err(error),
        };
        self.logs.keys().map(prefix).collect()
    }

    /// Appends lines that start at this offset of the place's log. They are on disk when this method returns.
    pub(super) fn append(&mut self, log: Log, at: u64, lines: &str) -> Result<(), StoreError> {
        let Some(copy) = self.logs.get_mut(&log) else { return Ok(()) };
        if at != copy.len || !lines.ends_with('\n') {
            let path = log.path(&self.lock);
            let source = io::Error::other(format!("the next line is at {at}, not at {}", copy.len));
            return Err(bc_store::FileError::Append { path, source }.into());
        }
        copy.appender.append(lines.as_bytes())?;
        copy.len += lines.len() as u64;
        Ok(())
    }

    /// Saves one of the place's state files. Returns whether the session has new commits.
    pub(super) fn replace(&self, state: State, content: &str) -> Result<bool, StoreError> {
        let path = state.path(&self.lock);
        if state != State::Meta {
            file::replace(&path, content.as_bytes())?;
            return Ok(false);
        }
        let remote = serde_json::from_str(content).map_err(|source| StoreError::Broken { path, source })?;
        let local = self.lock.meta()?;
        let merged = merged(local.clone(), remote);
        if merged != local {
            self.lock.save_meta(&merged)?;
        }
        Ok(merged.commits.len() > local.commits.len())
    }

    /// Writes a heartbeat, because the place's host is running.
    pub(super) fn beat(&self) {
        // A failure is ignored, because a lost heartbeat only shortens the recorded time of an interrupted
        // session.
        let _ = self.lock.beat(chrono::Local::now().fixed_offset());
    }

    /// Marks the session as interrupted if the place has no record of its end.
    pub(super) fn interrupt_if_active(&self) -> Result<(), StoreError> {
        let mut meta = self.lock.meta()?;
        if meta.status == Status::Active {
            let last_alive = self.lock.heartbeat()?;
            // The state machine allows an interruption of every active session.
            let _ = meta.interrupt(last_alive, chrono::Local::now().fixed_offset());
            self.lock.save_meta(&meta)?;
        }
        Ok(())
    }
}

/// Combines the place's record of the run with this machine's record. The place's paths have no meaning on
/// this machine.
fn merged(local: Meta, remote: Meta) -> Meta {
    let conversations = remote.claude_sessions.into_iter();
    Meta {
        status: remote.status,
        started_at: remote.started_at.or(local.started_at),
        paused_at: remote.paused_at,
        closed_at: remote.closed_at,
        title: local.title.or(remote.title),
        files_touched: remote.files_touched,
        commits: remote.commits,
        total_tokens: remote.total_tokens,
        total_duration_ms: remote.total_duration_ms,
        mode: remote.mode,
        claude_sessions: conversations.map(|one| ClaudeSession { transcript_path: None, ..one }).collect(),
        pause_reason: remote.pause_reason,
        close_reason: remote.close_reason,
        active_intervals: remote.active_intervals,
        last_activated_at: remote.last_activated_at,
        tokens: remote.tokens,
        cost_usd: remote.cost_usd,
        message_count: remote.message_count,
        unknown_transcript_lines: remote.unknown_transcript_lines,
        unknown_kinds: remote.unknown_kinds,
        ..local
    }
}
