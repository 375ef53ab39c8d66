//! A snapshot of the fleet: its files, sessions and beads, read once.

use super::place_room::PlaceRoom;
use crate::{
    context::{
        Context, count,
        errors::{store_error, tracker_error},
        lock, now,
    },
    fleet_state::{fleet_error, state},
    settings,
};
use bc_beads::{Actor, ListFilter, Listing};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadStatus},
    fleet::{
        AgentIdentity, AgentNames, AgentSlot, AgentStatus, BeadCase, Candidate, ClosedConvoys, Convoy,
        DispatchRecord, FleetFacts, FleetSettings, HookState, HookStatus, InUse, Limits, MergeRequest,
        MergeStatus, WorkItem, WorkStatus,
    },
    ids::{BeadId, FleetAgentId, SessionId},
    session::{Meta, Status},
};
use bc_wire::ApiError;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// The fleet at one point in time, with everything that decisions need.
pub(super) struct FleetSnapshot {
    pub(super) now: Timestamp,
    pub(super) settings: FleetSettings,
    pub(super) agents: Vec<AgentIdentity>,
    pub(super) names: AgentNames,
    pub(super) hooks: BTreeMap<FleetAgentId, HookState>,
    pub(super) work: BTreeMap<BeadId, WorkItem>,
    pub(super) convoys: Vec<Convoy>,
    pub(super) requests: Vec<MergeRequest>,
    pub(super) record: DispatchRecord,
    pub(super) closed: ClosedConvoys,
    pub(super) metas: Vec<Arc<Meta>>,
    /// Indices into `metas`: by agent, and in `meta_of` by session.
    metas_of: HashMap<FleetAgentId, Vec<usize>>,
    meta_of: HashMap<SessionId, usize>,
    pub(super) beads: Arc<Listing>,
    /// The error if the tracker's beads could not be read. In that case, `beads` is empty, and no agent is
    /// reconciled.
    pub(super) tracker_failure: Option<ApiError>,
    /// The agents whose session is being opened.
    pub(super) starting: BTreeSet<FleetAgentId>,
    pub(super) places: PlaceRoom,
    /// The reason if automatic starts are suspended.
    pub(super) suspended: Option<String>,
    /// The actor of the command's user or person. Beads that are assigned to others are not dispatched.
    user: Actor,
    pub(super) warnings: Vec<String>,
    by_id: HashMap<BeadId, usize>,
}

/// Takes a complete snapshot. If the tracker's beads cannot be read, `tracker_failure` has the error.
pub(super) fn take(ctx: &Context) -> Result<FleetSnapshot, ApiError> {
    let mut snapshot = without_tracker(ctx)?;
    match listing(ctx) {
        Ok(beads) => {
            snapshot.warnings.extend(beads.warnings.iter().map(ToString::to_string));
            snapshot.by_id = beads.beads.iter().enumerate().map(|(n, bead)| (bead.id.clone(), n)).collect();
            snapshot.beads = beads;
        }
        Err(error) => {
            snapshot.warnings.push(format!("the tracker's beads could not be read: {error}"));
            snapshot.tracker_failure = Some(error);
        }
    }
    Ok(snapshot)
}

/// Takes a complete snapshot. Fails if the tracker's beads cannot be read.
pub(super) fn with_tracker(ctx: &Context) -> Result<FleetSnapshot, ApiError> {
    let mut snapshot = take(ctx)?;
    snapshot.tracker_failure.take().map_or(Ok(snapshot), Err)
}

/// Takes a snapshot without the tracker's beads, so that the tracker is not queried.
pub(super) fn without_tracker(ctx: &Context) -> Result<FleetSnapshot, ApiError> {
    let state = state(ctx);
    let failed = fleet_error;
    let hooks = state.hooks().map_err(failed)?;
    let settings = settings::fleet(&ctx.project);
    // Read this before the sessions, so that a session that is opened meanwhile is in at least one of the two.
    let starting = ctx.fleet.starting();
    let record: DispatchRecord = state.kept(DISPATCH).map_err(failed)?;
    let metas = ctx.fleet.sessions(&ctx.store).map_err(store_error)?;
    let mut metas_of: HashMap<FleetAgentId, Vec<usize>> = HashMap::new();
    for (n, meta) in metas.iter().enumerate() {
        if let Some(agent) = &meta.fleet_agent {
            metas_of.entry(agent.clone()).or_default().push(n);
        }
    }
    Ok(FleetSnapshot {
        now: now(),
        places: PlaceRoom::of(&settings, &metas, &starting, |place| record.avoids(place, now())),
        settings,
        agents: state.agents(None, None).map_err(failed)?,
        names: state.agent_names().map_err(failed)?,
        hooks: hooks.into_iter().map(|hook| (hook.agent_id.clone(), hook)).collect(),
        work: state.work_items().map_err(failed)?.into_iter().map(|w| (w.bead_id.clone(), w)).collect(),
        convoys: state.convoys().map_err(failed)?,
        requests: state.merge_requests().map_err(failed)?,
        record,
        closed: state.closed_convoys().map_err(failed)?,
        meta_of: metas.iter().enumerate().map(|(n, meta)| (meta.id, n)).collect(),
        metas_of,
        metas,
        beads: Arc::default(),
        tracker_failure: None,
        starting: starting.into_keys().collect(),
        suspended: ctx.fleet.suspension().map(|stopped| stopped.why),
        user: ctx.user_actor(),
        by_id: HashMap::new(),
        // Last, so that the warnings of all reads above are included.
        warnings: state.take_warnings(),
    })
}

