//! The fleet with places: dispatch by capacity, drained and unreachable places.

#![cfg(target_os = "linux")]

use crate::places::Place;
use serde_json::{Value, json};

#[test]
fn the_fleet_spreads_over_places_and_leaves_a_drained_one() {
    const TEST: &str = "the_fleet_spreads_over_places_and_leaves_a_drained_one";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    console.ok(&["places", "change", "far", "--capacity", "1", "--label", "gpu"]);
    console.fails(&["fleet", "settings", "places", "nowhere"], "place_not_found", 3);
    console.ok(&["fleet", "settings", "places", "far", "local"]);
    for [key, value] in [["simulated", "true"], ["mode", "bypassPermissions"], ["min_free_mib", "0"]] {
        console.ok(&["fleet", "settings", key, value]);
    }
    for _ in 0..3 {
        console.ok(&["fleet", "agent", "create", "polecat"]);
    }
    let anywhere = console.bead("Anywhere", &[]);
    let on_gpu = console.bead("Needs a GPU", &["--label", "place:gpu", "--priority", "0"]);
    let waiting = console.bead("Waits for the GPU", &["--label", "place:gpu", "--priority", "4"]);
    let given = console.json(&["fleet", "dispatch", "--all"]);
    assert_eq!(given["given"].as_array().unwrap().len(), 2, "{given:#}");
    assert_eq!(given["why_not"], "no place for this work has room", "{given:#}");
    let session_of = |bead: &str| {
        let sessions = console.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
        sessions.into_iter().find(|session| session["bead_id"] == bead)
    };
    assert_eq!(session_of(&anywhere).unwrap()["place"], Value::Null);
    let at_far = session_of(&on_gpu).unwrap();
    assert_eq!(at_far["place"], "far");
    assert!(session_of(&waiting).is_none());
    console.wait_idle(at_far["id"].as_str().unwrap());

    console.ok(&["places", "drain", "far"]);
    console.fails(
        &["session", "start", "--simulated", "--on", "far", "--branch", "late"],
        "session_state",
        4,
    );
    // The next dispatch releases the work at the drained place.
    let given = console.json(&["fleet", "dispatch", "--all"]);
    assert_eq!(given["given"], json!([]), "{given:#}");
    assert_eq!(console.show(at_far["id"].as_str().unwrap())["status"], "closed");
    assert_eq!(console.json(&["bead", "show", &on_gpu])["bead"]["status"], "open");
    console.ok(&["places", "drain", "far", "--off"]);
    let given = console.json(&["fleet", "dispatch", "--all"]);
    let given = given["given"].as_array().unwrap().clone();
    assert_eq!(given.iter().map(|given| &given["bead"]).collect::<Vec<_>>(), [&json!(on_gpu)]);
}

#[test]
fn the_fleet_avoids_a_place_that_cannot_be_reached() {
    const TEST: &str = "the_fleet_avoids_a_place_that_cannot_be_reached";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    console.ok(&["places", "add", "down", "nowhere", "--capacity", "4"]);
    console.ok(&["fleet", "settings", "places", "down"]);
    for [key, value] in [["simulated", "true"], ["mode", "bypassPermissions"]] {
        console.ok(&["fleet", "settings", key, value]);
    }
    console.ok(&["fleet", "agent", "create", "polecat"]);
    let bead = console.bead("Anywhere", &[]);
    let given = console.json(&["fleet", "dispatch", "--all"]);
    let why = given["refused"][0]["why"].as_str().unwrap_or_default();
    assert!(why.contains("the connection to nowhere failed"), "{given:#}");
    let overview = console.json(&["fleet", "overview"]);
    assert_eq!((&overview["ready"][0]["bead"], &overview["ready"][0]["held"]), (&json!(bead), &Value::Null));
    assert_eq!(overview["agents"][0]["state"], "idle", "{overview:#}");
    // The unreachable place does not keep the bead: the next dispatch starts it at another place.
    console.ok(&["fleet", "settings", "places", "down", "local"]);
    let given = console.json(&["fleet", "dispatch", "--all"])["given"].as_array().unwrap().clone();
    assert_eq!(given.iter().map(|given| &given["bead"]).collect::<Vec<_>>(), [&json!(bead)]);
}
