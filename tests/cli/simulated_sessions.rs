//! Sessions with the simulated agent: the behaviour that does not depend on claude itself.

use crate::console::{Console, need_sim};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{fs, path::Path, time::Duration};

#[test]
fn an_ad_hoc_session_is_started_paused_resumed_and_ended() {
    if need_sim("an_ad_hoc_session_is_started_paused_resumed_and_ended").is_none() {
        return;
    }
    let console = Console::new();
    let started = console.json(&[
        "session",
        "start",
        "--simulated",
        "--title",
        "Look around",
        "--objective",
        "See",
        "--prompt",
        "hello there",
    ]);
    let session = &started["session"];
    assert_eq!(
        (&session["status"], &session["simulated"], &session["title"]),
        (&json!("active"), &json!(true), &json!("Look around"))
    );
    assert_eq!(session.get("bead_id"), None);
    assert_eq!(Path::new(session["cwd"].as_str().unwrap()), console.sandbox.project());
    let id = session["id"].as_str().unwrap().to_owned();
    console.wait_message("the prompt", &id, |m| m["role"] == "user" && m["content"] == "hello there");
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    let before = console.wait_idle(&id);

    let paused = console.json(&["session", "pause", &id[..8]]);
    assert_eq!(
        (&paused["status"], &paused["pause_reason"], &paused["live"]),
        (&json!("paused"), &json!("user"), &Value::Null)
    );
    assert!(!alive(&before["live"]["agent_pid"]), "the agent still runs");
    wait_gone(&before["live"]["host_pid"]);

    let resumed = console.json(&["session", "resume", &id[..8]])["session"].clone();
    assert_eq!((&resumed["status"], &resumed["id"]), (&json!("active"), &json!(id)));
    console.wait_message("the resume prompt", &id, |m| {
        m["content"].as_str().is_some_and(|text| text.starts_with("You are resuming a paused session."))
    });
    let ended = console.json(&["session", "end", &id]);
    assert_eq!(
        (&ended["session"]["status"], &ended["session"]["close_reason"]),
        (&json!("closed"), &json!("user"))
    );
    assert_eq!(ended["session"]["active_intervals"].as_array().unwrap().len(), 2);
    for line in [&["pause"][..], &["resume"], &["end"], &["interrupt"]] {
        let line: Vec<&str> = ["session"].iter().chain(line).copied().chain([&*id]).collect();
        console.fails(&line, "session_state", 4);
    }
    console.fails(&["session", "send", &id, "hello"], "session_state", 4);
}

