//! Texts for claude's prompt: held on disk, typed in order, gone once claude has confirmed them. One that
//! claude gave back is among them again.

use super::Owner;
use crate::{
    outgoing::{self, TextError},
    prompt_state::Fact,
    protocol::{Delivery, Happening, HeldState, HeldText, Refused, RefusedCode, Sent},
    sending::{PATIENCE, Progress, Sending, Shown},
    server::ClientId,
};
use bc_core::Extra;
use bc_store::{
    SessionLock, StoreError,
    session::{Outbox, OutboxItem},
};
use std::{collections::HashMap, sync::Arc, time::Instant};
use uuid::Uuid;

/// The field of an outbox item that says when it was typed; such an item is never typed by itself again.
const TYPED_AT: &str = "typed_at";

/// The field of an outbox item that says when claude gave it back.
const RETURNED_AT: &str = "returned_at";

pub(super) struct Texts {
    lock: Arc<SessionLock>,
    outbox: Outbox,
    sending: Sending,
    /// Who waits to hear what became of a text.
    askers: HashMap<String, Asker>,
}

struct Asker {
    client: ClientId,
    request: u64,
    /// Until when it is worth waiting although typing has not begun.
    patience: Instant,
}

/// How much text may wait, in bytes: a status lists all of it.
const WAITING_MAX: usize = 1 << 20;

impl Texts {
    pub(super) fn open(lock: Arc<SessionLock>) -> Texts {
        // A broken outbox must not keep a session from running; the next held text replaces it.
        let outbox = lock.outbox().unwrap_or_default();
        Texts { lock, outbox, sending: Sending::default(), askers: HashMap::new() }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let impatient = self.askers.iter().filter(|(id, _)| self.sending.id() != Some(id));
        impatient.map(|(_, asker)| asker.patience).chain(self.sending.deadline()).min()
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
                item if was_typed(item) && self.sending.id() != Some(&item.id) => HeldState::Unconfirmed,
                _ => HeldState::Waiting,
            },
        };
        self.outbox.items.iter().map(held).collect()
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

    /// Whether a text is being typed or will be by itself.
    pub(super) fn waits(&self) -> bool {
        self.is_typing() || self.outbox.items.iter().any(|item| !was_typed(item))
    }

    pub(super) fn is_typing(&self) -> bool {
        !self.sending.is_idle()
    }
}

/// Typed by us or, if it was given back, by whomever: it is not typed again by itself.
fn was_typed(item: &OutboxItem) -> bool {
    item.extra.contains_key(TYPED_AT) || item.extra.contains_key(RETURNED_AT)
}

fn no_more() -> Refused {
    let message = "the session is being ended: claude takes no text any more".to_owned();
    Refused { code: RefusedCode::State, message }
}

fn failed(error: &StoreError) -> Refused {
    Refused { code: RefusedCode::Failed, message: error.to_string() }
}

impl Owner {
    /// Holds a text and types it if that can be. The reply comes when it is confirmed or in doubt, at
    /// once when it is held.
    pub(super) fn send_text(&mut self, client: ClientId, request: u64, text: &str) -> Result<(), Refused> {
        if self.stopping.has_begun() {
            return Err(no_more());
        }
        let text = outgoing::clean(text)
            .map_err(|error: TextError| Refused { code: RefusedCode::BadText, message: error.to_string() })?;
        let waiting: usize = self.texts.outbox.items.iter().map(|item| item.text.len()).sum();
        if waiting + text.len() > WAITING_MAX {
            let message =
                "too much text waits for claude already; drop some of it, or let claude go on".to_owned();
            return Err(Refused { code: RefusedCode::State, message });
        }
        let item = OutboxItem { id: Uuid::new_v4().to_string(), text, at: (self.now)(), extra: Extra::new() };
        let id = item.id.clone();
        self.texts.change(|items| items.push(item)).map_err(|error| failed(&error))?;
        let patience = Instant::now() + PATIENCE;
        self.texts.askers.insert(id, Asker { client, request, patience });
        self.take_out_leftover();
        self.type_next();
        self.answer_held(Instant::now());
        self.tell_held();
        Ok(())
    }

