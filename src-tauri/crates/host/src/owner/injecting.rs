//! The one injector: what goes into claude's context, in one order, each piece recorded.
//!
//! A start of a conversation is a round: claude runs one hook for each share of pieces (one, or some that are short
//! enough for a hook together), all at the same time, and puts the shares together in the order in which it notices that the hooks have ended. So they are answered one after the
//! other, the recovery block first, each when the end of the one before was noticed (its connection's thread waits for
//! that). The block is made fresh for each round; what is not there in time is
//! given as it was last.

use super::Owner;
use crate::{
    errand::Wanted,
    frame::Frame,
    scribe::Note,
    server::ClientId,
    spec::{ContextPiece, MEMORIES_SOURCE, RECOVERY_SOURCE},
};
use bc_claude::hooks::{Answer, EventName};
use bc_core::recovery::{Injection, Reason};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// How long a fresh block is waited for. It takes a tenth of a second where the tracker has not
/// changed since the last look, and a second where it has.
const BLOCK_WITHIN: Duration = Duration::from_secs(4);

/// Between the end of one piece's hook and the next one's answer, for where nobody tells whether the end was noticed: a
/// connection closes a moment before its program has ended.
const APART: Duration = Duration::from_millis(20);

/// How long a piece of a round may take to be fetched, its turn once come.
const FETCHED_WITHIN: Duration = Duration::from_secs(5);

/// How long a round may take: a hook waits for its answer a little longer than that.
const ROUND_WITHIN: Duration = Duration::from_secs(16);

/// For so long after the host began, the block that it was started with is fresh: claude's first hook
/// comes after about half a second, and much later only where a dialog is answered first.
const FRESH_AT_START: Duration = Duration::from_secs(10);

/// How long a compaction waits for the comment that is left before it.
const CHECKPOINT_WITHIN: Duration = Duration::from_secs(8);

pub(super) struct Injecting {
    /// The pieces of each hook.
    shares: Vec<Vec<ContextPiece>>,
    /// The memories as they were found last, where that is later than the start.
    memories: Option<String>,
    began: Instant,
    round: Option<Round>,
    /// A compaction's hook that waits for the checkpoint.
    compaction: Option<(ClientId, Instant)>,
}

struct Round {
    reason: Reason,
    asked: BTreeMap<usize, ClientId>,
    next: usize,
    /// Whose answer is being read; the next one waits for its end.
    reading: Option<ClientId>,
    /// Not before that.
    next_at: Option<Instant>,
    block: Block,
    deadline: Instant,
    /// Not after that, whatever comes of the pieces.
    latest: Instant,
}

