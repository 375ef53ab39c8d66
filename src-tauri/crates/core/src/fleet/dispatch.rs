//! Who gets which ready bead. Pure: what is true goes in, what is to be done comes out.
//!
//! Invariants: an agent gets one bead at most, and only one that is free; a bead goes to one agent at most, and
//! only one that the tracker calls ready and nobody holds back; the limits hold after it as they did before.

use super::{AgentRole, Priority};
use crate::{
    Timestamp,
    ids::{BeadId, FleetAgentId},
};
use std::{cmp::Ordering, collections::BTreeSet, fmt};

/// How much memory an agent that was just started will take, as far as that can be known, MiB.
const RESERVE_MIB: u32 = 256;

/// An agent, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    /// Who.
    pub agent: FleetAgentId,
    /// What it is there for.
    pub role: AgentRole,
    /// Whether it has neither work nor a session.
    pub free: bool,
}

impl Hand {
    /// Whether it is given work unasked: the others are there for something else, or for a person.
    pub fn takes_any(&self) -> bool {
        self.free && self.role == AgentRole::Polecat
    }
}

/// A ready bead, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Which.
    pub bead: BeadId,
    /// The tracker's priority, 0 (most urgent) to 4.
    pub priority: u8,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// Whether it is handed to nobody unasked.
    pub held: bool,
    /// Who had it last and got nowhere: somebody else gets it, if there is anybody.
    pub last: Option<FleetAgentId>,
}

impl Candidate {
    /// The more urgent one first, and of those the older one.
    pub fn before(&self, other: &Candidate) -> Ordering {
        let urgency = |of: &Candidate| (Priority::of_bead(of.priority), of.priority);
        // One that nobody knows the age of is as if it were new.
        let age = |of: &Candidate| (of.created_at.is_none(), of.created_at);
        urgency(self)
            .cmp(&urgency(other))
            .then_with(|| age(self).cmp(&age(other)))
            .then_with(|| self.bead.cmp(&other.bead))
    }
}

/// What a person allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// So many agents work at a time.
    pub max_agents: u32,
    /// Nobody starts with less memory free, MiB.
    pub min_free_mib: u32,
    /// Nobody starts once the day cost this, USD.
    pub cost_per_day_usd: Option<f64>,
}

/// What is in use of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InUse {
    /// Whether everything was paused.
    pub paused: bool,
    /// Agents that work, or are about to.
    pub working: u32,
    /// Free memory, MiB; `None` where the system does not tell.
    pub free_mib: Option<u32>,
    /// What the day cost, USD.
    pub cost_today_usd: f64,
}

impl InUse {
    /// Why nobody may start; `None` where somebody may.
    pub fn against(&self, limits: &Limits) -> Option<WhyNot> {
        if self.paused {
            return Some(WhyNot::Paused);
        }
        if self.working >= limits.max_agents {
            return Some(WhyNot::Agents { most: limits.max_agents });
        }
        if let Some(most) = limits.cost_per_day_usd.filter(|&most| self.cost_today_usd >= most) {
            return Some(WhyNot::Cost { today: self.cost_today_usd, most });
        }
        let free = self.free_mib.filter(|&free| free < limits.min_free_mib)?;
        Some(WhyNot::Memory { free, least: limits.min_free_mib })
    }

    /// The same with one more agent.
    pub fn and_one(&self) -> InUse {
        let free_mib = self.free_mib.map(|free| free.saturating_sub(RESERVE_MIB));
        InUse { working: self.working.saturating_add(1), free_mib, ..*self }
    }
}

/// Why nothing (more) is handed out.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyNot {
    /// Everything was paused.
    Paused,
    /// As many agents work as may.
    Agents {
        /// So many.
        most: u32,
    },
    /// The day cost as much as it may.
    Cost {
        /// It cost, USD.
        today: f64,
        /// It may, USD.
        most: f64,
    },
    /// Too little memory is free.
    Memory {
        /// So much is, MiB.
        free: u32,
        /// So much has to be, MiB.
        least: u32,
    },
    /// Nothing is ready.
    NothingReady,
    /// All that is ready is held back.
    AllHeld {
        /// So much.
        held: u32,
    },
    /// Nobody is free to take it.
    NobodyFree,
    /// There is nobody who takes work unasked.
    Nobody,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyNot::Paused => f.write_str("Everything is paused."),
            WhyNot::Agents { most } => write!(f, "As many agents work as may: {most}."),
            WhyNot::Cost { today, most } => {
                write!(f, "Today's sessions cost ${today:.2}; the limit of a day is ${most:.2}.")
            }
            WhyNot::Memory { free, least } => {
                write!(f, "Only {free} MiB of memory are free; {least} MiB have to be.")
            }
            WhyNot::NothingReady => f.write_str("No bead is ready."),
            WhyNot::AllHeld { held } => write!(f, "What is ready is held back: {held}."),
            WhyNot::NobodyFree => f.write_str("No polecat is idle."),
            WhyNot::Nobody => f.write_str("There is no polecat to take work."),
        }
    }
}

