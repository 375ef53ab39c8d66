//! Test doubles: a project with prepared answers, a user with prepared input, and sample data.

use crate::{
    commands::{self, Context, Next},
    io::Io,
    output::Style,
    usage,
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadComment, BeadDetail, BeadLink, BeadStatus, LinkDirection},
    message::Message,
    session::Meta,
};
use bc_wire::{
    ApiError, ErrorCode,
    api::Remote,
    bead::BeadShown,
    session::{Live, SessionState, SessionView},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{
    cell::RefCell,
    collections::HashMap,
    io::{self, Write},
};

/// No colours, no width, times in UTC.
pub(crate) const PLAIN: Style = Style { colour: false, width: None, zone: chrono::FixedOffset::east_opt(0) };

/// A project with prepared answers.
#[derive(Default)]
pub(crate) struct FakeProject {
    answers: HashMap<&'static str, Value>,
    refusals: HashMap<&'static str, (&'static str, ApiError)>,
}

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) calls: Vec<(&'static str, Value)>,
    pub(crate) next: Option<Next>,
    pub(crate) edited: Option<String>,
}

impl FakeProject {
    pub(crate) fn new() -> Self {
        FakeProject::default()
    }

    /// Sets the answer to every call of the method.
    pub(crate) fn answers(mut self, method: &'static str, answer: impl Serialize) -> Self {
        self.answers.insert(method, serde_json::to_value(answer).unwrap());
        self
    }

    /// Makes the method fail unless the parameter `flag` is true.
    pub(crate) fn refuses_unless(
        mut self,
        method: &'static str,
        flag: &'static str,
        error: ApiError,
    ) -> Self {
        self.refusals.insert(method, (flag, error));
        self
    }

    /// Runs a command line, given without the program's name.
    pub(crate) fn run(&self, line: &[&str], mut user: FakeUser) -> Ran {
        let calls = RefCell::new(Vec::new());
        let api = Remote(|method: &str, params: Value| {
            let known = bc_wire::api::METHODS.iter().find(|known| **known == method).copied();
            calls
                .borrow_mut()
                .push((known.expect("commands call only methods of the contract"), params.clone()));
            match self.refusals.get(method) {
                Some((flag, error)) if params[*flag] != true => return Err(error.clone()),
                _ => {}
            }
            self.answers.get(method).cloned().ok_or_else(|| ApiError::new(ErrorCode::Internal, "unexpected"))
        });
        let words: Vec<_> =
            std::iter::once("beads-console").chain(line.iter().copied()).map(Into::into).collect();
        let mut next = None;
        let code = match usage::parse(&words, &mut user) {
            Err(code) => code,
            Ok(args) => {
                let json = args.json;
                let ran = commands::run(args.command, &mut Context { api: &api, io: &mut user, json });
                usage::conclude(ran.map(|what| next = Some(what)), json, &mut user)
            }
        };
        let FakeUser { out, err, edited, .. } = user;
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code, out: text(out), err: text(err), calls: calls.into_inner(), next, edited }
    }
}

/// The user at the terminal, if any.
#[derive(Default)]
pub(crate) struct FakeUser {
    at_terminal: bool,
    agent: bool,
    input: String,
    leaves: String,
    edited: Option<String>,
    out: Vec<u8>,
    err: Vec<u8>,
}

impl FakeUser {
    /// No terminal, and empty standard input.
    pub(crate) fn away() -> Self {
        FakeUser::default()
    }

    /// The command runs in claude's Bash tool.
    pub(crate) fn agent() -> Self {
        FakeUser { agent: true, ..FakeUser::default() }
    }

    /// No terminal, but standard input with this content.
    pub(crate) fn types(input: &str) -> Self {
        FakeUser { input: input.into(), ..FakeUser::default() }
    }

    /// A user who gives this answer to a question.
    pub(crate) fn says(answer: &str) -> Self {
        FakeUser { at_terminal: true, input: answer.into(), ..FakeUser::default() }
    }

    /// The text that commands have printed to standard output so far.
    pub(crate) fn printed(&self) -> String {
        String::from_utf8(self.out.clone()).unwrap()
    }

    /// A user who saves this text in the editor.
    pub(crate) fn edits(leaves: &str) -> Self {
        FakeUser { at_terminal: true, leaves: leaves.into(), ..FakeUser::default() }
    }
}

impl Io for FakeUser {
    fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    fn err(&mut self) -> &mut dyn Write {
        &mut self.err
    }

    fn style(&self) -> Style {
        Style { width: self.at_terminal.then_some(80), ..PLAIN }
    }

    fn can_ask(&self) -> bool {
        self.at_terminal
    }

