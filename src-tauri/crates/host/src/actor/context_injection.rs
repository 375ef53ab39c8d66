//! Injects text into claude's context, in a fixed order, and records each piece. Nothing else injects.
//!
//! A start of a conversation is a round. Claude runs one hook for each share of the pieces, all in parallel; a share
//! is one piece, or several short ones. Claude joins the shares in the order in which it reaps the hooks. So the
//! hooks are answered one after the other, the recovery block first, each when the hook before it was reaped (its
//! connection's thread waits for that). The block is created again for each round; if it is late, the last known block is
//! used.

use super::SessionActor;
use crate::{
    client_id::ClientId,
    frame::Frame,
    helper_request::HelperTask,
    recorder::Note,
    spec::{ContextPiece, MEMORIES_SOURCE, RECOVERY_SOURCE},
};
use bc_claude::hooks::{Answer, EventName};
use bc_core::recovery::{Injection, Reason};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// How long a round waits for a fresh block. It takes 0.1 s if the tracker has not changed since the last check,
/// otherwise 1 s.
const BLOCK_WITHIN: Duration = Duration::from_secs(4);

/// The delay between the end of one hook and the answer to the next one, for systems that do not report reaping: a
/// connection closes slightly before its program has ended.
const APART: Duration = Duration::from_millis(20);

/// The time limit for claude to fetch a share once it is its turn.
const FETCHED_WITHIN: Duration = Duration::from_secs(5);

/// The time limit of a round; a hook waits slightly longer for its answer.
const ROUND_WITHIN: Duration = Duration::from_secs(16);

/// How long after the host's start the block of the launch counts as fresh. Claude's first hook comes after about
/// half a second, and much later only if a dialog is answered first.
const FRESH_AT_START: Duration = Duration::from_secs(10);

/// How long a compaction waits for the comment that precedes it.
const CHECKPOINT_WITHIN: Duration = Duration::from_secs(8);

pub(super) struct ContextInjection {
    /// The pieces for each hook.
    shares: Vec<Vec<ContextPiece>>,
    /// The memories of the last helper report, if there is one.
    memories: Option<String>,
    host_began: Instant,
    round: Option<Round>,
    /// A compaction's hook that waits for the checkpoint comment.
    compaction: Option<(ClientId, Instant)>,
}

struct Round {
    reason: Reason,
    waiting: BTreeMap<usize, ClientId>,
    next: usize,
    /// The hook that is fetching its answer; the next one waits for its end.
    reading: Option<ClientId>,
    /// The earliest time for the next answer.
    next_at: Option<Instant>,
    block: Block,
    deadline: Instant,
    /// The end of the round, whatever happens.
    latest: Instant,
}

impl Round {
    /// The round made progress: the next share has its own time limit.
    fn extend_deadline(&mut self) {
        self.deadline = (Instant::now() + FETCHED_WITHIN).min(self.latest);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Awaited,
    There { stale: bool },
}

impl ContextInjection {
    /// Assigns `shares[n]` pieces to hook `n`.
    pub(super) fn new(pieces: Vec<ContextPiece>, shares: &[usize], now: Instant) -> ContextInjection {
        let covers_all = shares.iter().sum::<usize>() == pieces.len();
        let mut pieces = pieces.into_iter();
        let shares = match covers_all {
            true => shares.iter().map(|&share| pieces.by_ref().take(share).collect()).collect(),
            false => pieces.map(|piece| vec![piece]).collect(),
        };
        ContextInjection { shares, memories: None, host_began: now, round: None, compaction: None }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let round =
            self.round.as_ref().map(|round| round.next_at.unwrap_or(round.deadline).min(round.deadline));
        round.into_iter().chain(self.compaction.map(|(_, until)| until)).min()
    }

    fn has_block(&self) -> bool {
        self.shares.iter().flatten().any(|piece| piece.source == RECOVERY_SOURCE)
    }
}

impl SessionActor {
    /// A helper reported the current memories.
    pub(super) fn set_memories(&mut self, text: String) {
        self.context_injection.memories = Some(text);
    }

    /// A SessionStart hook requests its share.
    pub(super) fn on_start_hook(&mut self, id: ClientId, index: usize, source: &str) {
        let reason = Reason::of_start(source);
        let is_new_round = |round: &Round| {
            index < round.next || round.waiting.contains_key(&index) || round.reason != reason
        };
        if self.context_injection.round.as_ref().is_none_or(is_new_round) {
            // Hooks of an earlier round are no longer useful to claude.
            self.release_round();
            self.begin_round(reason);
        }
        if let Some(round) = &mut self.context_injection.round {
            round.waiting.insert(index, id);
        }
        self.answer_next_hook();
    }

