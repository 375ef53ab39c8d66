//! The outcome of claude's start, and the clients that wait for it.
//!
//! Claude is ready when its SessionStart hook reports. If claude drew something and went quiet without a
//! hook, it is probably asking the user a question.

use super::{effects::Effects, terminal::Terminal};
use crate::{
    client_id::ClientId,
    exit_note::ExitNote,
    prompt_state::{Fact, PromptState},
    protocol::{Readiness, StartQuestion},
};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

/// How long claude's terminal must be quiet to count as waiting for the user. Claude also pauses while it
/// starts.
const QUIET_FOR: Duration = Duration::from_secs(2);

/// How long after the start no conclusion is drawn, because claude may still be loading on a busy machine.
const LOADING_FOR: Duration = Duration::from_secs(4);

pub(super) struct StartupReadiness {
    started: Instant,
    /// The time of claude's latest output; `None` if it has drawn nothing.
    pub(super) last_output: Option<Instant>,
    ready: bool,
    /// Whether the terminal has been quiet once. Afterwards, quiet is checked only while a client waits.
    quiet: bool,
    askers: Vec<(ClientId, u64)>,
    /// The question on claude's quiet screen.
    question: Option<StartQuestion>,
    /// The file with the addition to claude's system prompt. It exists until claude has read it.
    system_prompt: Option<PathBuf>,
}

impl StartupReadiness {
    pub(super) fn new(system_prompt: Option<PathBuf>, now: Instant) -> StartupReadiness {
        StartupReadiness {
            started: now,
            last_output: None,
            ready: false,
            quiet: false,
            question: None,
            askers: Vec::new(),
            system_prompt,
        }
    }

    /// Claude's question before it starts, if known.
    pub(super) fn question(&self) -> Option<StartQuestion> {
        self.question.filter(|_| !self.ready)
    }

    pub(super) fn forget(&mut self, id: ClientId) {
        self.askers.retain(|(client, _)| *client != id);
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        if self.ready || (self.quiet && self.askers.is_empty()) {
            return None;
        }
        self.last_output.map(|at| (at + QUIET_FOR).max(self.started + LOADING_FOR))
    }

    /// Registers a client that waits for the outcome. `ended`: claude's exit, if it has exited.
    pub(super) fn wait(
        &mut self,
        id: ClientId,
        request: u64,
        ended: Option<&ExitNote>,
        effects: &mut Effects,
    ) {
        self.askers.push((id, request));
        if self.ready {
            self.answer(&Readiness::Ready, effects);
        } else if let Some(note) = ended {
            self.answer(&Readiness::Exited { note: note.clone() }, effects);
        }
    }

    /// Called when claude's SessionStart hook has reported.
    pub(super) fn on_ready(&mut self, effects: &mut Effects) {
        self.ready = true;
        self.remove_system_prompt();
        self.answer(&Readiness::Ready, effects);
    }

    /// Removes the file with the addition to the system prompt after claude has read it or has exited.
    pub(super) fn remove_system_prompt(&self) {
        if let Some(path) = &self.system_prompt {
            // If this fails, the file remains in the user's runtime folder, which is usually removed at logout.
            let _ = bc_store::file::remove(path);
        }
    }

    /// Called when claude has exited.
    pub(super) fn on_exit(&mut self, note: &ExitNote, effects: &mut Effects) {
        self.answer(&Readiness::Exited { note: note.clone() }, effects);
    }

    /// Evaluates the screen if it has been quiet long enough.
    pub(super) fn on_deadline(
        &mut self,
        terminal: &mut Terminal,
        prompt: &mut PromptState,
        now: Instant,
        effects: &mut Effects,
    ) {
        let is_due = |this: &StartupReadiness| this.deadline().is_some_and(|at| at <= now);
        if !is_due(self) {
            return;
        }
        // Output is reported when it begins, and may still continue.
        self.last_output = terminal.take_last_output().or(self.last_output);
        if !is_due(self) {
            return;
        }
        let screen = terminal.screen().text();
        if screen.is_empty() {
            // The output had only invisible sequences, so claude has not drawn anything yet.
            self.last_output = None;
            return;
        }
        self.quiet = true;
        // If claude is at its prompt, it asks no question: a policy may have disabled its hooks.
        if terminal.prompt_box().is_none() {
            self.question = question_on(&screen);
            prompt.apply(Fact::AsksAtStart);
        }
        self.answer(&Readiness::Quiet { screen }, effects);
    }

