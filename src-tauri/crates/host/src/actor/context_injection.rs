//! Injects text into claude's context at SessionStart hooks, in a fixed order, and records each piece. Also
//! records the text that is added to a prompt, and delays a compaction until a comment on the bead is made.
//!
//! Each start, resume, clear or compaction of a conversation is one round. The pieces are divided into
//! shares: a share is one piece, or several short ones. Claude runs one hook for each share, all in parallel,
//! and joins the shares in the order in which it reaps the hooks. The hooks are therefore answered one after
//! the other, starting with the recovery block. Each answer waits until claude has reaped the previous hook,
//! which that hook's connection thread detects. If the pieces include the recovery block, each round requests
//! a fresh block, except right after the launch. If that block is late, the last known one is used.

use super::{bead_work::BeadWork, effects::Effects};
use crate::{
    client_id::ClientId,
    helper_request::HelperTask,
    recorder::Note,
    spec::{ContextPiece, MEMORIES_SOURCE, RECOVERY_SOURCE},
};
use bc_claude::hooks::{Answer, EventName};
use bc_core::{
    Timestamp,
    ids::ConversationId,
    recovery::{Injection, Reason},
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// How long a round waits for a fresh block. Creating a block takes about 0.1 s if the tracker has not
/// changed since the last check, and otherwise about 1 s.
const BLOCK_WITHIN: Duration = Duration::from_secs(4);

/// The delay between the end of one hook and the answer to the next. If a hook's process cannot be observed,
/// its connection marks the end, but closes slightly before the process exits.
const APART: Duration = Duration::from_millis(20);

/// The time limit for claude to fetch a share once it is that share's turn.
const FETCHED_WITHIN: Duration = Duration::from_secs(5);

/// The time limit for a round. A hook waits slightly longer for its answer.
const ROUND_WITHIN: Duration = Duration::from_secs(16);

/// How long after the host's start the block from the launch counts as fresh. Claude's first hook runs after
/// about half a second, or much later if the user has to answer a dialog first.
const FRESH_AT_START: Duration = Duration::from_secs(10);

/// How long a compaction waits for the comment that must precede it.
const CHECKPOINT_WITHIN: Duration = Duration::from_secs(8);

pub(super) struct ContextInjection {
    shares: Vec<Vec<ContextPiece>>,
    /// The memories from the last helper report that contained any.
    pub(super) memories: Option<String>,
    /// Claude's current conversation.
    pub(super) conversation: ConversationId,
    host_started: Instant,
    round: Option<Round>,
    /// A compaction's hook that waits for the progress comment, with its deadline.
    compaction: Option<(ClientId, Instant)>,
    now: fn() -> Timestamp,
}

struct Round {
    reason: Reason,
    waiting: BTreeMap<usize, ClientId>,
    next: usize,
    /// The hook that is fetching its answer. The next hook waits until it ends.
    reading: Option<ClientId>,
    /// The earliest time for the next answer.
    next_at: Option<Instant>,
    block: Block,
    deadline: Instant,
    /// The deadline of the whole round, which progress does not extend.
    latest: Instant,
}

impl Round {
    /// Gives the next share its own time limit after progress in the round.
    fn extend_deadline(&mut self, now: Instant) {
        self.deadline = (now + FETCHED_WITHIN).min(self.latest);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Awaited,
    Ready { stale: bool },
}

impl ContextInjection {
    /// Creates the state. Hook `n` gets the next `shares[n]` pieces, or one piece if the shares do not add up
    /// to all pieces.
    pub(super) fn new(
        pieces: Vec<ContextPiece>,
        shares: &[usize],
        conversation: ConversationId,
        host_started: Instant,
        now: fn() -> Timestamp,
    ) -> ContextInjection {
        let covers_all = shares.iter().sum::<usize>() == pieces.len();
        let mut pieces = pieces.into_iter();
        let shares = match covers_all {
            true => shares.iter().map(|&share| pieces.by_ref().take(share).collect()).collect(),
            false => pieces.map(|piece| vec![piece]).collect(),
        };
        let (memories, round, compaction) = (None, None, None);
        ContextInjection { shares, memories, conversation, host_started, round, compaction, now }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let round =
            self.round.as_ref().map(|round| round.next_at.unwrap_or(round.deadline).min(round.deadline));
        round.into_iter().chain(self.compaction.map(|(_, until)| until)).min()
    }

    fn has_block(&self) -> bool {
        self.shares.iter().flatten().any(|piece| piece.source == RECOVERY_SOURCE)
    }

    /// Called when a SessionStart hook requests its share.
    pub(super) fn on_start_hook(
        &mut self,
        (hook, index): (ClientId, usize),
        source: &str,
        work: &mut BeadWork,
        now: Instant,
        effects: &mut Effects,
    ) {
        let reason = Reason::of_start(source);
        let is_new_round = |round: &Round| {
            index < round.next || round.waiting.contains_key(&index) || round.reason != reason
        };
        if self.round.as_ref().is_none_or(is_new_round) {
            // Claude has started another round, so the hooks of the earlier round must not wait any longer.
            self.release_round(work, effects);
            self.begin_round(reason, work, now);
        }
        if let Some(round) = &mut self.round {
            round.waiting.insert(index, hook);
        }
        self.answer_next_hook(work, now, effects);
    }

    fn begin_round(&mut self, reason: Reason, work: &mut BeadWork, now: Instant) {
        let begins = matches!(reason, Reason::Start | Reason::Resume);
        let fresh = begins && now.saturating_duration_since(self.host_started) < FRESH_AT_START;
        let awaited = self.has_block() && !fresh && work.request(HelperTask::Block, BLOCK_WITHIN);
        let block = match awaited {
            true => Block::Awaited,
            false => Block::Ready { stale: !fresh && self.has_block() },
        };
        let within = if awaited { BLOCK_WITHIN } else { FETCHED_WITHIN };
        self.round = Some(Round {
            reason,
            waiting: BTreeMap::new(),
            next: 0,
            reading: None,
            next_at: None,
            block,
            deadline: now + within,
            latest: now + ROUND_WITHIN,
        });
    }

    /// Answers the round's next hook, if the block is ready, the hook has connected, and no other hook is
    /// fetching its answer.
    fn answer_next_hook(&mut self, work: &BeadWork, now: Instant, effects: &mut Effects) {
        let Some(round) = &mut self.round else { return };
        let Block::Ready { stale } = round.block else { return };
        if round.reading.is_some() || round.next_at.is_some_and(|at| at > now) {
            return;
        }
        round.next_at = None;
        let Some(hook) = round.waiting.remove(&round.next) else { return };
        let index = round.next;
        round.next += 1;
        round.reading = Some(hook);
        let reason = round.reason;
        self.answer_share((hook, index), reason, stale, work, effects);
    }

    /// Answers a hook with its non-empty pieces and records each of them. The connection stays open until the
    /// hook has ended.
    fn answer_share(
        &self,
        (hook, index): (ClientId, usize),
        reason: Reason,
        stale: bool,
        work: &BeadWork,
        effects: &mut Effects,
    ) {
        let mut texts = Vec::new();
        for piece in self.shares.get(index).into_iter().flatten() {
            let (known, renewed) = match piece.source.as_str() {
                RECOVERY_SOURCE => (work.last_block(), true),
                MEMORIES_SOURCE => (self.memories.as_ref(), true),
                _ => (None, false),
            };
            let text = known.unwrap_or(&piece.text);
            if !text.is_empty() {
                self.record(reason, &piece.source, text.clone(), stale && renewed, effects);
                texts.push(text.as_str());
            }
        }
        let answer = match texts.is_empty() {
            true => Answer::Nothing,
            false => Answer::Context { event: EventName::SessionStart, text: texts.join("\n\n") },
        };
        effects.answer_open_hook(hook, answer);
    }

    /// Records text that is added to claude's context.
    fn record(&self, reason: Reason, source: &str, text: String, stale: bool, effects: &mut Effects) {
        let injection = Injection {
            conversation: Some(self.conversation),
            stale,
            ..Injection::new((self.now)(), reason, source, text)
        };
        effects.note(Note::Injected(Box::new(injection)));
    }

    pub(super) fn record_with_prompt(&self, source: &str, text: &str, effects: &mut Effects) {
        self.record(Reason::Prompt, source, text.to_owned(), false, effects);
    }

    /// Called when a hook has ended, so that the next hook can be answered.
    pub(super) fn on_hook_ended(
        &mut self,
        hook: ClientId,
        work: &BeadWork,
        now: Instant,
        effects: &mut Effects,
    ) {
        if let Some(round) = &mut self.round {
            round.waiting.retain(|_, asker| *asker != hook);
            if round.reading == Some(hook) {
                round.reading = None;
                round.next_at = Some(now + APART);
                round.extend_deadline(now);
            }
        }
        self.compaction.take_if(|(asker, _)| *asker == hook);
        self.answer_next_hook(work, now, effects);
        let all = self.shares.len().max(1);
        self.round.take_if(|round| round.next >= all && round.reading.is_none());
    }

    /// Called when a helper request has succeeded or failed.
    pub(super) fn on_helper_done(
        &mut self,
        (task, succeeded): (&HelperTask, bool),
        work: &BeadWork,
        now: Instant,
        effects: &mut Effects,
    ) {
        match task {
            HelperTask::Block => {
                if let Some(round) = &mut self.round
                    && round.block == Block::Awaited
                {
                    round.block = Block::Ready { stale: !succeeded };
                    round.extend_deadline(now);
                }
                self.answer_next_hook(work, now, effects);
            }
            HelperTask::Checkpoint { .. } => self.allow_compaction(effects),
            HelperTask::CheckBeads => {}
        }
    }

    pub(super) fn on_deadline(&mut self, work: &BeadWork, now: Instant, effects: &mut Effects) {
        if self.compaction.is_some_and(|(_, until)| until <= now) {
            self.allow_compaction(effects);
        }
        self.answer_next_hook(work, now, effects);
        let Some(round) = self.round.as_mut().filter(|round| round.deadline <= now) else { return };
        match round.block {
            Block::Awaited => {
                round.block = Block::Ready { stale: true };
                round.extend_deadline(now);
                self.answer_next_hook(work, now, effects);
            }
            Block::Ready { .. } => self.release_round(work, effects),
        }
    }

    /// Answers the waiting hooks of the round in order, without further waiting, and ends the round.
    fn release_round(&mut self, work: &BeadWork, effects: &mut Effects) {
        let Some(round) = self.round.take() else { return };
        let stale = round.block != Block::Ready { stale: false };
        for (index, hook) in round.waiting {
            self.answer_share((hook, index), round.reason, stale, work, effects);
        }
    }

    /// Called before a compaction, to leave a progress comment on the bead. Returns whether the hook waits
    /// for the comment.
    pub(super) fn on_compaction(
        &mut self,
        hook: ClientId,
        work: &mut BeadWork,
        now: Instant,
        effects: &mut Effects,
    ) -> bool {
        let waits = work.request_checkpoint();
        if waits {
            self.allow_compaction(effects);
            self.compaction = Some((hook, now + CHECKPOINT_WITHIN));
        }
        waits
    }

    fn allow_compaction(&mut self, effects: &mut Effects) {
        if let Some((hook, _)) = self.compaction.take() {
            effects.answer_hook(hook, Answer::Nothing);
        }
    }
}

#[cfg(test)]
mod tests;
