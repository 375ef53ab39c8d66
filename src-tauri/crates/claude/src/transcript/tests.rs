//! The rules of the decoder, each tested with constructed lines.

use super::*;
use bc_core::message::{MessageKind, Role};
use bc_core::session::TokenSplit;
use serde_json::{Value, json};

fn line(value: Value) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

fn user(uuid: &str, second: u32, content: Value) -> Vec<u8> {
    line(
        json!({"type":"user","uuid":uuid,"timestamp":at(second),"message":{"role":"user","content":content}}),
    )
}

fn assistant(uuid: &str, second: u32, id: &str, block: Value, output: u64) -> Vec<u8> {
    line(json!({"message":{"id":id,"role":"assistant","model":"m","content":[block],
        "usage":{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":100,"output_tokens":output}},
        "type":"assistant","uuid":uuid,"timestamp":at(second)}))
}

fn at(second: u32) -> String {
    format!("2026-01-19T10:00:{second:02}.000Z")
}

fn call(id: &str, name: &str, input: Value) -> Value {
    json!({"type":"tool_use","id":id,"name":name,"input":input})
}

fn decoder() -> Decoder {
    Decoder::new("/home/dev")
}

fn messages(changes: &[Change]) -> Vec<&Message> {
    changes.iter().filter_map(|c| if let Change::Message(m) = c { Some(m) } else { None }).collect()
}

fn usage(changes: &[Change]) -> TokenSplit {
    let mut sum = TokenSplit::default();
    changes.iter().for_each(|c| {
        if let Change::Usage(more) = c {
            sum.add(*more)
        }
    });
    sum
}

#[test]
fn a_reply_is_complete_after_many_calls_without_results() {
    let mut d = decoder();
    for n in 0..100 {
        d.feed(&assistant(
            &format!("a{n}"),
            0,
            &format!("msg_{n}"),
            call(&format!("toolu_{n}"), "Bash", json!({})),
            1,
        ));
    }
    d.feed(&assistant("b1", 1, "msg_last", json!({"type":"text","text":"One."}), 1));
    let changes = d.feed(&assistant("b2", 2, "msg_last", json!({"type":"text","text":"Two."}), 2));
    assert_eq!(messages(&changes).last().map(|message| message.content.as_str()), Some("One.\n\nTwo."));
}

#[test]
fn times_of_a_machine_whose_clock_is_ahead_are_corrected() {
    let mut d = decoder().with_clock_ahead(chrono::TimeDelta::days(365));
    let mut bytes = user("u1", 0, json!("do it"));
    bytes.extend(assistant("a1", 2, "msg_1", json!({"type":"text","text":"Done."}), 7));
    let changes = d.feed(&bytes);
    let times: Vec<_> = messages(&changes).iter().map(|message| message.timestamp.to_rfc3339()).collect();
    assert_eq!(times, ["2025-01-19T10:00:00+00:00", "2025-01-19T10:00:02+00:00"]);
    assert_eq!(messages(&changes)[1].latency_ms, Some(2000), "a difference of times is not corrected");
}

#[test]
fn lines_of_a_message_are_merged_at_the_first_lines_position() {
    let mut d = decoder();
    let mut bytes = user("u1", 0, json!("do it"));
    bytes.extend(assistant("a1", 2, "msg_1", json!({"type":"text","text":"First."}), 7));
    bytes.extend(assistant("a2", 3, "msg_1", call("t1", "Bash", json!({"command":"ls"})), 7));
    bytes.extend(user("u2", 5, json!([{"type":"tool_result","tool_use_id":"t1","content":"a.txt"}])));
    bytes.extend(assistant("a3", 6, "msg_1", json!({"type":"text","text":"Second."}), 7));
    let changes = d.feed(&bytes);
    let all = messages(&changes);
    assert_eq!(all.len(), 2, "{all:?}");
    let m = all[1];
    assert_eq!((m.id.as_str(), m.role, m.content.as_str()), ("msg_1", Role::Assistant, "First.\n\nSecond."));
    assert_eq!((m.latency_ms, m.tokens), (Some(2000), Some(22)));
    let calls = m.tool_calls.as_ref().unwrap();
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].output.as_deref(), calls[0].duration_ms), (Some("a.txt"), Some(2000)));
}

