//! Reads claude's permission mode, model, context usage and API retries from its hooks, its status line and
//! its screen. Also changes the mode, by pressing Shift+Tab at claude's prompt.

use super::{claude_state::ClaudeState, effects::Effects, terminal::Terminal};
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

/// The key sequence of Shift+Tab.
const NEXT_MODE: &[u8] = b"\x1b[Z";

/// The time limit for claude to show another mode.
const SHOWN_WITHIN: Duration = Duration::from_secs(5);

/// How long the lines below the box must name no mode before the mode counts as Manual. Claude may draw a
/// frame before the frame's last line.
const UNNAMED_FOR: Duration = Duration::from_millis(300);

#[derive(Debug, Default)]
pub(super) struct ClaudeStatusLine {
    mode: Option<PermissionMode>,
    /// The recorded mode, which a resumed session starts with.
    recorded: Option<PermissionMode>,
    /// A mode change that stopped in a mode with wider permissions than its start or its target.
    stuck: Option<Stuck>,
    /// Since when claude has shown its input box without a mode.
    unnamed: Option<Instant>,
    retry: Option<ApiRetry>,
    model: Option<String>,
    context: Option<ContextUse>,
    change: Option<Change>,
    /// Whether this version of claude names every mode except Manual.
    manual_is_unnamed: bool,
}

/// A mode change that a client waits for.
#[derive(Debug)]
struct Change {
    client: ClientId,
    request: u64,
    to: Option<PermissionMode>,
    /// The modes that were shown during the change, beginning with the initial mode.
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
    pub(super) fn new(manual_is_unnamed: bool) -> ClaudeStatusLine {
        ClaudeStatusLine { manual_is_unnamed, ..ClaudeStatusLine::default() }
    }

    /// Claude's current retry of a failed API request.
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

    /// Records the mode that a hook reports. A subagent's hooks are ignored, because the subagent may have
    /// another mode.
    pub(super) fn on_hook_mode(&mut self, hook: &Hook, effects: &mut Effects) {
        let reported = hook.permission_mode.as_deref().filter(|_| hook.agent_id.is_none());
        if let Some(mode) = reported.and_then(|mode| mode.parse().ok()) {
            self.set_mode(mode, effects);
        }
    }

    pub(super) fn on_status_line(&mut self, line: &StatusLine, effects: &mut Effects) {
        let context = line
            .context_tokens
            .zip(line.context_size)
            .filter(|(tokens, size)| *tokens > 0 && *size > 0)
            .map(|(tokens, size)| ContextUse { tokens, size });
        let reported = (line.model.clone().or(self.model.take()), context.or(self.context));
        if reported != (self.model.clone(), self.context) {
            (self.model, self.context) = reported;
            effects.publish(Happening::Footer);
        }
    }

    fn set_mode(&mut self, mode: PermissionMode, effects: &mut Effects) {
        if self.mode.replace(mode) != Some(mode) {
            effects.publish(Happening::Footer);
        }
        self.record_mode(effects);
    }

    /// Records the mode for a later resume. Modes during a change are not recorded, because the change may
    /// get stuck.
    fn record_mode(&mut self, effects: &mut Effects) {
        let Some(shown) = self.mode.filter(|_| !self.is_changing()) else { return };
        let mode = self.mode_to_record(shown);
        if self.recorded.replace(mode) != Some(mode) {
            effects.note(Note::Mode(mode));
        }
    }

    /// Starts a change to the mode `to`, or else to the next mode except Bypass. The reply follows when
    /// claude shows the mode or the change is abandoned. `typing`: whether the host is typing a prompt.
    ///
    /// # Errors
    /// Fails if claude is not at its prompt, if its mode is not known yet, or while the host types or changes
    /// the mode.
    pub(super) fn change_mode(
        &mut self,
        (client, request): (ClientId, u64),
        to: Option<PermissionMode>,
        typing: bool,
        claude: &mut ClaudeState,
        now: Instant,
        effects: &mut Effects,
    ) -> Result<(), Refused> {
        let refused = |message: &str| Err(Refused::new(RefusedCode::State, message));
        if let Some(hold) = claude.prompt.hold() {
            let hold = hold.to_string();
            let why = hold.split(';').next().unwrap_or(&hold);
            return refused(&format!("the mode can only be changed while claude is at its prompt: {why}"));
        }
        // In a dialog, Shift+Tab may select an answer.
        if !claude.terminal.prompt_box().is_some_and(|found| found.focused) {
            return refused("the mode can only be changed while claude is at its prompt");
        }
        if typing || self.is_changing() {
            return refused("a text is being typed to claude; try again");
        }
        let Some(mode) = self.mode else {
            return refused("claude does not show its mode; change it in the terminal");
        };
        if to == Some(mode) {
            effects.reply(client, request, &mode);
            return Ok(());
        }
        let until = now + SHOWN_WITHIN;
        self.change = Some(Change { client, request, to, modes_seen: vec![mode], until });
        self.press_next_mode(&claude.terminal, effects);
        Ok(())
    }

