//! Chooses the place for an agent's new session, as a pure function.

use std::cmp::Ordering;

/// The prefix of a bead label that selects the bead's place, by the place's name or label: `place:gpu`.
pub const PLACE_LABEL: &str = "place:";

/// A place that can run agents' sessions, with its capacity and use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceSlot {
    /// The name; [`LOCAL_RUNNER`](super::LOCAL_RUNNER) for this machine.
    pub name: String,
    /// The maximum number of concurrent sessions; `None` for no limit.
    pub capacity: Option<u32>,
    /// The number of sessions that are active or starting at the place.
    pub in_use: u32,
    pub labels: Vec<String>,
    /// Whether the place takes no new sessions, because it is being drained, or avoided after a failure.
    pub draining: bool,
}

impl PlaceSlot {
    /// Whether a session of a bead with these labels can start at this place now.
    pub fn takes(&self, bead_labels: &[String]) -> bool {
        let has_room = self.capacity.is_none_or(|capacity| self.in_use < capacity);
        let mut wanted = bead_labels.iter().filter_map(|label| label.strip_prefix(PLACE_LABEL));
        has_room
            && !self.draining
            && wanted.all(|wanted| wanted == self.name || self.labels.iter().any(|label| label == wanted))
    }

    /// Orders places by their used share, the smallest first. A place without a limit counts as having room
    /// for one more session, so that sessions spread over all places.
    fn before(&self, other: &PlaceSlot) -> Ordering {
        let parts = |slot: &PlaceSlot| {
            let whole = u64::from(slot.capacity.unwrap_or(slot.in_use + 1).max(1));
            (u64::from(slot.in_use).min(whole), whole)
        };
        let ((used, whole), (others_used, others_whole)) = (parts(self), parts(other));
        (used * others_whole).cmp(&(others_used * whole)).then_with(|| self.name.cmp(&other.name))
    }
}

/// Takes a slot at the best place for a bead with these labels, and returns the place's name. `None` if no
/// suitable place has room.
pub fn take_place(slots: &mut [PlaceSlot], bead_labels: &[String]) -> Option<String> {
    let fitting = slots.iter_mut().filter(|slot| slot.takes(bead_labels));
    let best = fitting.min_by(|a, b| a.before(b))?;
    best.in_use += 1;
    Some(best.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slot(name: &str, capacity: Option<u32>, in_use: u32, labels: &[&str]) -> PlaceSlot {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        PlaceSlot { name: name.to_owned(), capacity, in_use, labels, draining: false }
    }

    #[test]
    fn sessions_spread_by_free_share() {
        let mut slots = [slot("big", Some(4), 0, &[]), slot("small", Some(2), 0, &[])];
        let taken: Vec<_> = (0..7).map(|_| take_place(&mut slots, &[]).unwrap_or_default()).collect();
        assert_eq!(taken, ["big", "small", "big", "big", "small", "big", ""]);
    }

    #[test]
    fn a_label_of_a_bead_chooses_among_places_by_name_or_label() {
        let mut slots =
            [slot("a", None, 0, &[]), slot("b", Some(1), 0, &["gpu"]), slot("local", None, 5, &[])];
        let mut take = |label: &str| take_place(&mut slots, &["ui".to_owned(), label.to_owned()]);
        assert_eq!(take("place:gpu").as_deref(), Some("b"));
        assert_eq!(take("place:gpu"), None, "it is full");
        assert_eq!(take("place:local").as_deref(), Some("local"));
        assert_eq!(take("place:unknown"), None);
    }

    #[test]
    fn a_draining_place_takes_nothing() {
        let mut slots = [PlaceSlot { draining: true, ..slot("a", None, 0, &[]) }];
        assert_eq!(take_place(&mut slots, &[]), None);
    }

    proptest! {
        #[test]
        fn no_place_gets_more_than_its_capacity(
            capacities in proptest::collection::vec(proptest::option::of(0_u32..4), 1..5),
            sessions in 0_usize..30,
        ) {
            let name = |n: usize| format!("p{n}");
            let mut slots: Vec<_> =
                capacities.iter().enumerate().map(|(n, &capacity)| slot(&name(n), capacity, 0, &[])).collect();
            let taken = (0..sessions).filter(|_| take_place(&mut slots, &[]).is_some()).count();
            for slot in &slots {
                prop_assert!(slot.capacity.is_none_or(|capacity| slot.in_use <= capacity));
            }
            let room: Option<u32> = capacities.iter().copied().sum();
            prop_assert_eq!(taken, room.map_or(sessions, |room| sessions.min(room as usize)));
        }
    }
}
