//! Sessions at another place: a machine with its own folders, behind the test's own ssh server on the
//! loopback interface.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests act as the user and the place's administrator")]

use crate::{
    claude::with_claude,
    console::{Console, need_sim, program},
    on_machine::Machine,
    recovery::{has, last_injection, model_input, type_in},
    serve::RunningServer,
    simulated_sessions::{alive, wait_gone},
    terminal::Terminal,
};
use bc_testkit::{wait_for, wait_until};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

pub(crate) const TIMEOUT: Duration = Duration::from_secs(90);

/// A project on this machine, and its place `far`.
pub(crate) struct Place {
    pub(crate) machine: Machine,
    pub(crate) home: PathBuf,
}

impl Place {
    /// If a program that the test requires is missing, prints a warning and returns `None`.
    pub(crate) fn start(test: &str) -> Option<Place> {
        need_sim(test)?;
        Place::of(Console::new(), test)
    }

    pub(crate) fn of(console: Console, test: &str) -> Option<Place> {
        Place::with_variables(console, test, "")
    }

    /// A place whose clock is one year ahead.
    fn in_a_year(test: &str) -> Option<Place> {
        need_sim(test)?;
        let mut found = fs::read_dir("/usr/lib").unwrap().filter_map(|folder| {
            Some(folder.ok()?.path().join("faketime/libfaketimeMT.so.1")).filter(|path| path.is_file())
        });
        let Some(library) = found.next() else {
            assert!(
                std::env::var_os("BC_TEST_DEMAND").is_none_or(|v| v != "1"),
                "{test}: faketime is not installed"
            );
            eprintln!("SKIPPED {test}: faketime is not installed (Debian's package faketime)");
            return None;
        };
        let variables = format!(
            "export LD_PRELOAD='{}' FAKETIME=+365d FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1\n",
            library.display()
        );
        Place::with_variables(Console::new(), test, &variables)
    }

    /// A place whose commands run with these lines of shell first, such as `export NAME=VALUE`.
    pub(crate) fn with_variables(console: Console, test: &str, variables: &str) -> Option<Place> {
        let machine = Machine::of(console, test)?;
        let home = machine.console.sandbox.project().parent().unwrap().join("home-of-far");
        let runtime = home.join("runtime");
        fs::create_dir_all(&runtime).unwrap();
        // The place has its own home, settings, state and runtime folders.
        machine.script(
            "beads-console-there",
            &format!(
                "export HOME='{}' XDG_RUNTIME_DIR='{}' XDG_CONFIG_HOME='{0}/.config' XDG_STATE_HOME='{0}/.state'\n\
                 unset BEADS_DIR\n{variables}exec '{2}' \"$@\"",
                home.display(),
                runtime.display(),
                program().display()
            ),
        );
        let program_at_place = machine.bin.join("beads-console-there");
        machine.console.ok(&["places", "add", "far", "far", "--program", program_at_place.to_str().unwrap()]);
        Some(Place { machine, home })
    }

    pub(crate) fn console(&self) -> &Console {
        &self.machine.console
    }

    /// The session's folder at the place.
    fn record(&self, id: &str) -> PathBuf {
        let projects = fs::read_dir(self.home.join("beads-console")).unwrap();
        let mut found = projects.map(|entry| entry.unwrap().path().join(".beads/sessions").join(id));
        found.find(|path| path.is_dir()).expect("the place has the session")
    }

    /// The session's working folder at the place.
    pub(crate) fn worktree(&self, id: &str) -> PathBuf {
        self.record(id).ancestors().nth(3).unwrap().join("worktrees").join(id)
    }

    /// The copy of the session's folder on this machine.
    pub(crate) fn copy(&self, id: &str) -> PathBuf {
        self.console().sandbox.project().join(".beads/sessions").join(id)
    }

    /// Waits until the copied logs equal the logs at the place.
    pub(crate) fn wait_copied(&self, id: &str) {
        for log in ["messages.jsonl", "activity.jsonl", "injections.jsonl"] {
            wait_for(&format!("the copy of {log}"), TIMEOUT, || {
                let read = |folder: PathBuf| fs::read_to_string(folder.join(log)).unwrap_or_default();
                (read(self.record(id)) == read(self.copy(id))).then_some(())
            });
        }
    }

    /// Waits until the link can reach the place.
    pub(crate) fn wait_reachable(&self, id: &str) -> Value {
        self.console().wait("a reachable place", id, |session| {
            let live = &session["live"];
            live.is_object() && live["unreachable_since"].is_null()
        })
    }

