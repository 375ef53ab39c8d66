//! Compares decoded files with the result of a second reader that shares no code with the decoder.

use super::*;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

/// The content of a transcript, read as plain JSON line by line.
#[derive(Debug, Default)]
struct Plain {
    usage: BTreeMap<String, [u64; 4]>,
    texts: Vec<String>,
    calls: BTreeSet<String>,
    results: BTreeMap<String, String>,
    summaries: Vec<String>,
    errors: usize,
    queued: Vec<String>,
}

impl Plain {
    fn of(text: &str) -> Plain {
        let mut plain = Plain::default();
        let mut waiting = Vec::new();
        for entry in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            match entry["type"].as_str() {
                Some("assistant") => plain.assistant(&entry),
                Some("user") if entry["isMeta"] != true => plain.user(&entry),
                Some("queue-operation") => match (entry["operation"].as_str(), entry["content"].as_str()) {
                    (Some("enqueue"), Some(text)) if !text.starts_with(['<', '/']) => {
                        waiting.push(text.to_owned())
                    }
                    (Some("dequeue" | "remove"), _) if !waiting.is_empty() => {
                        plain.queued.push(waiting.remove(0))
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        plain
    }

    fn assistant(&mut self, entry: &Value) {
        let message = &entry["message"];
        if entry["isApiErrorMessage"] == true {
            self.errors += 1;
            return;
        }
        if message["model"] == "<synthetic>" {
            return;
        }
        let counts = self.usage.entry(message["id"].as_str().unwrap().to_owned()).or_default();
        let parts =
            ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
        for (count, part) in counts.iter_mut().zip(parts) {
            *count = (*count).max(message["usage"][part].as_u64().unwrap_or(0));
        }
        for block in message["content"].as_array().into_iter().flatten() {
            match block["type"].as_str() {
                Some("text") => {
                    self.texts.push(block["text"].as_str().unwrap().trim_matches('\n').to_owned())
                }
                Some("tool_use") => drop(self.calls.insert(block["id"].as_str().unwrap().to_owned())),
                _ => {}
            }
        }
    }

    fn user(&mut self, entry: &Value) {
        let content = &entry["message"]["content"];
        if entry["isCompactSummary"] == true {
            self.summaries.extend(content.as_str().map(str::to_owned));
            return;
        }
        self.texts.extend(content.as_str().filter(|text| !text.starts_with('<')).map(str::to_owned));
        for block in content.as_array().into_iter().flatten().filter(|block| block["type"] == "tool_result") {
            let text = match &block["content"] {
                Value::String(text) => text.clone(),
                Value::Array(blocks) => {
                    blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n\n")
                }
                _ => String::new(),
            };
            self.results.insert(block["tool_use_id"].as_str().unwrap().to_owned(), text);
        }
    }
}

fn check(path: &PathBuf) {
    let name = path.display();
    let plain = Plain::of(&fs::read_to_string(path).unwrap());
    let decoded = Decoded::of_file(path, std::path::Path::new("/home/dev/project")).unwrap();
    let sum = |part: usize| plain.usage.values().map(|counts| counts[part]).sum::<u64>();
    let tokens = decoded.tokens;
    assert_eq!(
        [tokens.input, tokens.output, tokens.cache_read, tokens.cache_creation],
        [sum(0), sum(1), sum(2), sum(3)],
        "{name}"
    );
    let said: String =
        decoded.messages.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n");
    for text in
        plain.texts.iter().chain(&plain.summaries).chain(&plain.queued).filter(|text| !text.trim().is_empty())
    {
        let text = as_pasted(text);
        assert!(said.contains(text.trim_matches(['[', ']'])), "{name} lost {text:?}");
    }
    let calls = || decoded.messages.iter().flat_map(|message| message.tool_calls.iter().flatten());
    assert_eq!(calls().filter_map(|call| call.id.clone()).collect::<BTreeSet<_>>(), plain.calls, "{name}");
    for call in calls() {
        let expect = call.id.as_ref().and_then(|id| plain.results.get(id));
        match (expect, &call.output) {
            (Some(expect), Some(output)) => assert!(output.contains(expect), "{name}: {call:?}"),
            (expect, output) => assert_eq!(expect.is_some(), output.is_some(), "{name}: {call:?}"),
        }
    }
    let of_kind = |kind| decoded.messages.iter().filter(|message| message.kind == Some(kind)).count();
    assert_eq!(of_kind(MessageKind::ApiError), plain.errors, "{name}");
    assert_eq!(of_kind(MessageKind::CompactionSummary), plain.summaries.len(), "{name}");
    assert!(decoded.unknown.is_empty(), "{name}: {:?}", decoded.unknown);
}

fn transcripts(folder: PathBuf) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("jsonl") if fs::read_to_string(&path).unwrap().contains("\"sessionId\"") => {
                    found.push(path)
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Checks the committed samples, and all transcripts in the folder `BC_TEST_TRANSCRIPTS` if it is set.
#[test]
fn real_transcripts_are_decoded_without_loss() {
    let mut files = transcripts(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples"));
    assert!(files.len() >= 6, "{files:?}");
    files
        .extend(std::env::var_os("BC_TEST_TRANSCRIPTS").map(PathBuf::from).into_iter().flat_map(transcripts));
    println!("COUNTED transcripts {}", files.len());
    files.iter().for_each(check);
}

#[test]
fn a_missing_file_and_a_folder_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Decoded::of_file(&folder.path().join("gone.jsonl"), folder.path()).is_err());
    assert!(Decoded::of_file(folder.path(), folder.path()).is_err());
}
