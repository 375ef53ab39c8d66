//! Checks of dependencies: kinds and cycles.

use super::{Subject, actor};
use crate::TrackerError;
use bc_core::bead::LinkDirection;

pub(super) fn every_kind_is_added_and_removed(subject: &Subject<'_>) {
    let (id, on) = (subject.made("depends"), subject.made("is depended on"));
    let tracker = (subject.open)();
    let kinds = tracker.capabilities().unwrap().dependency_kinds;
    assert!(kinds.iter().any(|kind| kind == "blocks") && kinds.iter().any(|kind| kind == "parent-child"));
    // One kind of each group (blocking, parents, others), because each kind needs another run of the
    // tracker's program.
    for kind in ["blocks", "parent-child", "discovered-from"] {
        tracker.add_dependency(&id, &on, kind, &actor()).unwrap();
        let shown = subject.shown(&id);
        let links: Vec<_> =
            shown.links.iter().map(|link| (&link.id, link.kind.as_str(), link.direction)).collect();
        assert_eq!(links, [(&on, kind, LinkDirection::DependsOn)]);
        assert_eq!(
            shown.bead.blocked_by.as_slice(),
            if kind == "blocks" { std::slice::from_ref(&on) } else { &[] }
        );
        assert_eq!(shown.bead.parent.as_ref(), (kind == "parent-child").then_some(&on));
        if kind == "blocks" {
            tracker.add_dependency(&id, &on, kind, &actor()).unwrap();
            let error = tracker.add_dependency(&id, &on, "related", &actor()).unwrap_err();
            assert!(matches!(&error, TrackerError::Refused { why, .. } if why.contains(kind)), "{error}");
        }
        tracker.remove_dependency(&id, &on, &actor()).unwrap();
        assert!(subject.shown(&id).links.is_empty());
        let error = tracker.remove_dependency(&id, &on, &actor()).unwrap_err();
        assert!(matches!(error, TrackerError::Refused { .. }), "{error}");
    }
    let error = tracker.add_dependency(&id, &on, "unheard-of", &actor()).unwrap_err();
    assert!(error.to_string().contains("unheard-of is not one of blocks"), "{error}");
    let missing = "no-such".parse().unwrap();
    for (id, on) in [(&id, &missing), (&missing, &on)] {
        let error = tracker.add_dependency(id, on, "blocks", &actor()).unwrap_err();
        assert!(matches!(&error, TrackerError::NotFound { id } if *id == missing), "{error}");
    }
}

pub(super) fn a_cycle_is_refused_before_it_is_made(subject: &Subject<'_>) {
    let [a, b, c] = ["a", "b", "c"].map(|title| subject.made(title));
    let tracker = (subject.open)();
    tracker.add_dependency(&a, &b, "blocks", &actor()).unwrap();
    tracker.add_dependency(&b, &c, "waits-for", &actor()).unwrap();
    for kind in ["blocks", "conditional-blocks", "parent-child"] {
        let error = tracker.add_dependency(&c, &a, kind, &actor()).unwrap_err();
        assert!(
            matches!(&error, TrackerError::Cycle { path } if *path == [c.clone(), a.clone(), b.clone()]),
            "{error}"
        );
    }
    let error = tracker.add_dependency(&a, &a, "related", &actor()).unwrap_err();
    assert!(matches!(&error, TrackerError::Cycle { path } if *path == [a.clone()]), "{error}");
    tracker.add_dependency(&c, &a, "related", &actor()).unwrap();
    let shown = subject.shown(&c);
    assert!(shown.links.iter().any(|link| link.id == a && link.kind == "related"));
}
