//! Handing out work: by a person's choice, or what is ready to whoever is free.
//!
//! What is decided ([`bc_core::fleet::hand_out`]) is on the hooks before any session is opened: whoever decides
//! next sees it there. A bead that the tracker then refuses to this session is taken off the hook again.

use super::{
    begin::{self, How, Opened, Opening},
    look::Look,
    tend, work,
};
use crate::{
    engine::Engine,
    errors::tracker_error,
    session::{startable, unattended},
};
use bc_core::{
    fleet::hand_out,
    ids::{BeadId, FleetAgentId},
};
use bc_wire::{ApiError, fleet::*};

/// What was put on hooks, and why no more was.
pub(super) struct Out<'a> {
    pub(super) openings: Vec<Opening<'a>>,
    pub(super) refused: Vec<FleetRefused>,
    pub(super) then: String,
}

/// Hands out what is ready, where `more` sessions are about to be opened already. The caller has the turn.
pub(super) fn out<'a>(engine: &'a Engine, look: &Look, more: usize) -> Result<Out<'a>, ApiError> {
    let (limits, mut in_use) = (look.limits(), look.in_use());
    for _ in 0..more {
        in_use = in_use.and_one();
    }
    if let Some(stopped) = &look.stopped {
        return Ok(Out { openings: Vec::new(), refused: Vec::new(), then: stopped.clone() });
    }
    let handout = hand_out(&look.hands(), &look.candidates(), &limits, &in_use);
    let mut out = Out { openings: Vec::new(), refused: Vec::new(), then: handout.then.to_string() };
    give(engine, handout.given, &mut out);
    Ok(out)
}

/// Puts beads on agents' hooks, to be opened.
fn give<'a>(engine: &'a Engine, given: impl IntoIterator<Item = (FleetAgentId, BeadId)>, out: &mut Out<'a>) {
    let (mut hooks, mut starting) = (Vec::new(), Vec::new());
    for (agent, bead) in given {
        match engine.fleet.start(&agent) {
            Some(started) => {
                hooks.push(FleetHookParams { agent, bead });
                starting.push(started);
            }
            None => {
                let why = "its session is being opened".to_owned();
                out.refused.push(FleetRefused { agent, bead, why });
            }
        }
    }
    // What fails for all of them is each one's answer: others may be on their hooks already, to be opened.
    let refused = |error: ApiError| hooks.iter().map(|_| Err(error.clone())).collect();
    let outcomes = work::hand_out(engine, &hooks).unwrap_or_else(refused);
    for ((FleetHookParams { agent, bead }, starting), outcome) in
        hooks.into_iter().zip(starting).zip(outcomes)
    {
        match outcome {
            Ok(()) => out.openings.push(Opening { agent, bead, how: How::New, _starting: starting }),
            Err(error) => out.refused.push(FleetRefused { agent, bead, why: error.message }),
        }
    }
}

pub(crate) fn dispatch(engine: &Engine, params: &FleetDispatchParams) -> Result<FleetDispatched, ApiError> {
    engine.writable()?;
    // A person asks: what failed before may be mended.
    engine.fleet.go_on();
    let (out, warnings) = {
        let _turn = engine.fleet.turn();
        let look = tend::settled(engine)?;
        let mut out = pairs(engine, &look, &params.pairs)?;
        if params.all {
            // Those of the pairs are starting, and counted as that.
            let more = match out.openings.is_empty() {
                true => self::out(engine, &look, 0)?,
                false => self::out(engine, &super::look::look(engine)?, 0)?,
            };
            out.openings.extend(more.openings);
            out.refused.extend(more.refused);
            out.then = more.then;
        }
        (out, look.warnings)
    };
    Ok(told(begin::open_all(engine, out.openings), out.refused, Some(out.then), warnings))
}

/// What a person chose. The limits hold for it as for everything else; that a bead is held back does not.
fn pairs<'a>(engine: &'a Engine, look: &Look, pairs: &[FleetHookParams]) -> Result<Out<'a>, ApiError> {
    let (limits, mut in_use) = (look.limits(), look.in_use());
    let mut out = Out { openings: Vec::new(), refused: Vec::new(), then: String::new() };
    for FleetHookParams { agent, bead } in pairs.iter().cloned() {
        if let Some(why) = in_use.against(&limits) {
            out.refused.push(FleetRefused { agent, bead, why: why.to_string() });
            continue;
        }
        let workable = || match work::own_work(engine, &bead)? {
            Some(_) => unattended(engine, &bead),
            None => startable(engine, &engine.tracker()?.show(&bead).map_err(tracker_error)?),
        };
        if let Err(error) = workable() {
            out.refused.push(FleetRefused { agent, bead, why: error.message });
            continue;
        }
        let before = out.openings.len();
        give(engine, [(agent, bead.clone())], &mut out);
        if out.openings.len() > before {
            in_use = in_use.and_one();
            super::tries::note(&super::state(engine), &bead, |tries| tries.held = None);
        }
    }
    Ok(out)
}

/// What came of the sessions, for whoever asked.
pub(super) fn told(
    opened: Vec<Opened>,
    mut refused: Vec<FleetRefused>,
    then: Option<String>,
    mut warnings: Vec<String>,
) -> FleetDispatched {
    let mut given = Vec::new();
    for Opened { agent, bead, outcome, warnings: said } in opened {
        warnings.extend(said.into_iter().map(|text| format!("{agent}: {text}")));
        match outcome {
            Ok(session_id) => given.push(FleetGiven { agent, bead, session_id }),
            Err(error) => refused.push(FleetRefused { agent, bead, why: error.message }),
        }
    }
    let why_not = then.filter(|then| !then.is_empty());
    FleetDispatched { given, refused, why_not, warnings }
}
