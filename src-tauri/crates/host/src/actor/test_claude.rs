//! Claude without a process: a terminal that shows the test's output and records what is written to claude.

use super::{
    claude_state::ClaudeState,
    terminal::{ProgramInput, Terminal},
};
use crate::prompt_state::{Fact, Source};
use bc_process::size::Size;
use std::sync::{Arc, Mutex};

/// The bytes that were written to the program.
#[derive(Clone, Default)]
pub(super) struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    pub(super) fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
    }
}

impl ProgramInput for Written {
    fn write(&self, bytes: &[u8]) -> bool {
        self.0.lock().unwrap().extend_from_slice(bytes);
        true
    }
}

/// An empty terminal.
pub(super) fn terminal() -> (Terminal, Written) {
    let written = Written::default();
    (Terminal::without_program(Size::new(24, 80), Box::new(written.clone())), written)
}

/// Claude at its prompt, with an empty input box on the screen.
pub(super) fn claude() -> (ClaudeState, Written) {
    let (terminal, written) = terminal();
    let mut claude = ClaudeState::new(terminal, false);
    claude.prompt.apply(Fact::SessionStarted(Source::Started));
    claude.terminal.print("\x1b[?2004h");
    show_box(&claude, "");
    (claude, written)
}

/// Draws the input box with this content, the cursor after it, and a mode below the box.
pub(super) fn show_box(claude: &ClaudeState, content: &str) {
    let rule = "─".repeat(80);
    let below = "  ⏸ manual mode on";
    let column = 3 + content.chars().count();
    let box_lines = format!("{rule}\r\n❯\u{a0}{content}\r\n{rule}\r\n{below}");
    claude.terminal.print(&format!("\x1b]0;✳ Claude\x07\x1b[2J\x1b[H{box_lines}\x1b[2;{column}H"));
}

/// A dialog in place of the box.
pub(super) const DIALOG: &str =
    "\x1b[2J\x1b[HDo you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n Esc to cancel";

/// Draws a dialog in place of the box.
pub(super) fn show_dialog(claude: &ClaudeState) {
    claude.terminal.print(DIALOG);
}

/// The launch specification of a session without hooks and beads.
pub(super) fn spec() -> crate::spec::LaunchSpec {
    serde_json::from_value(serde_json::json!({
        "version": crate::spec::SPEC_VERSION,
        "session": uuid::Uuid::nil(),
        "beads_dir": "/project/.beads",
        "project_root": "/project",
        "cwd": "/project",
        "program": "/bin/claude",
        "args": [],
        "env": [],
        "size": Size::new(24, 80),
        "socket": "/run/socket",
        "conversation": uuid::Uuid::nil(),
        "resumes": false,
        "opening_prompt": false,
        "context": [],
    }))
    .unwrap()
}
