//! Commands as the UI sends them.

use crate::client::running;
use serde_json::json;

#[test]
fn a_command_is_forwarded_with_its_project_and_parameters() {
    let server = running();
    let answer = server.call("echo", r#"{"project":"p1","params":{"title":"ä\u0000<b>"}}"#);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert_eq!(answer.json(), json!({ "project": "p1", "params": { "title": "ä\u{0}<b>" } }));
    assert_eq!(server.call("echo", "{}").json(), json!({ "project": null, "params": null }));
}

#[test]
fn an_error_has_code_hint_and_matching_status() {
    let server = running();
    let statuses = [
        ("usage", 400),
        ("text_too_large", 413),
        ("bead_not_found", 404),
        ("session_state", 409),
        ("claude_missing", 424),
        ("tracker_timeout", 504),
        ("disk_full", 507),
        ("internal", 500),
    ];
    for (code, status) in statuses {
        let answer = server.call("fail", &format!(r#"{{"params":{{"code":"{code}"}}}}"#));
        assert_eq!(answer.status, status, "{code}");
        assert_eq!(answer.json(), json!({ "code": code, "message": "it failed", "hint": "try again" }));
    }
    let unknown = server.call("no.such", "{}");
    assert_eq!((unknown.status, unknown.json()["code"].as_str()), (400, Some("usage")));
}

#[test]
fn an_invalid_command_is_refused_with_the_reason() {
    let server = running();
    for body in
        ["", "[", "[1]", r#"{"params":1,"params":2}"#, r#"{"project":7}"#, r#"{"parms":{}}"#, "\"\u{0}\""]
    {
        let answer = server.call("echo", body);
        assert_eq!((answer.status, answer.json()["code"].as_str()), (400, Some("usage")), "{body}");
    }
    let plain = server.ask("POST", "/rpc/echo", &server.own(), "{}");
    assert_eq!((plain.status, plain.json()["code"].as_str()), (415, Some("usage")));
    let huge = server.call("echo", &format!(r#"{{"params":"{}"}}"#, "x".repeat(17 << 20)));
    assert_eq!((huge.status, huge.json()["code"].as_str()), (413, Some("text_too_large")));
}

#[test]
fn a_panicking_command_does_not_stop_the_server() {
    let server = running();
    let crashed = server.call("crash", "{}");
    assert_eq!((crashed.status, crashed.json()["code"].as_str()), (500, Some("internal")));
    assert_eq!(server.call("echo", "{}").status, 200);
}
