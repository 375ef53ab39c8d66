//! Claude's permission mode, model and context usage, read below its input box and from its status line. Also changes
//! the mode, for which claude only offers Shift+Tab in its terminal.

use super::SessionActor;
use crate::{
    client_id::ClientId,
    prompt_box::PromptBox,
    prompt_state::Fact,
    protocol::{ApiRetry, ContextUse, Happening, Refused, RefusedCode},
    recorder::Note,
};
use bc_claude::hooks::{Hook, StatusLine};
use bc_core::mode::PermissionMode;
use std::time::{Duration, Instant};

/// Shift+Tab.
const NEXT_MODE: &[u8] = b"\x1b[Z";

/// The time limit for claude to show another mode.
const SHOWN_WITHIN: Duration = Duration::from_secs(5);

/// How long the line below the box must stay empty to mean Manual: a frame may be drawn before its last line.
const UNNAMED_FOR: Duration = Duration::from_millis(300);

#[derive(Debug, Default)]
pub(super) struct ClaudeStatusLine {
    mode: Option<PermissionMode>,
    /// The recorded mode, with which a resume starts.
    recorded: Option<PermissionMode>,
    /// A mode change that got stuck in a mode that is wider than both its start and its target.
    stuck: Option<Stuck>,
    /// Since when no mode is shown.
    unnamed: Option<Instant>,
    retry: Option<ApiRetry>,
    model: Option<String>,
    context: Option<ContextUse>,
    change: Option<Change>,
}

/// A mode change that a client waits for.
#[derive(Debug)]
struct Change {
    client: ClientId,
    request: u64,
    to: Option<PermissionMode>,
    /// The modes that were shown during the change, the starting one first.
    modes_seen: Vec<PermissionMode>,
    until: Instant,
}

/// A mode that claude shows but the user did not choose.
#[derive(Debug, Clone, Copy)]
struct Stuck {
    shown: PermissionMode,
    /// The mode that is recorded instead.
    wanted: PermissionMode,
}

impl ClaudeStatusLine {
    /// Claude's current retry of a failed request.
    pub(super) fn retry(&self) -> Option<&ApiRetry> {
        self.retry.as_ref()
    }

    /// The mode to record while claude shows `shown`.
    fn mode_to_record(&mut self, shown: PermissionMode) -> PermissionMode {
        self.stuck = self.stuck.filter(|stuck| stuck.shown == shown);
        self.stuck.map_or(shown, |stuck| stuck.wanted)
    }

    pub(super) fn mode(&self) -> Option<PermissionMode> {
        self.mode
    }

    pub(super) fn model(&self) -> Option<String> {
        self.model.clone()
    }

    pub(super) fn context(&self) -> Option<ContextUse> {
        self.context
    }

    pub(super) fn is_changing(&self) -> bool {
        self.change.is_some()
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.change.as_ref().map(|change| change.until)
    }

    pub(super) fn forget(&mut self, client: ClientId) {
        self.change.take_if(|change| change.client == client);
    }
}

impl SessionActor {
    /// A hook reports the mode of its turn. A subagent may have its own mode.
    pub(super) fn on_hook_mode(&mut self, hook: &Hook) {
        let reported = hook.permission_mode.as_deref().filter(|_| hook.agent_id.is_none());
        if let Some(mode) = reported.and_then(|mode| mode.parse().ok()) {
            self.set_mode(mode);
        }
    }

    pub(super) fn on_status_line(&mut self, line: &StatusLine) {
        let context = line
            .context_tokens
            .zip(line.context_size)
            .filter(|(tokens, size)| *tokens > 0 && *size > 0)
            .map(|(tokens, size)| ContextUse { tokens, size });
        let reported =
            (line.model.clone().or(self.status_line.model.take()), context.or(self.status_line.context));
        if reported != (self.status_line.model.clone(), self.status_line.context) {
            (self.status_line.model, self.status_line.context) = reported;
            self.publish(Happening::Footer);
        }
    }

    fn set_mode(&mut self, mode: PermissionMode) {
        if self.status_line.mode.replace(mode) != Some(mode) {
            self.publish(Happening::Footer);
        }
        self.record_mode();
    }

