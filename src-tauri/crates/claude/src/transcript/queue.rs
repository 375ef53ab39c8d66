//! Prompts that the user typed while claude was working.
//!
//! Newer versions add such a prompt as an attachment when the model receives it. Older versions (2.1.39) only
//! record that the prompt was queued and taken, so the prompt is restored from that record.

use super::{
    entry::{Object, text},
    known_messages::hash,
    queued_prompts::{QUEUED, Queued},
    state::{Heading, State},
};
use bc_core::message::Role;

impl State {
    /// Handles a record that a prompt was queued, sent, received by the model, or returned to the input box.
    pub(super) fn queue_operation(&mut self, entry: &Object<'_>) {
        match text(entry, "operation").unwrap_or("") {
            "enqueue" => {
                let content = text(entry, "content").unwrap_or("").trim();
                // Commands and messages from programs have their own types of entries.
                if content.is_empty()
                    || content.starts_with(['/', '!', '<'])
                    || self.queue.waiting.len() == QUEUED
                {
                    return;
                }
                let at = text(entry, "timestamp").unwrap_or("");
                let id = format!("queued-{:016x}", hash(&format!("{at}\n{content}")));
                self.queue.waiting.push_back(Queued { id, text: content.to_owned() });
            }
            // The prompt follows as an ordinary prompt.
            "dequeue" => drop(self.queue.waiting.pop_front()),
            "remove" => self.queue.taken.extend(self.queue.waiting.pop_front()),
            // All waiting prompts return to the input box.
            "popAll" => self.queue.waiting.clear(),
            _ => {}
        }
    }

    /// Handles an ordinary prompt in the transcript. The prompt does not have to be restored from the queue's
    /// record.
    pub(super) fn prompt_arrived(&mut self, content: &str) {
        let at = self.queue.taken.iter().position(|queued| queued.text == content.trim());
        at.into_iter().for_each(|at| drop(self.queue.taken.remove(at)));
    }

    /// Handles a prompt that the transcript contains as an attachment. The record that the prompt was taken
    /// may come later.
    pub(super) fn attached_prompt(&mut self, content: &str) {
        if self.queue.taken.iter().all(|queued| queued.text != content.trim()) {
            let at = self.queue.waiting.iter().position(|queued| queued.text == content.trim());
            at.into_iter().for_each(|at| drop(self.queue.waiting.remove(at)));
        }
    }

    /// Adds the taken prompts as messages, before the model's answer to these prompts.
    pub(super) fn show_taken(&mut self, heading: &Heading) {
        for Queued { id, text } in std::mem::take(&mut self.queue.taken) {
            let heading = Heading { id, ..heading.clone() };
            self.note(heading, Role::User, None, text);
        }
    }
}