    fn answer(&mut self, readiness: &Readiness, effects: &mut Effects) {
        for (id, request) in std::mem::take(&mut self.askers) {
            effects.reply(id, request, readiness);
        }
    }
}

/// Detects the question on claude's screen before it starts. A login is checked first, because its screen may
/// mention trust.
fn question_on(screen: &str) -> Option<StartQuestion> {
    let screen = screen.to_lowercase();
    let shows = |words: &[&str]| words.iter().any(|word| screen.contains(word));
    if shows(&["login method", "log in", "sign in", "browser to sign", "paste code"]) {
        return Some(StartQuestion::Login);
    }
    shows(&["trust this folder", "trust the files", "you trust"]).then_some(StartQuestion::Trust)
}

#[cfg(test)]
mod tests {
    use super::{super::test_claude::terminal, *};
    use crate::prompt_state::Activity;

    struct Start {
        terminal: Terminal,
        prompt: PromptState,
        startup: StartupReadiness,
        effects: Effects,
        started: Instant,
    }

    impl Start {
        fn new() -> Start {
            let started = Instant::now();
            let startup = StartupReadiness::new(None, started);
            let (terminal, _) = terminal();
            Start { terminal, prompt: PromptState::new(false), startup, effects: Effects::default(), started }
        }

        fn print(&mut self, text: &str) {
            self.terminal.print(text);
            self.startup.last_output = self.terminal.take_last_output();
        }

        fn due_after(&mut self, seconds: u64) -> Vec<Readiness> {
            let now = self.started + Duration::from_secs(seconds);
            self.startup.on_deadline(&mut self.terminal, &mut self.prompt, now, &mut self.effects);
            self.effects.replies()
        }
    }

    #[test]
    fn a_quiet_screen_without_a_hook_is_a_question() {
        let mut start = Start::new();
        start.startup.wait(1, 7, None, &mut start.effects);
        start.print("Do you trust this folder?");
        assert_eq!(start.due_after(3), [], "claude may still be loading");
        let Readiness::Quiet { screen } = start.due_after(10).pop().unwrap() else { panic!() };
        assert_eq!(screen.trim(), "Do you trust this folder?");
        assert_eq!(start.prompt.activity(), Activity::AsksAtStart);
        assert_eq!(start.startup.deadline(), None, "no client waits any more");
    }

    #[test]
    fn a_claude_at_its_prompt_that_never_calls_a_hook_asks_nothing_and_gets_no_text() {
        let mut start = Start::new();
        start.startup.wait(1, 7, None, &mut start.effects);
        let rule = "─".repeat(80);
        start.print(&format!("\x1b[?2004h{rule}\r\n❯\u{a0}\r\n{rule}\r\n  ⏸ manual mode on\x1b[2;3H"));
        assert!(matches!(start.due_after(10).pop(), Some(Readiness::Quiet { .. })));
        assert_eq!((start.prompt.activity(), start.startup.question()), (Activity::Starting, None));
        assert!(start.prompt.may_type().is_err(), "nothing would confirm the text");
    }

    #[test]
    fn nothing_is_concluded_before_claude_has_drawn_something() {
        let mut start = Start::new();
        start.startup.wait(1, 7, None, &mut start.effects);
        start.print("\x1b[?25l");
        assert_eq!(start.due_after(10), []);
        assert_eq!(start.startup.deadline(), None);
    }

    #[test]
    fn a_hook_answers_every_waiting_client_and_every_later_one() {
        let mut start = Start::new();
        start.startup.wait(1, 7, None, &mut start.effects);
        start.startup.wait(2, 8, None, &mut start.effects);
        start.startup.forget(2);
        start.startup.on_ready(&mut start.effects);
        start.startup.wait(3, 9, None, &mut start.effects);
        assert_eq!(start.effects.replies::<Readiness>(), [Readiness::Ready, Readiness::Ready]);
    }

    #[test]
    fn the_question_at_the_start_is_read_from_the_screen() {
        let check = |screen: &str, expected| assert_eq!(question_on(screen), expected, "{screen}");
        check("Do you trust the files in this folder?", Some(StartQuestion::Trust));
        check(
            " Quick safety check: Is this a project you created or one you trust?",
            Some(StartQuestion::Trust),
        );
        check("Select login method:", Some(StartQuestion::Login));
        check("Settings Warning", None);
    }
}