    /// The ids and programs of the processes whose `HOME` is this place's home folder.
    pub(crate) fn processes(&self) -> Vec<(u32, String)> {
        let mark = format!("HOME={}\0", self.home.display());
        let process = |entry: fs::DirEntry| {
            let environ = fs::read(entry.path().join("environ")).ok()?;
            let is_of_place =
                String::from_utf8_lossy(&environ).split_inclusive('\0').any(|line| line == mark);
            let exe = fs::read_link(entry.path().join("exe")).ok()?;
            let pid = entry.file_name().to_str()?.parse().ok()?;
            is_of_place.then(|| (pid, exe.display().to_string()))
        };
        fs::read_dir("/proc").unwrap().filter_map(|entry| process(entry.ok()?)).collect()
    }

    fn link(&self, id: &str) -> Value {
        let host: Value =
            serde_json::from_slice(&fs::read(self.copy(id).join("host.json")).unwrap()).unwrap();
        host["pid"].clone()
    }
}

pub(crate) fn text(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

#[test]
fn a_session_at_another_place_is_recorded_and_its_commits_are_fetched() {
    const TEST: &str = "a_session_at_another_place_is_recorded_and_its_commits_are_fetched";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let bead = console.bead("Fix the redirect", &[]);
    let id = console.start(&["--bead", &bead, "--simulated", "--on", "far", "--mode", "bypassPermissions"]);
    let session = console.wait_idle(&id);
    assert_eq!((&session["place"], &session["worktree"]), (&json!("far"), &json!(true)));
    let worktree = PathBuf::from(session["cwd"].as_str().unwrap());
    assert!(!worktree.starts_with(&place.home), "the shown folder must be the one on this machine");
    console.wait_message("the opening prompt", &id, |m| {
        m["role"] == "user" && text(m).contains("Fix the redirect")
    });
    place.wait_copied(&id);
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "in_progress");

    console.ok(&[
        "session",
        "send",
        &id,
        "[[bash:echo made there > new && git add new && git commit -qm there]]",
    ]);
    // The branch on this machine is updated after the files of its worktree.
    let branch = session["branch"].as_str().unwrap();
    let subject = || console.sandbox.git(["log", "-1", "--format=%s", branch]);
    wait_for("the commit on this machine", TIMEOUT, || (subject() == "there").then_some(()));
    assert!(worktree.join("new").is_file());
    let tip = console.sandbox.git(["rev-parse", branch]);
    console.wait("the commit in the record", &id, |session| session["commits"] == json!([tip]));

    // The agent's commands on beads run on this machine, under the session's actor. Its other commands are
    // refused.
    console.ok(&["session", "send", &id, &format!("[[bash:beads-console bead comment {bead} 'From far']]")]);
    wait_for("the comment", TIMEOUT, || {
        let shown = console.json(&["bead", "show", &bead]);
        let comments = shown["bead"]["comments"].as_array()?.clone();
        comments.iter().find(|comment| comment["text"] == "From far").map(|comment| {
            assert_eq!(comment["author"], format!("tester/{}", &id[..8]));
        })
    });
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "[[bash:beads-console session list]]"]);
    wait_for("the refusal", TIMEOUT, || {
        let recorded = fs::read_to_string(place.copy(&id).join("messages.jsonl")).unwrap();
        recorded.contains("this command runs only on the user's machine").then_some(())
    });
    console.wait_idle(&id);

    let agent = console.show(&id)["live"]["agent_pid"].clone();
    let link = place.link(&id);
    let paused = console.json(&["session", "pause", &id]);
    assert_eq!((&paused["status"], &paused["pause_reason"]), (&json!("paused"), &json!("user")));
    wait_gone(&agent);
    wait_gone(&link);
    place.wait_copied(&id);
    let resumed = console.json(&["session", "resume", &id])["session"].clone();
    assert_eq!(resumed["claude_sessions"].as_array().unwrap().len(), 1, "the conversation did not continue");
    console.wait_message("the resume prompt", &id, |m| {
        text(m).starts_with("You are resuming a paused session.")
    });
    place.wait_copied(&id);
    console.json(&["session", "end", &id]);
    assert_eq!(console.show(&id)["status"], "closed");
    assert!(!place.copy(&id).join("messages.jsonl.torn").exists());
}