#[test]
fn tokens_of_a_copied_message_are_inherited_and_its_own_line_counts() {
    let mut copied: Value =
        serde_json::from_slice(&assistant("a1", 1, "msg_1", json!({"type":"text","text":"x"}), 2)).unwrap();
    copied["forkedFrom"] = json!({"sessionId": "old", "messageUuid": "a1"});
    let mut bytes = line(copied);
    bytes.extend(assistant("a2", 2, "msg_2", json!({"type":"text","text":"y"}), 9));
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, &bytes).unwrap();
    let changes = decoder().feed(&bytes);
    assert_eq!(usage(&changes).total(), 24, "only its own message");
    let tokens: Vec<_> = messages(&changes).iter().map(|message| message.tokens).collect();
    assert_eq!(tokens, [None, Some(24)]);
    let decoded = Decoded::of_file(file.path(), Path::new("/home/dev")).unwrap();
    assert_eq!((decoded.tokens.total(), decoded.inherited.total()), (41, 17), "a plain count by message.id");
}

#[test]
fn tokens_count_once_per_message_and_their_growth_counts() {
    let mut d = decoder();
    let mut bytes = assistant("a1", 1, "msg_1", json!({"type":"text","text":"x"}), 2);
    bytes.extend(assistant("a2", 1, "msg_1", json!({"type":"text","text":"y"}), 9));
    bytes.extend(assistant("a3", 1, "msg_1", json!({"type":"text","text":"z"}), 9));
    let sum = usage(&d.feed(&bytes));
    assert_eq!(sum, TokenSplit { input: 10, cache_creation: 5, cache_read: 100, output: 9 });
    assert_eq!(usage(&d.feed(&bytes)), TokenSplit::default(), "the same lines again");
}

