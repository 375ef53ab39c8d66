//! What claude says of itself below its input box and in its status line: the permission mode, the
//! model, how full the context is. And changing the mode, which only Shift+Tab in its terminal can.

use super::Owner;
use crate::{
    prompt_box::PromptBox,
    prompt_state::Fact,
    protocol::{ContextUse, Happening, Refused, RefusedCode},
    scribe::Note,
    server::ClientId,
};
use bc_claude::hooks::{Hook, StatusLine};
use bc_core::mode::PermissionMode;
use std::time::{Duration, Instant};

/// Shift+Tab.
const NEXT_MODE: &[u8] = b"\x1b[Z";

/// How long claude may take to show another mode.
const SHOWN_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(super) struct Footer {
    mode: Option<PermissionMode>,
    model: Option<String>,
    context: Option<ContextUse>,
    change: Option<Change>,
}

/// A change of the mode that somebody waits for.
#[derive(Debug)]
struct Change {
    client: ClientId,
    request: u64,
    to: Option<PermissionMode>,
    /// Those that were seen on the way, the first one where it began.
    seen: Vec<PermissionMode>,
    until: Instant,
}

impl Footer {
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

impl Owner {
    /// A hook says which mode its turn runs in. A subagent may have one of its own.
    pub(super) fn on_hooks_mode(&mut self, hook: &Hook) {
        let said = hook.permission_mode.as_deref().filter(|_| hook.agent_id.is_none());
        if let Some(mode) = said.and_then(|mode| mode.parse().ok()) {
            self.has_mode(mode);
        }
    }

    pub(super) fn on_status_line(&mut self, line: &StatusLine) {
        let context = line
            .context_tokens
            .zip(line.context_size)
            .filter(|(tokens, size)| *tokens > 0 && *size > 0)
            .map(|(tokens, size)| ContextUse { tokens, size });
        let said = (line.model.clone().or(self.footer.model.take()), context.or(self.footer.context));
        if said != (self.footer.model.clone(), self.footer.context) {
            (self.footer.model, self.footer.context) = said;
            self.tell(Happening::Footer);
        }
    }

    fn has_mode(&mut self, mode: PermissionMode) {
        if self.footer.mode.replace(mode) != Some(mode) {
            self.note(Note::Mode(mode));
            self.tell(Happening::Footer);
        }
    }

    /// Begins a change; the reply comes when claude shows another mode.
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
            return refused(format!("the mode can be changed while claude is at its prompt: {why}"));
        }
        if self.texts.is_typing() || self.footer.is_changing() {
            return refused("claude is being typed to at this moment; try again".to_owned());
        }
        let Some(mode) = self.footer.mode else {
            return refused("claude does not show its mode; change it in the terminal".to_owned());
        };
        if to == Some(mode) {
            self.reply(client, request, &mode);
            return Ok(());
        }
        let until = Instant::now() + SHOWN_WITHIN;
        self.footer.change = Some(Change { client, request, to, seen: vec![mode], until });
        self.press_next_mode();
        Ok(())
    }

    fn press_next_mode(&mut self) {
        if !self.terminal.write(NEXT_MODE) {
            self.give_up_mode("claude does not read its terminal; pause the session to end it");
        }
    }

    /// The screen was looked at.
    pub(super) fn on_footer(&mut self, found: Option<&PromptBox>, now: Instant) {
        if let Some(mode) = found.and_then(|found| found.mode) {
            self.has_mode(mode);
            self.on_change(mode, now);
        }
    }

    fn on_change(&mut self, mode: PermissionMode, now: Instant) {
        let Some(change) = self.footer.change.as_mut().filter(|c| c.seen.last() != Some(&mode)) else {
            return;
        };
        let there = match change.to {
            Some(to) => mode == to,
            // What asks nothing any more is only chosen by its name.
            None => mode != PermissionMode::BypassPermissions,
        };
        let around = change.seen.first() == Some(&mode);
        change.seen.push(mode);
        change.until = now + SHOWN_WITHIN;
        match (there, around, change.to) {
            (true, ..) => {
                let (client, request) = (change.client, change.request);
                self.footer.change = None;
                self.reply(client, request, &mode);
            }
            (false, true, Some(to)) => {
                let offered = "claude does not offer it in this session, or only if it is started with it";
                self.give_up_mode(&format!("{} is not there: {offered}", to.title()));
            }
            _ => self.press_next_mode(),
        }
    }

    pub(super) fn on_mode_deadline(&mut self, now: Instant) {
        if self.footer.deadline().is_some_and(|until| until <= now) {
            // It may ask something: until that is over nothing of ours may be typed.
            self.prompt.apply(Fact::CommandSent);
            self.on_entered();
            self.give_up_mode("claude shows no other mode; it may ask something in its terminal");
        }
    }

    pub(super) fn give_up_mode(&mut self, why: &str) {
        if let Some(Change { client, request, .. }) = self.footer.change.take() {
            self.refuse(client, request, Refused { code: RefusedCode::State, message: why.to_owned() });
        }
    }
}
