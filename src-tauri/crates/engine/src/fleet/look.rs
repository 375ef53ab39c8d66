//! Everything that is true of the fleet at a moment, read once.

use super::{fleet_error, memory::held, settings, state};
use crate::{
    engine::{Engine, now},
    errors::{store_error, tracker_error},
};
use bc_beads::{Actor, ListFilter, Listing};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadStatus},
    fleet::{
        AgentIdentity, AgentStatus, BeadCase, Candidate, ClosedConvoys, Convoy, DispatchRecord,
        FleetSettings, Hand, HookState, HookStatus, InUse, Known, Limits, MergeRequest, MergeStatus,
        WorkItem, WorkStatus,
    },
    ids::{BeadId, FleetAgentId},
    session::{Meta, Status},
};
use bc_wire::ApiError;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// The fleet at a moment.
pub(super) struct Look {
    pub(super) now: Timestamp,
    pub(super) settings: FleetSettings,
    pub(super) agents: Vec<AgentIdentity>,
    pub(super) hooks: BTreeMap<FleetAgentId, HookState>,
    pub(super) work: BTreeMap<BeadId, WorkItem>,
    pub(super) convoys: Vec<Convoy>,
    pub(super) requests: Vec<MergeRequest>,
    pub(super) record: DispatchRecord,
    pub(super) closed: ClosedConvoys,
    pub(super) metas: Vec<Arc<Meta>>,
    pub(super) beads: Arc<Listing>,
    /// Why the tracker's beads are not known; nothing is decided then.
    pub(super) blind: Option<ApiError>,
    pub(super) starting: BTreeSet<FleetAgentId>,
    /// Why nothing is started unasked.
    pub(super) stopped: Option<String>,
    /// The person at this machine: what others have is not handed out.
    person: Actor,
    pub(super) warnings: Vec<String>,
    by_id: HashMap<BeadId, usize>,
}

/// All of it.
pub(super) fn look(engine: &Engine) -> Result<Look, ApiError> {
    let mut look = without_tracker(engine)?;
    match listing(engine) {
        Ok(beads) => {
            look.warnings.extend(beads.warnings.iter().map(ToString::to_string));
            look.by_id = beads.beads.iter().enumerate().map(|(n, bead)| (bead.id.clone(), n)).collect();
            look.beads = beads;
        }
        Err(error) => {
            look.warnings.push(format!("the tracker's beads are not known: {error}"));
            look.blind = Some(error);
        }
    }
    Ok(look)
}

/// All of it but the tracker's beads.
pub(super) fn without_tracker(engine: &Engine) -> Result<Look, ApiError> {
    let state = state(engine);
    let failed = fleet_error;
    let hooks = state.hooks().map_err(failed)?;
    let mut look = Look {
        now: now(),
        settings: settings(&engine.project),
        agents: state.agents(None, None).map_err(failed)?,
        hooks: hooks.into_iter().map(|hook| (hook.agent_id.clone(), hook)).collect(),
        work: state.work_items().map_err(failed)?.into_iter().map(|w| (w.bead_id.clone(), w)).collect(),
        convoys: state.convoys().map_err(failed)?,
        requests: state.merge_requests().map_err(failed)?,
        record: state.kept(DISPATCH).map_err(failed)?,
        closed: state.closed_convoys().map_err(failed)?,
        metas: engine.fleet.sessions(&engine.store).map_err(store_error)?,
        beads: Arc::default(),
        blind: None,
        starting: engine.fleet.starting(),
        stopped: engine.fleet.stopped().filter(|stopped| stopped.until > now()).map(|stopped| stopped.why),
        person: engine.user_actor(),
        by_id: HashMap::new(),
        warnings: Vec::new(),
    };
    look.warnings = state.take_warnings();
    Ok(look)
}

/// The name of the file in which handing out work is remembered.
pub(super) const DISPATCH: &str = "dispatch";

