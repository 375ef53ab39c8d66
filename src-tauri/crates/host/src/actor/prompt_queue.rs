//! Prompts for claude, which are saved on disk, typed in order, and removed once claude has confirmed them.
//! Prompts that claude returned stay on disk until the user sends or removes them.
//!
//! Invariants: a prompt is on disk before it is typed or reported as held. If it may have been typed, it is marked
//! as typed on disk before its first key, and is never typed again automatically.

use super::{claude_state::ClaudeState, effects::Effects};
use crate::{
    client_id::ClientId,
    prompt_images,
    prompt_state::{Fact, PromptState},
    prompt_text::{self, TextError},
    prompt_typing::{ANSWER_DELAY_MAX, Progress, PromptTyping},
    protocol::{Delivery, Happening, HeldState, HeldText, Refused, RefusedCode, Sent},
};
use bc_core::{Extra, Timestamp};
use bc_store::{
    SessionLock, StoreError,
    session::{Outbox, OutboxItem},
};
use std::{collections::HashMap, sync::Arc, time::Instant};
use uuid::Uuid;

/// The field of an outbox item with the time at which the prompt was typed. A prompt with this field is never
/// typed again automatically.
const TYPED_AT: &str = "typed_at";

/// The field of an outbox item with the time at which claude returned the text.
const RETURNED_AT: &str = "returned_at";

/// The maximum total size of the queued prompts, in bytes. It is limited because a status lists all of them.
const WAITING_MAX: usize = 1 << 20;

pub(super) struct PromptQueue {
    lock: Arc<SessionLock>,
    outbox: Outbox,
    /// The id of the opening prompt, until claude has confirmed it.
    opening: Option<String>,
    typing: PromptTyping,
    /// Clients that wait for the result of a prompt, by the prompt's id.
    askers: HashMap<String, Asker>,
    now: fn() -> Timestamp,
}

struct Asker {
    client: ClientId,
    request: u64,
    /// The latest time for an answer if the text has not been typed yet.
    answer_by: Instant,
}

impl PromptQueue {
    /// Opens the outbox. `prompt` is claude's opening prompt. It is saved as already typed, so that it is
    /// neither lost nor sent twice if claude exits before it has read the prompt.
    pub(super) fn open(lock: Arc<SessionLock>, prompt: Option<&str>, now: fn() -> Timestamp) -> PromptQueue {
        // A corrupt outbox must not prevent a session from running; the next queued prompt replaces it.
        let outbox = lock.outbox().unwrap_or_default();
        let mut queue = PromptQueue {
            lock,
            outbox,
            opening: None,
            typing: PromptTyping::default(),
            askers: HashMap::new(),
            now,
        };
        // A `/command` is not saved, because no hook would confirm it.
        let text = prompt
            .filter(|text| !prompt_text::is_command(text))
            .and_then(|text| prompt_text::clean(text).ok());
        if let Some(text) = text {
            let (id, at) = (Uuid::new_v4().to_string(), now());
            let mut item = OutboxItem { id: id.clone(), text, at, extra: Extra::new() };
            item.extra.insert(TYPED_AT.to_owned(), at.to_rfc3339().into());
            // If the disk is full, the session still runs; claude's own transcript has the prompt.
            if queue.change(|items| items.push(item)).is_ok() {
                queue.opening = Some(id);
            }
        }
        queue
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let impatient = self.askers.iter().filter(|(id, _)| self.typing.id() != Some(id));
        impatient.map(|(_, asker)| asker.answer_by).chain(self.typing.deadline()).min()
    }

    pub(super) fn forget_client(&mut self, id: ClientId) {
        self.askers.retain(|_, asker| asker.client != id);
    }