/// The name of the dispatch record's file.
pub(super) const DISPATCH: &str = "dispatch";

/// All beads of the board; cached until the tracker's mark changes.
fn listing(ctx: &Context) -> Result<Arc<Listing>, ApiError> {
    let tracker = ctx.tracker()?;
    // Read the mark before the list, so that the next call detects a concurrent change.
    let mark = tracker.change_mark().map_err(tracker_error)?;
    let mut listed = lock(&ctx.fleet.listed);
    if let (Some(mark), Some((of, list))) = (&mark, listed.as_ref())
        && mark == of
    {
        return Ok(Arc::clone(list));
    }
    let list = Arc::new(tracker.list(&ListFilter::board()).map_err(tracker_error)?);
    *listed = mark.map(|mark| (mark, Arc::clone(&list)));
    Ok(list)
}

impl FleetSnapshot {
    pub(super) fn bead(&self, id: &BeadId) -> Option<&Bead> {
        self.by_id.get(id).map(|&n| &self.beads.beads[n])
    }

    /// The bead's labels. Work items of the fleet have none.
    pub(super) fn labels(&self, id: &BeadId) -> &[String] {
        self.bead(id).map(|bead| bead.labels.as_slice()).unwrap_or_default()
    }

    pub(super) fn hook(&self, agent: &FleetAgentId) -> HookStatus {
        self.hooks.get(agent).map_or(HookStatus::Empty, |hook| hook.status)
    }

    /// The work on an agent's hook. This program removes the work when it completes a hook; some other
    /// programs leave it there.
    pub(super) fn assigned_bead(&self, agent: &FleetAgentId) -> Option<&BeadId> {
        self.hooks.get(agent).and_then(HookState::bead)
    }

    /// The agent's session: the latest session on its assigned work, preferably an active or paused session.
    /// The session's record counts as well as the agent's record, because after a crash only one of them may
    /// name the other.
    pub(super) fn session(&self, agent: &AgentIdentity) -> Option<&Meta> {
        let bead = self.assigned_bead(&agent.id);
        let own = agent.own_session().and_then(|id| self.meta_of.get(&id));
        let of_agent = self.metas_of.get(&agent.id).into_iter().flatten().chain(own);
        let on_work = |meta: &&Meta| bead.is_none() || meta.bead_id.as_ref() == bead;
        let open = |meta: &Meta| matches!(meta.status, Status::Active | Status::Paused);
        // A session that was closed before the work was assigned does not belong to this assignment.
        let pending_hook = self.hooks.get(&agent.id).filter(|hook| hook.status == HookStatus::Pending);
        let before = |meta: &Meta| {
            pending_hook.is_some_and(|hook| meta.closed_at.is_some_and(|at| at < hook.last_activity))
        };
        let sessions = of_agent.map(|&n| &*self.metas[n]).filter(on_work);
        let sessions = sessions.filter(|meta| meta.status != Status::Closed || !before(meta));
        // Without assigned work, only an active session belongs to the agent.
        let sessions = sessions.filter(|meta| bead.is_some() || meta.status == Status::Active);
        sessions.max_by_key(|meta| (open(meta), meta.last_activated_at, meta.created_at))
    }

    /// Whether the agent's record names a session of this project.
    pub(super) fn has_own_session(&self, agent: &AgentIdentity) -> bool {
        agent.own_session().is_some_and(|id| self.meta_of.contains_key(&id))
    }

    /// Whether another program reports that the agent works in a session of that program.
    pub(super) fn is_elsewhere(&self, agent: &AgentIdentity) -> bool {
        let lives = matches!(agent.status, AgentStatus::Active | AgentStatus::Stalled);
        lives && agent.session_id.is_some() && agent.own_session().is_none()
    }

    /// Whether another program has completed a bead. The tracker may still have it as open, because not every
    /// program updates the tracker. False if one of our sessions worked on the bead: the user has then
    /// reopened it.
    fn is_done_elsewhere(&self, bead: &BeadId) -> bool {
        let is_over = self.work.get(bead).is_some_and(|item| item.status.is_over());
        is_over && !self.metas.iter().any(|meta| meta.bead_id.as_ref() == Some(bead))
    }

