//! Checks of concurrent claims.

use crate::{Actor, NewBead, Tracker, TrackerError};
use std::sync::Barrier;

/// When two sessions claim the same bead at the same moment, exactly one succeeds, in every round.
pub(crate) fn one_claim_wins(open: &(dyn Fn() -> Box<dyn Tracker> + Sync), rounds: usize) {
    let actors: [Actor; 2] = ["mara/11111111", "joe/22222222"].map(|name| name.parse().unwrap());
    for round in 0..rounds {
        let id = open().create(&NewBead::titled(format!("race {round}")), &actors[0]).unwrap().bead.id;
        let start = Barrier::new(2);
        let claim = |actor: &Actor| {
            let tracker = open();
            start.wait();
            tracker.claim(&id, actor)
        };
        let [one, two] = std::thread::scope(|scope| {
            let claims = [0, 1].map(|n| {
                let (claim, actor) = (&claim, &actors[n]);
                scope.spawn(move || claim(actor))
            });
            claims.map(|claim| claim.join().unwrap())
        });
        let (winner, loser) = match (&one, &two) {
            (Ok(_), Err(loser)) => (&actors[0], loser),
            (Err(loser), Ok(_)) => (&actors[1], loser),
            both => panic!("round {round}: {both:?}"),
        };
        assert!(
            matches!(loser, TrackerError::ClaimedByOther { by, .. } if by == winner.as_str()),
            "round {round}: {loser}"
        );
        assert_eq!(open().show(&id).unwrap().bead.assignee.as_deref(), Some(winner.as_str()));
    }
}
