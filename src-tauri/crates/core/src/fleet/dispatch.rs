//! Assigns ready beads to agents as a pure function.
//!
//! Invariants: an agent gets at most one bead, and only if it is free. A bead goes to at most one agent, and
//! only if it is ready and not held back; the caller determines which beads are ready. Assignments never
//! exceed the limits.

use super::{AgentRole, Priority};
use crate::{
    Timestamp,
    ids::{BeadId, FleetAgentId},
};
use std::{cmp::Ordering, collections::BTreeSet, fmt};

/// The estimated memory of a newly started agent, in MiB.
const RESERVE_MIB: u32 = 256;

/// The facts about an agent that dispatch uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSlot {
    pub agent: FleetAgentId,
    pub role: AgentRole,
    /// Whether the agent is available: not terminated, without work and without a session.
    pub free: bool,
}

impl AgentSlot {
    /// Whether dispatch may assign any ready bead to the agent. Only free polecats qualify: the other roles
    /// have their own tasks or work for the user.
    pub fn takes_any(&self) -> bool {
        self.free && self.role == AgentRole::Polecat
    }
}

/// The facts about a ready bead or work item that dispatch uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub bead: BeadId,
    /// The priority, 0 (most urgent) to 4.
    pub priority: u8,
    pub created_at: Option<Timestamp>,
    /// Whether the bead is held back.
    pub held: bool,
    /// The agent from which the bead was last reassigned; dispatch prefers another one.
    pub last: Option<FleetAgentId>,
}

impl Candidate {
    /// Orders more urgent beads first, then older ones, then by id.
    pub fn before(&self, other: &Candidate) -> Ordering {
        let urgency = |of: &Candidate| (Priority::of_bead(of.priority), of.priority);
        // A bead of unknown age counts as new.
        let age = |of: &Candidate| (of.created_at.is_none(), of.created_at);
        urgency(self)
            .cmp(&urgency(other))
            .then_with(|| age(self).cmp(&age(other)))
            .then_with(|| self.bead.cmp(&other.bead))
    }
}

/// The user's limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The maximum number of working agents.
    pub max_agents: u32,
    /// The minimum free memory to start an agent, in MiB.
    pub min_free_mib: u32,
    /// The daily cost at which no more agents start, in USD; `None` for no limit.
    pub cost_per_day_usd: Option<f64>,
}

/// The current use of the limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InUse {
    pub paused: bool,
    /// The number of agents that are working or starting.
    pub working: u32,
    /// Free memory in MiB; `None` if it is unknown, or does not matter because all agents run elsewhere.
    pub free_mib: Option<u32>,
    pub cost_today_usd: f64,
}

impl InUse {
    /// Why no agent may start; `None` if an agent may start.
    pub fn against(&self, limits: &Limits) -> Option<DispatchStop> {
        if self.paused {
            return Some(DispatchStop::Paused);
        }
        if self.working >= limits.max_agents {
            return Some(DispatchStop::Agents { most: limits.max_agents });
        }
        if let Some(most) = limits.cost_per_day_usd.filter(|&most| self.cost_today_usd >= most) {
            return Some(DispatchStop::Cost { today: self.cost_today_usd, most });
        }
        let free = self.free_mib.filter(|&free| free < limits.min_free_mib)?;
        Some(DispatchStop::Memory { free, least: limits.min_free_mib })
    }

    /// The use of the limits after one more agent has started.
    pub fn and_one(&self) -> InUse {
        let free_mib = self.free_mib.map(|free| free.saturating_sub(RESERVE_MIB));
        InUse { working: self.working.saturating_add(1), free_mib, ..*self }
    }
}

/// Why no more work is assigned.
#[derive(Debug, Clone, PartialEq)]
pub enum DispatchStop {
    Paused,
    /// The maximum number of agents is already working.
    Agents {
        most: u32,
    },
    /// The daily cost limit is reached.
    Cost {
        /// Today's cost, in USD.
        today: f64,
        /// The limit, in USD.
        most: f64,
    },
    /// Too little memory is free.
    Memory {
        /// Free memory, in MiB.
        free: u32,
        /// The minimum, in MiB.
        least: u32,
    },
    NothingReady,
    /// All ready work is held back.
    AllHeld {
        held: u32,
    },
    NoFreeAgent,
    /// The fleet has no polecat.
    NoAgent,
}