/// All beads but deleted ones; the last list where nothing changed since.
fn listing(engine: &Engine) -> Result<Arc<Listing>, ApiError> {
    let tracker = engine.tracker()?;
    // Before the list: what changes meanwhile is seen the next time.
    let mark = tracker.change_mark().map_err(tracker_error)?;
    let mut listed = held(&engine.fleet.listed);
    if let (Some(mark), Some((of, list))) = (&mark, listed.as_ref())
        && mark == of
    {
        return Ok(Arc::clone(list));
    }
    let list = Arc::new(tracker.list(&ListFilter::board()).map_err(tracker_error)?);
    *listed = mark.map(|mark| (mark, Arc::clone(&list)));
    Ok(list)
}

impl Look {
    /// The tracker's bead.
    pub(super) fn bead(&self, id: &BeadId) -> Option<&Bead> {
        self.by_id.get(id).map(|&n| &self.beads.beads[n])
    }

    pub(super) fn hook(&self, agent: &FleetAgentId) -> HookStatus {
        self.hooks.get(agent).map_or(HookStatus::Empty, |hook| hook.status)
    }

    /// What hangs on an agent's hook and is not done.
    pub(super) fn held(&self, agent: &FleetAgentId) -> Option<&BeadId> {
        self.hooks.get(agent).and_then(HookState::bead)
    }

    /// The agent's session: on the work that it has, the one that lives or can be gone on with, else the
    /// one that was last. A crash may have come between the session's record and the agent's, so that the
    /// session's own word for whose it is counts first.
    pub(super) fn session(&self, agent: &AgentIdentity) -> Option<&Meta> {
        let bead = self.held(&agent.id);
        let of_agent =
            |meta: &&Meta| meta.fleet_agent.as_ref() == Some(&agent.id) || agent.session_id == Some(meta.id);
        let on_work = |meta: &&Meta| bead.is_none() || meta.bead_id.as_ref() == bead;
        let open = |meta: &Meta| matches!(meta.status, Status::Active | Status::Paused);
        // Work that was hung up again is not what an earlier session ended with.
        let hung = self.hooks.get(&agent.id).filter(|hook| hook.status == HookStatus::Pending);
        let before =
            |meta: &Meta| hung.is_some_and(|hook| meta.closed_at.is_some_and(|at| at < hook.last_activity));
        let sessions = self.metas.iter().map(|meta| &**meta).filter(of_agent).filter(on_work);
        let sessions = sessions.filter(|meta| meta.status != Status::Closed || !before(meta));
        // Without work only one that lives is its own: what is over is over.
        let sessions = sessions.filter(|meta| bead.is_some() || meta.status == Status::Active);
        sessions.max_by_key(|meta| (open(meta), meta.last_activated_at, meta.created_at))
    }

    /// What is known of a bead beside the tracker.
    pub(super) fn known(&self) -> BTreeMap<&BeadId, Known> {
        let mut known: BTreeMap<&BeadId, Known> = BTreeMap::new();
        for (bead, item) in &self.work {
            known.entry(bead).or_default().work = Some(item.status);
        }
        for hook in self.hooks.values() {
            if let Some(bead) = hook.bead() {
                known.entry(bead).or_default().hook = hook.status;
            }
        }
        for request in &self.requests {
            let merge = &mut known.entry(&request.bead_id).or_default().merge;
            // Of several the one that is not merged counts: there is work on the bead again.
            if merge.is_none_or(|known| known == MergeStatus::Merged) {
                *merge = Some(request.status);
            }
        }
        for meta in self.metas.iter().filter(|m| matches!(m.status, Status::Active | Status::Paused)) {
            if let Some(bead) = &meta.bead_id {
                known.entry(bead).or_default().attended = true;
            }
        }
        known
    }

    /// A piece of work that the fleet alone has.
    pub(super) fn own(&self, id: &BeadId) -> Option<&WorkItem> {
        let own = id.is_of_fleet() && self.blind.is_none() && self.bead(id).is_none();
        self.work.get(id).filter(|_| own)
    }

    /// What an agent's work is, by whoever has it.
    pub(super) fn case(&self, id: &BeadId) -> BeadCase {
        match self.own(id) {
            Some(item) => BeadCase::of_own(item.status),
            None => BeadCase::of(self.bead(id).map(|bead| &bead.status)),
        }
    }

