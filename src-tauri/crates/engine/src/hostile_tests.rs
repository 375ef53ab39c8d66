//! Tests with malicious files in a repository. A link, a pipe, a huge file or a folder replaces a file that
//! the program reads. Nothing may block, and no content from outside the repository may leak.

use crate::{context::now, engine::Engine, fixture::Fixture};
use bc_beads::{Environment, ListFilter};
use bc_core::ids::SessionId;
use bc_wire::{agent_files::AgentFilesPreviewParams, api::Api, memory::*};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// A marker in every file's valid content, which does not occur in any other output.
const MARK: &str = "marker7f3a";
const SESSION: u128 = 0x7;

/// A file, its valid content (empty if the program itself writes it), and the output of a command that reads it.
struct Row {
    file: &'static str,
    content: String,
    output: fn(&Engine) -> String,
}

fn row(file: &'static str, content: impl Into<String>, output: fn(&Engine) -> String) -> Row {
    Row { file, content: content.into(), output }
}

fn nothing_installed() -> Environment {
    Environment { path: Some("/nonexistent".into()), ..Environment::default() }
}

fn rows() -> Vec<Row> {
    let bead = format!("{{\"id\":\"{MARK}-1\",\"title\":\"T\",\"status\":\"open\"}}\n");
    let markdown = format!("---\nname: x\ndescription: {MARK}\n---\n{MARK}\n");
    let agent =
        format!("{{\"id\":\"x\",\"role\":\"crew\",\"rig\":\"{MARK}\",\"hookId\":\"h\",\"status\":\"idle\"}}");
    vec![
        row(".beads/issues.jsonl", bead, |engine| {
            let tracker = bc_beads::open(&engine.ctx.project.root, &nothing_installed());
            format!("{:?}", tracker.and_then(|tracker| tracker.list(&ListFilter::board())))
        }),
        row(
            ".beads/metadata.json",
            format!("{{\"project_id\":\"x\",\"dolt_database\":\"{MARK}\"}}"),
            |engine| bc_beads::id_prefix(&engine.ctx.project.beads_dir),
        ),
        row(".beads/config.yaml", format!("issue_prefix: {MARK}\n"), |engine| {
            bc_beads::id_prefix(&engine.ctx.project.beads_dir)
        }),
        row(".beads/redirect", format!("../{MARK}/.beads\n"), |engine| {
            let target = engine.ctx.project.root.join(MARK).join(".beads");
            fs::create_dir_all(&target).unwrap();
            bc_store::file::create(&target.join("issues.jsonl"), b"").unwrap();
            format!("{:?}", bc_beads::locate(&engine.ctx.project.root, &nothing_installed()))
        }),
        row(".beads/memories.jsonl", "", |engine| {
            format!("{:?}", engine.memory_get(MemoryGetParams { key: "known".into(), used: false }))
        }),
        row("MEMORY.md", format!("- {MARK} is a point\n"), |engine| {
            let params = MemoryImportParams { preview: true, ..MemoryImportParams::default() };
            format!("{:?}", engine.memory_import(params))
        }),
        row(".claude/agents/x.md", &markdown, |engine| {
            format!("{:?}", bc_claude::agents::list(&engine.ctx.project.root, None))
        }),
        row(".claude/commands/x.md", &markdown, |engine| {
            format!("{:?}", bc_claude::commands::list(&engine.ctx.project.root, None))
        }),
        row(".claude/skills/x/SKILL.md", &markdown, |engine| {
            format!("{:?}", bc_claude::commands::list(&engine.ctx.project.root, None))
        }),
        row(".claude/settings.json", format!("{{\"disableAllHooks\":true,\"x\":\"{MARK}\"}}"), |engine| {
            let off = bc_claude::probe::hooks_off(None, &engine.ctx.project.root);
            off.map(|_| MARK.to_owned()).unwrap_or_default()
        }),
        row("AGENTS.md", format!("# {MARK}\n"), |engine| {
            let plan = engine.agent_files_preview(AgentFilesPreviewParams::default()).unwrap();
            let file = plan.files.iter().find(|file| file.path == "AGENTS.md").unwrap();
            match &file.problem {
                Some(problem) => problem.clone(),
                None => file.diff.clone(),
            }
        }),
        row(
            ".beads/hooks.json",
            format!(
                "{{\"version\":1,\"hooks\":{{\"sessionStart\":[{{\"type\":\"command\",\"bash\":\"echo {MARK}\"}}]}}}}"
            ),
            |engine| {
                let root = engine.ctx.project.root.clone();
                let places = bc_hooks::Places { config: None, boundary: root.clone(), root };
                let seen = bc_hooks::inspect(&places).0;
                seen.into_iter()
                    .filter_map(|seen| Some(format!("{:?}", String::from_utf8_lossy(&seen.file?.bytes))))
                    .collect()
            },
        ),
        row(".chipset/state/agents/x.json", agent, |engine| {
            let state = bc_fleet::State::at(engine.ctx.project.root.join(".chipset/state"), now);
            format!("{:?} {:?}", state.agent(&"x".parse().unwrap()), state.agents(None, None))
        }),
        row(".chipset/state/events/system.jsonl", format!("{{\"{MARK}\":1}}\n"), |engine| {
            let state = bc_fleet::State::at(engine.ctx.project.root.join(".chipset/state"), now);
            let events = state.events(None);
            // The warning about unknown lines counts this line only if it was read.
            let read = state.take_warnings().iter().any(|warning| warning.starts_with("1 lines"));
            if read { MARK.to_owned() } else { format!("{events:?}") }
        }),
        row(
            ".beads/sessions/00000000-0000-0000-0000-000000000007/messages.jsonl",
            format!(
                "{{\"id\":\"m\",\"role\":\"user\",\"content\":\"{MARK}\",\"timestamp\":\"2026-01-01T00:00:00Z\"}}\n"
            ),
            |engine| {
                let session = engine.ctx.store.session(SessionId(Uuid::from_u128(SESSION)));
                let mut followed = bc_store::session::TimelineRecords::default();
                let (whole, follow) = (session.transcript(), session.read_new_records(&mut followed));
                format!("{whole:?} {follow:?} {followed:?} {:?}", session.latest_message())
            },
        ),
        row(".beads/sessions/00000000-0000-0000-0000-000000000007/meta.json", "", |engine| {
            format!("{:?}", engine.ctx.store.list())
        }),
    ]
}