    /// Answers those whose text is held for longer than a moment.
    fn answer_held(&mut self, now: Instant) {
        let lasting = self.prompt.hold().is_some() && self.texts.sending.is_idle();
        let typed = self.texts.sending.id().map(str::to_owned);
        let askers = self.texts.askers.iter();
        let held =
            askers.filter(|(id, asker)| Some(*id) != typed.as_ref() && (lasting || asker.patience <= now));
        let held: Vec<String> = held.map(|(id, _)| id.clone()).collect();
        for id in held {
            let reason = self.hold_reason();
            self.answer_text(&id, Delivery::Held, Some(reason));
        }
    }

    fn hold_reason(&self) -> String {
        match self.prompt.may_type() {
            Err(hold) => hold.to_string(),
            Ok(()) if !self.texts.sending.is_idle() => "another text is being typed".to_owned(),
            Ok(()) => "claude's prompt is not ready for a text yet".to_owned(),
        }
    }

    fn answer_text(&mut self, id: &str, delivery: Delivery, reason: Option<String>) {
        if let Some(Asker { client, request, .. }) = self.texts.askers.remove(id) {
            self.reply(client, request, &Sent { id: id.to_owned(), delivery, reason });
        }
    }

    pub(super) fn forget_text(&mut self, id: &str) -> Result<(), Refused> {
        self.check_settled(id)?;
        self.texts.change(|items| items.retain(|item| item.id != id)).map_err(|error| failed(&error))?;
        self.tell_held();
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
        self.texts.change(again).map_err(|error| failed(&error))?;
        self.take_out_leftover();
        self.type_next();
        self.tell_held();
        Ok(())
    }

    fn check_settled(&self, id: &str) -> Result<(), Refused> {
        let refused = |code, message: &str| Err(Refused { code, message: message.to_owned() });
        if self.texts.sending.id() == Some(id) {
            return refused(
                RefusedCode::State,
                "the text is being typed at this moment; ask again in a while",
            );
        }
        match self.texts.item(id) {
            Some(_) => Ok(()),
            None => refused(RefusedCode::NotFound, "there is no such text waiting; it may have been sent"),
        }
    }

    /// Types the oldest held text, if claude is at its prompt.
    pub(super) fn type_next(&mut self) {
        let ready = self.texts.sending.is_idle()
            && self.prompt.may_type().is_ok()
            && !self.footer.is_changing()
            && !self.stopping.has_begun();
        if !ready {
            return;
        }
        let Some(item) = self.texts.outbox.items.iter().find(|item| !was_typed(item)).cloned() else {
            return;
        };
        // Looked at last: it has to be drawn first.
        if !self.terminal.screen().bracketed_paste() || !self.box_is_free(Instant::now()) {
            return;
        }
        let typed_at = (self.now)().to_rfc3339();
        // On disk first: after a crash it is in doubt, and not typed a second time.
        let marked = self.texts.change(|items| {
            for other in items.iter_mut().filter(|other| other.id == item.id) {
                other.extra.insert(TYPED_AT.to_owned(), typed_at.as_str().into());
            }
        });
        if let Err(error) = marked {
            self.tell_text_trouble(&error);
            self.prompt.apply(Fact::PasteLost);
            return;
        }
        let (screen, without_hints) = self.terminal.shown();
        let shown = Shown { screen: &screen, without_hints: &without_hints };
        let bytes = self.texts.sending.begin(item.id, item.text, shown, Instant::now());
        if !self.terminal.write(&bytes) {
            let progress = self.texts.sending.on_disturbed();
            self.on_text_progress(progress);
        }
    }