    /// Records the mode with which a resume starts. Modes during a change are not recorded, because the change may
    /// get stuck.
    fn record_mode(&mut self) {
        let Some(shown) = self.status_line.mode.filter(|_| !self.status_line.is_changing()) else { return };
        let mode = self.status_line.mode_to_record(shown);
        if self.status_line.recorded.replace(mode) != Some(mode) {
            self.note(Note::Mode(mode));
        }
    }

    /// Starts a mode change; the reply follows when claude shows the mode.
    pub(super) fn change_mode(
        &mut self,
        client: ClientId,
        request: u64,
        to: Option<PermissionMode>,
    ) -> Result<(), Refused> {
        let refused = |message: String| Err(Refused { code: RefusedCode::State, message });
        if let Some(hold) = self.prompt.hold() {
            let hold = hold.to_string();
            let why = hold.split(';').next().unwrap_or(&hold);
            return refused(format!("the mode can only be changed while claude is at its prompt: {why}"));
        }
        // In a dialog, Shift+Tab may be an answer.
        if !self.terminal.prompt_box().is_some_and(|found| found.focused) {
            return refused("the mode can only be changed while claude is at its prompt".to_owned());
        }
        if self.prompt_queue.is_typing() || self.status_line.is_changing() {
            return refused("a text is being typed to claude; try again".to_owned());
        }
        let Some(mode) = self.status_line.mode else {
            return refused("claude does not show its mode; change it in the terminal".to_owned());
        };
        if to == Some(mode) {
            self.reply(client, request, &mode);
            return Ok(());
        }
        let until = Instant::now() + SHOWN_WITHIN;
        self.status_line.change = Some(Change { client, request, to, modes_seen: vec![mode], until });
        self.press_next_mode();
        Ok(())
    }

    fn press_next_mode(&mut self) {
        if !self.terminal.write(NEXT_MODE) {
            self.give_up_mode("claude does not read its terminal; pause the session to end claude");
        }
    }

    /// The screen was checked.
    pub(super) fn on_prompt_box_line(&mut self, found: Option<&PromptBox>, now: Instant) {
        self.check_for_retry();
        let named = found.and_then(|found| found.mode);
        let unnamed = found.is_some() && named.is_none() && self.spec.manual_is_unnamed;
        if let Some(mode) = named.or_else(|| self.unnamed_mode(unnamed, now)) {
            self.set_mode(mode);
            self.on_change(mode, now);
        }
    }

    /// Manual, if the box has been shown for a moment without a mode below it.
    fn unnamed_mode(&mut self, unnamed: bool, now: Instant) -> Option<PermissionMode> {
        if !unnamed || !names_no_mode(&self.terminal.screen().text()) {
            self.status_line.unnamed = None;
            return None;
        }
        let settled = *self.status_line.unnamed.get_or_insert(now) + UNNAMED_FOR;
        if now < settled {
            self.check_screen_by(settled);
            return None;
        }
        Some(PermissionMode::Manual)
    }

    /// Claude reports a retry only on its screen; it may retry for minutes.
    fn check_for_retry(&mut self) {
        if !self.prompt.works() {
            return;
        }
        let modes_seen = retry_on(&self.terminal.screen().text());
        if modes_seen.is_some() && modes_seen != self.status_line.retry {
            self.status_line.retry = modes_seen;
            self.publish(Happening::Footer);
        }
    }

    /// The request was answered or given up.
    pub(super) fn retry_over(&mut self) {
        if self.status_line.retry.take().is_some() {
            self.publish(Happening::Footer);
        }
    }

    fn on_change(&mut self, mode: PermissionMode, now: Instant) {
        let Some(change) = self.status_line.change.as_mut().filter(|c| c.modes_seen.last() != Some(&mode))
        else {
            return;
        };
        let reached = match change.to {
            Some(to) => mode == to,
            // Bypass is only chosen by its name.
            None => mode != PermissionMode::BypassPermissions,
        };
        let came_back = change.modes_seen.first() == Some(&mode);
        change.modes_seen.push(mode);
        change.until = now + SHOWN_WITHIN;
        match (reached, came_back, change.to) {
            (true, ..) => {
                let (client, request) = (change.client, change.request);
                self.status_line.change = None;
                self.record_mode();
                self.reply(client, request, &mode);
            }
            (false, true, Some(to)) => {
                let offered = "claude does not offer it in this session, or only when started with it";
                self.give_up_mode(&format!("{} is not available: {offered}", to.title()));
            }
            _ => self.press_next_mode(),
        }
    }

