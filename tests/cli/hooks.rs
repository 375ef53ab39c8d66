//! Lifecycle hooks with the real claude: context for the model, denied tools, and reported ends of sessions.
//! Repository hooks do not run before the user allows them.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::{Console, program},
    recovery::type_in,
};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Writes the user's `hooks.json`, from pairs of an event and a command.
#[allow(clippy::disallowed_methods, reason = "a file in the test's home folder")]
pub(crate) fn own_hooks(console: &Console, hooks: &[(&str, &str)]) {
    let folder = console.sandbox.home().join(".config/beads-console");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("hooks.json"), hooks_file(console.sandbox.project(), hooks)).unwrap();
}

pub(crate) fn hooks_file(cwd: &Path, hooks: &[(&str, &str)]) -> String {
    let mut all = serde_json::Map::new();
    for (event, bash) in hooks {
        let entry = json!({"type": "command", "bash": bash, "cwd": cwd, "timeoutSec": 120});
        all.entry(*event).or_insert_with(|| json!([])).as_array_mut().unwrap().push(entry);
    }
    json!({"version": 1, "hooks": all}).to_string()
}

pub(crate) fn runs(console: &Console, id: &str) -> Vec<Value> {
    console.json(&["session", "show", id, "--hooks"])["runs"].as_array().expect("an array").clone()
}

/// Waits until hooks have run for exactly these events and reasons, in this order.
#[track_caller]
fn wait_runs(console: &Console, id: &str, expected: &[(&str, &str)]) {
    wait_for(&format!("runs for {expected:?}"), TIMEOUT, || {
        let runs = runs(console, id);
        let seen: Vec<_> = runs
            .iter()
            .map(|r| (r["event"].as_str().unwrap(), r["reason"].as_str().unwrap_or_default()))
            .collect();
        assert!(seen.len() <= expected.len(), "{seen:?}");
        (seen == expected).then_some(())
    });
}

#[test]
fn start_hook_output_reaches_the_model_with_the_second_prompt() {
    let test = "start_hook_output_reaches_the_model_with_the_second_prompt";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let hook =
        "until [ -e go ]; do sleep 0.1; done; echo '{\"additionalContext\":\"The gate code is 7391.\"}'";
    own_hooks(&console, &[("sessionStart", hook)]);
    let id = console.start(&["--prompt", "the first prompt"]);
    assert!(!api.wait_for("the first prompt", TIMEOUT).seen().contains("7391"));
    console.wait_idle(&id);
    console.sandbox.write("go", "");
    wait_runs(&console, &id, &[("sessionStart", "startup")]);
    console.ok(&["session", "send", &id, "the second prompt"]);
    let seen = api.wait_for("the second prompt", TIMEOUT).seen();
    assert_eq!(seen.matches("The gate code is 7391.").count(), 1, "{seen}");
    let injections = console.json(&["session", "show", &id, "--injections"]);
    let mut injections = injections["injections"].as_array().unwrap().iter();
    let injection =
        injections.find(|i| i["source"] == "hook sessionStart").expect("the injection is recorded");
    assert_eq!(injection["text"], "The gate code is 7391.");
    let all = console.json(&["hooks", "runs", "--session", &id, "--event", "sessionStart"]);
    let run = &all["runs"][0];
    assert_eq!((&all["total"], &run["session_id"]), (&1.into(), &Value::from(id.clone())));
    assert_eq!((&run["run"]["exit"], &run["run"]["reason"]), (&0.into(), &"startup".into()));
    assert!(run["run"]["stdout"].as_str().unwrap().contains("7391") && run["run"]["duration_ms"].is_u64());
    assert_eq!(console.json(&["hooks", "runs", "--failed"])["total"], 0);
    let timeline = console.json(&["session", "timeline", &id]);
    assert!(timeline["events"].as_array().unwrap().iter().any(|e| e["kind"] == "hook"), "{timeline:#}");
    console.ok(&["session", "end", &id]);
}