    pub(super) fn held(&self) -> Vec<HeldText> {
        let held = |item: &OutboxItem| HeldText {
            id: item.id.clone(),
            text: item.text.clone(),
            at: item.at,
            state: match item {
                item if item.extra.contains_key(RETURNED_AT) => HeldState::Returned,
                item if was_typed(item) && self.typing.id() != Some(&item.id) => HeldState::Unconfirmed,
                _ => HeldState::Waiting,
            },
        };
        // The opening prompt is not listed until claude has started with it.
        let is_listed = |item: &&OutboxItem| self.opening.as_ref() != Some(&item.id);
        self.outbox.items.iter().filter(is_listed).map(held).collect()
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<OutboxItem>)) -> Result<(), StoreError> {
        let mut outbox = self.outbox.clone();
        change(&mut outbox.items);
        self.lock.save_outbox(&outbox)?;
        self.outbox = outbox;
        Ok(())
    }

    fn change_item(&mut self, id: &str, change: impl FnOnce(&mut OutboxItem)) -> Result<(), StoreError> {
        self.change(|items| {
            if let Some(item) = items.iter_mut().find(|item| item.id == id) {
                change(item);
            }
        })
    }

    fn item(&self, id: &str) -> Option<&OutboxItem> {
        self.outbox.items.iter().find(|item| item.id == id)
    }

    /// Whether a prompt is being typed or will be typed automatically.
    pub(super) fn has_pending(&self) -> bool {
        self.is_typing() || self.outbox.items.iter().any(|item| !was_typed(item))
    }

    pub(super) fn is_typing(&self) -> bool {
        !self.typing.is_idle()
    }

    /// Queues a prompt. The client gets its reply when the prompt is confirmed, in doubt, or reported as held
    /// (see [`PromptQueue::answer_held`]).
    ///
    /// # Errors
    /// Fails if the text cannot be typed or saved, or if the queue is full.
    pub(super) fn add(
        &mut self,
        client: ClientId,
        request: u64,
        text: &str,
        now: Instant,
    ) -> Result<(), Refused> {
        let (id, text) = (Uuid::new_v4().to_string(), prompt_text::clean(text)?);
        self.check_room(&id, &text)?;
        let item = OutboxItem { id: id.clone(), text, at: (self.now)(), extra: Extra::new() };
        self.change(|items| items.push(item))?;
        self.askers.insert(id, Asker { client, request, answer_by: now + ANSWER_DELAY_MAX });
        Ok(())
    }

    /// Fails unless the queue has room for this text of the item `id`, new or edited.
    fn check_room(&self, id: &str, text: &str) -> Result<(), Refused> {
        let others = self.outbox.items.iter().filter(|item| item.id != id);
        if others.map(|item| item.text.len()).sum::<usize>() + text.len() > WAITING_MAX {
            let message = "too much text is queued for claude; remove some of it or let claude continue";
            return Err(Refused::new(RefusedCode::State, message));
        }
        Ok(())
    }

    /// Answers clients whose prompts are held: immediately if claude cannot accept a text now, otherwise after
    /// [`ANSWER_DELAY_MAX`].
    pub(super) fn answer_held(&mut self, prompt: &PromptState, now: Instant, effects: &mut Effects) {
        let lasting = prompt.hold().is_some() && self.typing.is_idle();
        let typed = self.typing.id().map(str::to_owned);
        let held = self
            .askers
            .iter()
            .filter(|(id, asker)| Some(*id) != typed.as_ref() && (lasting || asker.answer_by <= now));
        let held: Vec<String> = held.map(|(id, _)| id.clone()).collect();
        for id in held {
            let reason = self.hold_reason(prompt);
            self.answer(&id, Delivery::Held, Some(reason), effects);
        }
    }

    fn hold_reason(&self, prompt: &PromptState) -> String {
        match prompt.may_type() {
            Err(hold) => hold.to_string(),
            Ok(()) if !self.typing.is_idle() => "another text is being typed".to_owned(),
            Ok(()) => "claude's prompt is not ready for a text yet".to_owned(),
        }
    }

    fn answer(&mut self, id: &str, delivery: Delivery, reason: Option<String>, effects: &mut Effects) {
        if let Some(Asker { client, request, .. }) = self.askers.remove(id) {
            effects.reply(client, request, &Sent { id: id.to_owned(), delivery, reason });
        }
    }

    /// Removes a prompt that is not being typed: one that is held, in doubt or returned.
    pub(super) fn forget(&mut self, id: &str, effects: &mut Effects) -> Result<(), Refused> {
        self.check_settled(id)?;
        self.change(|items| items.retain(|item| item.id != id))?;
        self.publish_held(effects);
        Ok(())
    }

    /// Queues a prompt again that is in doubt or was returned.
    pub(super) fn retry(&mut self, id: &str) -> Result<(), Refused> {
        self.check_settled(id)?;
        self.change_item(id, |item| item.extra.retain(|field, _| field != TYPED_AT && field != RETURNED_AT))?;
        Ok(())
    }

    /// Replaces the wording of a queued prompt.
    pub(super) fn edit(&mut self, id: &str, text: &str, effects: &mut Effects) -> Result<(), Refused> {
        self.check_waiting(id)?;
        let text = prompt_text::clean(text)?;
        self.check_room(id, &text)?;
        self.change_item(id, |item| item.text = text)?;
        self.publish_held(effects);
        Ok(())
    }

    /// Moves a queued prompt before another one, or to the end.
    pub(super) fn move_before(
        &mut self,
        id: &str,
        before: Option<&str>,
        effects: &mut Effects,
    ) -> Result<(), Refused> {
        self.check_waiting(id)?;
        if let Some(before) = before {
            self.check_waiting(before)?;
        }
        if before == Some(id) {
            return Ok(());
        }
        self.change(|items| {
            let Some(from) = items.iter().position(|item| item.id == id) else { return };
            let item = items.remove(from);
            let to = before.and_then(|before| items.iter().position(|other| other.id == before));
            items.insert(to.unwrap_or(items.len()), item);
        })?;
        self.publish_held(effects);
        Ok(())
    }

    /// Makes a queued prompt the next one.
    pub(super) fn move_first(&mut self, id: &str, effects: &mut Effects) -> Result<(), Refused> {
        let first = self.outbox.items.iter().find(|item| !was_typed(item)).map(|item| item.id.clone());
        self.move_before(id, first.as_deref(), effects)
    }

    /// Fails unless the prompt is waiting, because only waiting prompts can be changed.
    fn check_waiting(&self, id: &str) -> Result<(), Refused> {
        if was_typed(self.check_settled(id)?) {
            let message = "the text was typed already; discard it or send it again";
            return Err(Refused::new(RefusedCode::State, message));
        }
        Ok(())
    }

    /// Returns the prompt. Fails if it is being typed or is not in the queue.
    fn check_settled(&self, id: &str) -> Result<&OutboxItem, Refused> {
        if self.typing.id() == Some(id) {
            let message = "the text is being typed; try again in a moment";
            return Err(Refused::new(RefusedCode::State, message));
        }
        let missing = || Refused::new(RefusedCode::NotFound, "no such text is queued; it may have been sent");
        self.item(id).ok_or_else(missing)
    }

    /// Types the first queued prompt if claude is at its prompt with an empty input box.
    pub(super) fn type_next(&mut self, claude: &mut ClaudeState, now: Instant, effects: &mut Effects) {
        if !self.typing.is_idle() || claude.prompt.may_type().is_err() {
            return;
        }
        let Some(item) = self.outbox.items.iter().find(|item| !was_typed(item)).cloned() else { return };
        // Checked last, because the check has to draw the screen.
        if !claude.terminal.screen().bracketed_paste() || !claude.box_is_free(now) {
            return;
        }
        let typed_at = (self.now)().to_rfc3339();
        // Saved first, so that after a crash the text is in doubt and is not typed a second time.
        let marked = self.change_item(&item.id, |item| {
            item.extra.insert(TYPED_AT.to_owned(), typed_at.into());
        });
        if let Err(error) = marked {
            effects.publish_trouble(error.to_string());
            claude.prompt.apply(Fact::PasteLost);
            return;
        }
        // A dialog may have opened during the write to disk.
        if !claude.terminal.prompt_box().is_some_and(|found| found.is_free()) {
            return self.requeue_unsent(&item.id, claude, effects);
        }
        let (images, text) = prompt_images::split(&item.text, &self.attachments());
        let bytes = self.typing.begin(item.id, text, images, Instant::now());
        if !claude.terminal.write(&bytes) {
            self.on_disturbed(claude, effects);
        }
    }

    /// The folder with the files that the user attached to prompts.
    fn attachments(&self) -> std::path::PathBuf {
        self.lock.path().join("person").join("attachments")
    }

    /// Marks a prompt as waiting again, because no part of it was typed.
    fn requeue_unsent(&mut self, id: &str, claude: &mut ClaudeState, effects: &mut Effects) {
        let requeued = self.change_item(id, |item| drop(item.extra.remove(TYPED_AT)));
        if let Err(error) = requeued {
            // The text is in doubt on disk, so the user has to decide.
            effects.publish_trouble(error.to_string());
            claude.prompt.apply(Fact::PasteLost);
        }
        claude.screen_checks.check_soon(Instant::now());
    }

    /// Saves a prompt that claude returned, before it is cleared from claude's input box. Returns whether the
    /// prompt is on disk.
    pub(super) fn add_returned(&mut self, text: String, effects: &mut Effects) -> bool {
        let at = (self.now)();
        // The user can send the prompt again. Text that cannot be typed can still be read.
        let text = prompt_text::clean(&text).unwrap_or(text);
        let mut item = OutboxItem { id: Uuid::new_v4().to_string(), text, at, extra: Extra::new() };
        item.extra.insert(RETURNED_AT.to_owned(), at.to_rfc3339().into());
        if let Err(error) = self.change(|items| items.push(item)) {
            effects.publish_trouble(error.to_string());
            return false;
        }
        self.publish_held(effects);
        true
    }

    /// Called when the screen has changed. `may_enter`: whether Enter may be pressed, because the session is
    /// not ending.
    pub(super) fn on_screen_changed(
        &mut self,
        may_enter: bool,
        claude: &mut ClaudeState,
        effects: &mut Effects,
    ) {
        if self.typing.is_idle() {
            return;
        }
        let may_enter = may_enter && claude.prompt.may_type().is_ok();
        let found = claude.terminal.prompt_box();
        let progress = self.typing.on_screen(found.as_ref(), may_enter, Instant::now());
        self.on_progress(progress, claude, effects);
    }

    /// Called when claude's terminal gets other input or accepts no input, or when the session ends, so that
    /// Enter must not be pressed.
    pub(super) fn on_disturbed(&mut self, claude: &mut ClaudeState, effects: &mut Effects) {
        let progress = self.typing.on_disturbed();
        self.on_progress(progress, claude, effects);
    }

    /// Called when the session ends. Removes the untyped prompts that clients wait for, and refuses these
    /// clients' requests, so that the clients decide how to proceed. Prompts that were reported as held stay
    /// queued.
    pub(super) fn refuse_untyped(&mut self, effects: &mut Effects) {
        let typed = |id: &String| self.item(id).is_some_and(was_typed);
        let waiting: Vec<String> = self.askers.keys().filter(|id| !typed(id)).cloned().collect();
        if waiting.is_empty() {
            return;
        }
        if let Err(error) = self.change(|items| items.retain(|item| !waiting.contains(&item.id))) {
            return effects.publish_trouble(error.to_string());
        }
        for id in waiting {
            if let Some(Asker { client, request, .. }) = self.askers.remove(&id) {
                effects.refuse(client, request, session_ending());
            }
        }
        self.publish_held(effects);
    }

    pub(super) fn on_deadline(&mut self, claude: &mut ClaudeState, now: Instant, effects: &mut Effects) {
        let terminal = &mut claude.terminal;
        let box_empty = || terminal.prompt_box().is_some_and(|found| found.is_free());
        let progress = self.typing.on_deadline(now, box_empty);
        self.on_progress(progress, claude, effects);
        self.answer_held(&claude.prompt, now, effects);
    }

    /// Called when claude has cleared or compacts the conversation, which confirms an entered `/command`.
    pub(super) fn on_command_effect(&mut self, claude: &mut ClaudeState, effects: &mut Effects) {
        let progress = self.typing.on_command_effect();
        self.on_progress(progress, claude, effects);
    }

    /// Called when claude reports a submitted prompt. This confirms the opening prompt, the text that is
    /// being typed, or one that was in doubt or returned. Returns the queue's own text if the prompt is one
    /// of the last two, because claude wraps long prompts.
    pub(super) fn on_submitted(
        &mut self,
        prompt: &str,
        claude: &mut ClaudeState,
        effects: &mut Effects,
    ) -> String {
        if let Some(id) = self.opening.take() {
            self.on_confirmed(&id, effects);
            return prompt.to_owned();
        }
        let written = self.typing.id().and_then(|id| self.item(id)).map(|item| item.text.clone());
        let progress = self.typing.on_prompt(prompt);
        if progress.is_some() {
            self.on_progress(progress, claude, effects);
            return written.unwrap_or_else(|| prompt.to_owned());
        }
        let doubted = self.outbox.items.iter().find(|item| {
            was_typed(item)
                && self.typing.id() != Some(&item.id)
                && prompt_text::is_prompt(prompt, &prompt_images::split(&item.text, &self.attachments()).1)
        });
        match doubted.map(|item| (item.id.clone(), item.text.clone())) {
            Some((id, text)) => {
                self.on_confirmed(&id, effects);
                text
            }
            None => prompt.to_owned(),
        }
    }

    fn on_progress(&mut self, progress: Option<Progress>, claude: &mut ClaudeState, effects: &mut Effects) {
        match progress {
            None => {}
            Some(Progress::Paste(bytes)) => {
                let written = claude.terminal.write(&bytes);
                if !written {
                    self.on_disturbed(claude, effects);
                }
            }
            Some(Progress::PressEnter { command }) => {
                if command {
                    claude.prompt.apply(Fact::CommandSent);
                    claude.screen_checks.on_entered(Instant::now());
                }
                if !claude.terminal.write(b"\r") {
                    self.on_disturbed(claude, effects);
                }
            }
            Some(Progress::Confirmed { id }) => self.on_confirmed(&id, effects),
            Some(Progress::Lost { id, entered }) => {
                claude.prompt.apply(Fact::PasteLost);
                let reason = match entered {
                    true => "it was typed but claude did not confirm it",
                    false => "it was pasted but did not appear at claude's prompt, so Enter was not pressed",
                };
                let reason = format!("{reason}; check the terminal");
                self.answer(&id, Delivery::Unconfirmed, Some(reason), effects);
                self.publish_held(effects);
            }
        }
    }

    fn on_confirmed(&mut self, id: &str, effects: &mut Effects) {
        if let Err(error) = self.change(|items| items.retain(|item| item.id != id)) {
            // The text remains marked as typed on disk, so it is not typed again.
            effects.publish_trouble(error.to_string());
            self.outbox.items.retain(|item| item.id != id);
        }
        self.answer(id, Delivery::Sent, None, effects);
        self.publish_held(effects);
    }

    pub(super) fn publish_held(&self, effects: &mut Effects) {
        effects.publish(Happening::Held { held: self.held() });
    }
}

/// Whether the prompt was given to claude or returned by it, so that it is not typed again automatically.
fn was_typed(item: &OutboxItem) -> bool {
    item.extra.contains_key(TYPED_AT) || item.extra.contains_key(RETURNED_AT)
}

/// The error for a prompt when the session is ending.
pub(super) fn session_ending() -> Refused {
    Refused::new(RefusedCode::State, "the session is ending: claude accepts no more text")
}

impl From<TextError> for Refused {
    fn from(error: TextError) -> Refused {
        Refused::new(RefusedCode::BadText, error.to_string())
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        let code = if error.is_disk_full() { RefusedCode::DiskFull } else { RefusedCode::Failed };
        Refused::new(code, error.to_string())
    }
}

#[cfg(test)]
mod tests;
