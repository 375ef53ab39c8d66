//! Diagnostic logs and the problem report: their contents, and the data that they must never contain.

use crate::console::{Console, need_sim};
use serde_json::json;
use std::{
    fs,
    io::{Cursor, Read, Write},
    path::{Path, PathBuf},
};

const CONVERSATION_TEXT: &str = "a sentence that only the conversation may contain";

fn log_folder(console: &Console) -> PathBuf {
    console.sandbox.home().join(".local/state/beads-console/logs")
}

/// The lines of all log files of a role, such as a host or a server.
fn lines(folder: &Path, role: &str) -> Vec<serde_json::Value> {
    let named = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(&format!("{role}-"));
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(named);
    let texts: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    texts.iter().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_session_leaves_logs_of_its_host_without_its_conversation() {
    let name = "a_session_leaves_logs_of_its_host_without_its_conversation";
    if need_sim(name).is_none() {
        return;
    }
    let console = Console::new();
    console.json(&["settings", "log_level", "trace"]);
    let session = console.json(&[
        "session",
        "start",
        "--simulated",
        "--title",
        CONVERSATION_TEXT,
        "--prompt",
        CONVERSATION_TEXT,
    ])["session"]
        .clone();
    let id = session["id"].as_str().unwrap().to_owned();
    console.wait_message("an answer", &id, |m| m["role"] == "assistant");
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);

    let folder = log_folder(&console);
    let host = lines(&folder, "host");
    let of_session =
        |message: &str| host.iter().any(|l| l["message"] == message && l["session"] == id.as_str());
    for message in ["session host started", "hook event", "activity changed", "stopping"] {
        assert!(of_session(message), "no line {message:?} of the session: {host:?}");
    }
    let commands = lines(&folder, "command");
    let project = console.sandbox.project().canonicalize().unwrap();
    let of_project = |l: &serde_json::Value| l["project"] == project.to_str().unwrap();
    let answered = |l: &serde_json::Value| {
        l["method"] == "session.end" && l["session"] == id.as_str() && of_project(l) && l["pid"].is_u64()
    };
    assert!(commands.iter().any(answered), "{commands:?}");
    assert!(host.iter().filter(|l| l["session"] == id.as_str()).all(of_project), "{host:?}");
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(
            !fs::read_to_string(&path).unwrap().contains(CONVERSATION_TEXT),
            "{} contains the conversation",
            path.display()
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}

#[test]
fn server_and_hook_relay_leave_logs_with_their_project_and_session() {
    let name = "server_and_hook_relay_leave_logs_with_their_project_and_session";
    if need_sim(name).is_none() {
        return;
    }
    let mut console = Console::new();
    console.json(&["settings", "log_level", "debug"]);
    let server = crate::serve::RunningServer::start(&console);
    let folder = log_folder(&console);
    let started = lines(&folder, "server");
    assert!(
        started.iter().any(|l| l["message"] == "server started" && l["pid"] == server.line["pid"]),
        "{started:?}"
    );
    let page = crate::serve::enter(server.line["url"].as_str().unwrap()).expect("the link is good");
    let projects = crate::serve::rpc(&page, "app.projects", json!({}));
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let params =
        json!({"project": projects["projects"][0]["key"], "page_errors": [format!("Error: token {key}")]});
    let report = crate::serve::rpc(&page, "app.report", params);
    let entry = |name: &str| {
        let mut entries = report["entries"].as_array().unwrap().iter();
        let found = entries.rfind(|entry| entry["name"].as_str().unwrap().starts_with(name));
        found.cloned().unwrap()
    };
    assert!(entry("logs/server-")["tail"].as_str().unwrap().contains("server started"), "{report:#}");
    assert!(
        entry("page-errors.txt")["tail"].as_str().unwrap().contains("[removed: github-pat]"),
        "{report:#}"
    );
    assert_eq!(report["secrets_removed"], 1);
    assert!(
        report["archive"].as_str().unwrap().starts_with("UEsDB"),
        "the archive is not a ZIP file in Base64"
    );
    drop(server);

    // If the relay cannot reach its host, claude continues, and only the log mentions the failure.
    let id = "00000000-0000-4000-8000-000000000001";
    console.sandbox.set("BEADS_CONSOLE_SESSION", id);
    console.sandbox.set("BEADS_CONSOLE_SOCKET", "/nonexistent/host.sock");
    let ran = console
        .run_with(&["hook", "Stop"], &format!("{{\"last_assistant_message\":\"{CONVERSATION_TEXT}\"}}"));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "{}\n"), "{ran:?}");
    let helper = lines(&folder, "helper");
    let relayed = |l: &serde_json::Value| {
        l["message"] == "the session host did not take a hook event"
            && l["event"] == "Stop"
            && l["session"] == id
    };
    assert!(helper.iter().any(relayed), "{helper:?}");
    assert!(!helper.iter().any(|l| l.to_string().contains(CONVERSATION_TEXT)), "{helper:?}");
}

#[test]
fn a_report_has_checks_and_logs_and_neither_secrets_nor_conversations() {
    let name = "a_report_has_checks_and_logs_and_neither_secrets_nor_conversations";
    if need_sim(name).is_none() {
        return;
    }
    let console = Console::new();
    let session =
        console.json(&["session", "start", "--simulated", "--prompt", CONVERSATION_TEXT])["session"].clone();
    let id = session["id"].as_str().unwrap().to_owned();
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);
    // A line with a secret, as an older version could have written it.
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let log = log_folder(&console).join("window-2026-01-01.log");
    let mut log = fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    writeln!(log, "{{\"message\":\"token = {key}\"}}").unwrap();

    let file = console.sandbox.project().join("report.zip");
    let line = ["doctor", "--report", file.to_str().unwrap(), "--json"];
    let ran = console.run(&line);
    let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(printed["report"]["secrets_removed"], 1, "{printed}");
    assert!(printed["checks"].is_array(), "{printed}");

    let mut archive = zip::ZipArchive::new(Cursor::new(fs::read(&file).unwrap())).unwrap();
    let mut all = String::new();
    for index in 0..archive.len() {
        archive.by_index(index).unwrap().read_to_string(&mut all).unwrap();
    }
    let home = console.sandbox.home().display().to_string();
    for absent in [CONVERSATION_TEXT, &key, &home] {
        assert!(!all.contains(absent), "the report contains {absent}");
    }
    for present in ["session host started", "\"name\": \"git\"", &id] {
        assert!(all.contains(present), "the report lacks {present}");
    }
    let before = fs::read(&file).unwrap();
    console.fails(&["doctor", "--report", file.to_str().unwrap()], "confirmation_needed", 4);
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(console.run(&["doctor", "--report", file.to_str().unwrap(), "--force", "--json"]).err, "");
}
