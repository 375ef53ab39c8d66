//! The session's work on its bead: its files, turns, commits and claims, saved in `recovery.json`; its
//! comments on the bead; and the reminder for an agent that has not committed or commented for many turns.
//!
//! Helper requests query the tracker and add the comments. After the host's start, only this module changes
//! the recovery stores.

use super::effects::Effects;
use crate::{
    background_worker::{BackgroundWorker, NewCommit, WorkerReply},
    helper_request::{HelperReport, HelperRequest, HelperTask, ReminderSettings},
    recorder::Note,
    spec::LaunchSpec,
};
use bc_claude::{
    hooks::ToolUse,
    transcript::{Folder, edited_path},
};
use bc_core::{
    bead::BeadStatus,
    recovery::{Stores, reminder},
    text::cut,
};
use std::{sync::Arc, time::Duration};

/// The time limit for a helper request that checks beads or leaves a comment. It is long because a busy
/// tracker is slow, not stuck.
const UNAWAITED_WITHIN: Duration = Duration::from_secs(60);

/// The maximum length of the agent's last text, in characters.
const LAST_TEXT_MAX: usize = 400;

pub(super) struct BeadWork {
    spec: Arc<LaunchSpec>,
    worker: Option<BackgroundWorker>,
    stores: Stores,
    folder: Folder,
    last_text: String,
    reminders: Option<ReminderSettings>,
    trouble: Option<String>,
}

/// The contents of a worker's reply that concern other parts of the actor.
#[derive(Debug, Default, PartialEq)]
pub(super) struct HelperResult {
    /// The finished task, and whether it succeeded.
    pub(super) finished: Option<(HelperTask, bool)>,
    /// The current memories, if they were read.
    pub(super) memories: Option<String>,
    /// The state of the session's own bead, if it was reported.
    pub(super) bead_status: Option<BeadStatus>,
}

impl BeadWork {
    pub(super) fn new(spec: Arc<LaunchSpec>, worker: Option<BackgroundWorker>, stores: Stores) -> BeadWork {
        let folder = Folder::new(&spec.cwd);
        BeadWork { spec, worker, stores, folder, last_text: String::new(), reminders: None, trouble: None }
    }

    /// The problem of the last finished helper request; `None` if it succeeded or none has finished.
    pub(super) fn trouble(&self) -> Option<&String> {
        self.trouble.as_ref()
    }

    /// Whether the background worker has unfinished jobs.
    pub(super) fn is_busy(&self) -> bool {
        self.worker.as_ref().is_some_and(|worker| !worker.is_idle())
    }

    /// The last known recovery block.
    pub(super) fn last_block(&self) -> Option<&String> {
        self.stores.last_block.as_ref()
    }

    /// Queues a helper request and returns whether it was accepted.
    pub(super) fn request(&mut self, task: HelperTask, timeout: Duration) -> bool {
        let Some(worker) = &mut self.worker else { return false };
        worker.run(HelperRequest::of(&self.spec, self.stores.clone(), task), timeout)
    }

    /// Requests a check of the session's beads, which may have changed.
    pub(super) fn check_beads(&mut self) {
        self.request(HelperTask::CheckBeads, UNAWAITED_WITHIN);
    }

    pub(super) fn check_commits(&mut self) {
        if let Some(worker) = &mut self.worker {
            worker.check_commits();
        }
    }

    /// Called when a tool has run or failed: it may have edited a file or made a commit.
    pub(super) fn on_tool_done(&mut self, tool: &ToolUse, effects: &mut Effects) {
        if let Some(path) = edited_path(&tool.name, &tool.input) {
            let path = self.folder.relative(path);
            if self.stores.edited(&path) {
                self.save_stores(effects);
            }
        }
        self.check_commits();
    }

