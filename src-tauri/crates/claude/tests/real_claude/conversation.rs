//! Conversations: prompts, a resume, `/clear`, a compaction, and unusual project paths.

use crate::lab::{Lab, StartOptions, TIMEOUT, id, status_lines};
use bc_claude::{
    hooks::{Answer, Decision, Event, EventName, PIECE_MAX},
    transcript::Decoder,
};
use bc_core::{message::MessageKind, mode::PermissionMode};
use bc_testkit::{api, wait_until};
use std::path::Path;

/// The expected total of tokens after this number of answers.
fn total(answers: u64) -> u64 {
    answers * (api::USAGE.input + api::USAGE.cache_creation + api::USAGE.output)
}

#[test]
fn a_prompt_on_the_command_line_is_answered_and_read_from_the_transcript() {
    let Some(lab) = Lab::new("a_prompt_on_the_command_line_is_answered_and_read_from_the_transcript") else {
        return;
    };
    let pieces: Vec<String> =
        ('a'..='c').map(|c| format!("{c}-PIECE {}", c.to_string().repeat(PIECE_MAX - 10))).collect();
    for (piece, text) in pieces.iter().enumerate() {
        let answer = Answer::Context { event: EventName::SessionStart, text: text.clone() };
        lab.answer(EventName::SessionStart, Some(piece), &answer);
    }
    let path = lab.sandbox.project().join("src/new file.txt");
    let prompt = format!("- please [[write:{}:hello]]", path.display());
    let claude = lab.start(
        id(1),
        StartOptions {
            prompt: Some(&prompt),
            mode: PermissionMode::AcceptEdits,
            pieces: 3,
            ..StartOptions::default()
        },
    );
    let prompt_hook = lab.next("UserPromptSubmit", |hook| match &hook.event {
        Event::UserPromptSubmit { prompt } => Some((prompt.clone(), hook.conversation)),
        _ => None,
    });
    assert_eq!(prompt_hook, (prompt.clone(), Some(id(1))));
    assert_eq!(lab.stop(), api::AFTER_TOOLS);
    assert_eq!(lab.sandbox.read("src/new file.txt"), "hello");

    // The model received the whole context before its first answer.
    let first = &lab.api.conversation()[0];
    for piece in &pieces {
        assert!(first.seen().contains(piece), "a piece was truncated");
    }

    let mut reading = lab.read(id(1));
    reading.wait_until("the whole turn", |r| r.lines().len() == 3);
    assert_eq!(
        reading.lines(),
        [
            format!("User: {prompt}"),
            format!("Assistant: {}", api::BEFORE_TOOLS),
            format!("Assistant: {}", api::AFTER_TOOLS)
        ]
    );
    let calls = reading.messages[1].tool_calls.as_ref().unwrap();
    assert_eq!((calls.len(), calls[0].tool.as_str(), calls[0].is_error), (1, "Write", false));
    assert!(calls[0].output.as_ref().unwrap().contains("File created"), "{calls:?}");
    assert!(calls[0].duration_ms.is_some() && reading.messages[1].latency_ms.is_some());
    assert_eq!(reading.tokens.total(), total(2), "the tokens of a message were counted twice");
    assert_eq!(reading.tokens.cache_read, 2 * api::USAGE.cache_read);
    assert_eq!(reading.files, ["src/new file.txt"]);
    assert_eq!(reading.unread, []);

    // The text was displayed before the message was complete, and the status line reported its cost.
    let shown = || -> String {
        let hooks = lab.hooks();
        let pieces = hooks.iter().filter_map(|hook| match &hook.event {
            Event::MessageDisplay { delta, .. } => Some(delta.as_str()),
            _ => None,
        });
        pieces.collect()
    };
    // Hooks run concurrently, so the last piece may arrive after the Stop.
    let text_of_turn = format!("{}{}", api::BEFORE_TOOLS, api::AFTER_TOOLS);
    wait_until("the text piece by piece", TIMEOUT, || shown() == text_of_turn);
    wait_until("a status line with a cost", TIMEOUT, || {
        status_lines(&lab).iter().any(|line| line["cost"]["total_cost_usd"].as_f64() > Some(0.0))
    });

    claude.terminate();
    lab.next("SessionEnd", |hook| matches!(hook.event, Event::SessionEnd { .. }).then_some(()));
    reading.wait_until("the cost", |r| r.cost > Some(0.0));
}

