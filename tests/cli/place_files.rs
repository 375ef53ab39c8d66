//! The files of a session at a place: viewed, committed, reverted and restored from this machine.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests act as the user and the place's administrator")]

use crate::{
    console::{Console, need_sim, program},
    places::{Place, TIMEOUT},
    serve::{RunningServer, enter, post, rpc, try_post},
};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Starts a session at the place, on the branch `work`, whose agent committed `done.txt`, changed `lines.txt` and
/// created `new.txt`.
fn session(place: &Place) -> String {
    let console = place.console();
    console.sandbox.write("lines.txt", &(1..=20).map(|n| format!("{n}\n")).collect::<String>());
    console.sandbox.git(["add", "lines.txt"]);
    console.sandbox.git(["commit", "-qm", "lines"]);
    let id =
        console.start(&["--simulated", "--on", "far", "--mode", "bypassPermissions", "--branch", "work"]);
    console.wait_idle(&id);
    turn(console, &id, "one [[bash:echo done > done.txt && git add done.txt && git commit -qm done]]");
    turn(
        console,
        &id,
        "two [[bash:sed -i -e s/^2$/two/ -e s/^19$/nineteen/ lines.txt && echo new > new.txt]]",
    );
    id
}

fn turn(console: &Console, id: &str, prompt: &str) {
    console.ok(&["session", "send", id, prompt]);
    console.wait_message("the prompt", id, |m| m["role"] == "user" && m["content"] == prompt);
    console.wait_idle(id);
}

fn changes(console: &Console, id: &str) -> Value {
    console.json(&["session", "changes", id])
}