#[test]
fn a_session_continues_without_its_link_and_nothing_is_lost_or_doubled() {
    const TEST: &str = "a_session_continues_without_its_link_and_nothing_is_lost_or_doubled";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let id =
        console.start(&["--simulated", "--on", "far", "--mode", "bypassPermissions", "--branch", "far-work"]);
    let agent = console.wait_idle(&id)["live"]["agent_pid"].clone();

    // The connection is cut during a turn.
    console.ok(&["session", "send", &id, "[[bash:sleep 2]] [[say:answered during the break]]"]);
    place.machine.far.cut();
    console
        .wait_message("the answer during the break", &id, |m| text(m).contains("answered during the break"));
    place.wait_reachable(&id);
    assert_eq!(console.wait_idle(&id)["live"]["agent_pid"], agent);

    // The link is killed, as if this machine had crashed. A permission request arrives while no link runs.
    let link = place.link(&id);
    console.ok(&["session", "mode", &id, "manual"]);
    console.ok(&["session", "send", &id, "[[bash:touch allowed]] [[say:after the permission]]"]);
    kill(&link);
    wait_gone(&link);
    assert!(alive(&agent), "the agent ended together with its link");
    let asked = console.wait("the permission", &id, |session| {
        session["live"]["permissions"].as_array().is_some_and(|asked| !asked.is_empty())
    });
    assert_ne!(place.link(&id), link);
    assert_eq!((&asked["status"], &asked["live"]["agent_pid"]), (&json!("active"), &agent));
    let request = asked["live"]["permissions"][0]["id"].as_str().unwrap().to_owned();
    console.ok(&["session", "permission", &id, &request, "--allow"]);
    console.wait_message("the end of the turn", &id, |m| text(m).contains("after the permission"));
    console.wait_idle(&id);
    place.wait_copied(&id);

    // If the host dies, the session is also paused on this machine and can be resumed.
    let host = console.show(&id)["live"]["host_pid"].clone();
    kill(&host);
    console.wait("the pause", &id, |session| session["status"] == "paused");
    wait_gone(&agent);
    assert_eq!(console.show(&id)["pause_reason"], "interrupted");
    console.json(&["session", "resume", &id]);
    console.wait_idle(&id);
    let messages = console.messages(&id);
    for answer in ["answered during the break", "after the permission"] {
        let times = messages.iter().filter(|m| m["role"] == "assistant" && text(m).contains(answer)).count();
        assert_eq!(times, 1, "{answer}");
    }
    console.json(&["session", "end", &id]);
}

#[test]
fn an_ended_sessions_worktree_is_removed_at_the_place_unless_it_has_other_work() {
    const TEST: &str = "an_ended_sessions_worktree_is_removed_at_the_place_unless_it_has_other_work";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let mode = ["--simulated", "--on", "far", "--mode", "bypassPermissions"];
    let ended = |work: &str| {
        let id = console.start(&mode);
        console.wait_idle(&id);
        console.ok(&["session", "send", &id, work]);
        wait_for("the new file", TIMEOUT, || place.worktree(&id).join("new").is_file().then_some(()));
        console.wait_idle(&id);
        let link = place.link(&id);
        console.ok(&["session", "end", &id]);
        wait_gone(&link);
        id
    };
    let done = ended("[[bash:echo new > new && git add new && git commit -qm new]]");
    let uncommitted = ended("[[bash:echo new > new]]");
    let detached = ended(
        "[[bash:git checkout -q --detach && echo new > new && git add new && git commit -qm detached]]",
    );
    assert!(!place.worktree(&done).exists());
    assert!(place.record(&done).join("messages.jsonl").exists(), "the record was removed");
    let branch = console.show(&done)["branch"].clone();
    assert_eq!(console.sandbox.git(["log", "-1", "--format=%s", branch.as_str().unwrap()]), "new");
    for kept in [&uncommitted, &detached] {
        assert_eq!(fs::read_to_string(place.worktree(kept).join("new")).unwrap(), "new\n");
    }
    let paused = console.start(&mode);
    console.wait_idle(&paused);
    console.ok(&["session", "pause", &paused]);
    assert!(place.worktree(&paused).exists());
    let ended = console.json(&["session", "end", &paused]);
    assert_eq!(ended["warnings"], json!([]));
    assert!(!place.worktree(&paused).exists());
}