type Attack = fn(&Path, &Path);

/// The attacks. Each gets the path of the file to replace, and the path of a file outside the repository with valid
/// content.
const ATTACKS: [(&str, Attack); 5] = [
    ("a link to a device", |file, _| symlink("/dev/zero", file).unwrap()),
    ("a named pipe", |file, _| mknodat(CWD, file, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap()),
    ("a link out of the repository", |file, outside| symlink(outside, file).unwrap()),
    ("a giant", |file, outside| {
        fs::copy(outside, file).unwrap();
        // A sparse file takes up no disk space.
        fs::File::options().append(true).open(file).unwrap().set_len(1 << 42).unwrap();
    }),
    ("a folder", |file, _| fs::create_dir(file).unwrap()),
];

/// Places a row's file in a new project, with its valid content or with an attack.
fn placed(row: &Row, attack: Option<Attack>) -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.draft(SESSION, 1);
    let root = &fixture.ctx.project.root;
    let outside =
        root.parent().unwrap().join(format!("{}-outside", root.file_name().unwrap().to_string_lossy()));
    let file = root.join(row.file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let content = match row.content.as_str() {
        // The program itself writes this file.
        "" if row.file.ends_with("memories.jsonl") => {
            let memory = MemorySaveParams {
                key: Some("known".into()),
                content: MARK.into(),
                ..MemorySaveParams::default()
            };
            fixture.engine.memory_save(memory).unwrap();
            fs::read_to_string(&file).unwrap()
        }
        "" => fs::read_to_string(&file).unwrap().replacen('{', &format!("{{\"title\":\"{MARK}\","), 1),
        content => content.to_owned(),
    };
    bc_store::file::replace(&outside, content.as_bytes()).unwrap();
    drop(fs::remove_file(&file));
    match attack {
        Some(attack) => attack(&file, &outside),
        None => drop(fs::copy(&outside, &file).unwrap()),
    }
    (fixture, outside)
}

#[test]
fn a_replaced_file_is_not_read() {
    for row in rows() {
        let (fixture, outside) = placed(&row, None);
        let output = (row.output)(&fixture.engine);
        assert!(output.contains(MARK), "{} is not read: {output}", row.file);
        fs::remove_file(outside).unwrap();
        for (name, attack) in ATTACKS {
            let (fixture, outside) = placed(&row, Some(attack));
            // Only the head of an agent prompt or command file is read, so a giant file still shows its own
            // content.
            let head_counts =
                name == "a giant" && row.file.starts_with(".claude/") && row.file.ends_with(".md");
            let output = (row.output)(&fixture.engine);
            assert_eq!(output.contains(MARK), head_counts, "{}, {name}: {output}", row.file);
            fs::remove_file(outside).unwrap();
        }
    }
}