    /// Called when the main agent has written text.
    pub(super) fn on_assistant_text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.last_text = cut(text.trim(), LAST_TEXT_MAX);
        }
    }

    pub(super) fn on_turn_over(&mut self, effects: &mut Effects) {
        if self.worker.is_none() {
            return;
        }
        self.stores.turn_over();
        self.save_stores(effects);
        self.check_commits();
        self.check_beads();
    }

    /// Called before claude compacts the conversation. Returns whether a comment was requested.
    pub(super) fn request_checkpoint(&mut self) -> bool {
        if self.stores.current_bead.is_none() || !self.stores.has_news() {
            return false;
        }
        let last = self.last_text.clone();
        self.request(HelperTask::Checkpoint { last }, UNAWAITED_WITHIN)
    }

    /// Returns the reminder for the submitted prompt, if one is due.
    pub(super) fn take_reminder(&mut self, effects: &mut Effects) -> Option<String> {
        let settings = self.reminders.as_ref().filter(|s| self.stores.reminder_due(s.remind_after))?;
        let bead = self.stores.current_bead.as_ref()?;
        let comment = settings.commands.comment(bead.as_str());
        let text = reminder(bead.as_str(), self.stores.turns_since(), &comment);
        self.stores.reminded();
        self.save_stores(effects);
        Some(text)
    }

    /// Handles the background worker's reply to a job.
    pub(super) fn on_reply(&mut self, reply: WorkerReply, effects: &mut Effects) -> HelperResult {
        if let Some(worker) = &mut self.worker {
            worker.on_reply(&reply);
        }
        match reply {
            WorkerReply::Commits(made) => {
                self.on_commits(made, effects);
                HelperResult::default()
            }
            WorkerReply::Helper { task, outcome: Ok(report) } => self.on_report(task, report, effects),
            WorkerReply::Helper { task, outcome: Err(error) } => {
                self.set_trouble(Some(format!("cannot query the session's bead: {error}")), effects);
                HelperResult { finished: Some((task, false)), ..HelperResult::default() }
            }
        }
    }

    fn on_commits(&mut self, made: Vec<NewCommit>, effects: &mut Effects) {
        let mut waiting = false;
        for NewCommit { commit, files } in made {
            for file in files {
                self.stores.edited(&file);
            }
            waiting |= self.stores.committed(&commit.hash, &commit.subject);
        }
        if waiting {
            self.save_stores(effects);
            self.check_beads();
        }
    }

    fn on_report(&mut self, task: HelperTask, report: HelperReport, effects: &mut Effects) -> HelperResult {
        let news = !report.changes.is_empty();
        for change in report.changes {
            self.stores.apply(change);
        }
        self.reminders = report.reminders.or(self.reminders.take());
        if news {
            self.save_stores(effects);
        }
        let trouble = report.problems.into_iter().next();
        let succeeded = trouble.is_none();
        self.set_trouble(trouble, effects);
        let finished = Some((task, succeeded));
        HelperResult { finished, memories: report.memories, bead_status: report.bead_status }
    }

    fn set_trouble(&mut self, trouble: Option<String>, effects: &mut Effects) {
        if let Some(message) = trouble.clone().filter(|_| self.trouble != trouble) {
            effects.publish_trouble(message);
        }
        self.trouble = trouble;
    }

    fn save_stores(&self, effects: &mut Effects) {
        effects.note(Note::Stores(Box::new(self.stores.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{effects::Effect, test_claude::spec},
        *,
    };
    use crate::background_worker::Job;
    use bc_core::recovery::Change;
    use std::sync::mpsc::Receiver;

    fn work() -> (BeadWork, Receiver<Job>) {
        let (worker, jobs) = BackgroundWorker::without_thread();
        (BeadWork::new(Arc::new(spec()), Some(worker), Stores::default()), jobs)
    }

    fn helper(task: HelperTask, outcome: Result<HelperReport, String>) -> WorkerReply {
        WorkerReply::Helper { task, outcome }
    }

    #[test]
    fn the_end_of_a_turn_saves_the_stores_and_checks_commits_and_beads() {
        let ((mut work, jobs), mut effects) = (work(), Effects::default());
        work.on_turn_over(&mut effects);
        assert!(matches!(&effects.take()[..], [Effect::Note(Note::Stores(_))]));
        let jobs: Vec<Job> = jobs.try_iter().collect();
        assert!(
            matches!(&jobs[..], [Job::CheckCommits, Job::Run(request, _)] if request.task == HelperTask::CheckBeads)
        );
        assert!(work.is_busy());
        let _ = work.on_reply(WorkerReply::Commits(Vec::new()), &mut effects);
        let _ = work.on_reply(helper(HelperTask::CheckBeads, Ok(HelperReport::default())), &mut effects);
        assert!(!work.is_busy() && effects.take().is_empty());
    }

    #[test]
    fn a_report_changes_the_stores_before_other_parts_use_it() {
        let ((mut work, _jobs), mut effects) = (work(), Effects::default());
        let report = HelperReport {
            changes: vec![Change::Block("the block".into())],
            memories: Some("memories".into()),
            bead_status: Some(BeadStatus::InReview),
            ..HelperReport::default()
        };
        let result = work.on_reply(helper(HelperTask::Block, Ok(report)), &mut effects);
        assert_eq!(result.finished, Some((HelperTask::Block, true)));
        assert_eq!(
            (result.memories.as_deref(), result.bead_status),
            (Some("memories"), Some(BeadStatus::InReview))
        );
        assert_eq!(work.last_block().map(String::as_str), Some("the block"));
    }

    #[test]
    fn a_failed_request_is_published_once_and_its_result_is_known() {
        let ((mut work, _jobs), mut effects) = (work(), Effects::default());
        for published in [1, 0] {
            let result = work.on_reply(helper(HelperTask::Block, Err("no bd".into())), &mut effects);
            assert_eq!(result.finished, Some((HelperTask::Block, false)));
            assert_eq!(effects.take().len(), published);
        }
        assert_eq!(work.trouble().unwrap(), "cannot query the session's bead: no bd");
    }

    #[test]
    fn a_session_without_a_bead_leaves_no_checkpoint() {
        let (mut work, jobs) = work();
        assert!(!work.request_checkpoint());
        assert_eq!(jobs.try_iter().count(), 0);
    }
}