#[test]
fn other_sessions_start_and_pause_while_a_place_does_not_answer() {
    const TEST: &str = "other_sessions_start_and_pause_while_a_place_does_not_answer";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let far = console.start(&["--simulated", "--on", "far", "--branch", "far-work"]);
    console.wait_idle(&far);
    let _server = RunningServer::start(console);
    let host = console.show(&far)["live"]["host_pid"].clone();
    signal(&host, "-STOP");
    let mut end = console.command(&["session", "end", &far]).spawn().unwrap();

    let start = ["session", "start", "--simulated", "--prompt", "", "--branch", "near-work", "--json"];
    let mut near = console.command(&start).stdout(Stdio::piped()).spawn().unwrap();
    wait_until("a session on this machine", TIMEOUT, || near.try_wait().unwrap().is_some());
    let started: Value = serde_json::from_reader(near.stdout.take().unwrap()).unwrap();
    let near = started["session"]["id"].as_str().unwrap();
    let mut pause = console.command(&["session", "pause", near]).spawn().unwrap();
    wait_until("the pause of that session", TIMEOUT, || pause.try_wait().unwrap().is_some());
    assert_eq!(console.show(near)["status"], "paused");
    assert!(end.try_wait().unwrap().is_none(), "the place's host cannot have answered");

    signal(&host, "-CONT");
    assert!(end.wait().unwrap().success());
    assert_eq!(console.show(&far)["status"], "closed");
}

#[test]
fn a_clock_that_is_a_year_ahead_at_the_place_is_corrected() {
    const TEST: &str = "a_clock_that_is_a_year_ahead_at_the_place_is_corrected";
    let Some(place) = Place::in_a_year(TEST) else { return };
    let console = place.console();
    let id =
        console.start(&["--simulated", "--on", "far", "--mode", "bypassPermissions", "--branch", "late"]);
    console.wait_idle(&id);
    console.ok(&[
        "session",
        "send",
        &id,
        "[[bash:date +%Y && echo changed > uncommitted]] [[say:done there]]",
    ]);
    console.wait_message("the turn", &id, |m| text(m).contains("done there"));
    place.wait_copied(&id);

    // After the host dies, another process at the place records the session's end.
    kill(&console.show(&id)["live"]["host_pid"]);
    let paused = console.wait("the pause", &id, |session| session["status"] == "paused");
    console.json(&["session", "resume", &id]);
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);

    let ended = console.show(&id);
    let now = chrono::Utc::now();
    let is_today = |time: &str| {
        let time = chrono::DateTime::parse_from_rfc3339(time).unwrap();
        (now - time.to_utc()).abs() < chrono::TimeDelta::hours(1)
    };
    for (what, time) in
        [("pause", &paused["paused_at"]), ("start", &ended["started_at"]), ("end", &ended["closed_at"])]
    {
        assert!(is_today(time.as_str().unwrap()), "the {what} was at {time}");
    }
    let messages = console.messages(&id);
    let year = now.format("%Y").to_string();
    let date_call = messages.iter().find(|m| m["tool_calls"].to_string().contains("date +%Y")).unwrap();
    assert!(
        !date_call["tool_calls"].to_string().contains(&format!("{year}\\n")),
        "the place's clock is not ahead: {date_call}"
    );
    for message in &messages {
        assert!(is_today(message["timestamp"].as_str().unwrap()), "{message}");
    }
    let activity = fs::read_to_string(place.copy(&id).join("activity.jsonl")).unwrap();
    let next_year = now + chrono::TimeDelta::days(365);
    assert!(!activity.contains(&next_year.format("\"%Y-%m").to_string()), "{activity}");
    assert!(ended["total_duration_ms"].as_u64().unwrap() < 3_600_000, "{ended}");
}

#[test]
fn a_session_at_a_lost_place_ends_only_once_the_place_is_removed() {
    const TEST: &str = "a_session_at_a_lost_place_ends_only_once_the_place_is_removed";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let id = console.start(&["--simulated", "--on", "far", "--branch", "lost"]);
    let agent = console.wait_idle(&id)["live"]["agent_pid"].clone();
    place.machine.script("ssh", "echo 'ssh: connect to host far: No route to host' >&2; exit 255");
    place.machine.far.cut();
    let shown = console.wait("an unreachable place", &id, |s| s["live"]["unreachable_since"].is_string());
    assert_eq!((&shown["status"], &shown["live"]["agent_pid"]), (&json!("active"), &agent));
    let message = console.fails(&["session", "send", &id, "hello"], "machine_unreachable", 1);
    assert!(message.contains("far cannot be reached"), "{message}");
    let message = console.run(&["session", "end", &id]).err;
    assert!(message.contains("places remove far"), "{message:?}");
    assert_eq!(console.show(&id)["status"], "active");

    console.ok(&["places", "remove", "far"]);
    console.ok(&["session", "end", &id]);
    assert_eq!(console.show(&id)["status"], "closed");
    // The agent at the lost place would only end after a long idle time, so the test ends it.
    kill(&agent);
}