    /// Why a bead is handed to nobody unasked.
    pub(super) fn held_back(&self, bead: &BeadId) -> Option<String> {
        let held = self.record.beads.get(bead).and_then(|tries| tries.held.clone());
        let epic = || self.bead(bead).is_some_and(|bead| bead.issue_type == "epic");
        held.or_else(|| epic().then(|| "it is an epic: its parts are handed out".to_owned()))
    }

    /// The agents, as handing out work sees them.
    pub(super) fn hands(&self) -> Vec<Hand> {
        let hand = |agent: &AgentIdentity| Hand {
            agent: agent.id.clone(),
            role: agent.role,
            free: self.is_free(agent),
        };
        self.agents.iter().map(hand).collect()
    }

    /// Whether an agent has neither work nor a session.
    pub(super) fn is_free(&self, agent: &AgentIdentity) -> bool {
        agent.status != AgentStatus::Terminated
            && self.hook(&agent.id) == HookStatus::Empty
            && !self.starting.contains(&agent.id)
            && self.session(agent).is_none()
    }

    /// What is ready and on nobody's hook, in the order in which it is handed out.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let taken: BTreeSet<&BeadId> = self.hooks.values().filter_map(HookState::bead).collect();
        let attended = self.known();
        let ready = self.beads.beads.iter().filter(|bead| {
            bead.ready
                && bead.assignee.as_deref().is_none_or(|by| self.person.is_person(by))
                && bead.status == BeadStatus::Open
                && !taken.contains(&bead.id)
                && !attended.get(&bead.id).is_some_and(|known| known.attended)
        });
        let candidate = |bead: &Bead| Candidate {
            bead: bead.id.clone(),
            priority: bead.priority,
            created_at: bead.created_at,
            held: self.held_back(&bead.id).is_some(),
            last: self.record.beads.get(&bead.id).and_then(|tries| tries.last.clone()),
        };
        let free = |id: &BeadId| !taken.contains(id) && !attended.get(id).is_some_and(|known| known.attended);
        let own = self.work.values().filter(|item| {
            item.status == WorkStatus::Open && self.own(&item.bead_id).is_some() && free(&item.bead_id)
        });
        let own = own.map(|item| Candidate {
            bead: item.bead_id.clone(),
            priority: item.priority.as_of_bead(),
            created_at: None,
            held: self.held_back(&item.bead_id).is_some(),
            last: self.record.beads.get(&item.bead_id).and_then(|tries| tries.last.clone()),
        });
        let mut candidates: Vec<Candidate> = ready.map(candidate).chain(own).collect();
        candidates.sort_by(Candidate::before);
        candidates
    }

    pub(super) fn limits(&self) -> Limits {
        Limits {
            max_agents: self.settings.max_agents,
            min_free_mib: self.settings.min_free_mib,
            cost_per_day_usd: self.settings.cost_per_day_usd,
        }
    }

    /// What is in use of the limits.
    pub(super) fn in_use(&self) -> InUse {
        let works = |agent: &&AgentIdentity| {
            self.starting.contains(&agent.id)
                || self.session(agent).is_some_and(|meta| meta.status == Status::Active)
        };
        let working = self.agents.iter().filter(works).count();
        InUse {
            paused: self.record.paused,
            working: u32::try_from(working).unwrap_or(u32::MAX),
            free_mib: bc_process::memory::free_mib(),
            cost_today_usd: self.cost_today(),
        }
    }

    /// What sessions of agents cost that were active today: all of it, for nobody knows which part of it
    /// was today.
    fn cost_today(&self) -> f64 {
        let today = self.now.date_naive();
        let last = |meta: &Meta| match meta.status {
            Status::Active => Some(self.now),
            _ => meta.active_intervals.last().and_then(|interval| interval.end).or(meta.last_activated_at),
        };
        let of_today = |meta: &&Meta| {
            let here = |at: Timestamp| at.with_timezone(self.now.offset()).date_naive();
            meta.fleet_agent.is_some() && last(meta).is_some_and(|at| here(at) == today)
        };
        self.metas
            .iter()
            .map(|meta| &**meta)
            .filter(of_today)
            .filter_map(|meta| meta.cost_usd)
            .fold(0.0, |sum, cost| sum + cost)
    }
}