#[test]
fn a_result_brings_its_error_its_measured_time_and_the_file() {
    let mut d = decoder();
    let mut bytes = Vec::new();
    for (id, path) in [("t1", "/home/dev/src/a.rs"), ("t2", "/elsewhere/b.rs"), ("t3", "/home/dev/denied.rs")]
    {
        bytes.extend(assistant(
            id,
            1,
            "msg_1",
            call(id, "Write", json!({"file_path":path,"content":"x"})),
            1,
        ));
    }
    bytes.extend(line(json!({"type":"user","uuid":"r1","timestamp":at(9),"toolUseResult":{"durationMs":12},
        "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"ok"}]}]}})));
    bytes.extend(user("r2", 9, json!([{"type":"tool_result","tool_use_id":"t2"}])));
    bytes.extend(user(
        "r3",
        9,
        json!([{"type":"tool_result","tool_use_id":"t3","is_error":true,"content":"no"}]),
    ));
    let changes = d.feed(&bytes);
    let files: Vec<&Change> = changes.iter().filter(|c| matches!(c, Change::FileTouched(_))).collect();
    assert_eq!(
        files,
        [&Change::FileTouched("src/a.rs".into()), &Change::FileTouched("/elsewhere/b.rs".into())]
    );
    let calls = messages(&changes)[0].tool_calls.clone().unwrap();
    assert_eq!((calls[0].output.as_deref(), calls[0].duration_ms), (Some("ok"), Some(12)));
    assert_eq!(calls[1].output.as_deref(), Some(""), "a tool without output has ended anyway");
    assert!(calls[2].is_error && !calls[0].is_error);
}

#[test]
fn entries_outside_the_conversation_have_a_kind() {
    let mut d = decoder();
    let mut bytes =
        user("u1", 0, json!([{"type":"text","text":"[Request interrupted by user for tool use]"}]));
    bytes.extend(user(
        "u2",
        0,
        json!("<command-name>/model</command-name>\n<command-args>opus</command-args>"),
    ));
    bytes.extend(user("u3", 0, json!("<local-command-stdout>Set model</local-command-stdout>")));
    bytes.extend(user("u4", 0, json!("<bash-input>ls</bash-input>")));
    bytes.extend(user("u5", 0, json!("<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>")));
    bytes.extend(line(json!({"type":"user","uuid":"u6","isMeta":true,"message":{"content":"caveat"}})));
    bytes.extend(line(json!({"type":"system","subtype":"compact_boundary","uuid":"s1","timestamp":at(1),
        "content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":7}})));
    bytes.extend(line(json!({"type":"user","uuid":"u7","isCompactSummary":true,"timestamp":at(1),"message":{"content":"Summary."}})));
    bytes.extend(line(json!({"type":"assistant","uuid":"e1","isApiErrorMessage":true,"timestamp":at(2),
        "message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}})));
    bytes.extend(line(json!({"type":"assistant","uuid":"e2","timestamp":at(2),
        "message":{"id":"y","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}})));
    bytes.extend(line(json!({"type":"attachment","uuid":"q1","timestamp":at(3),
        "attachment":{"type":"queued_command","prompt":"also this","origin":{"kind":"human"}}})));
    bytes.extend(line(
        json!({"type":"user","uuid":"n1","timestamp":at(3),"origin":{"kind":"task-notification"},
        "message":{"content":"a task ended"}}),
    ));
    let changes = d.feed(&bytes);
    let got: Vec<(Role, Option<MessageKind>, &str)> =
        messages(&changes).into_iter().map(|m| (m.role, m.kind, m.content.as_str())).collect();
    use MessageKind::*;
    assert_eq!(
        got,
        [
            (Role::System, Some(Interrupted), "Request interrupted by user for tool use"),
            (Role::User, Some(LocalCommand), "/model opus"),
            (Role::System, Some(LocalCommand), "Set model"),
            (Role::User, Some(LocalCommand), "! ls"),
            (Role::System, Some(LocalCommand), "a\nb"),
            (Role::System, Some(Compaction), "Conversation compacted"),
            (Role::System, Some(CompactionSummary), "Summary."),
            (Role::System, Some(ApiError), "API Error: 529"),
            (Role::User, None, "also this"),
            (Role::System, None, "a task ended"),
        ]
    );
    assert!(!changes.iter().any(|change| matches!(change, Change::Unknown { .. } | Change::Malformed)));
}

#[test]
fn cost_and_title_are_reported_and_the_end_of_a_turn_is_known() {
    let mut bytes = line(json!({"type":"cost-state","totalCostUSD":0.5}));
    bytes.extend(line(json!({"type":"custom-title","customTitle":"Login"})));
    bytes.extend(line(json!({"type":"system","subtype":"turn_duration","durationMs":1200,"uuid":"s"})));
    assert_eq!(
        decoder().feed(&bytes),
        [Change::Cost(0.5), Change::Title { text: "Login".into(), by_person: true }]
    );
}

#[test]
fn unreadable_lines_are_counted_and_skipped() {
    let mut bytes = b"\n  \nnot json\n[1,2]\n\xff\xfe\n{\"type\":17}\n{\"type\":\"user\"}\n".to_vec();
    bytes.extend(line(json!({"type":"from-the-future","x":1})));
    bytes.extend(line(json!({"type":"system","subtype":"new","uuid":"s"})));
    bytes.extend(user("u1", 0, json!("still here")));
    let changes = decoder().feed(&bytes);
    let malformed = changes.iter().filter(|c| matches!(c, Change::Malformed)).count();
    let unknown: Vec<&str> = changes
        .iter()
        .filter_map(|c| if let Change::Unknown { kind } = c { Some(kind.as_str()) } else { None })
        .collect();
    assert_eq!(malformed, 4);
    assert_eq!(unknown, ["no type", "from-the-future", "system/new"]);
    assert_eq!(messages(&changes)[0].content, "still here");
}

#[test]
fn a_line_torn_by_a_crash_does_not_affect_the_next_one() {
    let mut bytes = b"{\"parentUuid\":null,\"message\":{\"content\":\"half a sen".to_vec();
    bytes.extend(user("u1", 0, json!("whole")));
    bytes.extend(b"\0\0\0\0");
    bytes.extend(user("u2", 0, json!("after a hole")));
    let changes = decoder().feed(&bytes);
    let texts: Vec<&str> = messages(&changes).iter().map(|m| m.content.as_str()).collect();
    assert_eq!(texts, ["whole", "after a hole"]);
    assert_eq!(changes.iter().filter(|c| matches!(c, Change::Malformed)).count(), 1);
}

#[test]
fn a_line_of_ten_megabytes_is_read() {
    let text = "long ".repeat(2 << 20);
    let bytes = user("u1", 0, json!(text));
    let mut d = decoder();
    let changes: Vec<Change> = bytes.chunks(60_000).flat_map(|chunk| d.feed(chunk)).collect();
    assert_eq!(messages(&changes)[0].content.len(), text.len());
}

#[test]
fn thinking_is_kept_beside_the_text() {
    let mut d = decoder();
    // Newer versions keep only the signature of thinking.
    let empty = json!({"type":"thinking","thinking":"","signature":"x"});
    let changes = d.feed(&assistant("a0", 1, "msg_1", empty, 4));
    assert_eq!((messages(&changes).len(), usage(&changes).output), (0, 4));
    let changes = d.feed(&assistant("a1", 1, "msg_1", json!({"type":"thinking","thinking":"hm"}), 4));
    let shown = messages(&changes);
    assert_eq!((shown[0].content.as_str(), shown[0].thinking.as_deref()), ("", Some("hm")));
    let changes = d.feed(&assistant("a2", 2, "msg_1", json!({"type":"text","text":"Yes."}), 4));
    let shown = messages(&changes);
    assert_eq!((shown[0].content.as_str(), shown[0].thinking.as_deref()), ("Yes.", Some("hm")));
    let mut again = decoder();
    again.prime(shown.into_iter().cloned());
    let changes = again.feed(&assistant("a1", 1, "msg_1", json!({"type":"thinking","thinking":"hm"}), 4));
    assert!(messages(&changes).is_empty(), "a thought on record is not added again");
}

#[test]
fn search_results_are_the_tools_output() {
    let mut d = decoder();
    let call = json!({"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"rust"}});
    d.feed(&assistant("a1", 1, "msg_1", call, 4));
    let found = json!({"type":"web_search_tool_result","tool_use_id":"s1","content":[
        {"type":"web_search_result","title":"Rust","url":"https://rust.example/","encrypted_content":"x"}]});
    let changes = d.feed(&assistant("a2", 2, "msg_1", found, 4));
    let calls = messages(&changes)[0].tool_calls.clone().unwrap();
    assert_eq!(calls[0].output.as_deref(), Some("Rust\nhttps://rust.example/"));
}

#[test]
fn a_summary_has_the_time_of_the_next_entry_and_starts_no_conversation() {
    let mut bytes = line(json!({"type":"summary","summary":"Earlier talk","leafUuid":"l1"}));
    let mut d = decoder();
    assert_eq!(d.feed(&bytes), []);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    #[allow(clippy::disallowed_methods)] // Claude's file, as claude writes it.
    std::fs::write(&path, &bytes).unwrap();
    assert!(!has_conversation(&path));
    bytes = user("u1", 3, json!("hello"));
    let changes = d.feed(&bytes);
    let shown: Vec<_> = messages(&changes).iter().map(|m| (m.kind, m.content.as_str())).collect();
    assert_eq!(shown, [(Some(MessageKind::EarlierSummary), "Earlier talk"), (None, "hello")]);
}

#[test]
fn attachments_of_unknown_kinds_are_counted_and_logged_once() {
    let attached = |uuid: &str, kind: &str| {
        line(
            json!({"type":"attachment","uuid":uuid,"timestamp":at(1),"attachment":{"type":kind,"filename":"a.txt"}}),
        )
    };
    let bytes = [
        attached("x1", "brand_new"),
        attached("x2", "brand_new"),
        attached("x3", "file"),
        attached("x4", "date"),
    ];
    let changes = decoder().feed(&bytes.concat());
    let shown: Vec<_> = messages(&changes).iter().map(|m| m.content.as_str()).collect();
    assert_eq!(shown, ["Attachment of an unknown kind, brand_new: a.txt", "Attached: a.txt"]);
    let unknown = Change::Unknown { kind: "attachment/brand_new".into() };
    assert_eq!(changes.iter().filter(|change| **change == unknown).count(), 2);
}

#[test]
fn a_complete_last_line_without_a_newline_is_read() {
    let whole = user("u1", 1, json!("the last word"));
    let mut d = decoder();
    assert_eq!(d.feed(whole.trim_ascii_end()), []);
    assert_eq!(messages(&d.finish())[0].content, "the last word");
    // Claude then completes the line and continues with another line.
    let more = [&b"\n"[..], &user("u2", 2, json!("and another"))].concat();
    let changes = d.feed(&more);
    let shown: Vec<_> = messages(&changes).iter().map(|m| m.content.as_str()).collect();
    assert_eq!(shown, ["and another"]);
    let mut torn = decoder();
    torn.feed(&whole[..whole.len() / 2]);
    assert_eq!(torn.finish(), []);
}

#[test]
fn entries_without_a_newline_between_them_are_both_read() {
    let one = user("u1", 1, json!("one"));
    let bytes = [one.trim_ascii_end(), &user("u2", 2, json!("two"))].concat();
    let changes = decoder().feed(&bytes);
    let shown: Vec<_> = messages(&changes).iter().map(|m| m.content.as_str()).collect();
    assert_eq!(shown, ["one", "two"]);
    assert_eq!(changes.iter().filter(|c| matches!(c, Change::Malformed)).count(), 0);
}

#[test]
fn a_subagents_lines_carry_its_id() {
    let mut d = Decoder::for_subagent("/home/dev", "a1");
    let changes = d.feed(&assistant("x", 1, "msg_1", json!({"type":"text","text":"done"}), 4));
    assert_eq!(messages(&changes)[0].subagent.as_deref(), Some("a1"));
    assert_eq!(usage(&changes).output, 4);
}

#[test]
#[allow(clippy::disallowed_methods)] // Claude's own file.
fn a_transcript_without_anything_said_is_no_conversation() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    assert!(!has_conversation(&path));
    std::fs::write(&path, line(json!({"type": "mode", "mode": "normal"}))).unwrap();
    assert!(!has_conversation(&path));
    std::fs::write(&path, assistant("u1", 1, "m1", json!({"type": "text", "text": "hi"}), 7)).unwrap();
    assert!(has_conversation(&path));
}

#[test]
fn a_tools_time_excludes_the_wait_for_its_permission() {
    let called = |id: &str| assistant(id, 1, "msg_1", call(id, "Bash", json!({"command":"x"})), 1);
    let ended = |id: &str| {
        user(&format!("r-{id}"), 60, json!([{"type":"tool_result","tool_use_id":id,"content":"ok"}]))
    };
    let took = |changes: &[Change]| messages(changes)[0].tool_calls.as_ref().unwrap()[0].duration_ms;
    // The hook may report before or after the line of the result.
    let mut d = decoder();
    d.feed(&called("t1"));
    assert_eq!(d.ran("t1", 30), []);
    assert_eq!(took(&d.feed(&ended("t1"))), Some(30));
    let mut d = decoder();
    d.feed(&called("t1"));
    assert_eq!(took(&d.feed(&ended("t1"))), Some(59_000));
    assert_eq!(took(&d.ran("t1", 30)), Some(30));
    assert_eq!(d.ran("t1", 30), [], "nothing has changed");
    // A refused tool did not run.
    let mut d = decoder();
    d.feed(&called("t1"));
    let refused = line(json!({"type":"user","uuid":"r1","timestamp":at(60),"toolDenialBeforeRun":true,
        "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no"}]}}));
    assert_eq!(took(&d.feed(&refused)), None);
}

#[test]
fn a_prompt_typed_while_claude_worked_is_shown_once_by_every_version() {
    let queue = |operation: &str, content: &str| {
        line(json!({"type":"queue-operation","operation":operation,"timestamp":at(1),"content":content}))
    };
    let said = |lines: &[Vec<u8>]| {
        let answer = assistant("a1", 9, "m1", json!({"type":"text","text":"answer"}), 1);
        let changes = decoder().feed(&[lines.concat(), answer].concat());
        messages(&changes).into_iter().map(|m| m.content.clone()).collect::<Vec<_>>()
    };
    let attached = line(json!({"type":"attachment","uuid":"q1","timestamp":at(3),
        "attachment":{"type":"queued_command","prompt":"also this","origin":{"kind":"human"}}}));
    let (queued, taken) = (queue("enqueue", "also this"), queue("remove", ""));
    // Version 2.1.39 has no other record of the prompt.
    assert_eq!(said(&[queued.clone(), taken.clone()]), ["also this", "answer"]);
    assert_eq!(said(&[queued.clone(), taken.clone(), attached.clone()]), ["also this", "answer"]);
    assert_eq!(said(&[queued.clone(), attached, taken.clone()]), ["also this", "answer"]);
    let sent = user("u1", 3, json!("also this"));
    assert_eq!(said(&[queued.clone(), queue("dequeue", ""), sent]), ["also this", "answer"]);
    assert_eq!(said(&[queued.clone(), queue("popAll", ""), taken.clone()]), ["answer"]);
    assert_eq!(said(&[queue("enqueue", "/mcp"), taken.clone()]), ["answer"]);
    assert_eq!(said(&[queued]), ["answer"], "it still waits");
}
