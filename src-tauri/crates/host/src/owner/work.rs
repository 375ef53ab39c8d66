//! What the session does on its bead: files, turns, commits and claims, kept in `recovery.json`; the
//! comments that it leaves, and the word to an agent that has left none for long.
//!
//! What the tracker has to say is asked by errands; what is remembered is decided here alone.

use super::Owner;
use crate::{
    clerk::{Clerk, MadeHere, Word},
    errand::{Errand, Report, Wanted, Ways},
    protocol::Happening,
    scribe::Note,
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

/// How long an errand may take that nobody waits for: a tracker under load is still not stuck.
const AT_LEISURE: Duration = Duration::from_secs(60);

/// How much of the agent's last word is kept, in characters.
const LAST_WORD: usize = 400;

pub(super) struct Work {
    pub(super) clerk: Option<Clerk>,
    pub(super) stores: Stores,
    folder: Folder,
    last_word: String,
    ways: Option<Ways>,
    trouble: Option<String>,
}

impl Work {
    pub(super) fn new(clerk: Option<Clerk>, stores: Stores, cwd: &Path) -> Work {
        let folder = Folder::new(cwd);
        Work { clerk, stores, folder, last_word: String::new(), ways: None, trouble: None }
    }

    pub(super) fn trouble(&self) -> Option<&String> {
        self.trouble.as_ref()
    }

    /// Whether something is still being found out or written.
    pub(super) fn is_busy(&self) -> bool {
        self.clerk.as_ref().is_some_and(|clerk| !clerk.is_idle())
    }

    /// A prompt was submitted: what the agent is told with it, if anything.
    pub(super) fn reminder(&mut self) -> Option<String> {
        let ways = self.ways.as_ref().filter(|ways| self.stores.reminder_due(ways.remind_after))?;
        let bead = self.stores.current_bead.as_ref()?;
        let text = reminder(bead.as_str(), self.stores.turns_since(), &ways.commands.comment(bead.as_str()));
        self.stores.reminded();
        Some(text)
    }
}

impl Owner {
    /// Lets the clerk run an errand; whether it will.
    pub(super) fn send_on(&mut self, wanted: Wanted, within: Duration) -> bool {
        let Some(clerk) = &mut self.work.clerk else { return false };
        clerk.run(Errand::of(&self.spec, self.work.stores.clone(), wanted), within)
    }

    /// Something may be new about the session's beads.
    pub(super) fn look_at_beads(&mut self) {
        self.send_on(Wanted::Look, AT_LEISURE);
    }

    /// Commits may have been made.
    pub(super) fn look_at_head(&mut self) {
        if let Some(clerk) = &mut self.work.clerk {
            clerk.look_at_head();
        }
    }

    /// A tool ran: it may have edited a file, and made a commit.
    pub(super) fn on_tool_done(&mut self, tool: &ToolUse) {
        if let Some(path) = edited_path(&tool.name, &tool.input) {
            let path = self.work.folder.relative(path);
            if self.work.stores.edited(&path) {
                self.save_stores();
            }
        }
        self.look_at_head();
    }

    /// The main agent said this.
    pub(super) fn on_said(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.work.last_word = cut(text.trim(), LAST_WORD);
        }
    }

    pub(super) fn on_work_turn_over(&mut self) {
        if self.work.clerk.is_none() {
            return;
        }
        self.work.stores.turn_over();
        self.save_stores();
        self.look_at_head();
        self.look_at_beads();
    }

    /// The conversation is about to be compacted; whether a comment is on its way.
    pub(super) fn leave_checkpoint(&mut self) -> bool {
        let stores = &self.work.stores;
        if stores.current_bead.is_none() || !stores.has_news() {
            return false;
        }
        let last = self.work.last_word.clone();
        self.send_on(Wanted::Checkpoint { last }, AT_LEISURE)
    }

    pub(super) fn on_word(&mut self, word: Word) {
        if let Some(clerk) = &mut self.work.clerk {
            clerk.heard(&word);
        }
        match word {
            Word::Commits(made) => self.on_commits(made),
            Word::Report { wanted, outcome: Ok(report) } => self.on_report(&wanted, report),
            Word::Report { wanted, outcome: Err(error) } => {
                self.set_trouble(Some(format!("the session's bead could not be asked about: {error}")));
                self.on_errand_over(&wanted, false);
            }
        }
        self.on_work_done();
    }

    fn on_commits(&mut self, made: Vec<MadeHere>) {
        let mut waiting = false;
        for MadeHere { commit, files } in made {
            for file in files {
                self.work.stores.edited(&file);
            }
            waiting |= self.work.stores.committed(&commit.hash, &commit.subject);
        }
        if waiting {
            self.save_stores();
            self.look_at_beads();
        }
    }

    fn on_report(&mut self, wanted: &Wanted, report: Report) {
        let news = !report.changes.is_empty();
        for change in report.changes {
            self.work.stores.apply(change);
        }
        if let Some(text) = report.memories {
            self.learn_memories(text);
        }
        self.work.ways = report.ways.or(self.work.ways.take());
        if let Some(status) = &report.bead_status {
            self.review.learn(status);
        }
        if news {
            self.save_stores();
        }
        let trouble = report.problems.into_iter().next();
        let well = trouble.is_none();
        self.set_trouble(trouble);
        self.on_errand_over(wanted, well);
    }

    fn set_trouble(&mut self, trouble: Option<String>) {
        if let Some(message) = trouble.clone().filter(|_| self.work.trouble != trouble) {
            self.tell(Happening::Trouble { message });
        }
        self.work.trouble = trouble;
    }

    pub(super) fn save_stores(&mut self) {
        self.note(Note::Stores(Box::new(self.work.stores.clone())));
    }
}