/// What is handed out, and why no more is.
#[derive(Debug, Clone, PartialEq)]
pub struct Handout {
    /// Who gets what.
    pub given: Vec<(FleetAgentId, BeadId)>,
    /// Why it ends there.
    pub then: WhyNot,
}

/// Hands out what is ready: the most urgent first, and of those the oldest.
pub fn hand_out(hands: &[Hand], ready: &[Candidate], limits: &Limits, in_use: &InUse) -> Handout {
    let mut wanted: Vec<&Candidate> = ready.iter().filter(|candidate| !candidate.held).collect();
    wanted.sort_by(|a, b| a.before(b));
    let mut seen = BTreeSet::new();
    wanted.retain(|candidate| seen.insert(&candidate.bead));
    let mut free: Vec<&FleetAgentId> =
        hands.iter().filter(|hand| hand.takes_any()).map(|hand| &hand.agent).collect();
    free.sort();
    free.dedup();
    let (mut beads, mut in_use) = (wanted.into_iter(), *in_use);
    let mut given = Vec::new();
    let then = loop {
        if let Some(why) = in_use.against(limits) {
            break why;
        }
        if free.is_empty() {
            let any = hands.iter().any(|hand| hand.role == AgentRole::Polecat);
            break if any { WhyNot::NobodyFree } else { WhyNot::Nobody };
        }
        let Some(bead) = beads.next() else {
            let held = ready.iter().filter(|candidate| candidate.held).count();
            break match u32::try_from(held).unwrap_or(u32::MAX) {
                0 => WhyNot::NothingReady,
                held => WhyNot::AllHeld { held },
            };
        };
        let other = free.iter().position(|&agent| Some(agent) != bead.last.as_ref());
        let agent = free.remove(other.unwrap_or(0));
        given.push((agent.clone(), bead.bead.clone()));
        in_use = in_use.and_one();
    };
    Handout { given, then }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hand(n: u8, role: AgentRole, free: bool) -> Hand {
        Hand { agent: format!("{role}-{n}").parse().unwrap(), role, free }
    }

    fn candidate(n: u8, priority: u8, age: Option<i64>, held: bool) -> Candidate {
        let born = |minutes| {
            "2026-01-19T10:00:00Z".parse::<Timestamp>().unwrap() - chrono::Duration::minutes(minutes)
        };
        Candidate {
            bead: format!("BC-{n}").parse().unwrap(),
            priority,
            created_at: age.map(born),
            held,
            last: None,
        }
    }

    fn limits(max_agents: u32) -> Limits {
        Limits { max_agents, min_free_mib: 1024, cost_per_day_usd: Some(10.0) }
    }

    const NOTHING: InUse =
        InUse { paused: false, working: 0, free_mib: Some(64 * 1024), cost_today_usd: 0.0 };

    fn beads(handout: &Handout) -> Vec<&str> {
        handout.given.iter().map(|(_, bead)| bead.as_str()).collect()
    }

    #[test]
    fn the_urgent_comes_first_and_then_the_old() {
        let hands: Vec<Hand> = (0..9).map(|n| hand(n, AgentRole::Polecat, true)).collect();
        let ready = [
            candidate(1, 2, Some(5), false),
            candidate(2, 4, Some(900), false),
            candidate(3, 1, Some(1), false),
            candidate(4, 2, Some(60), false),
            candidate(5, 2, None, false),
            candidate(6, 0, Some(1), true),
        ];
        let handout = hand_out(&hands, &ready, &limits(20), &NOTHING);
        assert_eq!(beads(&handout), ["BC-3", "BC-4", "BC-1", "BC-5", "BC-2"]);
        assert_eq!(handout.then, WhyNot::AllHeld { held: 1 });
    }

    #[test]
    fn each_limit_is_named_when_it_is_reached() {
        let hands = [hand(1, AgentRole::Polecat, true), hand(2, AgentRole::Crew, true)];
        let ready = [candidate(1, 2, None, false)];
        let then = |limits: Limits, in_use: InUse| hand_out(&hands, &ready, &limits, &in_use).then;
        assert_eq!(then(limits(4), InUse { paused: true, ..NOTHING }), WhyNot::Paused);
        assert_eq!(then(limits(4), InUse { working: 4, ..NOTHING }), WhyNot::Agents { most: 4 });
        let dear = InUse { cost_today_usd: 10.0, ..NOTHING };
        assert_eq!(then(limits(4), dear), WhyNot::Cost { today: 10.0, most: 10.0 });
        let full = InUse { free_mib: Some(1000), ..NOTHING };
        assert_eq!(then(limits(4), full), WhyNot::Memory { free: 1000, least: 1024 });
        assert_eq!(then(limits(4), InUse { free_mib: None, ..NOTHING }), WhyNot::NobodyFree);
        assert_eq!(hand_out(&hands, &[], &limits(4), &NOTHING).then, WhyNot::NothingReady);
        assert_eq!(hand_out(&hands[1..], &ready, &limits(4), &NOTHING).then, WhyNot::Nobody);
    }

    #[test]
    fn somebody_else_goes_on_with_it_if_there_is_anybody() {
        let hands = [hand(1, AgentRole::Polecat, true), hand(2, AgentRole::Polecat, true)];
        let ready = [Candidate { last: Some(hands[0].agent.clone()), ..candidate(1, 2, None, false) }];
        let to = |hands: &[Hand]| hand_out(hands, &ready, &limits(4), &NOTHING).given[0].0.clone();
        assert_eq!(to(&hands), hands[1].agent);
        assert_eq!(to(&hands[..1]), hands[0].agent);
    }

    fn any_role() -> impl Strategy<Value = AgentRole> {
        prop::sample::select(AgentRole::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn nobody_gets_two_nothing_goes_twice_and_the_limits_hold(
            hands in prop::collection::vec((0u8..12, any_role(), any::<bool>()), 0..20),
            ready in prop::collection::vec((0u8..12, 0u8..5, prop::option::of(0i64..99), any::<bool>()), 0..20),
            max_agents in 0u32..8,
            working in 0u32..8,
            free_mib in prop::option::of(0u32..4096),
            cost in 0.0f64..20.0,
            paused in any::<bool>(),
        ) {
            let hands: Vec<Hand> = hands.into_iter().map(|(n, role, free)| hand(n, role, free)).collect();
            let ready: Vec<Candidate> =
                ready.into_iter().map(|(n, p, age, held)| candidate(n, p, age, held)).collect();
            let limits = limits(max_agents);
            let in_use = InUse { paused, working, free_mib, cost_today_usd: cost };
            let handout = hand_out(&hands, &ready, &limits, &in_use);
            let agents: BTreeSet<_> = handout.given.iter().map(|(agent, _)| agent).collect();
            let beads: BTreeSet<_> = handout.given.iter().map(|(_, bead)| bead).collect();
            prop_assert_eq!((agents.len(), beads.len()), (handout.given.len(), handout.given.len()));
            for (agent, bead) in &handout.given {
                prop_assert!(hands.iter().any(|hand| hand.agent == *agent && hand.takes_any()));
                prop_assert!(ready.iter().any(|candidate| candidate.bead == *bead && !candidate.held));
            }
            let given = handout.given.len() as u32;
            prop_assert!(given == 0 || (!paused && cost < 10.0 && working + given <= max_agents));
            let left = free_mib.map(|free| free.saturating_sub(given.saturating_sub(1) * RESERVE_MIB));
            prop_assert!(given == 0 || left.is_none_or(|left| left >= limits.min_free_mib));
            // What is left over is no more urgent than what was given.
            let worst = handout.given.last().and_then(|(_, bead)| {
                ready.iter().filter(|c| c.bead == *bead && !c.held).min_by(|a, b| a.before(b))
            });
            if let Some(worst) = worst {
                let passed_over = ready.iter().filter(|c| !c.held && !beads.contains(&c.bead));
                for candidate in passed_over {
                    prop_assert!(worst.before(candidate).is_le());
                }
            }
        }
    }
}