    pub(super) fn on_mode_deadline(&mut self, now: Instant) {
        if self.status_line.deadline().is_some_and(|until| until <= now) {
            // Claude may ask something, so no text may be typed until that is over.
            self.prompt.apply(Fact::CommandSent);
            self.on_entered();
            self.give_up_mode("claude did not change its mode; it may ask a question in its terminal");
        }
    }

    pub(super) fn give_up_mode(&mut self, why: &str) {
        let Some(Change { client, request, to, modes_seen, .. }) = self.status_line.change.take() else {
            return;
        };
        let mut message = why.to_owned();
        if let (Some(shown), Some(&from)) = (self.status_line.mode, modes_seen.first()) {
            let wanted = to.map_or(from, |to| to.narrower(from));
            if shown.narrower(wanted) != shown {
                self.status_line.stuck = Some(Stuck { shown, wanted });
                message = format!(
                    "{message}. Claude now shows {}; a resume starts in {}",
                    shown.title(),
                    wanted.title()
                );
            }
        }
        self.record_mode();
        self.refuse(client, request, Refused { code: RefusedCode::State, message });
    }
}

/// Whether the lines below the lowest frame show no mode. A hint that replaces the mode for a moment says nothing.
fn names_no_mode(screen: &str) -> bool {
    let below: Vec<&str> =
        screen.lines().rev().take_while(|line| !line.trim_start().starts_with("───")).collect();
    !below
        .iter()
        .any(|line| line.contains(['⏵', '⏸']) || line.contains("again to") || line.contains("mode on"))
}

/// The lowest line that reports a retry: `✻ 401 … · retrying in 18s · attempt 6/10`, or in older versions `⎿ Retrying
/// in 18s · attempt 6/10`.
fn retry_on(screen: &str) -> Option<ApiRetry> {
    screen.lines().rev().find_map(|line| {
        let (reported, counts) = line.trim().rsplit_once(" · attempt ")?;
        let (attempt, of) = counts.split_once('/')?;
        let at = reported.rfind("etrying in ")?;
        let before = reported.get(..at)?.trim_end_matches(['r', 'R']);
        let why = before.trim_matches(|c: char| !c.is_alphanumeric());
        let why = Some(bc_core::text::cut(why, 200)).filter(|why| !why.is_empty());
        Some(ApiRetry { attempt: attempt.parse().ok()?, of: of.parse().ok()?, why })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retry_is_read_with_its_number_and_its_reason() {
        let check = |screen: &str, expect: Option<(u32, u32, Option<&str>)>| {
            let expect =
                expect.map(|(attempt, of, why)| ApiRetry { attempt, of, why: why.map(str::to_owned) });
            assert_eq!(retry_on(screen), expect, "{screen}");
        };
        check(
            "✻ 401 scripted 401 · retrying in 18s · attempt 6/10\n────\n❯",
            Some((6, 10, Some("401 scripted 401"))),
        );
        check("  ⎿ \u{a0}Retrying in 1s · attempt 2/10\n", Some((2, 10, None)));
        check("✻ API error · retrying in 1s · attempt 1/10", Some((1, 10, Some("API error"))));
        check("● the 2nd attempt 1/2 failed", None);
        check("✻ Worked for 1s", None);
    }

    #[test]
    fn an_empty_line_shows_no_mode_and_a_temporary_hint_says_nothing() {
        let check = |below: &str, expect: bool| {
            assert_eq!(names_no_mode(&format!("⏸ above\n────────\n❯\n────────\n{below}")), expect, "{below}");
        };
        check("", true);
        check("  esc to interrupt          Will retry on next startup", true);
        check("  ⏵⏵ accept edits on (shift+tab to cycle)", false);
        check("  ⏸ plan mode on", false);
        check("  Press Ctrl-C again to exit", false);
    }

    #[test]
    fn a_stuck_mode_change_records_the_narrower_mode() {
        use PermissionMode::{Auto, Manual, Plan};
        let stuck = Some(Stuck { shown: Auto, wanted: Plan });
        let mut status_line = ClaudeStatusLine { stuck, ..ClaudeStatusLine::default() };
        assert_eq!((status_line.mode_to_record(Auto), status_line.mode_to_record(Auto)), (Plan, Plan));
        // The user chose another mode in the terminal, and then this one.
        assert_eq!((status_line.mode_to_record(Manual), status_line.mode_to_record(Auto)), (Manual, Auto));
    }
}
