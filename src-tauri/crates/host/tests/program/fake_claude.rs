//! A fake claude: a line editor with bracketed paste, hooks, a transcript and dialogs.
//!
//! A submitted prompt selects the behaviour: `ask TOOL` requests a permission, `slow` works until a key is
//! pressed, `exit N` exits, `/dialog` opens a dialog that no hook reports, `spawn` leaves a process behind,
//! `background` ends its turn with a background task, and `fill` prints 2000 lines. Any other prompt is
//! answered. With `framed`, the fake claude sets claude's title and suggests `a text` in its input box, and
//! the key that ends `slow` stays in the box as a draft.

use std::{
    fs::OpenOptions,
    io::{self, Read, Write},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

pub(crate) fn run() -> ExitCode {
    let behaviour = std::env::var("STAND_IN").unwrap_or_default();
    match behaviour.as_str() {
        "exit" => {
            println!("error: something is wrong with this installation");
            return ExitCode::from(3);
        }
        "trust" => {
            println!("Do you trust the files in this folder?");
            let _ = io::stdin().read(&mut [0; 1]);
            return ExitCode::SUCCESS;
        }
        "ignore_signals" => ignore_signals(),
        _ => {}
    }
    let _raw = bc_process::terminal::raw().expect("the fake claude runs in a terminal");
    let mut claude = FakeClaude::new();
    claude.main_loop()
}

/// Ignores termination signals, as a program that hangs would.
fn ignore_signals() {
    let wanted = [bc_process::signals::HandledSignal::Terminate, bc_process::signals::HandledSignal::HangUp];
    bc_process::signals::watch(&wanted, |_| true).expect("signals can be watched");
    println!("I do not end");
    loop {
        thread::park();
    }
}

struct FakeClaude {
    session: String,
    transcript: PathBuf,
    line: String,
    pasting: bool,
    framed: bool,
    history: Vec<String>,
    count: usize,
    keys: Receiver<Vec<u8>>,
}

impl FakeClaude {
    fn new() -> FakeClaude {
        let (sender, keys) = sync_channel(64);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(n) = io::stdin().read(&mut chunk) {
                if n == 0 || sender.send(chunk[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let var = |name: &str| std::env::var(name).expect("the test sets it");
        FakeClaude {
            session: var("STAND_IN_SESSION"),
            transcript: PathBuf::from(var("STAND_IN_TRANSCRIPT")),
            line: String::new(),
            pasting: false,
            framed: std::env::var("STAND_IN").is_ok_and(|how| how == "framed"),
            history: Vec::new(),
            count: 0,
            keys,
        }
    }

    fn main_loop(&mut self) -> ExitCode {
        let title = if self.framed { "✳ stand-in" } else { "stand-in" };
        put(&format!("\x1b[?2004h\x1b[?1004h\x1b]0;{title}\x07"));
        let answer = self.hook("SessionStart", r#""source":"startup""#);
        self.history.push(format!("context: {}", answer.trim()));
        if let Ok(prompt) = std::env::var("STAND_IN_PROMPT") {
            self.submit(&prompt);
        }
        loop {
            self.draw();
            let Ok(bytes) = self.keys.recv() else { return ExitCode::SUCCESS };
            if let Some(code) = self.typed(&String::from_utf8_lossy(&bytes)) {
                return code;
            }
        }
    }

    fn draw(&self) {
        let mut screen = String::from("\x1b[2J\x1b[H");
        for line in self.history.iter().rev().take(12).rev() {
            screen.push_str(&line.chars().take(70).collect::<String>());
            screen.push_str("\r\n");
        }
        let size = bc_process::terminal::size().unwrap_or_default();
        let rule = "─".repeat(usize::from(size.cols()));
        let lines = self.line.split('\r').count();
        let typed = match lines {
            0..=10 => self.line.replace('\r', "\r\n  "),
            _ => format!("[Pasted text #1 +{} lines]", lines - 1),
        };
        screen.push_str(&format!("{rule}\r\n❯\u{a0}{typed}\x1b7"));
        if self.framed && self.line.is_empty() {
            screen.push_str("\x1b[7ma\x1b[0;2m text\x1b[0m");
        }
        // The cursor stays after the typed text.
        screen.push_str(&format!("\r\n{rule}\x1b8"));
        put(&screen);
    }

    fn typed(&mut self, keys: &str) -> Option<ExitCode> {
        let mut rest = keys;
        while let Some(next) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("\x1b[200~") {
                (self.pasting, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("\x1b[201~") {
                (self.pasting, rest) = (false, after);
            } else {
                rest = &rest[next.len_utf8()..];
                match next {
                    '\r' if !self.pasting => {
                        let line = std::mem::take(&mut self.line);
                        if let Some(code) = self.submit(&line) {
                            return Some(code);
                        }
                    }
                    '\x1b' => {}
                    '\x15' => self.line.clear(),
                    other => self.line.push(other),
                }
            }
        }
        None
    }

    fn submit(&mut self, prompt: &str) -> Option<ExitCode> {
        if prompt == "/dialog" {
            self.dialog();
            return None;
        }
        self.history.push(format!("❯ {prompt}"));
        self.hook("UserPromptSubmit", &format!(r#""prompt":{}"#, json(prompt)));
        self.say("user", prompt);
        let mut words = prompt.split_whitespace();
        match (words.next(), words.next()) {
            (Some("exit"), code) => {
                put("\x1b[2J\x1b[Hgoodbye\r\n");
                self.hook("SessionEnd", r#""reason":"other""#);
                return Some(ExitCode::from(code.and_then(|c| c.parse().ok()).unwrap_or(0)));
            }
            (Some("ask"), tool) => self.ask(tool.unwrap_or("Bash")),
            (Some("slow"), _) => {
                self.history.push("working".to_owned());
                self.draw();
                let key = self.keys.recv().unwrap_or_default();
                if self.framed {
                    self.line.push_str(&String::from_utf8_lossy(&key));
                }
            }
            (Some("spawn"), _) => self.spawn(),
            (Some("fill"), _) => (0..2000).for_each(|n| put(&format!("line {n} of a lot of text\r\n"))),
            _ => {}
        }
        self.say("assistant", &format!("Reply to: {prompt}"));
        self.history.push(format!("Reply to: {prompt}"));
        let background = if prompt == "background" { r#"{"id":"b1"}"# } else { "" };
        self.hook("Stop", &format!(r#""stop_hook_active":false,"background_tasks":[{background}]"#));
        None
    }

    /// A dialog like that of `/model`, which does not show pasted text and treats Enter as its answer.
    fn dialog(&mut self) {
        put("\x1b[2J\x1b[HSelect model\r\n❯ 1. Default\r\n  2. Other");
        while let Ok(keys) = self.keys.recv() {
            if keys.contains(&b'\r') {
                self.history.push("THE DIALOG WAS ANSWERED".to_owned());
                return;
            }
            if keys == b"\x1b" {
                self.history.push("the dialog was closed".to_owned());
                return;
            }
        }
    }

    /// Opens a permission dialog while its hook waits. The first answer wins.
    fn ask(&mut self, tool: &str) {
        self.count += 1;
        let id = format!("tool-{}", self.count);
        let call =
            format!(r#""tool_name":{},"tool_input":{{"n":{}}},"prompt_id":"p""#, json(tool), self.count);
        self.hook("PreToolUse", &format!(r#"{call},"tool_use_id":"{id}""#));
        let mut child = self.start_hook("PermissionRequest", &call);
        let (sender, answered) = sync_channel(1);
        let mut out = child.stdout.take().expect("the output is piped");
        thread::spawn(move || {
            let mut text = String::new();
            let _ = out.read_to_string(&mut text);
            let _ = sender.send(text);
        });
        put("\x1b[2J\x1b[HDo you want to do this?\r\n❯ 1. Yes\r\n  2. No");
        let allowed = loop {
            match answered.recv_timeout(Duration::from_millis(10)) {
                Ok(answer) if answer.contains("allow") => break true,
                Ok(answer) if answer.contains("deny") => break false,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                // The hook makes no decision, so the dialog does.
                Err(RecvTimeoutError::Disconnected) => {}
            }
            match self.keys.try_recv().ok().as_deref() {
                Some(b"1") => break true,
                Some(b"2" | b"\r") => break false,
                _ => {}
            }
        };
        self.history.push(format!("{tool} was {}", if allowed { "allowed" } else { "refused" }));
        if allowed {
            self.hook("PostToolUse", &format!(r#"{call},"tool_use_id":"{id}","tool_response":"ok""#));
        }
        let _ = child.wait();
    }

    #[allow(clippy::disallowed_methods, reason = "the fake claude spawns as claude does")]
    #[allow(clippy::zombie_processes, reason = "the tests need a process that is left behind")]
    fn spawn(&self) {
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", "trap '' HUP; sleep 1000"]).stdin(Stdio::null()).stdout(Stdio::null());
        command.spawn().expect("sleep can be started");
    }

    fn hook(&self, event: &str, fields: &str) -> String {
        let out = self.start_hook(event, fields).wait_with_output().expect("the hook ends");
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    #[allow(clippy::disallowed_methods, reason = "the fake claude spawns as claude does")]
    fn start_hook(&self, event: &str, fields: &str) -> std::process::Child {
        let exe = std::env::current_exe().expect("a running program has a path");
        let mut command = Command::new(exe);
        let mut child = command
            .args(["hook", event, "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the hook can be started");
        let input = format!(
            r#"{{"session_id":"{}","transcript_path":{},"hook_event_name":"{event}",{fields}}}"#,
            self.session,
            json(&self.transcript.display().to_string())
        );
        child.stdin.take().expect("the input is piped").write_all(input.as_bytes()).expect("the hook reads");
        child
    }

    /// Writes a transcript line as claude would.
    fn say(&mut self, role: &str, text: &str) {
        self.count += 1;
        let id = format!("{}-{}-{}", self.session, std::process::id(), self.count);
        let message = match role {
            "user" => format!(r#"{{"role":"user","content":{}}}"#, json(text)),
            _ => format!(
                r#"{{"id":"msg-{id}","role":"assistant","model":"m","content":[{{"type":"text","text":{}}}],"usage":{{"input_tokens":10,"output_tokens":5}}}}"#,
                json(text)
            ),
        };
        let line = format!(
            "{{\"type\":\"{role}\",\"uuid\":\"u-{id}\",\"timestamp\":\"2026-01-19T10:00:00Z\",\"isSidechain\":false,\"message\":{message}}}\n"
        );
        let file = OpenOptions::new().create(true).append(true).open(&self.transcript);
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the transcript can be written");
    }
}

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

fn put(text: &str) {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).expect("the terminal is open");
}