#[test]
fn a_resume_continues_in_the_same_file() {
    let Some(lab) = Lab::new("a_resume_continues_in_the_same_file") else { return };
    let claude = lab.start(id(1), StartOptions { prompt: Some("first prompt"), ..StartOptions::default() });
    lab.stop();
    let mut reading = lab.read(id(1));
    reading.wait_until("the first turn", |r| r.messages.len() == 2);
    claude.terminate();

    let claude = lab.start(
        id(1),
        StartOptions { resume: true, prompt: Some("second prompt"), ..StartOptions::default() },
    );
    let source = lab.next("SessionStart", |hook| match &hook.event {
        Event::SessionStart { source } => Some(source.clone()),
        _ => None,
    });
    // The earlier wait for the first Stop skipped the first SessionStart.
    assert_eq!(source, "resume");
    lab.stop();
    reading.wait_until("the second turn", |r| r.messages.len() == 4);
    assert_eq!(reading.lines()[2..], ["User: second prompt", "Assistant: Reply to: second prompt"]);
    assert_eq!((reading.tokens.total(), &reading.unread), (total(2), &vec![]));

    // A decoder that is primed with the record neither repeats messages nor counts tokens again.
    let mut decoder = Decoder::new(lab.sandbox.project());
    decoder.prime(reading.messages.clone());
    let path = lab.places().transcript(lab.sandbox.project(), id(1));
    let mut again = crate::lab::TranscriptReader::new(decoder, path);
    again.more();
    assert_eq!((again.lines(), again.tokens.total()), (vec![], 0));
    claude.terminate();
}

#[test]
fn clear_starts_another_conversation() {
    let Some(lab) = Lab::new("clear_starts_another_conversation") else { return };
    let mut claude = lab.start(id(1), StartOptions { prompt: Some("before it"), ..StartOptions::default() });
    lab.stop();
    claude.enter("/clear");
    let ended = lab.next("SessionEnd", |hook| match &hook.event {
        Event::SessionEnd { reason } => Some((reason.clone(), hook.conversation)),
        _ => None,
    });
    assert_eq!(ended, ("clear".to_owned(), Some(id(1))));
    let (source, new, path) = lab.next("SessionStart", |hook| match &hook.event {
        Event::SessionStart { source } => {
            Some((source.clone(), hook.conversation.unwrap(), hook.transcript_path.clone()))
        }
        _ => None,
    });
    assert_eq!(source, "clear");
    assert_ne!(new, id(1));
    assert_eq!(path.unwrap(), lab.places().transcript(lab.sandbox.project(), new).to_string_lossy());
    claude.enter("after it");
    lab.stop();
    let mut reading = lab.read(new);
    reading.wait_until("the new conversation", |r| {
        r.lines().contains(&"Assistant: Reply to: after it".to_owned())
    });
    assert_eq!(reading.lines()[0], "User: /clear");
    assert_eq!(reading.unread, []);
    let old = lab.read(id(1));
    assert_eq!(old.lines(), ["User: before it", "Assistant: Reply to: before it"]);
    claude.terminate();
}

#[test]
fn an_awkward_project_path_works() {
    // One name combines all of `AWKWARD_NAMES`, because a start takes seconds.
    let name = "-it's \"größe\" 日本  $(touch x)`y`;&b";
    let Some(lab) = Lab::named("an_awkward_project_path_works", name) else { return };
    lab.answer(
        EventName::PermissionRequest,
        None,
        &Answer::Permission(Decision::Allow { for_longer: vec![], input: None }),
    );
    let prompt = "x [[bash:basename -- \"$PWD\"]]";
    let claude = lab.start(id(1), StartOptions { prompt: Some(prompt), ..StartOptions::default() });
    let cwd = lab.next("SessionStart", |hook| hook.cwd.clone());
    assert_eq!(cwd, lab.sandbox.project().to_string_lossy());
    lab.stop();
    let mut reading = lab.read(id(1));
    reading.wait_until("the transcript", |r| r.messages.len() == 3);
    let call = &reading.messages[1].tool_calls.as_ref().unwrap()[0];
    assert_eq!(call.output.as_deref(), Some(name));
    claude.terminate();
}

