//! Lifecycle hooks of sessions at another place.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests act as the user of both machines")]

use crate::{
    hooks::{hooks_file, runs},
    places::{Place, TIMEOUT, kill},
};
use bc_testkit::wait_for;
use serde_json::Value;
use std::{fs, path::Path};

#[test]
fn allowed_hooks_run_at_the_place_and_are_recorded_on_this_machine() {
    const TEST: &str = "allowed_hooks_run_at_the_place_and_are_recorded_on_this_machine";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let guard = "#!/bin/bash\ngrep -q 'touch owned' && echo '{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"Not in this house.\"}' || echo '{}'\n";
    console.sandbox.write("tools/guard.sh", guard);
    console.sandbox.write(
        "hooks.json",
        &hooks_file(
            Path::new("."),
            &[("preToolUse", "bash tools/guard.sh"), ("sessionEnd", "jq -c . > \"$HOME/ended\"; echo '{}'")],
        ),
    );
    console.ok(&["hooks", "trust", "--yes"]);
    // A hook that the user did not allow, and a hook of the place's own user.
    console.sandbox.write(
        ".beads/hooks.json",
        &hooks_file(Path::new("."), &[("sessionStart", "touch \"$HOME/stolen\"; echo '{}'")]),
    );
    let config = place.home.join(".config/beads-console");
    fs::create_dir_all(&config).unwrap();
    let hook = "touch started; echo '{}'";
    fs::write(config.join("hooks.json"), hooks_file(Path::new("."), &[("sessionStart", hook)])).unwrap();

    let id =
        console.start(&["--simulated", "--on", "far", "--mode", "bypassPermissions", "--branch", "hooked"]);
    console.wait_idle(&id);
    wait_for("the place's own hook", TIMEOUT, || config.join("started").is_file().then_some(()));
    console.ok(&["session", "send", &id, "[[bash:touch owned]] [[bash:touch fine]]"]);
    console.wait_message("the refusal", &id, |m| m.to_string().contains("Not in this house."));
    console.wait_idle(&id);
    let project = fs::read_dir(place.home.join("beads-console")).unwrap().next().unwrap().unwrap().path();
    let worktree = project.join("worktrees").join(&id);
    assert!(!worktree.join("owned").exists() && worktree.join("fine").exists());

    // A change that the agent makes to the script in its worktree has no effect.
    console.ok(&[
        "session",
        "send",
        &id,
        "[[bash:mkdir -p tools; echo true > tools/guard.sh]] [[bash:touch owned]]",
    ]);
    wait_for("the second refusal", TIMEOUT, || {
        let denied = runs(console, &id).into_iter().filter(|run| run["decision"] == "deny").count();
        (denied == 2).then_some(())
    });
    console.wait_idle(&id);
    assert!(!worktree.join("owned").exists());
    assert!(!place.home.join("stolen").exists());

    // The host dies, so its place runs the hooks for the session's end.
    kill(&console.show(&id)["live"]["host_pid"]);
    console.wait("the pause", &id, |session| session["status"] == "paused");
    let ended = wait_for("the end hook", TIMEOUT, || fs::read_to_string(place.home.join("ended")).ok());
    let ended: Value = serde_json::from_str(&ended).unwrap();
    assert_eq!((&ended["event"], &ended["reason"]), (&"sessionEnd".into(), &"interrupted".into()));
    assert_eq!(ended["cwd"].as_str().unwrap(), worktree.canonicalize().unwrap().to_str().unwrap());
    wait_for("the run's record", TIMEOUT, || {
        let last = runs(console, &id).pop()?;
        (last["event"] == "sessionEnd" && last["reason"] == "interrupted").then_some(())
    });

    console.json(&["session", "resume", &id]);
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);
    let of_end = |run: &&Value| run["event"] == "sessionEnd";
    assert_eq!(runs(console, &id).iter().filter(of_end).count(), 2, "{:?}", runs(console, &id));
}