    fn begin_round(&mut self, reason: Reason) {
        let begins = matches!(reason, Reason::Start | Reason::Resume);
        let fresh = begins && self.context_injection.host_began.elapsed() < FRESH_AT_START;
        let awaited = self.context_injection.has_block()
            && !fresh
            && self.request_helper(HelperTask::Block, BLOCK_WITHIN);
        let block = match awaited {
            true => Block::Awaited,
            false => Block::There { stale: !fresh && self.context_injection.has_block() },
        };
        let within = if awaited { BLOCK_WITHIN } else { FETCHED_WITHIN };
        let now = Instant::now();
        self.context_injection.round = Some(Round {
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

    /// Answers the next hook of the round if it is its turn.
    fn answer_next_hook(&mut self) {
        let Some(round) = &mut self.context_injection.round else { return };
        let Block::There { stale } = round.block else { return };
        if round.reading.is_some() || round.next_at.is_some_and(|at| at > Instant::now()) {
            return;
        }
        round.next_at = None;
        let Some(id) = round.waiting.remove(&round.next) else { return };
        let index = round.next;
        round.next += 1;
        round.reading = Some(id);
        let reason = round.reason;
        self.answer_share(id, index, reason, stale);
    }

    /// Answers a hook with its pieces and records each. The connection stays open until the hook has ended.
    fn answer_share(&mut self, id: ClientId, index: usize, reason: Reason, stale: bool) {
        let mut texts = Vec::new();
        for piece in self.context_injection.shares.get(index).cloned().unwrap_or_default() {
            let (known, renewed) = match piece.source.as_str() {
                RECOVERY_SOURCE => (self.bead_work.stores.last_block.clone(), true),
                MEMORIES_SOURCE => (self.context_injection.memories.clone(), true),
                _ => (None, false),
            };
            let text = known.unwrap_or(piece.text);
            if !text.is_empty() {
                self.record_injection(reason, &piece.source, text.clone(), stale && renewed);
                texts.push(text);
            }
        }
        let answer = match texts.is_empty() {
            true => Answer::Nothing,
            false => Answer::Context { event: EventName::SessionStart, text: texts.join("\n\n") },
        };
        if let Some(client) = self.clients.get(&id) {
            client.out.control(&Frame::control(&answer.to_json()));
        }
    }

    /// Records text that goes into claude's context.
    pub(super) fn record_injection(&mut self, reason: Reason, source: &str, text: String, stale: bool) {
        let injection = Injection {
            conversation: Some(self.conversation),
            stale,
            ..Injection::new((self.now)(), reason, source, text)
        };
        self.note(Note::Injected(Box::new(injection)));
    }

    /// A hook has ended: the next one may be answered.
    pub(super) fn on_hook_disconnected(&mut self, id: ClientId) {
        if let Some(round) = &mut self.context_injection.round {
            round.waiting.retain(|_, asker| *asker != id);
            if round.reading == Some(id) {
                round.reading = None;
                round.next_at = Some(Instant::now() + APART);
                round.extend_deadline();
            }
        }
        if self.context_injection.compaction.is_some_and(|(asker, _)| asker == id) {
            self.context_injection.compaction = None;
        }
        self.answer_next_hook();
        let all = self.context_injection.shares.len().max(1);
        if self.context_injection.round.as_ref().is_some_and(|r| r.next >= all && r.reading.is_none()) {
            self.context_injection.round = None;
        }
    }

    /// A helper request has finished, with a result or without.
    pub(super) fn on_helper_done(&mut self, wanted: &HelperTask, well: bool) {
        match wanted {
            HelperTask::Block => {
                if let Some(round) = &mut self.context_injection.round
                    && round.block == Block::Awaited
                {
                    round.block = Block::There { stale: !well };
                    round.extend_deadline();
                }
                self.answer_next_hook();
            }
            HelperTask::Checkpoint { .. } => self.allow_compaction(),
            HelperTask::Look => {}
        }
    }

    pub(super) fn on_injection_deadline(&mut self, now: Instant) {
        if self.context_injection.compaction.is_some_and(|(_, until)| until <= now) {
            self.allow_compaction();
        }
        self.answer_next_hook();
        let Some(round) = &mut self.context_injection.round else { return };
        if round.deadline > now {
            return;
        }
        match round.block {
            Block::Awaited => {
                round.block = Block::There { stale: true };
                round.extend_deadline();
                self.answer_next_hook();
            }
            Block::There { .. } => self.release_round(),
        }
    }

    /// Answers the remaining hooks of the round in order, without waiting, and ends the round.
    fn release_round(&mut self) {
        let Some(round) = self.context_injection.round.take() else { return };
        let stale = round.block != Block::There { stale: false };
        for (index, id) in round.waiting {
            self.answer_share(id, index, round.reason, stale);
        }
    }

    /// The conversation is about to be compacted: a comment with its state is left on the bead first.
    pub(super) fn on_compaction(&mut self, id: ClientId) -> bool {
        let waits = self.request_checkpoint();
        if waits {
            self.allow_compaction();
            self.context_injection.compaction = Some((id, Instant::now() + CHECKPOINT_WITHIN));
        }
        waits
    }

    fn allow_compaction(&mut self) {
        if let Some((id, _)) = self.context_injection.compaction.take() {
            self.answer_hook(id, &Answer::Nothing);
        }
    }
}
