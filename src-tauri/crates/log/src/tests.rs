//! Tests of the lines in a log file.

use super::*;
use serde_json::Value;

/// Runs `log` and returns the lines that its events added to the file.
fn lines(level: LevelFilter, variable: Option<&str>, log: impl FnOnce()) -> Vec<Value> {
    let dir = tempfile::tempdir().expect("a folder");
    let context = Arc::new(Context::default());
    context.session.set("s-1".to_owned()).expect("the session is not set yet");
    let layer = JsonLines::new(Role::Host, context, Appender::new(dir.path(), "host"));
    let Some(targets) = targets(variable, level) else { return Vec::new() };
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer.with_filter(targets)), log);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir.path()).expect("the log folder exists").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("the log file can be read");
        found.extend(text.lines().map(|line| serde_json::from_str(line).expect("the line is JSON")));
    }
    found
}

#[test]
fn a_line_has_its_process_its_spans_and_its_own_fields() {
    let found = lines(LevelFilter::INFO, None, || {
        let span = tracing::info_span!("command", method = "bead.list", project = "/p");
        let _in = span.enter();
        tracing::info!(ms = 12, "answered");
    });
    let [line] = found.as_slice() else { panic!("one line: {found:?}") };
    let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        (text("level"), text("process"), text("session")),
        ("INFO".into(), "host".into(), "s-1".into())
    );
    assert_eq!(
        (text("method"), text("project"), text("message")),
        ("bead.list".into(), "/p".into(), "answered".into())
    );
    assert_eq!((line["ms"].as_u64(), line["pid"].as_u64()), (Some(12), Some(std::process::id().into())));
    assert!(chrono::DateTime::parse_from_rfc3339(&text("time")).is_ok());
}

#[test]
fn the_level_applies_to_our_crates_and_others_only_warn() {
    let log = || {
        tracing::debug!(target: "bc_host::actor", "ours");
        tracing::info!(target: "hyper", "foreign");
        tracing::warn!(target: "hyper", "foreign warning");
    };
    let messages = |level, variable| {
        let found = lines(level, variable, log);
        found.iter().map(|line| line["message"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(messages(LevelFilter::DEBUG, None), ["ours", "foreign warning"]);
    assert_eq!(messages(LevelFilter::INFO, None), ["foreign warning"]);
    assert_eq!(messages(LevelFilter::ERROR, None), [""; 0]);
    assert_eq!(messages(LevelFilter::OFF, None), [""; 0]);
    assert_eq!(messages(LevelFilter::OFF, Some("debug")), ["ours", "foreign warning"]);
    assert_eq!(messages(LevelFilter::INFO, Some("bc_host=debug")), ["ours"]);
    assert_eq!(messages(LevelFilter::DEBUG, Some("off")), [""; 0]);
}

#[test]
fn a_long_text_is_cut_and_stays_one_line() {
    let found = lines(
        LevelFilter::INFO,
        None,
        || tracing::info!(target: "bc_x", text = "ä\n".repeat(10_000), "long"),
    );
    let [line] = found.as_slice() else { panic!("one line") };
    assert!(line["text"].as_str().unwrap_or_default().len() <= 4 << 10);
}