    /// The facts about each bead that come from the fleet's files and the sessions, not from the tracker.
    pub(super) fn known_beads(&self) -> BTreeMap<&BeadId, FleetFacts> {
        let mut known: BTreeMap<&BeadId, FleetFacts> = BTreeMap::new();
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
            // If a bead has several requests, the unmerged one counts, because it is for newer work.
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

    /// The fleet's own work item with this id; `None` if the tracker has a bead with this id or could not be read.
    pub(super) fn fleet_work(&self, id: &BeadId) -> Option<&WorkItem> {
        let own = id.is_of_fleet() && self.tracker_failure.is_none() && self.bead(id).is_none();
        self.work.get(id).filter(|_| own)
    }

    /// The state of an agent's work: from the fleet's files for one of the fleet's work items, else from the
    /// tracker.
    pub(super) fn bead_case(&self, id: &BeadId) -> BeadCase {
        match self.fleet_work(id) {
            Some(item) => BeadCase::of_own(item.status),
            None => BeadCase::of(self.bead(id).map(|bead| &bead.status)),
        }
    }

    /// The reason why a bead is held back; `None` if it is not held back.
    pub(super) fn hold_reason(&self, bead: &BeadId) -> Option<String> {
        let held = self.record.beads.get(bead).and_then(|tries| tries.held.clone());
        let epic = || self.bead(bead).is_some_and(|bead| bead.issue_type == "epic");
        held.or_else(|| epic().then(|| "it is an epic: its parts are assigned instead".to_owned()))
    }

    /// The agents in the form that [`bc_core::fleet::assign`] expects.
    pub(super) fn dispatch_agents(&self) -> Vec<AgentSlot> {
        let slot = |agent: &AgentIdentity| AgentSlot {
            agent: agent.id.clone(),
            role: agent.role,
            free: self.is_free(agent),
        };
        self.agents.iter().map(slot).collect()
    }

    /// Whether an agent can get work: it is not retired, does not work in another program, and has neither
    /// work nor a session, not even one that is being opened.
    pub(super) fn is_free(&self, agent: &AgentIdentity) -> bool {
        agent.status != AgentStatus::Terminated
            && !self.is_elsewhere(agent)
            && self.hook(&agent.id) == HookStatus::Empty
            && !self.starting.contains(&agent.id)
            && self.session(agent).is_none()
    }

    /// The beads and work items that can be dispatched, in the order of dispatch. Held-back beads are marked.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let taken: BTreeSet<&BeadId> = self.hooks.values().filter_map(HookState::bead).collect();
        let known = self.known_beads();
        let free = |id: &BeadId| !taken.contains(id) && !known.get(id).is_some_and(|known| known.attended);
        let candidate = |id: &BeadId, priority, created_at| Candidate {
            bead: id.clone(),
            priority,
            created_at,
            held: self.hold_reason(id).is_some(),
            last: self.record.beads.get(id).and_then(|tries| tries.last.clone()),
        };
        let ready = self.beads.beads.iter().filter(|bead| {
            bead.ready
                && bead.assignee.as_deref().is_none_or(|by| self.user.is_person(by))
                && bead.status == BeadStatus::Open
                && free(&bead.id)
                && !self.is_done_elsewhere(&bead.id)
        });
        let own = self.work.values().filter(|item| {
            item.status == WorkStatus::Open && self.fleet_work(&item.bead_id).is_some() && free(&item.bead_id)
        });
        let ready = ready.map(|bead| candidate(&bead.id, bead.priority, bead.created_at));
        let own = own.map(|item| candidate(&item.bead_id, item.priority.as_of_bead(), None));
        let mut candidates: Vec<Candidate> = ready.chain(own).collect();
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

    /// The current usage of each limit.
    pub(super) fn in_use(&self) -> InUse {
        let works = |agent: &&AgentIdentity| {
            self.starting.contains(&agent.id)
                || self.session(agent).is_some_and(|meta| meta.status == Status::Active)
        };
        let working = self.agents.iter().filter(works).count();
        InUse {
            paused: self.record.paused,
            working: count(working),
            free_mib: bc_process::free_memory::free_mib().filter(|_| !self.places.is_elsewhere()),
            cost_today_usd: self.cost_today(),
        }
    }

    /// The total cost of the agents' sessions that were active today, in US dollars. The total includes costs
    /// from earlier days, because the cost per day is not known.
    fn cost_today(&self) -> f64 {
        let today = self.now.date_naive();
        let last = |meta: &Meta| match meta.status {
            Status::Active => Some(self.now),
            _ => meta.active_intervals.last().and_then(|interval| interval.end).or(meta.last_activated_at),
        };
        let of_today = |meta: &&Meta| {
            let local_date = |at: Timestamp| at.with_timezone(self.now.offset()).date_naive();
            meta.fleet_agent.is_some() && last(meta).is_some_and(|at| local_date(at) == today)
        };
        self.metas
            .iter()
            .map(|meta| &**meta)
            .filter(of_today)
            .filter_map(|meta| meta.cost_usd)
            .fold(0.0, |sum, cost| sum + cost)
    }
}