impl Round {
    /// Something came of it: the next piece has its own time.
    fn goes_on(&mut self) {
        self.deadline = (Instant::now() + FETCHED_WITHIN).min(self.latest);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Awaited,
    There { stale: bool },
}

impl Injecting {
    /// With so many of these pieces for each hook.
    pub(super) fn new(pieces: Vec<ContextPiece>, shares: &[usize], now: Instant) -> Injecting {
        let said = shares.iter().sum::<usize>() == pieces.len();
        let mut pieces = pieces.into_iter();
        let shares = match said {
            true => shares.iter().map(|&share| pieces.by_ref().take(share).collect()).collect(),
            false => pieces.map(|piece| vec![piece]).collect(),
        };
        Injecting { shares, memories: None, began: now, round: None, compaction: None }
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

impl Owner {
    /// The memories were looked at anew.
    pub(super) fn learn_memories(&mut self, text: String) {
        self.injecting.memories = Some(text);
    }

    /// A SessionStart hook wants its share.
    pub(super) fn on_start_hook(&mut self, id: ClientId, index: usize, source: &str) {
        let reason = Reason::of_start(source);
        let another =
            |round: &Round| index < round.next || round.asked.contains_key(&index) || round.reason != reason;
        if self.injecting.round.as_ref().is_none_or(another) {
            // The hooks of an earlier round that claude still has are of no use to it.
            self.release_round();
            self.begin_round(reason);
        }
        if let Some(round) = &mut self.injecting.round {
            round.asked.insert(index, id);
        }
        self.answer_next();
    }

    fn begin_round(&mut self, reason: Reason) {
        let begins = matches!(reason, Reason::Start | Reason::Resume);
        let fresh = begins && self.injecting.began.elapsed() < FRESH_AT_START;
        let awaited = self.injecting.has_block() && !fresh && self.send_on(Wanted::Block, BLOCK_WITHIN);
        let block = match awaited {
            true => Block::Awaited,
            false => Block::There { stale: !fresh && self.injecting.has_block() },
        };
        let within = if awaited { BLOCK_WITHIN } else { FETCHED_WITHIN };
        let now = Instant::now();
        self.injecting.round = Some(Round {
            reason,
            asked: BTreeMap::new(),
            next: 0,
            reading: None,
            next_at: None,
            block,
            deadline: now + within,
            latest: now + ROUND_WITHIN,
        });
    }

    /// Answers the next hook of the round, if it is its turn.
    fn answer_next(&mut self) {
        let Some(round) = &mut self.injecting.round else { return };
        let Block::There { stale } = round.block else { return };
        if round.reading.is_some() || round.next_at.is_some_and(|at| at > Instant::now()) {
            return;
        }
        round.next_at = None;
        let Some(id) = round.asked.remove(&round.next) else { return };
        let index = round.next;
        round.next += 1;
        round.reading = Some(id);
        let reason = round.reason;
        self.give_share(id, index, reason, stale);
    }

    /// Gives a hook its pieces and records each. The connection stays open until the hook has ended.
    fn give_share(&mut self, id: ClientId, index: usize, reason: Reason, stale: bool) {
        let mut texts = Vec::new();
        for piece in self.injecting.shares.get(index).cloned().unwrap_or_default() {
            let (known, renewed) = match piece.source.as_str() {
                RECOVERY_SOURCE => (self.work.stores.last_block.clone(), true),
                MEMORIES_SOURCE => (self.injecting.memories.clone(), true),
                _ => (None, false),
            };
            let text = known.unwrap_or(piece.text);
            if !text.is_empty() {
                self.record(reason, &piece.source, text.clone(), stale && renewed);
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

    /// Writes down what goes into claude's context.
    pub(super) fn record(&mut self, reason: Reason, source: &str, text: String, stale: bool) {
        let injection = Injection {
            conversation: Some(self.conversation),
            stale,
            ..Injection::new((self.now)(), reason, source, text)
        };
        self.note(Note::Injected(Box::new(injection)));
    }

    /// A hook has ended: the next one may be answered.
    pub(super) fn on_hook_left(&mut self, id: ClientId) {
        if let Some(round) = &mut self.injecting.round {
            round.asked.retain(|_, asker| *asker != id);
            if round.reading == Some(id) {
                round.reading = None;
                round.next_at = Some(Instant::now() + APART);
                round.goes_on();
            }
        }
        if self.injecting.compaction.is_some_and(|(asker, _)| asker == id) {
            self.injecting.compaction = None;
        }
        self.answer_next();
        let all = self.injecting.shares.len().max(1);
        if self.injecting.round.as_ref().is_some_and(|r| r.next >= all && r.reading.is_none()) {
            self.injecting.round = None;
        }
    }

    /// An errand has come to its end, with a result or without.
    pub(super) fn on_errand_over(&mut self, wanted: &Wanted, well: bool) {
        match wanted {
            Wanted::Block => {
                if let Some(round) = &mut self.injecting.round
                    && round.block == Block::Awaited
                {
                    round.block = Block::There { stale: !well };
                    round.goes_on();
                }
                self.answer_next();
            }
            Wanted::Checkpoint { .. } => self.let_compact(),
            Wanted::Look => {}
        }
    }

    pub(super) fn on_injecting_deadline(&mut self, now: Instant) {
        if self.injecting.compaction.is_some_and(|(_, until)| until <= now) {
            self.let_compact();
        }
        self.answer_next();
        let Some(round) = &mut self.injecting.round else { return };
        if round.deadline > now {
            return;
        }
        match round.block {
            Block::Awaited => {
                round.block = Block::There { stale: true };
                round.goes_on();
                self.answer_next();
            }
            Block::There { .. } => self.release_round(),
        }
    }

    /// Answers whoever still waits in the round, in order and without waiting for anybody, and ends it.
    fn release_round(&mut self) {
        let Some(round) = self.injecting.round.take() else { return };
        let stale = round.block != Block::There { stale: false };
        for (index, id) in round.asked {
            self.give_share(id, index, round.reason, stale);
        }
    }

    /// The conversation is about to be compacted: what will be forgotten is left on the bead first.
    pub(super) fn on_compaction(&mut self, id: ClientId) -> bool {
        let waits = self.leave_checkpoint();
        if waits {
            self.let_compact();
            self.injecting.compaction = Some((id, Instant::now() + CHECKPOINT_WITHIN));
        }
        waits
    }

    fn let_compact(&mut self) {
        if let Some((id, _)) = self.injecting.compaction.take() {
            self.answer_hook(id, &Answer::Nothing);
        }
    }
}
