//! Routes the events of claude's terminal: its output, users' keys, and due screen checks.

use super::SessionActor;
use crate::{client_id::ClientId, keys::KeyKind, recorder::Note};
use std::time::Instant;

impl SessionActor {
    /// Called when claude has written output, which was already sent to the attached clients.
    pub(super) fn on_output(&mut self) {
        self.note_output();
        self.on_screen_changed();
        self.claude.terminal.draw_much();
        self.claude.screen_checks.check_soon(Instant::now());
    }

    fn note_output(&mut self) {
        self.startup.last_output = self.claude.terminal.take_last_output().or(self.startup.last_output);
    }

    pub(super) fn on_screen_changed(&mut self) {
        let may_enter = !self.stopping.has_begun();
        self.prompt_queue.on_screen_changed(may_enter, &mut self.claude, &mut self.effects);
    }

    pub(super) fn on_keys(&mut self, id: ClientId, bytes: &[u8]) {
        let Some(kind) = self.claude.classify(id, bytes) else { return };
        if kind == KeyKind::Typed {
            let now = Instant::now();
            self.prompt_queue.on_disturbed(&mut self.claude, &mut self.effects);
            self.status_line.on_typed(&mut self.effects);
            self.interrupt.on_typed(bytes, &mut self.claude, now);
            self.claude.on_typed(bytes, now);
            self.claude.terminal.take_size_of(id);
        }
        // Keys that a blocked program cannot accept are lost, as in any terminal.
        let _ = self.claude.terminal.write(bytes);
    }

    /// Checks claude's screen if a check is due.
    pub(super) fn check_screen(&mut self, now: Instant) {
        if !self.claude.screen_checks.takes_check(now) {
            return;
        }
        self.note_output();
        let found = self.claude.terminal.prompt_box();
        self.status_line.on_box_checked(found.as_ref(), &mut self.claude, now, &mut self.effects);
        let idle = self.claude.on_box_checked(found.as_ref(), now);
        let (typing, last_output) = (self.prompt_queue.is_typing(), self.startup.last_output);
        let Some(found) = found.filter(|_| idle) else { return };
        let Some(undone) = self.interrupt.on_box(&found, &mut self.claude, typing, last_output, now) else {
            return;
        };
        self.turn_is_over();
        self.bead_work.on_turn_over(&mut self.effects);
        if undone.before_answer {
            self.effects.note(Note::Stopped { at: (self.now)() });
        }
        self.effects.note(Note::TurnOver);
        if undone.by_us {
            self.clear_returned_prompt();
        }
    }

    pub(super) fn type_next(&mut self) {
        if !self.status_line.is_changing() && !self.stopping.has_begun() {
            self.prompt_queue.type_next(&mut self.claude, Instant::now(), &mut self.effects);
        }
    }

    /// Clears the stopped prompt from claude's input box, if the box contains nothing else. The prompt is
    /// saved to disk first; if that fails, it stays in the box.
    pub(super) fn clear_returned_prompt(&mut self) {
        if let Some(text) = self.interrupt.take_returned_prompt() {
            let saved = self.prompt_queue.add_returned(text, &mut self.effects);
            self.interrupt.clear_box(saved, &mut self.claude, Instant::now());
        }
    }

    /// Ends a shown API retry, and withdraws the main agent's permission requests, because none of its
    /// dialogs can be open now.
    pub(super) fn turn_is_over(&mut self) {
        self.status_line.retry_over(&mut self.effects);
        self.permissions.turn_over(&mut self.claude.prompt, &mut self.effects);
    }
}