    fn press_next_mode(&mut self, terminal: &Terminal, effects: &mut Effects) {
        if !terminal.write(NEXT_MODE) {
            self.give_up("claude does not read its terminal; pause the session to end claude", effects);
        }
    }

    /// Handles the result of a screen check: this box, or `None` if something else is in its place.
    pub(super) fn on_box_checked(
        &mut self,
        found: Option<&PromptBox>,
        claude: &mut ClaudeState,
        now: Instant,
        effects: &mut Effects,
    ) {
        if claude.prompt.works() {
            self.on_retry_shown(retry_on(&claude.terminal.screen().text()), effects);
        }
        let named = found.and_then(|found| found.mode);
        let unnamed = found.is_some() && named.is_none() && self.manual_is_unnamed;
        if let Some(mode) = named.or_else(|| self.unnamed_mode(unnamed, claude, now)) {
            self.set_mode(mode, effects);
            self.on_change(mode, &claude.terminal, now, effects);
        }
    }

    /// Returns Manual if the box has been shown for a moment without a mode below it.
    fn unnamed_mode(
        &mut self,
        unnamed: bool,
        claude: &mut ClaudeState,
        now: Instant,
    ) -> Option<PermissionMode> {
        if !unnamed || !names_no_mode(&claude.terminal.screen().text()) {
            self.unnamed = None;
            return None;
        }
        let settled = *self.unnamed.get_or_insert(now) + UNNAMED_FOR;
        claude.screen_checks.has_passed(Some(settled), now).then_some(PermissionMode::Manual)
    }

    /// Records a retry that claude shows. Claude reports retries only on its screen, and may retry for
    /// minutes.
    fn on_retry_shown(&mut self, shown: Option<ApiRetry>, effects: &mut Effects) {
        if shown.is_some() && shown != self.retry {
            self.retry = shown;
            effects.publish(Happening::Footer);
        }
    }

    /// Called when claude's request was answered or abandoned, so that no retry is running.
    pub(super) fn retry_over(&mut self, effects: &mut Effects) {
        if self.retry.take().is_some() {
            effects.publish(Happening::Footer);
        }
    }

    fn on_change(&mut self, mode: PermissionMode, terminal: &Terminal, now: Instant, effects: &mut Effects) {
        let Some(change) = self.change.as_mut().filter(|c| c.modes_seen.last() != Some(&mode)) else {
            return;
        };
        let reached = match change.to {
            Some(to) => mode == to,
            // Bypass is chosen only when requested by name.
            None => mode != PermissionMode::BypassPermissions,
        };
        let came_back = change.modes_seen.first() == Some(&mode);
        change.modes_seen.push(mode);
        change.until = now + SHOWN_WITHIN;
        match (reached, came_back, change.to) {
            (true, ..) => {
                let (client, request) = (change.client, change.request);
                self.change = None;
                self.record_mode(effects);
                effects.reply(client, request, &mode);
            }
            (false, true, Some(to)) => {
                let offered = "claude does not offer it in this session, or only when started with it";
                self.give_up(&format!("{} is not available: {offered}", to.title()), effects);
            }
            _ => self.press_next_mode(terminal, effects),
        }
    }

    pub(super) fn on_deadline(&mut self, claude: &mut ClaudeState, now: Instant, effects: &mut Effects) {
        if self.deadline().is_some_and(|until| until <= now) {
            // Claude may show a question, so no text may be typed until it is answered.
            claude.prompt.apply(Fact::CommandSent);
            claude.screen_checks.on_entered(now);
            self.give_up("claude did not change its mode; it may ask a question in its terminal", effects);
        }
    }

    /// Called when a user types in a terminal, which cancels a running mode change.
    pub(super) fn on_typed(&mut self, effects: &mut Effects) {
        self.give_up("claude's terminal has new input; check the terminal", effects);
    }

