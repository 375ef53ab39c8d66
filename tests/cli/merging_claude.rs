//! Two real claude processes work for the fleet at the same time on conflicting branches. The second branch
//! is sent back to its agent, which resolves the conflict, and is then merged.

use crate::{
    claude::{TIMEOUT, with_claude},
    console::Console,
    merging::Queue,
};
use bc_testkit::{
    api::{ToolUse, Turn},
    wait_for,
};
use serde_json::{Value, json};

/// The prompt that makes an agent write this line to `shared` and commit it.
fn steps(line: &str) -> String {
    format!("[[bash:printf '1\\n{line}\\n3\\n' > shared && git add shared && git commit -qm {line}]]")
}

/// The sessions to which these beads were assigned.
fn sessions(dispatched: &Value, beads: &[String]) -> Vec<String> {
    let dispatched = dispatched["given"].as_array().unwrap();
    let assignment = |bead: &String| {
        dispatched.iter().find(|dispatched| dispatched["bead"] == **bead).expect("the bead was assigned")
    };
    beads.iter().map(|bead| assignment(bead)["session_id"].as_str().unwrap().to_owned()).collect()
}

/// Waits until the session's branch has a commit with this subject and claude is at its prompt.
fn wait_commit(queue: &Queue, session: &str, subject: &str) {
    let branch = queue.console.show(session)["branch"].as_str().unwrap().to_owned();
    wait_for(&format!("the commit {subject}"), TIMEOUT, || {
        (queue.subjects(&branch).first()? == subject).then_some(())
    });
    queue.console.wait_idle(session);
}

#[test]
fn two_real_claudes_change_the_same_line_and_both_changes_are_merged() {
    let test = "two_real_claudes_change_the_same_line_and_both_changes_are_merged";
    let Some(console) = Console::with_bd(test) else { return };
    let Some((console, api)) = with_claude(console, test) else { return };
    let queue = Queue::of(console);
    let console = &queue.console;
    console.sandbox.write(
        console.sandbox.claude_dir().join("settings.json").to_str().unwrap(),
        &json!({"permissions": {"allow": ["Bash"]}}).to_string(),
    );
    queue.set("merge_target", &["main"]);
    queue.set("merge_check", &[&queue.script("check", "test -f shared")]);
    queue.set("min_free_mib", &["0"]);
    let lines = ["Alpha", "Beta"];
    let beads = lines.map(|line| console.bead(line, &["--description", &steps(line)]));
    for _ in lines {
        console.ok(&["fleet", "agent", "create", "polecat"]);
    }
    let before = queue.user_state();

    let given = console.json(&["fleet", "dispatch", "--all"]);
    let ids = sessions(&given, &beads);
    for (id, line) in ids.iter().zip(lines) {
        wait_commit(&queue, id, line);
        assert_eq!(console.show(id)["simulated"], Value::Null);
    }
    for bead in &beads {
        console.ok(&["fleet", "approve", bead]);
    }
    console.fails(&["fleet", "queue", "run"], "queue_state", 4);
    let request = queue.state()["blocked"].as_str().unwrap().to_owned();
    assert_eq!(queue.row(&request)["bead"], beads[1], "the branch that was approved first is merged first");
    assert_eq!(
        (queue.subjects("main")[0].as_str(), queue.bead_status(&beads[0])),
        ("Alpha", "closed".into())
    );

    let solve = "git rebase -q main || { printf '1\\nAlpha\\nBeta\\n3\\n' > shared && git add shared && \
                 GIT_EDITOR=true git rebase --continue; }";
    api.queue(Turn::Call("I solve it.".into(), vec![ToolUse::new("Bash", json!({"command": solve}))]));
    let sent = console.json(&["fleet", "queue", "send-back", &request]);
    assert_eq!((&sent["session"], &sent["how"]), (&json!(ids[1]), &json!("told")));
    let received = api.wait_for("CONFLICT (content)", TIMEOUT);
    assert!(received.seen().contains("shared (1)") && received.seen().contains("git rebase main"));
    let branch = console.show(&ids[1])["branch"].as_str().unwrap().to_owned();
    wait_for("the branch on top of main", TIMEOUT, || {
        (queue.subjects(&branch)[..2] == ["Beta", "Alpha"]).then_some(())
    });
    console.wait_idle(&ids[1]);
    console.ok(&["fleet", "approve", &beads[1]]);
    console.ok(&["fleet", "queue", "run"]);

    assert_eq!(queue.row(&request)["status"], "merged");
    assert_eq!(queue.subjects("main")[..3], ["Beta", "Alpha", "before"]);
    assert_eq!(console.sandbox.git(["show", "main:shared"]), "1\nAlpha\nBeta\n3");
    for bead in &beads {
        assert_eq!(queue.bead_status(bead), "closed");
    }
    assert_eq!(queue.user_state(), before, "the user's files were changed");
    for id in &ids {
        console.ok(&["session", "end", id]);
    }
}