impl fmt::Display for DispatchStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DispatchStop::Paused => f.write_str("Everything is paused."),
            DispatchStop::Agents { most } => write!(f, "All {most} agent slots are in use."),
            DispatchStop::Cost { today, most } => {
                write!(f, "Today's sessions cost ${today:.2}; the daily limit is ${most:.2}.")
            }
            DispatchStop::Memory { free, least } => {
                write!(f, "Only {free} MiB of memory are free; at least {least} MiB are required.")
            }
            DispatchStop::NothingReady => f.write_str("No bead is ready."),
            DispatchStop::AllHeld { held } => write!(f, "All ready beads are held back: {held}."),
            DispatchStop::NoFreeAgent => f.write_str("No agent is idle."),
            DispatchStop::NoAgent => f.write_str("No idle agent is available."),
        }
    }
}

/// The result of [`assign`].
#[derive(Debug, Clone, PartialEq)]
pub struct Assignments {
    pub given: Vec<(FleetAgentId, BeadId)>,
    /// Why dispatch assigned no more beads.
    pub then: DispatchStop,
}

/// Assigns ready beads, the most urgent first, then the oldest.
pub fn assign(slots: &[AgentSlot], ready: &[Candidate], limits: &Limits, in_use: &InUse) -> Assignments {
    let mut wanted: Vec<&Candidate> = ready.iter().filter(|candidate| !candidate.held).collect();
    wanted.sort_by(|a, b| a.before(b));
    let mut seen = BTreeSet::new();
    wanted.retain(|candidate| seen.insert(&candidate.bead));
    let mut free: Vec<&FleetAgentId> =
        slots.iter().filter(|slot| slot.takes_any()).map(|slot| &slot.agent).collect();
    free.sort();
    free.dedup();
    let (mut beads, mut in_use) = (wanted.into_iter(), *in_use);
    let mut given = Vec::new();
    let then = loop {
        if let Some(why) = in_use.against(limits) {
            break why;
        }
        if free.is_empty() {
            let any = slots.iter().any(|slot| slot.role == AgentRole::Polecat);
            break if any { DispatchStop::NoFreeAgent } else { DispatchStop::NoAgent };
        }
        let Some(bead) = beads.next() else {
            let held = ready.iter().filter(|candidate| candidate.held).count();
            break match u32::try_from(held).unwrap_or(u32::MAX) {
                0 => DispatchStop::NothingReady,
                held => DispatchStop::AllHeld { held },
            };
        };
        let other = free.iter().position(|&agent| Some(agent) != bead.last.as_ref());
        let agent = free.remove(other.unwrap_or(0));
        given.push((agent.clone(), bead.bead.clone()));
        in_use = in_use.and_one();
    };
    Assignments { given, then }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slot(n: u8, role: AgentRole, free: bool) -> AgentSlot {
        AgentSlot { agent: format!("{role}-{n}").parse().unwrap(), role, free }
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

    fn beads(assigned: &Assignments) -> Vec<&str> {
        assigned.given.iter().map(|(_, bead)| bead.as_str()).collect()
    }

    #[test]
    fn beads_are_ordered_by_priority_then_age() {
        let slots: Vec<AgentSlot> = (0..9).map(|n| slot(n, AgentRole::Polecat, true)).collect();
        let ready = [
            candidate(1, 2, Some(5), false),
            candidate(2, 4, Some(900), false),
            candidate(3, 1, Some(1), false),
            candidate(4, 2, Some(60), false),
            candidate(5, 2, None, false),
            candidate(6, 0, Some(1), true),
        ];
        let assigned = assign(&slots, &ready, &limits(20), &NOTHING);
        assert_eq!(beads(&assigned), ["BC-3", "BC-4", "BC-1", "BC-5", "BC-2"]);
        assert_eq!(assigned.then, DispatchStop::AllHeld { held: 1 });
    }

    #[test]
    fn each_limit_is_named_when_it_is_reached() {
        let slots = [slot(1, AgentRole::Polecat, true), slot(2, AgentRole::Crew, true)];
        let ready = [candidate(1, 2, None, false)];
        let then = |limits: Limits, in_use: InUse| assign(&slots, &ready, &limits, &in_use).then;
        assert_eq!(then(limits(4), InUse { paused: true, ..NOTHING }), DispatchStop::Paused);
        assert_eq!(then(limits(4), InUse { working: 4, ..NOTHING }), DispatchStop::Agents { most: 4 });
        let expensive = InUse { cost_today_usd: 10.0, ..NOTHING };
        assert_eq!(then(limits(4), expensive), DispatchStop::Cost { today: 10.0, most: 10.0 });
        let full = InUse { free_mib: Some(1000), ..NOTHING };
        assert_eq!(then(limits(4), full), DispatchStop::Memory { free: 1000, least: 1024 });
        assert_eq!(then(limits(4), InUse { free_mib: None, ..NOTHING }), DispatchStop::NoFreeAgent);
        assert_eq!(assign(&slots, &[], &limits(4), &NOTHING).then, DispatchStop::NothingReady);
        assert_eq!(assign(&slots[1..], &ready, &limits(4), &NOTHING).then, DispatchStop::NoAgent);
    }

    #[test]
    fn a_failed_bead_goes_to_another_agent_if_possible() {
        let slots = [slot(1, AgentRole::Polecat, true), slot(2, AgentRole::Polecat, true)];
        let ready = [Candidate { last: Some(slots[0].agent.clone()), ..candidate(1, 2, None, false) }];
        let to = |slots: &[AgentSlot]| assign(slots, &ready, &limits(4), &NOTHING).given[0].0.clone();
        assert_eq!(to(&slots), slots[1].agent);
        assert_eq!(to(&slots[..1]), slots[0].agent);
    }

    fn any_role() -> impl Strategy<Value = AgentRole> {
        prop::sample::select(AgentRole::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn assignments_are_unique_and_respect_the_limits(
            slots in prop::collection::vec((0u8..12, any_role(), any::<bool>()), 0..20),
            ready in prop::collection::vec((0u8..12, 0u8..5, prop::option::of(0i64..99), any::<bool>()), 0..20),
            max_agents in 0u32..8,
            working in 0u32..8,
            free_mib in prop::option::of(0u32..4096),
            cost in 0.0f64..20.0,
            paused in any::<bool>(),
        ) {
            let slots: Vec<AgentSlot> = slots.into_iter().map(|(n, role, free)| slot(n, role, free)).collect();
            let ready: Vec<Candidate> =
                ready.into_iter().map(|(n, p, age, held)| candidate(n, p, age, held)).collect();
            let limits = limits(max_agents);
            let in_use = InUse { paused, working, free_mib, cost_today_usd: cost };
            let assigned = assign(&slots, &ready, &limits, &in_use);
            let agents: BTreeSet<_> = assigned.given.iter().map(|(agent, _)| agent).collect();
            let beads: BTreeSet<_> = assigned.given.iter().map(|(_, bead)| bead).collect();
            prop_assert_eq!((agents.len(), beads.len()), (assigned.given.len(), assigned.given.len()));
            for (agent, bead) in &assigned.given {
                prop_assert!(slots.iter().any(|slot| slot.agent == *agent && slot.takes_any()));
                prop_assert!(ready.iter().any(|candidate| candidate.bead == *bead && !candidate.held));
            }
            let given = assigned.given.len() as u32;
            prop_assert!(given == 0 || (!paused && cost < 10.0 && working + given <= max_agents));
            let left = free_mib.map(|free| free.saturating_sub(given.saturating_sub(1) * RESERVE_MIB));
            prop_assert!(given == 0 || left.is_none_or(|left| left >= limits.min_free_mib));
            // The remaining beads are no more urgent than the assigned ones.
            let worst = assigned.given.last().and_then(|(_, bead)| {
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
