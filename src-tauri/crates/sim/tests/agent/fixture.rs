//! A project with claude's configuration for one test, and the agent that runs in the project.

use bc_process::{
    pty::{self, Exit, Pty, PtyCommand, PtyWriter},
    screen::Screen,
    size::Size,
};
use serde_json::Value;
use std::{
    ffi::OsString,
    fs,
    io::{Read, Write},
    path::PathBuf,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

pub(crate) const ID: &str = "0daaf6e6-ef3d-4e67-a465-c1bcbce782fa";
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// A folder with a project and claude's configuration, and hooks that store their input.
pub(crate) struct Fixture {
    dir: tempfile::TempDir,
}

/// A running agent.
pub(crate) struct Running {
    pub(crate) screen: Arc<Mutex<Screen>>,
    writer: PtyWriter,
    pub(crate) pty: Pty,
    pub(crate) exit: Receiver<Exit>,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        let fixture = Fixture { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(fixture.project()).unwrap();
        fixture
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("my project")
    }

    /// Settings whose hooks append the input of every event to `hooks.jsonl`. The hook of the given event
    /// then also runs `more`.
    pub(crate) fn settings(&self, event: &str, more: &str) -> String {
        let log = self.dir.path().join("hooks.jsonl");
        let note = format!("tee -a '{}' >/dev/null; echo >> '{}'", log.display(), log.display());
        let all = [
            "SessionStart",
            "UserPromptSubmit",
            "MessageDisplay",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
            "PostToolUseFailure",
            "Stop",
            "SessionEnd",
        ];
        let hooks: serde_json::Map<String, Value> = all
            .iter()
            .map(|name| {
                let command = if *name == event { format!("{note}; {more}") } else { note.clone() };
                let entry = serde_json::json!([{"hooks": [{"type": "command", "command": command}]}]);
                ((*name).to_owned(), entry)
            })
            .collect();
        serde_json::json!({ "hooks": hooks }).to_string()
    }

    pub(crate) fn start(&self, args: &[&str]) -> Running {
        let set = |key: &str, value: PathBuf| (OsString::from(key), Some(value.into_os_string()));
        let started = pty::start(&PtyCommand {
            program: env!("CARGO_BIN_EXE_beads-console-sim").into(),
            args: args.iter().map(OsString::from).collect(),
            cwd: self.project(),
            env: vec![
                set("CLAUDE_CONFIG_DIR", self.dir.path().join("config")),
                set("HOME", self.dir.path().into()),
            ],
            size: Size::new(24, 100),
        })
        .unwrap();
        let screen = Arc::new(Mutex::new(Screen::new(Size::new(24, 100))));
        let (reader_screen, mut reader) = (Arc::clone(&screen), started.reader);
        thread::spawn(move || {
            let mut chunk = [0u8; 4096];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                reader_screen.lock().unwrap().feed(&chunk[..n]);
            }
        });
        let (sender, exit) = sync_channel(1);
        let child = started.child;
        thread::spawn(move || sender.send(child.wait().unwrap()));
        Running { screen, writer: started.writer, pty: started.pty, exit }
    }

    pub(crate) fn begin(&self, settings: &str, more: &[&str]) -> Running {
        let mut args = vec!["--session-id", ID, "--settings", settings];
        args.extend(more);
        let running = self.start(&args);
        running.wait_for("/clear · /exit");
        running
    }

    pub(crate) fn transcripts(&self) -> Vec<PathBuf> {
        let projects = self.dir.path().join("config/projects");
        let folders = fs::read_dir(projects).into_iter().flatten().map(|folder| folder.unwrap().path());
        folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|file| file.unwrap().path())).collect()
    }

    pub(crate) fn transcript(&self) -> Vec<Value> {
        let text = self.transcripts().first().map(|path| fs::read_to_string(path).unwrap());
        text.unwrap_or_default().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn hooks(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.dir.path().join("hooks.jsonl")).unwrap_or_default();
        text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn hook_names(&self) -> Vec<String> {
        self.hooks().iter().map(|hook| hook["hook_event_name"].as_str().unwrap().to_owned()).collect()
    }
}

impl Running {
    pub(crate) fn text(&self) -> String {
        // Like claude, the agent draws a no-break space after its marker.
        self.screen.lock().unwrap().text().replace('\u{a0}', " ")
    }

    pub(crate) fn wait_until(&self, what: &str, done: impl Fn() -> bool) {
        let deadline = Instant::now() + DEADLINE;
        while !done() {
            assert!(Instant::now() < deadline, "timed out waiting for {what}; the screen:\n{}", self.text());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, || self.text().contains(text));
    }

    pub(crate) fn keys(&mut self, bytes: &str) {
        self.writer.write_all(bytes.as_bytes()).unwrap();
    }

    /// Sends a prompt as the host does: a paste, the wait for its echo, then Enter.
    pub(crate) fn send(&mut self, text: &str) {
        self.keys(&format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r")));
        let first: String = text.lines().next().unwrap().chars().take(20).collect();
        self.wait_for(&format!("❯ {first}"));
        self.keys("\r");
    }

    /// Closes both ends of the terminal.
    pub(crate) fn close(self) -> Receiver<Exit> {
        drop(self.writer);
        self.pty.hang_up();
        self.exit
    }

    pub(crate) fn ended(self) -> Exit {
        self.exit.recv_timeout(DEADLINE).unwrap()
    }
}
