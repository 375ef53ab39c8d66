//! Texts for claude's prompt: saved on disk, typed in order, and removed once claude has confirmed them. Prompts that
//! claude returned are queued again.

use super::SessionActor;
use crate::{
    client_id::ClientId,
    prompt_state::Fact,
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

/// The field of an outbox item with the time when it was typed. Such an item is never typed again automatically.
const TYPED_AT: &str = "typed_at";

/// The field of an outbox item with the time when claude returned it.
const RETURNED_AT: &str = "returned_at";

pub(super) struct PromptQueue {
    lock: Arc<SessionLock>,
    outbox: Outbox,
    /// The id of the opening prompt, until claude has confirmed it.
    opening: Option<String>,
    typing: PromptTyping,
    /// Clients that wait for the result of a text.
    askers: HashMap<String, Asker>,
}

struct Asker {
    client: ClientId,
    request: u64,
    /// The latest time for an answer if typing has not begun.
    answer_by: Instant,
}

/// The limit of queued text, in bytes: a status lists all of it.
const WAITING_MAX: usize = 1 << 20;

impl PromptQueue {
    /// `prompt` is claude's opening prompt. It is saved as a typed text, so that it is neither lost nor sent twice if
    /// claude ends before reading it.
    pub(super) fn open(lock: Arc<SessionLock>, prompt: Option<&str>, now: Timestamp) -> PromptQueue {
        // A broken outbox must not prevent a session from running; the next held text replaces it.
        let outbox = lock.outbox().unwrap_or_default();
        let mut queue = PromptQueue {
            lock,
            outbox,
            opening: None,
            typing: PromptTyping::default(),
            askers: HashMap::new(),
        };
        // No hook confirms a command.
        let text = prompt
            .filter(|text| !prompt_text::is_command(text))
            .and_then(|text| prompt_text::clean(text).ok());
        if let Some(text) = text {
            let id = Uuid::new_v4().to_string();
            let mut item = OutboxItem { id: id.clone(), text, at: now, extra: Extra::new() };
            item.extra.insert(TYPED_AT.to_owned(), now.to_rfc3339().into());
            // On a full disk the session runs anyway; claude's own transcript has the prompt.
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
        // While claude starts, the opening prompt is not pending.
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

    fn item(&self, id: &str) -> Option<&OutboxItem> {
        self.outbox.items.iter().find(|item| item.id == id)
    }

    /// Whether a text is being typed or will be typed automatically.
    pub(super) fn has_pending(&self) -> bool {
        self.is_typing() || self.outbox.items.iter().any(|item| !was_typed(item))
    }

    pub(super) fn is_typing(&self) -> bool {
        !self.typing.is_idle()
    }
}

/// Typed by the host, or returned by claude: not typed again automatically.
fn was_typed(item: &OutboxItem) -> bool {
    item.extra.contains_key(TYPED_AT) || item.extra.contains_key(RETURNED_AT)
}

fn session_ending() -> Refused {
    let message = "the session is ending: claude accepts no more text".to_owned();
    Refused { code: RefusedCode::State, message }
}

fn failed(error: &StoreError) -> Refused {
    Refused { code: RefusedCode::Failed, message: error.to_string() }
}

impl SessionActor {
    /// Queues a text and types it if possible. The reply follows when the text is confirmed or in doubt; a held text
    /// is answered at once.
    pub(super) fn send_text(&mut self, client: ClientId, request: u64, text: &str) -> Result<(), Refused> {
        if self.stopping.has_begun() {
            return Err(session_ending());
        }
        let text = prompt_text::clean(text)
            .map_err(|error: TextError| Refused { code: RefusedCode::BadText, message: error.to_string() })?;
        let waiting: usize = self.prompt_queue.outbox.items.iter().map(|item| item.text.len()).sum();
        if waiting + text.len() > WAITING_MAX {
            let message =
                "too much text is queued for claude; remove some of it or let claude continue".to_owned();
            return Err(Refused { code: RefusedCode::State, message });
        }
        let item = OutboxItem { id: Uuid::new_v4().to_string(), text, at: (self.now)(), extra: Extra::new() };
        let id = item.id.clone();
        self.prompt_queue.change(|items| items.push(item)).map_err(|error| failed(&error))?;
        let answer_by = Instant::now() + ANSWER_DELAY_MAX;
        self.prompt_queue.askers.insert(id, Asker { client, request, answer_by });
        self.clear_returned_prompt();
        self.type_next();
        self.answer_held(Instant::now());
        self.publish_held();
        Ok(())
    }

    /// Answers the clients whose text is held for longer than a moment.
    fn answer_held(&mut self, now: Instant) {
        let lasting = self.prompt.hold().is_some() && self.prompt_queue.typing.is_idle();
        let typed = self.prompt_queue.typing.id().map(str::to_owned);
        let askers = self.prompt_queue.askers.iter();
        let held =
            askers.filter(|(id, asker)| Some(*id) != typed.as_ref() && (lasting || asker.answer_by <= now));
        let held: Vec<String> = held.map(|(id, _)| id.clone()).collect();
        for id in held {
            let reason = self.hold_reason();
            self.answer_text(&id, Delivery::Held, Some(reason));
        }
    }

    fn hold_reason(&self) -> String {
        match self.prompt.may_type() {
            Err(hold) => hold.to_string(),
            Ok(()) if !self.prompt_queue.typing.is_idle() => "another text is being typed".to_owned(),
            Ok(()) => "claude's prompt is not ready for a text yet".to_owned(),
        }
    }

    fn answer_text(&mut self, id: &str, delivery: Delivery, reason: Option<String>) {
        if let Some(Asker { client, request, .. }) = self.prompt_queue.askers.remove(id) {
            self.reply(client, request, &Sent { id: id.to_owned(), delivery, reason });
        }
    }

    pub(super) fn forget_text(&mut self, id: &str) -> Result<(), Refused> {
        self.check_settled(id)?;
        self.prompt_queue
            .change(|items| items.retain(|item| item.id != id))
            .map_err(|error| failed(&error))?;
        self.publish_held();
        Ok(())
    }

    pub(super) fn retry_text(&mut self, id: &str) -> Result<(), Refused> {
        self.check_settled(id)?;
        let again = |items: &mut Vec<OutboxItem>| {
            for item in items.iter_mut().filter(|item| item.id == id) {
                item.extra.remove(TYPED_AT);
                item.extra.remove(RETURNED_AT);
            }
        };
        self.prompt_queue.change(again).map_err(|error| failed(&error))?;
        self.clear_returned_prompt();
        self.type_next();
        self.publish_held();
        Ok(())
    }

    fn check_settled(&self, id: &str) -> Result<(), Refused> {
        let refused = |code, message: &str| Err(Refused { code, message: message.to_owned() });
        if self.prompt_queue.typing.id() == Some(id) {
            return refused(RefusedCode::State, "the text is being typed; try again in a moment");
        }
        match self.prompt_queue.item(id) {
            Some(_) => Ok(()),
            None => refused(RefusedCode::NotFound, "no such text is queued; it may have been sent"),
        }
    }

    /// Types the oldest queued text if claude is at its prompt.
    pub(super) fn type_next(&mut self) {
        let ready = self.prompt_queue.typing.is_idle()
            && self.prompt.may_type().is_ok()
            && !self.status_line.is_changing()
            && !self.stopping.has_begun();
        if !ready {
            return;
        }
        let Some(item) = self.prompt_queue.outbox.items.iter().find(|item| !was_typed(item)).cloned() else {
            return;
        };
        // Checked last, because it requires drawing the screen.
        if !self.terminal.screen().bracketed_paste() || !self.prompt_box_is_free(Instant::now()) {
            return;
        }
        let typed_at = (self.now)().to_rfc3339();
        // Saved first: after a crash the text is in doubt, and not typed a second time.
        let marked = self.prompt_queue.change(|items| {
            for other in items.iter_mut().filter(|other| other.id == item.id) {
                other.extra.insert(TYPED_AT.to_owned(), typed_at.as_str().into());
            }
        });
        if let Err(error) = marked {
            self.publish_text_trouble(&error);
            self.prompt.apply(Fact::PasteLost);
            return;
        }
        // A dialog may have opened while the disk was written.
        if !self.terminal.prompt_box().is_some_and(|found| found.is_free()) {
            return self.requeue_unsent(&item.id);
        }
        let bytes = self.prompt_queue.typing.begin(item.id, item.text, Instant::now());
        if !self.terminal.write(&bytes) {
            let progress = self.prompt_queue.typing.on_disturbed();
            self.on_text_progress(progress);
        }
    }

    /// Nothing of this text was typed: it is pending again.
    fn requeue_unsent(&mut self, id: &str) {
        let has_pending = self.prompt_queue.change(|items| {
            for item in items.iter_mut().filter(|item| item.id == id) {
                item.extra.remove(TYPED_AT);
            }
        });
        if let Err(error) = has_pending {
            // The text is in doubt on disk, so the user decides.
            self.publish_text_trouble(&error);
            self.prompt.apply(Fact::PasteLost);
        }
        self.check_screen_soon();
    }

    /// Saves a prompt that claude returned, before it is cleared from claude's input box. Returns whether it is on
    /// disk.
    pub(super) fn queue_returned_prompt(&mut self, text: String) -> bool {
        let at = (self.now)();
        // It may be sent again like any other text; a text that cannot be typed can still be read.
        let text = prompt_text::clean(&text).unwrap_or(text);
        let mut item = OutboxItem { id: Uuid::new_v4().to_string(), text, at, extra: Extra::new() };
        item.extra.insert(RETURNED_AT.to_owned(), at.to_rfc3339().into());
        if let Err(error) = self.prompt_queue.change(|items| items.push(item)) {
            self.publish_text_trouble(&error);
            return false;
        }
        self.publish_held();
        true
    }

    pub(super) fn on_screen_changed(&mut self) {
        if self.prompt_queue.typing.is_idle() {
            return;
        }
        let may_enter = self.prompt.may_type().is_ok() && !self.stopping.has_begun();
        let found = self.terminal.prompt_box();
        let progress = self.prompt_queue.typing.on_screen(found.as_ref(), may_enter, Instant::now());
        self.on_text_progress(progress);
    }

    pub(super) fn on_text_disturbed(&mut self) {
        let progress = self.prompt_queue.typing.on_disturbed();
        self.on_text_progress(progress);
    }

    /// The session ends: clients that wait for a text are refused. Their untyped texts are removed, because these
    /// clients handle them in another way. Texts that were reported as held stay queued.
    pub(super) fn refuse_untyped_prompts(&mut self) {
        let typed = |id: &String| self.prompt_queue.item(id).is_some_and(was_typed);
        let waiting: Vec<String> = self.prompt_queue.askers.keys().filter(|id| !typed(id)).cloned().collect();
        if waiting.is_empty() {
            return;
        }
        if let Err(error) = self.prompt_queue.change(|items| items.retain(|item| !waiting.contains(&item.id)))
        {
            return self.publish_text_trouble(&error);
        }
        for id in waiting {
            if let Some(Asker { client, request, .. }) = self.prompt_queue.askers.remove(&id) {
                self.refuse(client, request, session_ending());
            }
        }
        self.publish_held();
    }

    pub(super) fn on_text_deadline(&mut self, now: Instant) {
        let terminal = &mut self.terminal;
        let box_empty = || terminal.prompt_box().is_some_and(|found| found.is_free());
        let progress = self.prompt_queue.typing.on_deadline(now, box_empty);
        self.on_text_progress(progress);
        self.answer_held(now);
    }

    pub(super) fn on_command_effect(&mut self) {
        let progress = self.prompt_queue.typing.on_command_effect();
        self.on_text_progress(progress);
    }

    /// Claude reports a prompt: the text being typed, or one that was in doubt or returned. Returns it as it was
    /// written, if known, because claude wraps long prompts.
    pub(super) fn on_prompt_submitted(&mut self, prompt: &str) -> String {
        if let Some(id) = self.prompt_queue.opening.take() {
            self.text_confirmed(&id);
            return prompt.to_owned();
        }
        let written = self
            .prompt_queue
            .typing
            .id()
            .and_then(|id| self.prompt_queue.item(id))
            .map(|item| item.text.clone());
        let progress = self.prompt_queue.typing.on_prompt(prompt);
        if progress.is_some() {
            self.on_text_progress(progress);
            return written.unwrap_or_else(|| prompt.to_owned());
        }
        let doubted = self.prompt_queue.outbox.items.iter().find(|item| {
            was_typed(item)
                && self.prompt_queue.typing.id() != Some(&item.id)
                && prompt_text::is_prompt(prompt, &item.text)
        });
        match doubted.map(|item| (item.id.clone(), item.text.clone())) {
            Some((id, text)) => {
                self.text_confirmed(&id);
                text
            }
            None => prompt.to_owned(),
        }
    }

    fn on_text_progress(&mut self, progress: Option<Progress>) {
        match progress {
            None => {}
            Some(Progress::PressEnter { command }) => {
                if command {
                    self.prompt.apply(Fact::CommandSent);
                    self.on_entered();
                }
                if !self.terminal.write(b"\r") {
                    self.on_text_disturbed();
                }
            }
            Some(Progress::Confirmed { id }) => self.text_confirmed(&id),
            Some(Progress::Lost { id, entered }) => {
                self.prompt.apply(Fact::PasteLost);
                let reason = match entered {
                    true => "it was typed but claude did not confirm it",
                    false => "it was pasted but did not appear at claude's prompt, so Enter was not pressed",
                };
                let reason = format!("{reason}; check the terminal");
                self.answer_text(&id, Delivery::Unconfirmed, Some(reason));
                self.publish_held();
            }
        }
    }

    fn text_confirmed(&mut self, id: &str) {
        let removed = self.prompt_queue.change(|items| items.retain(|item| item.id != id));
        if let Err(error) = removed {
            // On disk it stays marked as typed, so it is not typed again.
            self.publish_text_trouble(&error);
            self.prompt_queue.outbox.items.retain(|item| item.id != id);
        }
        self.answer_text(id, Delivery::Sent, None);
        self.publish_held();
    }

    fn publish_text_trouble(&mut self, error: &StoreError) {
        self.publish(Happening::Trouble { message: error.to_string() });
    }

    fn publish_held(&mut self) {
        let held = self.prompt_queue.held();
        self.publish(Happening::Held { held });
    }
}
