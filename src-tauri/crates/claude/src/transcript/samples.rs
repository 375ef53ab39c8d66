//! Decodes real transcripts of claude: whole, in pieces and damaged.

use super::*;
use bc_core::message::{MessageKind, Role};
use bc_core::session::TokenSplit;
use std::collections::BTreeMap;

const SAMPLES: [(&str, &[u8]); 6] = [
    ("interactive", include_bytes!("../../samples/interactive.jsonl")),
    ("kill-errors", include_bytes!("../../samples/kill-errors.jsonl")),
    ("resume-compact", include_bytes!("../../samples/resume-compact.jsonl")),
    ("subagent", include_bytes!("../../samples/subagent.jsonl")),
    ("tool-heavy", include_bytes!("../../samples/tool-heavy.jsonl")),
    ("long", include_bytes!("../../samples/long.jsonl")),
];

#[derive(Debug, Default, PartialEq)]
struct Recorded {
    messages: Vec<Message>,
    tokens: TokenSplit,
    files: Vec<String>,
    unread: Vec<Change>,
    images: usize,
    cost: Option<f64>,
}

impl Recorded {
    fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            match change {
                Change::Message(message) => match self.messages.iter_mut().find(|m| m.id == message.id) {
                    Some(known) => *known = message,
                    None => self.messages.push(message),
                },
                Change::Usage(more) => self.tokens.add(more),
                Change::Image(_) => self.images += 1,
                Change::FileTouched(path) => self.files.push(path),
                Change::Cost(cost) => self.cost = Some(cost),
                other @ (Change::Unknown { .. } | Change::Malformed) => self.unread.push(other),
                Change::InheritedUsage(_) | Change::Title { .. } => {}
            }
        }
    }

    fn of(bytes: &[u8]) -> Self {
        let mut recorded = Recorded::default();
        recorded.apply(Decoder::new("/home/dev/project").feed(bytes));
        recorded
    }

    fn kinds(&self) -> BTreeMap<String, usize> {
        let mut kinds = BTreeMap::new();
        for m in &self.messages {
            *kinds.entry(m.kind.map_or(format!("{:?}", m.role), |kind| format!("{kind:?}"))).or_default() +=
                1;
        }
        kinds
    }
}

fn sample(name: &str) -> &'static [u8] {
    SAMPLES.iter().find(|(known, _)| *known == name).unwrap().1
}

fn split(input: u64, cache_creation: u64, cache_read: u64, output: u64) -> TokenSplit {
    TokenSplit { input, cache_creation, cache_read, output }
}

#[test]
fn every_line_of_every_sample_is_parsed() {
    for (name, bytes) in SAMPLES {
        assert_eq!(Recorded::of(bytes).unread, [], "{name}");
    }
}

#[test]
fn the_runs_of_tools_in_the_samples_have_their_details() {
    let long = Recorded::of(sample("long"));
    let calls: Vec<_> = long.messages.iter().flat_map(|m| m.tool_calls.iter().flatten()).collect();
    let with = |has: &dyn Fn(&bc_core::message::ToolDetails) -> bool| {
        calls.iter().filter(|call| call.details.as_deref().is_some_and(has)).count()
    };
    let edits = calls.iter().filter(|call| call.tool == "Edit" && !call.is_error).count();
    let patched = calls.iter().filter(|call| {
        call.tool == "Edit" && call.details.as_deref().is_some_and(|details| !details.patch.is_empty())
    });
    assert_eq!(patched.count(), edits, "every successful edit has its lines");
    assert_eq!(with(&|details| details.background.is_some()), 2);
    assert_eq!(with(&|details| details.subagent.as_deref() == Some("a881341")), 1);
}

#[test]
fn tokens_of_the_samples_match_the_manual_count() {
    // A script outside this crate computed these sums from the highest usage of each `message.id`.
    let check = |name, expect| assert_eq!(Recorded::of(sample(name)).tokens, expect, "{name}");
    check("interactive", split(400, 200, 4000, 168));
    check("kill-errors", split(200, 100, 2000, 84));
    check("resume-compact", split(1400, 700, 14000, 547));
    check("subagent", split(100, 50, 1000, 42));
    check("tool-heavy", split(54, 17696, 88231, 212));
    check("long", split(180, 349_474, 14_771_617, 38_899));
}

