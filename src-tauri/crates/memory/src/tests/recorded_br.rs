//! Memories in br, tested with recorded answers.

use super::provider_at;
use crate::ProviderError;
use bc_beads::Environment;
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

fn row(id: &str, key: &str, edges: Value) -> String {
    let notes = format!("```beads-console-memory\n{{\"memory_key\":\"{key}\"}}\n```");
    let row = json!({"id": id, "title": key, "description": key, "status": "pinned", "priority": 2,
        "issue_type": "task", "labels": ["agent:ann", "memory:learning"], "notes": notes,
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "dependencies": edges});
    format!("{row}\n")
}

fn edge(from: &str, to: &str) -> Value {
    json!({"issue_id": from, "depends_on_id": to, "type": "related", "created_at": "2026-01-01T00:00:00Z"})
}

#[test]
fn br_removes_links_in_both_directions_and_to_beads() {
    let dir = tempfile::tempdir().unwrap();
    let beads = dir.path().join(".beads");
    fs::create_dir_all(beads.join("sessions")).unwrap();
    fs::write(beads.join("beads.db"), "").unwrap();
    let rows = [
        row("demo-m1", "design", json!([edge("demo-m1", "demo-m2"), edge("demo-m1", "demo-379")])),
        row("demo-m2", "impl", json!([])),
    ];
    fs::write(beads.join("issues.jsonl"), rows.concat()).unwrap();
    let program = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../beads/tests/data/programs/recorded-br");
    let arguments = dir.path().join("arguments");
    let variables = vec![("ARGUMENTS".into(), arguments.clone().into())];
    let environment = Environment { br: Some(program), variables, ..Environment::default() };
    let provider = provider_at(dir.path(), &environment, "session_20260101_120000");
    for (one, other, far) in
        [("impl", "design", "demo-m2"), ("design", "impl", "demo-m2"), ("design", "demo-379", "demo-379")]
    {
        provider.unlink_memories(one, other).unwrap();
        let given = fs::read_to_string(&arguments).unwrap();
        let given: Vec<&str> = given.lines().collect();
        assert_eq!(given, ["dep", "remove", "demo-m1", far, "--json", "--actor=ann/12345678"]);
        fs::remove_file(&arguments).unwrap();
    }
    let error = provider.unlink_memories("impl", "demo-379").unwrap_err();
    assert!(matches!(error, ProviderError::NotLinked { .. }), "{error}");
    assert!(!arguments.exists(), "br was run for a missing link");
}
