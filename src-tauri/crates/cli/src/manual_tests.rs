//! Tests that compare docs/cli.md with the program.

use crate::args::Args;
use bc_wire::{agent_files, backup, bead, doctor, memory, project, recovery, session, settings};
use clap::{Command, CommandFactory};
use serde::de::DeserializeOwned;
use serde_json::Value;

const MANUAL: &str = include_str!("../../../../docs/cli.md");

/// Collects every command without subcommands, with its name as typed, such as `bead dep add`.
fn commands(command: &Command, words: &str, found: &mut Vec<(String, Command)>) {
    for sub in command.get_subcommands() {
        let words = format!("{words} {}", sub.get_name()).trim().to_owned();
        match sub.has_subcommands() {
            true => commands(sub, &words, found),
            false => found.push((words, sub.clone())),
        }
    }
}

/// For each `###` heading: the commands that it names, and the text of its section.
fn sections() -> Vec<(Vec<&'static str>, &'static str)> {
    let parts = MANUAL.split("\n### ").skip(1);
    parts
        .map(|part| {
            let (heading, text) = part.split_once('\n').expect("a heading is followed by text");
            let text = text.split("\n## ").next().expect("a split has a first part");
            (heading.split('`').skip(1).step_by(2).collect(), text)
        })
        .collect()
}

#[test]
fn manual_documents_every_command_and_option() {
    let mut all = Vec::new();
    commands(&Args::command(), "", &mut all);
    assert!(all.len() > 20, "{all:?}");
    for (words, command) in all {
        let section = sections().into_iter().find(|(named, _)| {
            named.iter().any(|name| *name == words || name.starts_with(&format!("{words} ")))
        });
        let (_, text) = section.unwrap_or_else(|| panic!("docs/cli.md has no section on `{words}`"));
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        for option in shown.filter_map(|argument| argument.get_long()) {
            let global = matches!(option, "project" | "json" | "help" | "version");
            let named = text.contains(&format!("--{option}"));
            assert!(global || named, "docs/cli.md does not name --{option} of `{words}`");
        }
    }
}

#[test]
fn manual_lists_every_error_code_with_its_exit_code() {
    for code in MANUAL.lines().filter_map(|line| line.strip_prefix("| ")) {
        let Some((exit, codes)) = code.split_once(" | `") else { continue };
        let Ok(exit) = exit.parse::<u8>() else { continue };
        for word in codes.trim_end_matches("` |").split("` `") {
            let code: bc_wire::ErrorCode = serde_json::from_value(word.into()).expect("a known code");
            assert_eq!(code.exit_code(), exit, "{word}");
        }
    }
    let unknown = serde_json::from_str::<bc_wire::ErrorCode>("\"\"").unwrap_err().to_string();
    let known: Vec<&str> = unknown.split('`').skip(1).step_by(2).filter(|word| !word.is_empty()).collect();
    assert!(known.len() > 20, "{unknown}");
    for word in known {
        assert!(MANUAL.contains(&format!("`{word}`")), "docs/cli.md does not name the code {word}");
    }
}

/// Asserts that the example deserializes into the type, and that the type has each of the example's top-level
/// fields.
fn check<T: DeserializeOwned + serde::Serialize>(heading: &str, example: &Value) {
    let read: T = serde_json::from_value(example.clone()).unwrap_or_else(|e| panic!("{heading}: {e}"));
    let written = serde_json::to_value(&read).unwrap();
    for key in example.as_object().unwrap().keys() {
        assert!(written.get(key).is_some(), "{heading}: {key} is not a field");
    }
}

#[test]
fn manual_examples_match_the_wire_types() {
    let mut checked = 0;
    for (named, text) in sections() {
        let Some(heading) = named.first() else { continue };
        for example in text.split("```json\n").skip(1).filter_map(|part| part.split("```").next()) {
            let value: Value = serde_json::from_str(example).unwrap_or_else(|e| panic!("{heading}: {e}"));
            checked += 1;
            match *heading {
                "doctor" => check::<doctor::DoctorReport>(heading, &value),
                "recovery" => check::<recovery::RecoveryBlock>(heading, &value),
                "remember TEXT" => check::<memory::MemorySaved>(heading, &value),
                "memories [QUERY]" => check::<memory::MemoryList>(heading, &value),
                "prime" => check::<memory::PrimeText>(heading, &value),
                "session show ID" => check::<recovery::Injections>(heading, &value),
                "backup" => check::<backup::BackupDone>(heading, &value),
                "init" => check::<project::ProjectInfo>(heading, &value),
                "agent list" => check::<project::AgentList>(heading, &value),
                "init-agent" => check::<agent_files::AgentFilesPlan>(heading, &value),
                "bead list [QUERY]" => check::<bead::BeadList>(heading, &value),
                "bead update ID…" => {
                    check::<bead::BeadShown>(heading, &value["results"][0]["result"]);
                    check::<bc_wire::ApiError>(heading, &value["results"][1]["error"]);
                }
                "bead next" => check::<bead::NextBeads>(heading, &value),
                "bead stale" => check::<bead::StaleBeads>(heading, &value),
                "bead audit ID" => check::<bead::BeadAudit>(heading, &value),
                "bead graph [QUERY]" => check::<bead::BeadGraph>(heading, &value),
                "bead show ID" => check::<bead::BeadShown>(heading, &value),
                "session start" => check::<session::SessionStarted>(heading, &value),
                "session context" => check::<session::PackPreview>(heading, &value),
                "session conversations" => check::<session::Conversations>(heading, &value),
                "transcript decode FILE" => check::<session::TranscriptDecoded>(heading, &value),
                "session send ID TEXT [--attach FILE]…" => check::<session::Sent>(heading, &value),
                "session end ID" => check::<session::SessionEnded>(heading, &value),
                "session list" => check::<session::SessionList>(heading, &value),
                "session needs" => check::<session::Needs>(heading, &value),
                "session transcript ID" => check::<session::Transcript>(heading, &value),
                "session timeline ID" => check::<bc_core::timeline::Timeline>(heading, &value),
                "session changes ID" => check::<session::SessionChanges>(heading, &value),
                "session revert ID [FILE]" => check::<session::KeptReverts>(heading, &value),
                "session commit ID [FILE…]" => check::<session::Committed>(heading, &value),
                "session viewed ID [FILE…]" => check::<session::SessionViewed>(heading, &value),
                "session checkpoints ID" => check::<session::SessionCheckpoints>(heading, &value),
                "session restore ID --checkpoint NUMBER [FILE…]" => {
                    check::<session::FilesRestored>(heading, &value);
                }
                "worktree list" => check::<bc_wire::worktree::Worktrees>(heading, &value),
                "fleet queue add" => check::<bc_wire::fleet::FleetQueueState>(heading, &value),
                "fleet settings [KEY [VALUE]]" => check::<bc_core::fleet::FleetSettings>(heading, &value),
                "settings [KEY [VALUE]]" => check::<settings::ProjectSettingsShown>(heading, &value),
                "session resume ID" => check::<session::ResumePreview>(heading, &value),
                "session delete ID…" => check::<session::Deleted>(heading, &value),
                "session trash" => check::<session::Trash>(heading, &value),
                "session cleanup" => check::<session::CleanedUp>(heading, &value),
                "session export ID…" => assert!(value["path"].is_string() && value["bytes"].is_u64()),
                _ => panic!("no type is assigned to the example of {heading}"),
            }
        }
    }
    assert_eq!(checked, 42);
}