    /// Claude gave this prompt back: it is held as such before it is taken out of claude's input box.
    /// Whether it is on disk.
    pub(super) fn hold_returned(&mut self, text: String) -> bool {
        let at = (self.now)();
        // It may be sent again as any other; what cannot be typed is still there to be read.
        let text = outgoing::clean(&text).unwrap_or(text);
        let mut item = OutboxItem { id: Uuid::new_v4().to_string(), text, at, extra: Extra::new() };
        item.extra.insert(RETURNED_AT.to_owned(), at.to_rfc3339().into());
        if let Err(error) = self.texts.change(|items| items.push(item)) {
            self.tell_text_trouble(&error);
            return false;
        }
        self.tell_held();
        true
    }

    pub(super) fn on_screen_changed(&mut self) {
        if self.texts.sending.is_idle() {
            return;
        }
        let may_enter = self.prompt.may_type().is_ok() && !self.stopping.has_begun();
        let (screen, without_hints) = self.terminal.shown();
        let shown = Shown { screen: &screen, without_hints: &without_hints };
        let progress = self.texts.sending.on_screen(shown, may_enter, Instant::now());
        self.on_text_progress(progress);
    }

    pub(super) fn on_text_disturbed(&mut self) {
        let progress = self.texts.sending.on_disturbed();
        self.on_text_progress(progress);
    }

    /// The session ends: who still waits to hear of a text hears that. What was not typed is not kept for them, for
    /// they will see to it in another way; what they were told is held stays so.
    pub(super) fn give_texts_back(&mut self) {
        let typed = |id: &String| self.texts.item(id).is_some_and(was_typed);
        let waiting: Vec<String> = self.texts.askers.keys().filter(|id| !typed(id)).cloned().collect();
        if waiting.is_empty() {
            return;
        }
        if let Err(error) = self.texts.change(|items| items.retain(|item| !waiting.contains(&item.id))) {
            return self.tell_text_trouble(&error);
        }
        for id in waiting {
            if let Some(Asker { client, request, .. }) = self.texts.askers.remove(&id) {
                self.refuse(client, request, no_more());
            }
        }
        self.tell_held();
    }

    pub(super) fn on_text_deadline(&mut self, now: Instant) {
        let terminal = &mut self.terminal;
        let box_empty = || terminal.prompt_box().is_some_and(|found| found.typed.is_empty());
        let progress = self.texts.sending.on_deadline(now, box_empty);
        self.on_text_progress(progress);
        self.answer_held(now);
    }

    pub(super) fn on_command_effect(&mut self) {
        let progress = self.texts.sending.on_command_effect();
        self.on_text_progress(progress);
    }

    /// Claude reports a prompt: the one being typed, or one that was in doubt or given back. Returns it
    /// as it was written, where that is known: claude wraps what is long.
    pub(super) fn on_prompt_submitted(&mut self, prompt: &str) -> String {
        let written =
            self.texts.sending.id().and_then(|id| self.texts.item(id)).map(|item| item.text.clone());
        let progress = self.texts.sending.on_prompt(prompt);
        if progress.is_some() {
            self.on_text_progress(progress);
            return written.unwrap_or_else(|| prompt.to_owned());
        }
        let doubted = self.texts.outbox.items.iter().find(|item| {
            was_typed(item)
                && self.texts.sending.id() != Some(&item.id)
                && outgoing::is_prompt(prompt, &item.text)
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
                    true => "it was typed, and claude did not confirm it",
                    false => "it was pasted and did not show up at claude's prompt, so Enter was not pressed",
                };
                let reason = format!("{reason}; look at the terminal");
                self.answer_text(&id, Delivery::Unconfirmed, Some(reason));
                self.tell_held();
            }
        }
    }

    fn text_confirmed(&mut self, id: &str) {
        let removed = self.texts.change(|items| items.retain(|item| item.id != id));
        if let Err(error) = removed {
            // It stays marked as typed on disk, so it is not typed again.
            self.tell_text_trouble(&error);
            self.texts.outbox.items.retain(|item| item.id != id);
        }
        self.answer_text(id, Delivery::Sent, None);
        self.tell_held();
    }

    fn tell_text_trouble(&mut self, error: &StoreError) {
        self.tell(Happening::Trouble { message: error.to_string() });
    }

    fn tell_held(&mut self) {
        let held = self.texts.held();
        self.tell(Happening::Held { held });
    }
}