/// Whether a process with this id runs and is not a zombie.
pub(crate) fn alive(pid: &Value) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_u64().expect("a pid")));
    stat.is_ok_and(|stat| !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

/// Waits until a process has exited.
pub(crate) fn wait_gone(pid: &Value) {
    wait_for("the end of a process", Duration::from_secs(60), || (!alive(pid)).then_some(()));
}

#[test]
fn a_session_on_a_bead_claims_it_and_creates_its_branch() {
    if need_sim("a_session_on_a_bead_claims_it_and_creates_its_branch").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Fix the redirect!", &["--type", "bug", "-d", "It loops."]);
    let id = console.start(&["--bead", &bead, "--simulated"]);
    let session = console.show(&id);
    let branch = format!("fix/{bead}-fix-the-redirect");
    assert_eq!((&session["branch"], &session["bead_id"]), (&json!(branch), &json!(bead)));
    assert_eq!(console.sandbox.git(["branch", "--show-current"]), branch);
    let claimed = console.json(&["bead", "show", &bead]);
    assert_eq!(claimed["bead"]["status"], "in_progress");
    assert_eq!(claimed["bead"]["assignee"], format!("tester/{}", &id[..8]));
    assert_eq!(claimed["sessions"][0]["id"], json!(id));
    let prompt = console.wait_message("the opening prompt", &id, |m| m["role"] == "user");
    let prompt = prompt["content"].as_str().unwrap();
    assert!(prompt.contains("Fix the redirect!") && prompt.contains("It loops."), "{prompt}");
    console.fails(&["session", "start", "--bead", &bead, "--simulated"], "session_state", 4);

    let ended = console.run(&["session", "end", &id]);
    assert!(ended.err.contains(&format!("bead submit {bead}")), "{ended:?}");
    console.ok(&["bead", "submit", &bead, "--without-commit"]);
}

#[test]
fn ending_for_review_moves_the_bead() {
    if need_sim("ending_for_review_moves_the_bead").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("First", &[]);
    let id = console.start(&["--bead", &bead, "--simulated"]);
    assert_eq!(console.json(&["session", "end", &id, "--preview"])["no_commit"], true);
    console.fails(&["session", "end", &id, "--review"], "commit_missing", 4);
    assert_eq!(console.show(&id)["status"], "active");
    let ended = console.json(&["session", "end", &id, "--review", "--without-commit"]);
    assert_eq!(ended["bead_status"], "in_review");
    assert_eq!(console.json(&["bead", "show", &bead])["bead"]["status"], "in_review");
}

#[test]
fn a_deleted_session_is_restored_from_the_trash_folder() {
    if need_sim("a_deleted_session_is_restored_from_the_trash_folder").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--prompt", "hello"]);
    console.wait_idle(&id);
    console.fails(&["session", "delete", &id], "session_state", 4);
    console.ok(&["session", "end", &id]);
    let messages = console.messages(&id);
    assert_eq!(console.json(&["session", "delete", &id])["sessions"][0]["id"], json!(id));
    console.fails(&["session", "show", &id], "session_not_found", 3);
    assert_eq!(console.json(&["session", "list"])["sessions"], json!([]));
    console.ok(&["session", "restore", &id]);
    assert_eq!(console.messages(&id), messages);
}

#[test]
fn sessions_are_listed_newest_first_and_by_state() {
    if need_sim("sessions_are_listed_newest_first_and_by_state").is_none() {
        return;
    }
    let console = Console::new();
    let first = console.start(&["--simulated", "--title", "First \u{1b}[31mred"]);
    console.ok(&["session", "end", &first]);
    let second = console.start(&["--simulated", "--title", "Second"]);
    let ids = |line: &[&str]| -> Vec<String> {
        let list = console.json(line);
        list["sessions"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&["session", "list"]), [second.clone(), first.clone()]);
    assert_eq!(ids(&["session", "list", "--status", "closed"]), std::slice::from_ref(&first));
    assert_eq!(ids(&["session", "list", "--status", "draft,paused"]), Vec::<String>::new());
    console.wait_idle(&second);
    let out = console.ok(&["session", "list"]);
    assert!(out.contains("↩ Your turn") && out.contains("○ Closed") && !out.contains('\u{1b}'), "{out:?}");
}

#[test]
fn an_export_is_written_to_a_file_or_to_standard_output() {
    if need_sim("an_export_is_written_to_a_file_or_to_standard_output").is_none() {
        return;
    }
    let console = Console::new();
    let id = console.start(&["--simulated", "--title", "To export", "--prompt", "hello"]);
    console.wait_idle(&id);
    console.ok(&["session", "end", &id]);
    let markdown = console.ok(&["session", "export", &id]);
    assert!(markdown.contains("To export") && markdown.contains("hello"), "{markdown}");
    let json: Value =
        serde_json::from_str(&console.ok(&["session", "export", &id, "--format", "json"])).unwrap();
    assert_eq!((&json["id"], json["messages"].is_array()), (&json!(id), true));
    let written = console.json(&["session", "export", &id, "-o", "out dir.md"]);
    assert_eq!(written["bytes"].as_u64().unwrap() as usize, markdown.len());
    assert_eq!(console.sandbox.read("out dir.md"), markdown);
    console.fails(&["session", "export", &id, "-o", "."], "usage", 2);
    console.fails(&["session", "export", &id, "-o", "no/such/out.md"], "io", 1);
}

#[test]
fn two_programs_use_one_project_at_the_same_time() {
    if need_sim("two_programs_use_one_project_at_the_same_time").is_none() {
        return;
    }
    let console = Console::new();
    let created: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|n| {
                scope.spawn({
                    let console = &console;
                    move || console.bead(&format!("Bead {n}"), &[])
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let list = console.json(&["bead", "list"]);
    let listed: Vec<&str> =
        list["beads"].as_array().unwrap().iter().map(|b| b["id"].as_str().unwrap()).collect();
    assert_eq!(listed.len(), 6, "{listed:?}");
    assert!(created.iter().all(|id| listed.contains(&id.as_str())), "{created:?} {listed:?}");

    let ids: Vec<String> = std::thread::scope(|scope| {
        let start = |title: &'static str| {
            let console = &console;
            scope.spawn(move || console.start(&["--simulated", "--title", title]))
        };
        let (one, two) = (start("One"), start("Two"));
        [one.join().unwrap(), two.join().unwrap()].into()
    });
    assert_ne!(ids[0], ids[1]);
    assert_eq!(
        console.json(&["session", "list", "--status", "active"])["sessions"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn only_one_of_two_concurrent_starts_on_a_bead_succeeds() {
    if need_sim("only_one_of_two_concurrent_starts_on_a_bead_succeeds").is_none() {
        return;
    }
    let console = Console::new();
    let bead = console.bead("Wanted", &[]);
    let line = ["session", "start", "--bead", &bead, "--simulated", "--json"];
    let mut codes: Vec<Option<i32>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| console.run(&line).code)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(4)]);
    assert_eq!(
        console.json(&["session", "list", "--status", "active"])["sessions"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn project_agents_are_listed_before_the_users() {
    let console = Console::new();
    console.sandbox.write(
        ".claude/agents/reviewer.md",
        "---\nname: reviewer\ndescription: Reads a change.\n---\nYou review.\n",
    );
    let user = console.sandbox.claude_dir().join("agents");
    fs::create_dir_all(&user).unwrap();
    fs::copy(console.sandbox.project().join(".claude/agents/reviewer.md"), user.join("mine.md")).unwrap();
    let agents = console.json(&["agent", "list"])["agents"].clone();
    assert_eq!(
        (&agents[0]["name"], &agents[0]["source"]),
        (&json!("reviewer"), &json!("project")),
        "{agents:#}"
    );
    assert_eq!(agents[0]["description"], "Reads a change.");
    assert_eq!((&agents[1]["name"], &agents[1]["source"]), (&json!("mine"), &json!("user")), "{agents:#}");
    console.fails(&["session", "start", "--simulated", "--agent", "missing"], "agent_not_found", 3);
}