#[test]
fn an_agents_changes_of_beads_wait_for_an_unreachable_machine() {
    const TEST: &str = "an_agents_changes_of_beads_wait_for_an_unreachable_machine";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let bead = console.bead("Fix the redirect", &[]);
    let id = console.start(&["--bead", &bead, "--simulated", "--on", "far", "--mode", "bypassPermissions"]);
    console.wait_idle(&id);
    console.ok(&[
        "session",
        "send",
        &id,
        &format!(
            "[[bash:until test -e go; do sleep 0.1; done; beads-console bead comment {bead} one; \
             beads-console bead close no-such-bead; beads-console bead comment {bead} two; \
             beads-console bead show {bead}; touch asked]]"
        ),
    ]);
    let ssh = place.machine.bin.join("ssh");
    let working_ssh = fs::read_to_string(&ssh).unwrap();
    place.machine.script("ssh", "echo 'ssh: connect to host far: No route to host' >&2; exit 255");
    place.machine.far.cut();
    console.wait("an unreachable place", &id, |s| s["live"]["unreachable_since"].is_string());
    let worktree = place.worktree(&id);
    fs::write(worktree.join("go"), "").unwrap();
    wait_for("the agent's commands", TIMEOUT, || worktree.join("asked").exists().then_some(()));
    let comments = || {
        let shown = console.json(&["bead", "show", &bead]);
        let comments = shown["bead"]["comments"].as_array().cloned().unwrap_or_default();
        comments.iter().map(|comment| comment["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(comments().is_empty());

    fs::write(&ssh, working_ssh).unwrap();
    wait_for("the comments", TIMEOUT, || (comments() == ["one", "two"]).then_some(()));
    console.wait_message("the report of the failed command", &id, |m| {
        m["role"] == "user" && text(m).contains("- `beads-console bead close no-such-bead`: ")
    });
    console.wait_idle(&id);
    let recorded = fs::read_to_string(place.copy(&id).join("messages.jsonl")).unwrap();
    assert!(recorded.contains("Queued. The user's machine cannot be reached now"), "{recorded}");
    assert!(recorded.contains("the user's machine is not connected"), "a query was not refused");
    console.json(&["session", "end", &id]);
    assert_eq!(comments(), ["one", "two"]);
}

/// Answers claude's question whether to trust the folder. Claude asks once per project and place.
pub(crate) fn answer_trust(console: &Console, id: &str) {
    console.wait("the question", id, |session| session["live"]["start_question"] == "trust");
    let mut terminal = Terminal::open(console, &["session", "attach", id]);
    terminal.wait_for("No, exit");
    terminal.keys("\u{1b}[B");
    terminal.wait_for("❯ Yes, I trust");
    terminal.keys("\r");
    terminal.wait_for("first prompt");
    terminal.keys("\u{1d}");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn the_setup_command_runs_in_the_new_worktree_at_the_place() {
    const TEST: &str = "the_setup_command_runs_in_the_new_worktree_at_the_place";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let command = "pwd > ready; test -e ~/installed || { echo 'no packages there'; exit 3; }";
    console.ok(&["fleet", "settings", "worktree_setup", "sh", "-c", command]);
    let bead = console.bead("One", &[]);
    let start = ["session", "start", "--bead", &bead, "--simulated", "--on", "far"];
    let message = console.fails(&start, "setup_failed", 1);
    assert!(message.contains("exit code 3") && message.contains("no packages there"), "{message}");
    let id = console.json(&["session", "list"])["sessions"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(console.show(&id)["status"], "paused");

    fs::write(place.home.join("installed"), "").unwrap();
    console.json(&["session", "resume", &id]);
    console.wait_message("the opening prompt", &id, |m| text(m).starts_with("Work on the bead"));
    console.wait_idle(&id);
    let project = fs::read_dir(place.home.join("beads-console")).unwrap().next().unwrap().unwrap().path();
    let at_place = project.join("worktrees").join(&id);
    let ran_in = fs::read_to_string(at_place.join("ready")).unwrap();
    assert_eq!(ran_in.trim(), at_place.canonicalize().unwrap().display().to_string());
    let on_machine = PathBuf::from(console.show(&id)["cwd"].as_str().unwrap());
    assert!(!on_machine.join("ready").exists(), "the setup also ran in this machine's worktree");

    fs::remove_file(at_place.join("ready")).unwrap();
    console.json(&["session", "pause", &id]);
    console.json(&["session", "resume", &id]);
    console.wait_idle(&id);
    assert!(!at_place.join("ready").exists(), "a finished setup ran again");
    console.json(&["session", "end", &id]);
}

#[test]
fn a_place_that_cannot_be_used_is_refused_before_anything_changes() {
    const TEST: &str = "a_place_that_cannot_be_used_is_refused_before_anything_changes";
    let Some(place) = Place::start(TEST) else { return };
    let console = place.console();
    let bead = console.bead("One", &[]);
    let start =
        |on: &str| ["session", "start", "--bead", &bead, "--simulated", "--on", on].map(str::to_owned);
    let fails = |on: &str, code: &str, exit: i32| {
        let line = start(on);
        console.fails(&line.iter().map(String::as_str).collect::<Vec<_>>(), code, exit)
    };
    fails("other", "place_not_found", 3);
    console.ok(&["places", "add", "down", "nowhere"]);
    let message = fails("down", "machine_unreachable", 1);
    assert!(message.contains("the connection to nowhere failed"), "{message}");
    console.ok(&["places", "add", "empty", "far", "--program", "no-such-program"]);
    fails("empty", "program_missing", 5);
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "open");
    assert_eq!(console.json(&["session", "list"])["sessions"], json!([]));
    assert_eq!(console.sandbox.git(["branch", "--list", "*-one"]), "");
    assert!(!Path::new(&place.home).join("beads-console").exists());
}

#[test]
fn the_real_claude_at_a_place_gets_the_beads_of_this_machine_after_a_compaction() {
    const TEST: &str = "the_real_claude_at_a_place_gets_the_beads_of_this_machine_after_a_compaction";
    let Some(console) = Console::with_bd(TEST) else { return };
    let Some((console, api)) = with_claude(console, TEST) else { return };
    let Some(place) = Place::of(console, TEST) else { return };
    let console = place.console();
    let bead = console.bead("Implement parser", &[]);
    let id = console.start(&["--bead", &bead, "--on", "far", "--prompt", "first prompt"]);
    answer_trust(console, &id);
    console.wait_message("the answer", &id, |m| m["content"] == "Reply to: first prompt");
    let first = model_input(&api, "first prompt");
    let block = last_injection(console, &id, "recovery", "start").expect("the copy has the block");
    assert!(has(&first, &block) && block.contains("Implement parser"), "{block}\n{first}");
    console.wait_idle(&id);

    // The recovery block after the compaction must contain this comment, which is added while the session
    // runs.
    console.ok(&["bead", "comment", &bead, "Mind the brackets"]);
    let checkpoints = || {
        let listed = console.json(&["session", "checkpoints", &id]);
        listed["checkpoints"].as_array().unwrap().len()
    };
    let before = checkpoints();
    // The uncommitted file exists only at the place; the reconnection brings it in a checkpoint.
    let agent = console.show(&id)["live"]["agent_pid"].clone();
    fs::write(format!("/proc/{agent}/cwd/draft.txt"), "of the agent").unwrap();
    place.machine.far.cut();
    place.wait_reachable(&id);
    wait_until("a checkpoint of the uncommitted file", TIMEOUT, || checkpoints() > before);
    type_in(console, &id, "/compact");
    let block = wait_for("a block for the compaction", TIMEOUT, || {
        last_injection(console, &id, "recovery", "compaction")
    });
    assert!(block.contains("] Mind the brackets"), "{block}");
    assert!(block.contains("] checkpoint: before a compaction"), "{block}");
    assert!(block.contains("draft.txt (A)"), "{block}");
    console.wait_idle(&id);
    place.wait_copied(&id);
    let prompts = console.messages(&id);
    assert_eq!(prompts.iter().filter(|m| m["content"] == "first prompt").count(), 1);
    console.json(&["session", "end", &id]);
}

pub(crate) fn kill(pid: &Value) {
    signal(pid, "-9");
}

fn signal(pid: &Value, signal: &str) {
    let pid = pid.as_u64().unwrap().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
}