    fn give_up(&mut self, why: &str, effects: &mut Effects) {
        let Some(Change { client, request, to, modes_seen, .. }) = self.change.take() else { return };
        let mut message = why.to_owned();
        if let (Some(shown), Some(&from)) = (self.mode, modes_seen.first()) {
            let wanted = to.map_or(from, |to| to.narrower(from));
            if shown.narrower(wanted) != shown {
                self.stuck = Some(Stuck { shown, wanted });
                message = format!(
                    "{message}. Claude now shows {}; a resume starts in {}",
                    shown.title(),
                    wanted.title()
                );
            }
        }
        self.record_mode(effects);
        effects.refuse(client, request, Refused::new(RefusedCode::State, message));
    }
}

/// Whether the lines below the lowest frame show no mode. False if a hint temporarily replaces the mode.
fn names_no_mode(screen: &str) -> bool {
    let mut below = screen.lines().rev().take_while(|line| !line.trim_start().starts_with("───"));
    !below.any(|line| line.contains(['⏵', '⏸']) || line.contains("again to") || line.contains("mode on"))
}

/// Parses the lowest line that reports a retry: `✻ 401 … · retrying in 18s · attempt 6/10`, or in older
/// versions `⎿ Retrying in 18s · attempt 6/10`.
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
    use super::{
        super::test_claude::{claude, show_box, show_dialog},
        *,
    };
    use crate::prompt_state::Hold;

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
    fn an_empty_line_names_no_mode_and_a_temporary_hint_is_ignored() {
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
        // The user chose another mode in the terminal, and then returned to this one.
        assert_eq!((status_line.mode_to_record(Manual), status_line.mode_to_record(Auto)), (Manual, Auto));
    }

    #[test]
    fn a_mode_change_presses_keys_until_claude_shows_the_mode() {
        use PermissionMode::{Manual, Plan};
        let now = Instant::now();
        let ((mut claude, written), mut effects) = (claude(), Effects::default());
        let mut line = ClaudeStatusLine::new(false);
        let mut shows = |line: &mut ClaudeStatusLine, mode: &str, claude: &mut ClaudeState| {
            show_box(claude, "");
            claude.terminal.print(&format!("\x1b[4;1H  ⏸ {mode} on         \x1b[2;3H"));
            let found = claude.terminal.prompt_box();
            line.on_box_checked(found.as_ref(), claude, now, &mut effects);
            (effects.replies::<PermissionMode>(), written.take())
        };
        assert_eq!(shows(&mut line, "manual mode", &mut claude), (vec![], String::new()));
        assert_eq!(line.mode(), Some(Manual));
        line.change_mode((1, 7), Some(Plan), false, &mut claude, now, &mut Effects::default()).unwrap();
        assert!(line.is_changing());
        assert_eq!(shows(&mut line, "accept edits", &mut claude), (vec![], "\x1b[Z\x1b[Z".to_owned()));
        assert_eq!(shows(&mut line, "plan mode", &mut claude), (vec![Plan], String::new()));
        assert!(!line.is_changing());
    }

    #[test]
    fn a_mode_change_ends_when_the_user_types_or_claude_does_not_answer() {
        let now = Instant::now();
        let ((mut claude, _), mut effects) = (claude(), Effects::default());
        let mut line = ClaudeStatusLine { mode: Some(PermissionMode::Manual), ..ClaudeStatusLine::default() };
        line.change_mode((1, 7), None, false, &mut claude, now, &mut effects).unwrap();
        line.on_typed(&mut effects);
        assert_eq!(effects.refusals().len(), 1);
        line.change_mode((1, 8), None, false, &mut claude, now, &mut effects).unwrap();
        line.on_deadline(&mut claude, now + SHOWN_WITHIN, &mut effects);
        assert_eq!(effects.refusals().len(), 1);
        assert_eq!(claude.prompt.may_type(), Err(Hold::CommandOpen), "claude may ask something");
    }

    #[test]
    fn no_mode_key_is_sent_to_a_dialog() {
        let ((mut claude, written), mut effects) = (claude(), Effects::default());
        let mut line = ClaudeStatusLine { mode: Some(PermissionMode::Manual), ..ClaudeStatusLine::default() };
        show_dialog(&claude);
        let refused = line.change_mode((1, 7), None, false, &mut claude, Instant::now(), &mut effects);
        assert_eq!((refused.unwrap_err().code, written.take().as_str()), (RefusedCode::State, ""));
    }
}
