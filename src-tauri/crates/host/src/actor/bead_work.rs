//! The session's work on its bead: files, turns, commits and claims, kept in `recovery.json`; the session's comments;
//! the reminder to an agent that has not commented for a long time.
//!
//! Helper requests query the tracker. Only this module decides about the recovery stores.

use super::SessionActor;
use crate::{
    background_worker::{BackgroundWorker, NewCommit, WorkerReply},
    helper_request::{HelperReport, HelperRequest, HelperTask, ReminderSettings},
    protocol::Happening,
    recorder::Note,
};
use bc_claude::{
    hooks::ToolUse,
    transcript::{Folder, edited_path},
};
use bc_core::{
    recovery::{Stores, reminder},
    text::cut,
};
use std::{path::Path, time::Duration};

/// The time limit of a helper request that nothing waits for: a busy tracker is not stuck.
const UNAWAITED_WITHIN: Duration = Duration::from_secs(60);

/// The limit of the agent's last text, in characters.
const LAST_TEXT_MAX: usize = 400;

pub(super) struct BeadWork {
    pub(super) worker: Option<BackgroundWorker>,
    pub(super) stores: Stores,
    folder: Folder,
    last_text: String,
    ways: Option<ReminderSettings>,
    trouble: Option<String>,
}

impl BeadWork {
    pub(super) fn new(worker: Option<BackgroundWorker>, stores: Stores, cwd: &Path) -> BeadWork {
        let folder = Folder::new(cwd);
        BeadWork { worker, stores, folder, last_text: String::new(), ways: None, trouble: None }
    }

    pub(super) fn trouble(&self) -> Option<&String> {
        self.trouble.as_ref()
    }

    /// Whether a job of the background worker is open.
    pub(super) fn is_busy(&self) -> bool {
        self.worker.as_ref().is_some_and(|worker| !worker.is_idle())
    }

    /// The reminder for the submitted prompt, if one is due.
    pub(super) fn reminder(&mut self) -> Option<String> {
        let ways = self.ways.as_ref().filter(|ways| self.stores.reminder_due(ways.remind_after))?;
        let bead = self.stores.current_bead.as_ref()?;
        let text = reminder(bead.as_str(), self.stores.turns_since(), &ways.commands.comment(bead.as_str()));
        self.stores.reminded();
        Some(text)
    }
}

impl SessionActor {
    /// Queues a helper request and returns whether it was accepted.
    pub(super) fn request_helper(&mut self, wanted: HelperTask, within: Duration) -> bool {
        let Some(worker) = &mut self.bead_work.worker else { return false };
        worker.run(HelperRequest::of(&self.spec, self.bead_work.stores.clone(), wanted), within)
    }

    /// The session's beads may have changed.
    pub(super) fn check_beads(&mut self) {
        self.request_helper(HelperTask::Look, UNAWAITED_WITHIN);
    }

    /// New commits may exist.
    pub(super) fn check_commits(&mut self) {
        if let Some(worker) = &mut self.bead_work.worker {
            worker.check_commits();
        }
    }

    /// A tool has run: it may have edited a file or made a commit.
    pub(super) fn on_tool_done(&mut self, tool: &ToolUse) {
        if let Some(path) = edited_path(&tool.name, &tool.input) {
            let path = self.bead_work.folder.relative(path);
            if self.bead_work.stores.edited(&path) {
                self.save_stores();
            }
        }
        self.check_commits();
    }

    /// The main agent wrote this text.
    pub(super) fn on_assistant_text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.bead_work.last_text = cut(text.trim(), LAST_TEXT_MAX);
        }
    }

    pub(super) fn on_work_turn_over(&mut self) {
        if self.bead_work.worker.is_none() {
            return;
        }
        self.bead_work.stores.turn_over();
        self.save_stores();
        self.check_commits();
        self.check_beads();
    }

    /// The conversation is about to be compacted. Returns whether a comment was requested.
    pub(super) fn request_checkpoint(&mut self) -> bool {
        let stores = &self.bead_work.stores;
        if stores.current_bead.is_none() || !stores.has_news() {
            return false;
        }
        let last = self.bead_work.last_text.clone();
        self.request_helper(HelperTask::Checkpoint { last }, UNAWAITED_WITHIN)
    }

    pub(super) fn on_worker_reply(&mut self, reply: WorkerReply) {
        if let Some(worker) = &mut self.bead_work.worker {
            worker.on_reply(&reply);
        }
        match reply {
            WorkerReply::Commits(made) => self.on_commits(made),
            WorkerReply::Helper { wanted, outcome: Ok(report) } => self.on_report(&wanted, report),
            WorkerReply::Helper { wanted, outcome: Err(error) } => {
                self.set_trouble(Some(format!("cannot query the session's bead: {error}")));
                self.on_helper_done(&wanted, false);
            }
        }
        self.on_work_done();
    }

    fn on_commits(&mut self, made: Vec<NewCommit>) {
        let mut waiting = false;
        for NewCommit { commit, files } in made {
            for file in files {
                self.bead_work.stores.edited(&file);
            }
            waiting |= self.bead_work.stores.committed(&commit.hash, &commit.subject);
        }
        if waiting {
            self.save_stores();
            self.check_beads();
        }
    }

    fn on_report(&mut self, wanted: &HelperTask, report: HelperReport) {
        let news = !report.changes.is_empty();
        for change in report.changes {
            self.bead_work.stores.apply(change);
        }
        if let Some(text) = report.memories {
            self.set_memories(text);
        }
        self.bead_work.ways = report.ways.or(self.bead_work.ways.take());
        if let Some(status) = &report.bead_status {
            self.review.on_status(status);
        }
        if news {
            self.save_stores();
        }
        let trouble = report.problems.into_iter().next();
        let well = trouble.is_none();
        self.set_trouble(trouble);
        self.on_helper_done(wanted, well);
    }

    fn set_trouble(&mut self, trouble: Option<String>) {
        if let Some(message) = trouble.clone().filter(|_| self.bead_work.trouble != trouble) {
            self.publish(Happening::Trouble { message });
        }
        self.bead_work.trouble = trouble;
    }

    pub(super) fn save_stores(&mut self) {
        self.note(Note::Stores(Box::new(self.bead_work.stores.clone())));
    }
}