fn paths(changes: &Value) -> Vec<&str> {
    changes["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect()
}

fn read(worktree: &Path, name: &str) -> String {
    fs::read_to_string(worktree.join(name)).unwrap()
}

#[test]
fn files_at_a_place_are_committed_and_reverted_from_this_machine() {
    const TEST: &str = "files_at_a_place_are_committed_and_reverted_from_this_machine";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let main = console.sandbox.git(["branch", "--show-current"]);
    let id = session(&place);
    let at_place = place.worktree(&id);

    let shown = changes(console, &id);
    assert_eq!((&shown["of"], &shown["notes"]), (&json!("folder"), &json!([])), "{shown:#}");
    assert_eq!(shown["base_branch"], json!(main), "{shown:#}");
    assert_eq!(paths(&shown), ["done.txt", "lines.txt", "new.txt"]);
    assert_eq!(shown["uncommitted"], json!(["lines.txt", "new.txt"]));

    // A hunk is reverted, and the revert is undone.
    console.ok(&["session", "revert", &id, "lines.txt", "--hunk", "2"]);
    assert!(
        read(&at_place, "lines.txt").contains("two") && !read(&at_place, "lines.txt").contains("nineteen")
    );
    let reverts = console.json(&["session", "revert", &id])["reverts"].clone();
    assert_eq!((&reverts[0]["path"], &reverts[0]["undoable"]), (&json!("lines.txt"), &json!(true)));
    console.ok(&["session", "revert", &id, "--undo", reverts[0]["revert"].as_str().unwrap()]);
    assert!(read(&at_place, "lines.txt").contains("nineteen"));
    console.fails(&["session", "revert", &id, "other.txt"], "usage", 2);
    console.ok(&["session", "revert", &id, "new.txt"]);
    assert!(!at_place.join("new.txt").exists());

    // A commit also moves the branch on this machine, and the agent continues on it.
    let proposed = console.json(&["session", "commit", &id]);
    assert_eq!(proposed["files"], json!([{"path": "lines.txt", "change": "modified"}]), "{proposed:#}");
    let done = console.json(&["session", "commit", &id, "-m", "From here", "lines.txt"]);
    let tip = console.sandbox.git(["log", "-1", "--format=%H %s", "work"]);
    assert_eq!(tip, format!("{} From here", done["hash"].as_str().unwrap()));
    let shown = changes(console, &id);
    assert_eq!((&shown["commits"][1]["subject"], &shown["uncommitted"]), (&json!("From here"), &json!([])));
    console.fails(&["session", "commit", &id, "-m", "Nothing"], "usage", 2);

    // The same works while the session is paused, even if the branch on this machine has commits that the place
    // lacks.
    fs::write(at_place.join("paused.txt"), "later\n").unwrap();
    let paused = console.json(&["session", "pause", &id]);
    assert!(paused["commits"].as_array().unwrap().contains(&done["hash"]), "{paused:#}");
    assert_eq!(changes(console, &id)["uncommitted"], json!(["paused.txt"]));
    let done = console.json(&["session", "commit", &id, "-m", "Paused"]);
    assert_eq!(console.sandbox.git(["rev-parse", "work"]), done["hash"].as_str().unwrap());
    let paused = console.show(&id);
    assert!(paused["commits"].as_array().unwrap().contains(&done["hash"]), "{paused:#}");
    let shown = changes(console, &id);
    assert_eq!((&shown["notes"], shown["commits"].as_array().unwrap().len()), (&json!([]), 3), "{shown:#}");
    let on_machine = PathBuf::from(paused["cwd"].as_str().unwrap());
    console.sandbox.write("later.txt", "later\n");
    console.sandbox.git(["add", "later.txt"]);
    console.sandbox.git(["commit", "-qm", "later"]);
    let merge = ["-C", on_machine.to_str().unwrap(), "merge", "-q", "--no-edit", &main];
    console.sandbox.git(merge);
    assert_eq!(paths(&changes(console, &id)), ["done.txt", "lines.txt", "paused.txt"]);
    console.json(&["session", "resume", &id]);
    console.wait_idle(&id);
    turn(console, &id, "three [[bash:git log --format=%s > tip.txt]]");
    assert!(read(&at_place, "tip.txt").contains("Paused\n"));
    console.json(&["session", "end", &id]);
}

#[test]
fn files_at_a_place_are_restored_from_this_machine() {
    const TEST: &str = "files_at_a_place_are_restored_from_this_machine";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let id = session(&place);
    let at_place = place.worktree(&id);
    turn(console, &id, "three [[bash:echo third > new.txt]]");

    let listed = console.json(&["session", "checkpoints", &id]);
    assert_eq!((&listed["has_folder"], &listed["notes"]), (&json!(true), &json!([])), "{listed:#}");
    let before = |word: &str| {
        let begins =
            |line: &&Value| line["turns"][0]["words"].as_str().is_some_and(|words| words.starts_with(word));
        let line = listed["checkpoints"].as_array().unwrap().iter().find(begins).unwrap();
        line["number"].to_string()
    };
    let compared = console.json(&["session", "checkpoints", &id, "--compare", &before("three")]);
    assert_eq!(paths(&compared), ["new.txt"]);
    let restored = console.json(&["session", "restore", &id, "--checkpoint", &before("two")]);
    assert_eq!(
        (&restored["written"], &restored["deleted"]),
        (&json!(["lines.txt"]), &json!(["new.txt"])),
        "{restored:#}"
    );
    assert!(!at_place.join("new.txt").exists() && !read(&at_place, "lines.txt").contains("two"));
    console.json(&["session", "restore", &id, "--checkpoint", &restored["undo"].to_string()]);
    assert_eq!(read(&at_place, "new.txt"), "third\n");

    // A new session starts from a checkpoint that was just made.
    let fork = console.json(&["session", "fork", &id, "--checkpoint", &restored["undo"].to_string()]);
    let fork = fork["session"]["id"].as_str().unwrap().to_owned();
    assert_eq!(read(&place.worktree(&fork), "new.txt"), "third\n");
    for id in [&fork, &id] {
        console.json(&["session", "end", id]);
    }
}

#[test]
fn files_at_an_unreachable_place_are_shown_as_far_as_they_were_fetched() {
    const TEST: &str = "files_at_an_unreachable_place_are_shown_as_far_as_they_were_fetched";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let id = session(&place);
    let at_place = place.worktree(&id);
    wait_for("the commit on this machine", TIMEOUT, || {
        (console.sandbox.git(["log", "-1", "--format=%s", "work"]) == "done").then_some(())
    });
    let ssh = place.machine.bin.join("ssh");
    let working_ssh = fs::read_to_string(&ssh).unwrap();
    place.machine.script("ssh", "echo 'ssh: connect to host far: No route to host' >&2; exit 255");
    place.machine.far.cut();
    console.wait("an unreachable place", &id, |s| s["live"]["unreachable_since"].is_string());

    let shown = changes(console, &id);
    assert_eq!((&shown["of"], paths(&shown)), (&json!("branch"), vec!["done.txt"]), "{shown:#}");
    assert_eq!(shown["notes"], json!(["far cannot be reached: uncommitted changes are not shown"]));
    let listed = console.json(&["session", "checkpoints", &id]);
    assert_eq!(listed["has_folder"], json!(false));
    assert!(listed["notes"][0].as_str().unwrap().starts_with("far cannot be reached: "), "{listed:#}");
    let lines = read(&at_place, "lines.txt");
    for words in [
        &["commit", &id, "-m", "From here"][..],
        &["revert", &id, "lines.txt"],
        &["restore", &id, "--checkpoint", "1"],
    ] {
        let message = console.fails(&[&["session"], words].concat(), "machine_unreachable", 1);
        assert!(message.contains("far cannot be reached"), "{message}");
    }
    assert_eq!((read(&at_place, "lines.txt"), at_place.join("new.txt").exists()), (lines, true));
    let server = RunningServer::start(console);
    let page = enter(server.line["url"].as_str().unwrap()).expect("the link is valid");
    let project = rpc(&page, "app.projects", json!({}))["projects"][0]["key"].clone();
    let publishing =
        || post(&page, "session.publish_preview", &json!({"project": project, "params": {"id": id}}));
    assert_eq!(publishing()["uncommitted"], Value::Null);
    let note = json!({"project": project, "params": {"id": id, "name": "a note.txt", "data": "aGVsbG8="}});
    let (ok, refused) = try_post(&page, "session.attach", &note);
    assert!(!ok && refused.to_string().contains("machine_unreachable"), "{refused:#}");

    fs::write(&ssh, working_ssh).unwrap();
    place.wait_reachable(&id);
    assert_eq!(publishing()["uncommitted"], 2);
    // The agent reads the attached file at the place.
    let attached = post(&page, "session.attach", &note);
    let path = PathBuf::from(attached["path"].as_str().unwrap());
    assert!(path.starts_with(&place.home), "{attached:#}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "hello");
    assert_eq!(changes(console, &id)["uncommitted"], json!(["lines.txt", "new.txt"]));
    console.json(&["session", "end", &id]);
}

#[test]
fn false_answers_of_a_place_about_files_change_nothing_on_this_machine() {
    const TEST: &str = "false_answers_of_a_place_about_files_change_nothing_on_this_machine";
    if need_sim(TEST).is_none() {
        return;
    }
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let id = session(&place);
    let first = console.sandbox.git(["rev-parse", "HEAD"]);
    let answer = |line: &str| {
        let script = format!(
            "if [ \"$2\" = files ]; then cat > /dev/null; echo 'Welcome to far!'; printf '%s\\n' '{line}'; exit; fi\n\
             export HOME='{0}' XDG_RUNTIME_DIR='{0}/runtime'; unset BEADS_DIR; exec '{1}' \"$@\"",
            place.home.display(),
            program().display()
        );
        place.machine.script("beads-console-there", &script);
    };
    let commit = ["session", "commit", &id, "-m", "From here"];
    answer(r#"{"Ok":{"hash":5}}"#);
    let message = console.fails(&commit, "other_version", 4);
    assert!(message.contains("the answer of far could not be read"), "{message}");
    answer("{");
    console.fails(&["session", "revert", &id, "lines.txt"], "other_version", 4);
    let shown = changes(console, &id);
    assert!(
        shown["notes"][0].as_str().unwrap().starts_with("the answer of far could not be read"),
        "{shown:#}"
    );

    console.json(&["session", "pause", &id]);
    // A refusal from the place can neither ask for consent nor print control characters.
    answer(r#"{"Err":{"code":"programs_not_allowed","message":"one\u001b[2Jtwo","hint":"run this"}}"#);
    let refused = console.run(&["--json", "session", "commit", &id, "-m", "From here"]);
    let refused: Value = serde_json::from_str(&refused.err).unwrap_or_else(|e| panic!("{e}: {refused:?}"));
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["hint"]),
        (&json!("git_failed"), &json!(null)),
        "{refused:#}"
    );
    assert!(!refused["error"]["message"].as_str().unwrap().contains('\u{1b}'), "{refused:#}");
    assert!(!place.copy(&id).join("unfetched").exists());

    // A commit that does not exist, or is outside the session's own commits, is not recorded.
    let before = console.show(&id)["commits"].clone();
    for hash in ["main", "--all", "0000000000000000000000000000000000000000", &first] {
        answer(&format!(r#"{{"Ok":{{"hash":"{hash}","subject":"x","files":1}}}}"#));
        console.json(&commit);
        assert_eq!(console.show(&id)["commits"], before, "{hash}");
    }
    console.json(&["session", "end", &id]);
}
