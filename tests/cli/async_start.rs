//! Starts that return once the session's host listens. A second command then reports whether the agent
//! started.

use crate::{
    console::{Console, need_sim},
    serve::{RunningServer, enter, rpc, try_post},
};
use serde_json::{Value, json};

#[test]
fn an_asynchronous_start_reports_a_failure_later() {
    if need_sim("an_asynchronous_start_reports_a_failure_later").is_none() {
        return;
    }
    let console = Console::new();
    // The agent waits until the test creates the file `gate`, and then fails.
    let gate = console.sandbox.root().join("gate");
    let script =
        format!("while [ ! -e '{}' ]; do sleep 0.05; done; echo broken here; exit 3", gate.display());
    let runner = json!(["sh", "-c", script, "{program}", "{args}"]).to_string();
    console.ok(&["fleet", "settings", "runners.gone", &runner]);
    let server = RunningServer::start(&console);
    let page = enter(server.line["url"].as_str().unwrap()).expect("the link is good");
    let key = rpc(&page, "app.projects", json!({}))["projects"][0]["key"].clone();
    let call =
        |method: &str, params: Value| try_post(&page, method, &json!({"project": key, "params": params}));

    let params = json!({"simulated": true, "runner": "gone", "at_once": true});
    let started = call("session.start", params).1;
    let id = started["session"]["id"].as_str().unwrap_or_else(|| panic!("{started:#}")).to_owned();
    assert_eq!(started["session"]["live"]["activity"], "starting", "{started:#}");
    console.sandbox.write(gate.to_str().unwrap(), "");
    let (ok, failed) = call("session.started", json!({"id": id}));
    assert!(
        !ok && failed["error"]["code"].as_str().or(failed["code"].as_str()) == Some("claude_exited"),
        "{failed:#}"
    );
    assert!(failed.to_string().contains("broken here"), "{failed:#}");
    assert_eq!(console.show(&id)["status"], "paused");
    // A second query also fails. The query for a running session succeeds.
    assert!(!call("session.started", json!({"id": id})).0);
    let other = call(
        "session.start",
        json!({"simulated": true, "folder": "worktree", "branch": "well", "at_once": true}),
    )
    .1;
    let (ok, result) = call("session.started", json!({"id": other["session"]["id"]}));
    assert!(ok && result["warnings"] == json!([]), "{result:#}");
    assert_eq!(result["session"]["live"]["hooks_seen"], true, "{result:#}");
}