#[test]
fn an_interactive_session_is_decoded_completely() {
    let recorded = Recorded::of(sample("interactive"));
    let lines: Vec<String> = recorded
        .messages
        .iter()
        .map(|m| {
            let calls = m.tool_calls.iter().flatten();
            let calls: Vec<String> = calls.map(|c| format!(" <{} error={}>", c.tool, c.is_error)).collect();
            format!(
                "{:?}: {}{}",
                m.role,
                bc_core::text::cut(&bc_core::text::one_line(&m.content), 40),
                calls.concat()
            )
        })
        .collect();
    expect_test::expect![[r#"
        User: hello line two [[slow:12]]
        Assistant: chunk0 chunk1 chunk2 chunk3 chunk4 chun…
        User: write please [[write:/home/dev/project/…
        Assistant: MOCK-TOOL: using a tool. <Write error=false>
        Assistant: MOCK-DONE: the tool ran.
        User: 1bash [[bash:touch zz && git add -A &&…
        Assistant: MOCK-TOOL: using a tool. <Bash error=true>
        System: Request interrupted by user for tool use"#]]
    .assert_eq(&lines.join("\n"));
    assert_eq!(recorded.files, ["a.txt"]);
    assert_eq!(recorded.cost, Some(0.00676));
}

#[test]
fn a_session_with_a_resume_and_a_compaction_keeps_both_sides() {
    let recorded = Recorded::of(sample("resume-compact"));
    expect_test::expect![[r#"{"Assistant": 14, "Attachment": 4, "Compaction": 1, "CompactionSummary": 1, "Interrupted": 2, "LocalCommand": 2, "User": 9}"#]].assert_eq(&format!("{:?}", recorded.kinds()));
    let at = recorded.messages.iter().position(|m| m.kind == Some(MessageKind::Compaction)).unwrap();
    assert_eq!(recorded.messages[at + 1].kind, Some(MessageKind::CompactionSummary));
    assert!(recorded.messages[at + 2..].iter().any(|m| m.role == Role::User && m.content == "after compact"));
}

#[test]
fn kills_and_api_errors_are_reported() {
    let recorded = Recorded::of(sample("kill-errors"));
    expect_test::expect![[r#"{"ApiError": 5, "Assistant": 2, "User": 8}"#]]
        .assert_eq(&format!("{:?}", recorded.kinds()));
    let calls: Vec<_> = recorded.messages.iter().flat_map(|m| m.tool_calls.iter().flatten()).collect();
    assert!(calls.iter().any(|c| c.is_error && c.output.as_ref().is_some_and(|o| o.contains("interrupted"))));
}

#[test]
fn a_long_session_of_an_older_version_has_all_its_calls_answered() {
    let recorded = Recorded::of(sample("long"));
    let calls: Vec<_> = recorded.messages.iter().flat_map(|m| m.tool_calls.iter().flatten()).collect();
    assert_eq!(calls.len(), 186);
    assert_eq!(calls.iter().filter(|c| c.output.is_none()).count(), 0);
    assert!(calls.iter().all(|c| c.duration_ms.is_some()));
    assert!(recorded.messages.iter().all(|m| !m.content.is_empty() || m.tool_calls.is_some()));
}

#[test]
fn a_subagents_file_is_decoded_with_its_id() {
    let recorded = Recorded::of(sample("subagent"));
    assert_eq!(recorded.messages.len(), 2);
    assert!(recorded.messages.iter().all(|m| m.subagent.as_deref() == Some("a944eed0037549af6")));
    assert_eq!(recorded.tokens.total(), 192);
}

#[test]
fn chunk_boundaries_do_not_matter() {
    for (name, bytes) in SAMPLES {
        let whole = Recorded::of(bytes);
        for size in [1, 7, 1000, 65_536] {
            let (mut decoder, mut pieces) = (Decoder::new("/home/dev/project"), Recorded::default());
            bytes.chunks(size).for_each(|chunk| pieces.apply(decoder.feed(chunk)));
            assert!(pieces == whole, "{name} in pieces of {size}");
        }
    }
}

#[test]
fn rereading_the_file_after_a_restart_changes_nothing() {
    for (name, bytes) in SAMPLES {
        let first = Recorded::of(bytes);
        let mut decoder = Decoder::new("/home/dev/project");
        decoder.prime(first.messages.clone());
        let mut again = Recorded { messages: first.messages.clone(), ..Recorded::default() };
        again.apply(decoder.feed(bytes));
        assert!(again.messages == first.messages, "{name}: messages changed");
        assert_eq!(again.tokens, TokenSplit::default(), "{name}: tokens were counted again");
    }
}

#[test]
fn a_restart_in_the_middle_ends_with_the_same_messages() {
    for (name, bytes) in SAMPLES {
        let whole = Recorded::of(bytes);
        for cut in (0..bytes.len()).step_by(bytes.len() / 23 + 1) {
            let mut recorded = Recorded::of(&bytes[..cut]);
            let mut decoder = Decoder::new("/home/dev/project");
            decoder.prime(recorded.messages.clone());
            recorded.apply(decoder.feed(bytes));
            let same = |a: &Message, b: &Message| {
                let outputs = |m: &Message| -> Vec<_> {
                    m.tool_calls.iter().flatten().map(|c| c.output.clone()).collect()
                };
                a.id == b.id && a.content == b.content && outputs(a) == outputs(b)
            };
            assert_eq!(recorded.messages.len(), whole.messages.len(), "{name} cut at {cut}");
            for (a, b) in recorded.messages.iter().zip(&whole.messages) {
                assert!(same(a, b), "{name} cut at {cut}: {a:?} is not {b:?}");
            }
        }
    }
}

#[test]
fn damaged_transcripts_never_stop_the_decoder() {
    // A fixed seed makes failures reproducible.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for (name, bytes) in SAMPLES.iter().filter(|(name, _)| *name != "long") {
        for round in 0..60 {
            let mut damaged = bytes.to_vec();
            for _ in 0..=next(40) {
                let at = next(damaged.len());
                match next(40) {
                    0 => damaged.truncate(at.max(2)),
                    1..10 if damaged.len() > 2 => {
                        damaged.remove(at);
                    }
                    10..25 => damaged[at] ^= 1 << next(8),
                    _ => damaged[at] = b"{}[]\",:\n\\\0"[next(10)],
                }
            }
            let mut decoder = Decoder::new("/home/dev/project");
            let mut recorded = Recorded::default();
            damaged.chunks(4096).for_each(|chunk| recorded.apply(decoder.feed(chunk)));
            // A whole line is read, regardless of the preceding bytes.
            let fine = b"\n{\"type\":\"user\",\"uuid\":\"last\",\"message\":{\"content\":\"the end\"}}\n";
            recorded.apply(decoder.feed(fine));
            assert_eq!(recorded.messages.last().unwrap().content, "the end", "{name}, round {round}");
        }
    }
}