#[test]
fn the_transcript_of_a_project_with_a_long_path_has_the_expected_path() {
    let name = ["a-long-name-".repeat(6), "größe-🦀-".repeat(9), "third-".repeat(12), "project".to_owned()];
    let test = "the_transcript_of_a_project_with_a_long_path_has_the_expected_path";
    let Some(lab) = Lab::named(test, &name.join("/")) else { return };
    let claude = lab.start(id(1), StartOptions { prompt: Some("hello"), ..StartOptions::default() });
    let named = lab.next("SessionStart", |hook| hook.transcript_path.clone());
    let expected = lab.places().transcript(lab.sandbox.project(), id(1));
    assert_eq!(Path::new(&named), expected);
    lab.stop();
    lab.read(id(1)).wait_until("the transcript", |r| r.messages.len() == 2);
    assert!(expected.is_file());
    claude.terminate();
}

#[test]
fn after_a_compaction_the_model_has_the_hooks_new_context() {
    let Some(lab) = Lab::new("after_a_compaction_the_model_has_the_hooks_new_context") else { return };
    let mut claude = lab.start(id(1), StartOptions { prompt: Some("before it"), ..StartOptions::default() });
    lab.stop();
    let context =
        Answer::Context { event: EventName::SessionStart, text: "CONTEXT-AFTER-COMPACTION".to_owned() };
    lab.answer(EventName::SessionStart, Some(0), &context);
    claude.enter("/compact");
    let order: Vec<String> = ["PreCompact", "SessionStart compact", "PostCompact"]
        .map(|wanted| {
            lab.next(wanted, |hook| match &hook.event {
                Event::PreCompact { trigger } if trigger == "manual" => Some("PreCompact".to_owned()),
                Event::SessionStart { source } => Some(format!("SessionStart {source}")),
                Event::PostCompact { summary } if summary.contains(api::SUMMARY) => {
                    Some("PostCompact".to_owned())
                }
                _ => None,
            })
        })
        .to_vec();
    assert_eq!(order, ["PreCompact", "SessionStart compact", "PostCompact"]);
    claude.enter("after it");
    lab.stop();
    let last = lab.api.conversation().pop().unwrap();
    assert!(last.seen().contains("CONTEXT-AFTER-COMPACTION") && last.seen().contains(api::SUMMARY));
    let mut reading = lab.read(id(1));
    reading.wait_until("the answer", |r| r.lines().contains(&"Assistant: Reply to: after it".to_owned()));
    let kinds: Vec<MessageKind> = reading.messages.iter().filter_map(|m| m.kind).collect();
    assert!(kinds.starts_with(&[MessageKind::Compaction, MessageKind::CompactionSummary]), "{kinds:?}");
    assert_eq!(reading.unread, []);
    claude.terminate();
}

#[test]
fn a_prompt_typed_while_claude_works_is_read_too() {
    let Some(lab) = Lab::new("a_prompt_typed_while_claude_works_is_read_too") else { return };
    lab.answer(
        EventName::PermissionRequest,
        None,
        &Answer::Permission(Decision::Allow { for_longer: vec![], input: None }),
    );
    let (started, go) = (lab.sandbox.root().join("begun"), lab.sandbox.root().join("go"));
    let prompt =
        format!("[[bash:touch {}; while ! test -e {}; do sleep 0.1; done]]", started.display(), go.display());
    let mut claude = lab.start(id(1), StartOptions { prompt: Some(&prompt), ..StartOptions::default() });
    wait_until("the tool", TIMEOUT, || started.exists());
    lab.next("PermissionRequest", |hook| matches!(hook.event, Event::PermissionRequest { .. }).then_some(()));
    claude.enter("also this [[say:both done]]");
    let prompt = lab.next("UserPromptSubmit", |hook| match &hook.event {
        Event::UserPromptSubmit { prompt } => Some(prompt.clone()),
        _ => None,
    });
    assert_eq!(prompt, "also this [[say:both done]]");
    #[allow(clippy::disallowed_methods, reason = "the tool waits for this file")]
    std::fs::write(&go, "").unwrap();
    assert_eq!(lab.stop(), "both done");
    let mut reading = lab.read(id(1));
    reading.wait_until("the answer", |r| r.lines().last().is_some_and(|line| line == "Assistant: both done"));
    assert!(
        reading.lines().contains(&"User: also this [[say:both done]]".to_owned()),
        "{:?}",
        reading.lines()
    );
    claude.terminate();
}
