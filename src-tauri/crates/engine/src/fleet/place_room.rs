//! The free capacity for agents' new sessions at the places in the fleet's settings.

use crate::{context::count, places};
use bc_core::{
    fleet::{FleetSettings, LOCAL_RUNNER, PlaceSlot, take_place},
    ids::FleetAgentId,
    session::{Meta, Status},
};
use bc_wire::place::Place;
use std::{collections::BTreeMap, sync::Arc};

/// The reason that is shown if no place can take the work.
pub(super) const NO_ROOM: &str = "no place for this work has room";

/// The places in the settings, with their free capacity. Without places in the settings, every session starts
/// on this machine.
#[derive(Debug, Clone, Default)]
pub(super) struct PlaceRoom {
    slots: Option<Vec<PlaceSlot>>,
    /// The places that are being drained, whether or not the fleet uses them.
    draining: Vec<String>,
}

impl PlaceRoom {
    /// Computes the free capacity of each place from the settings, the running sessions, and the sessions
    /// that are being opened. A place that is avoided after a failure has no capacity.
    pub(super) fn of(
        settings: &FleetSettings,
        metas: &[Arc<Meta>],
        starting: &BTreeMap<FleetAgentId, Option<String>>,
        is_avoided: impl Fn(&str) -> bool,
    ) -> PlaceRoom {
        let known = places::list().places;
        let draining = known.iter().filter(|place| place.draining).map(|place| place.name.clone()).collect();
        let named = settings.places.iter().filter_map(|name| match name.as_str() {
            LOCAL_RUNNER => Some(slot(LOCAL_RUNNER, None)),
            name => known.iter().find(|place| place.name == name).map(|place| slot(name, Some(place))),
        });
        let mut slots: Option<Vec<PlaceSlot>> = (!settings.places.is_empty()).then(|| named.collect());
        for slot in slots.iter_mut().flatten() {
            let name = (slot.name != LOCAL_RUNNER).then_some(&slot.name);
            let runs = |meta: &&Arc<Meta>| {
                // An agent whose session is being opened is counted in `opening`.
                let counted = meta.fleet_agent.as_ref().is_some_and(|agent| starting.contains_key(agent));
                meta.status == Status::Active && meta.place.as_ref() == name && !counted
            };
            let opening = starting.values().filter(|place| place.as_ref() == name).count();
            slot.draining |= is_avoided(&slot.name);
            slot.in_use = count(metas.iter().filter(runs).count() + opening);
        }
        PlaceRoom { slots, draining }
    }

    /// Whether this machine or a place has room for a session on a bead with these labels.
    pub(super) fn has_room(&self, bead_labels: &[String]) -> bool {
        self.slots.as_ref().is_none_or(|slots| slots.iter().any(|slot| slot.takes(bead_labels)))
    }

    /// Takes a slot for a session on a bead with these labels, and returns its place. The inner `None` is
    /// this machine; the outer `None` means that no place has room.
    pub(super) fn take(&mut self, bead_labels: &[String]) -> Option<Option<String>> {
        let Some(slots) = &mut self.slots else { return Some(None) };
        take_place(slots, bead_labels).map(|name| (name != LOCAL_RUNNER).then_some(name))
    }

    /// Whether new sessions start only at places, so that this machine's free memory does not limit them.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.slots.as_ref().is_some_and(|slots| slots.iter().all(|slot| slot.name != LOCAL_RUNNER))
    }

    pub(super) fn is_draining(&self, place: &str) -> bool {
        self.draining.iter().any(|name| name == place)
    }
}

fn slot(name: &str, place: Option<&Place>) -> PlaceSlot {
    PlaceSlot {
        name: name.to_owned(),
        capacity: place.and_then(|place| place.capacity),
        in_use: 0,
        labels: place.map(|place| place.labels.clone()).unwrap_or_default(),
        draining: place.is_some_and(|place| place.draining),
    }
}