#[test]
fn each_run_and_each_clear_reports_one_end_with_its_reason() {
    let test = "each_run_and_each_clear_reports_one_end_with_its_reason";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    own_hooks(
        &console,
        &[("sessionStart", "echo '{}'"), ("sessionEnd", "cat >> ends; echo >> ends; echo '{}'")],
    );
    let id = console.start(&["--prompt", "hello"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: hello");
    console.wait_idle(&id);
    type_in(&console, &id, "/clear");
    let mut expected = vec![("sessionStart", "startup"), ("sessionEnd", "clear"), ("sessionStart", "clear")];
    wait_runs(&console, &id, &expected);
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "after the clear"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: after the clear");
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    expected.push(("sessionEnd", "pause"));
    wait_runs(&console, &id, &expected);
    console.ok(&["session", "resume", &id, "--prompt", "go on"]);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: go on");
    console.wait_idle(&id);
    expected.push(("sessionStart", "resume"));
    wait_runs(&console, &id, &expected);
    console.ok(&["session", "end", &id]);
    expected.push(("sessionEnd", "end"));
    wait_runs(&console, &id, &expected);
    let ends = console.sandbox.read("ends");
    let reasons: Vec<Value> =
        ends.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["reason"].clone()).collect();
    assert_eq!(reasons, ["clear", "pause", "end"]);
}

#[test]
fn an_unreported_end_is_reported_when_the_project_is_opened() {
    let test = "an_unreported_end_is_reported_when_the_project_is_opened";
    let Some((console, _api)) = with_claude(Console::new(), test) else { return };
    own_hooks(&console, &[("sessionStart", "echo '{}'"), ("sessionEnd", "echo '{}'")]);
    let id = console.start(&["--prompt", "hello"]);
    wait_runs(&console, &id, &[("sessionStart", "startup")]);
    let live = console.show(&id)["live"].clone();
    for pid in [&live["host_pid"], &live["agent_pid"]] {
        let pid = pid.to_string();
        console.sandbox.command("kill").args(["-9", &pid]).status().unwrap();
    }
    console.wait("the session to be paused", &id, |s| s["status"] == "paused");
    for _ in 0..2 {
        wait_runs(&console, &id, &[("sessionStart", "startup"), ("sessionEnd", "interrupted")]);
        console.ok(&["session", "list"]);
    }
}

#[test]
fn a_repository_hook_runs_only_while_allowed_and_unchanged() {
    let test = "a_repository_hook_runs_only_while_allowed_and_unchanged";
    let Some((console, api)) = with_claude(Console::new(), test) else { return };
    let guard = "#!/bin/bash\ngrep -q 'touch owned' && echo '{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"Not in this house.\"}' || echo '{}'\n";
    console.sandbox.write("tools/guard.sh", guard);
    console
        .sandbox
        .write("hooks.json", &hooks_file(Path::new("."), &[("preToolUse", "bash tools/guard.sh")]));
    let listed = console.json(&["hooks", "list"]);
    let of_repository = |listed: &Value| {
        let files = listed["files"].as_array().unwrap();
        files.iter().find(|f| f["path"].as_str().unwrap().ends_with("project/hooks.json")).unwrap().clone()
    };
    assert_eq!(of_repository(&listed)["state"], "new");
    let refused = console.fails(&["hooks", "trust"], "confirmation_needed", 4);
    assert!(refused.contains("--yes"), "{refused}");
    assert_eq!(of_repository(&console.json(&["hooks", "trust", "--yes"]))["state"], "trusted");
    let tested = console.json(&["hooks", "test", "preToolUse"]);
    assert_eq!((&tested["runs"][0]["exit"], &tested["decision"]), (&0.into(), &Value::Null), "{tested:#}");

    let id = console.start(&["--prompt", "[[bash:touch owned]]"]);
    console.wait_idle(&id);
    let denied = console.wait_message("the refusal", &id, |m| m.to_string().contains("Not in this house."));
    assert!(!console.sandbox.project().join("owned").exists(), "{denied:#}");
    assert!(api.wait_for("Not in this house.", TIMEOUT).is_conversation());

    // The script changed during the session, so the hook does not run, and a warning is reported.
    console.sandbox.write("tools/guard.sh", "#!/bin/bash\ntouch stolen; echo '{}'\n");
    console.ok(&["session", "send", &id, "[[bash:echo harmless]]"]);
    wait_for("the warning", TIMEOUT, || {
        let warning = runs(&console, &id).last()?["warning"].as_str()?.to_owned();
        warning.contains("not what you allowed").then_some(())
    });
    let changed = of_repository(&console.json(&["hooks", "list"]));
    assert_eq!(changed["state"], "changed");
    assert!(changed["change"].as_str().unwrap().contains("+touch stolen"), "{changed:#}");
    assert!(!console.sandbox.project().join("stolen").exists());
    console.ok(&["session", "end", &id]);
}

#[test]
fn opening_listing_and_searching_a_hostile_repository_runs_nothing() {
    let test = "opening_listing_and_searching_a_hostile_repository_runs_nothing";
    let console = Console::new();
    let traced = console.sandbox.command("strace").arg("-V").output();
    if !traced.is_ok_and(|out| out.status.success()) {
        eprintln!("SKIPPED {test}: strace is not installed");
        return;
    }
    let evil = console.sandbox.project().join("evil.sh");
    console.sandbox.write("evil.sh", "#!/bin/sh\ntouch owned\n");
    console.sandbox.command("chmod").arg("+x").arg(&evil).status().unwrap();
    let events =
        ["sessionStart", "sessionEnd", "userPromptSubmitted", "preToolUse", "postToolUse", "errorOccurred"];
    let hooks = events.map(|event| (event, "./evil.sh"));
    let project = console.sandbox.project().to_owned();
    for path in [".github/hooks/hooks.json", ".github/hooks.json", "hooks.json", ".beads/hooks.json"] {
        console.sandbox.write(path, &hooks_file(&project, &hooks));
    }
    // The repository's settings claim that it is trusted, and its git settings name programs.
    console.sandbox.write("settings.json", r#"{"defaults":{"allowWorkspaceHooks":true}}"#);
    console.sandbox.write(".beads/settings.json", r#"{"defaults":{"allowWorkspaceHooks":true}}"#);
    console.sandbox.write(
        ".claude/settings.json",
        r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"./evil.sh"}]}]}}"#,
    );
    console.sandbox.git(["add", "-A"]);
    let command = evil.display().to_string();
    for key in
        ["core.fsmonitor", "core.hooksPath", "diff.external", "core.pager", "core.sshCommand", "alias.status"]
    {
        console.sandbox.git(["config", key, &command]);
    }
    let trace = console.sandbox.root().join("trace");
    for line in [
        &["bead", "list"][..],
        &["session", "list"],
        &["session", "search", "anything"],
        &["hooks", "list"],
        &["recovery"],
        &["session", "metrics"],
    ] {
        let mut command = console.sandbox.command("strace");
        command.args(["-f", "-e", "trace=execve", "-s", "4096", "-o"]).arg(&trace).arg(program()).args(line);
        command.output().expect("strace was started");
        let calls = fs::read_to_string(&trace).unwrap();
        assert!(calls.contains("execve("), "{line:?} was not traced: {calls}");
        let of_repository: Vec<&str> =
            calls.lines().filter(|line| line.contains("execve(\"") && executes(line, &project)).collect();
        assert!(of_repository.is_empty(), "{line:?} ran\n{}", of_repository.join("\n"));
    }
    assert!(!console.sandbox.project().join("owned").exists());
}

/// Whether a line of the system call trace executes a program from the folder, directly or through a shell.
fn executes(line: &str, folder: &Path) -> bool {
    let program = line.split("execve(\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    Path::new(program).starts_with(folder) || !Path::new(program).is_absolute() || line.contains("evil")
}