    fn by_agent(&self) -> bool {
        self.agent
    }

    fn ask(&mut self, question: &str) -> io::Result<bool> {
        self.err.extend_from_slice(question.as_bytes());
        Ok(self.input.starts_with('y'))
    }

    fn read_text(&mut self) -> Result<String, ApiError> {
        Ok(self.input.clone())
    }

    fn edit(&mut self, text: &str) -> Result<String, ApiError> {
        self.edited = Some(text.to_owned());
        Ok(self.leaves.clone())
    }

    fn terminal(&self) -> Option<(u16, u16)> {
        self.at_terminal.then_some((80, 24))
    }
}

fn from<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn timestamp() -> Timestamp {
    Timestamp::parse_from_rfc3339("2026-01-19T10:00:00-06:00").unwrap()
}

/// An open, ready bead.
pub(crate) fn bead(id: &str, title: &str) -> Bead {
    from(json!({
        "id": id, "title": title, "status": "open", "priority": 2, "issue_type": "task", "ready": true,
    }))
}

/// A bead with this id, with text, links and a comment.
pub(crate) fn bead_detail(id: &str) -> BeadDetail {
    let link = |id: &str, title: &str, status: Option<&str>, kind: &str, direction| BeadLink {
        id: id.parse().unwrap(),
        title: title.into(),
        status: status.map(|word| BeadStatus::from(word.to_owned())),
        issue_type: None,
        kind: kind.into(),
        direction,
    };
    BeadDetail {
        bead: bead(id, "Implement login"),
        description: "First line.\n\n\u{1b}[31mred is only text.\n".into(),
        design: String::new(),
        acceptance_criteria: "It works.".into(),
        notes: String::new(),
        close_reason: None,
        external_ref: None,
        created_by: None,
        links: vec![
            link("BC-000", "Accounts", Some("open"), "parent-child", LinkDirection::DependsOn),
            link("BC-007", "Sign-up", None, "blocks", LinkDirection::DependedOnBy),
        ],
        comments: vec![BeadComment {
            id: "1".into(),
            author: "alice".into(),
            text: "Mind the cookies.".into(),
            created_at: Some(timestamp()),
        }],
    }
}

/// The result of a change to a bead.
pub(crate) fn bead_shown(id: &str) -> BeadShown {
    BeadShown { bead: bead_detail(id), sessions: Vec::new() }
}

/// An active session with an id that starts with this number in hexadecimal.
pub(crate) fn session(number: u32) -> SessionView {
    let meta: Meta = from(json!({
        "id": format!("{number:08x}-0000-4000-8000-000000000000"), "project_id": "p", "bead_id": "BC-001",
        "status": "active", "created_at": timestamp(), "started_at": timestamp(), "title": "Implement login",
        "files_touched": ["src/login.rs"], "commits": ["0123456789abcdef"], "total_tokens": 12_345,
        "branch": "feat/BC-001-implement-login", "cwd": "/home/alice/app", "worktree": number == 1,
    }));
    SessionView {
        meta: Meta { message_count: 7, ..meta },
        duration_ms: 45 * 60_000,
        state: SessionState::Active,
        live: None,
    }
}

/// A live session in which claude requests a permission, with a queued and an unconfirmed prompt.
pub(crate) fn live_asking() -> Live {
    from(json!({
        "host_pid": 10, "agent_pid": 11, "activity": "waiting_permission", "hooks_seen": true,
        "permissions": [{"id": "req-1", "tool": "Bash", "input": {"command": "git push"}, "asked_at": timestamp()}],
        "held": [
            {"id": "h-1", "text": "also fix the tests", "at": timestamp()},
            {"id": "h-2", "text": "and then?", "at": timestamp(), "state": "unconfirmed"},
        ],
        "hold": "claude asks for permission", "activity_since": timestamp(),
    }))
}

/// A prompt, and a reply that called three tools.
pub(crate) fn messages() -> Vec<Message> {
    from(json!([
        {"id": "u1", "role": "user", "content": "Work on BC-001.", "timestamp": timestamp()},
        {
            "id": "m1", "role": "assistant", "content": "I look at the tests.\n\nThen I fix them.",
            "timestamp": timestamp(), "tokens": 1234, "tool_calls": [
                {"tool": "Bash", "input": {"command": "cargo test -q"}, "output": "ok", "duration_ms": 1234},
                {
                    "tool": "Edit", "input": {"file_path": "src/login.rs"}, "output": "no such file\u{1b}[2J",
                    "duration_ms": 30, "is_error": true,
                },
                {"tool": "Task", "input": {"goal": "x"}},
            ],
        },
    ]))
}
