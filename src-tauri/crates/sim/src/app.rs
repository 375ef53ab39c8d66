//! The screen's thread. It handles keys, draws frames, and ends the program gracefully.

use crate::{
    agent::{Decision, Note, Order},
    args::Options,
    events::{self, Event},
    input_box::InputBox,
    keys::{Decoder, Key},
    shared::Shared,
    view::{self, Below, Frame, Log},
};
use bc_core::mode::PermissionMode;
use bc_process::{signals::HandledSignal, size::Size, terminal};
use serde_json::json;
use std::{
    collections::VecDeque,
    io::{self, Write},
    process::ExitCode,
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    time::{Duration, Instant},
};

/// The time that a running turn gets to stop when the program ends.
const GRACE: Duration = Duration::from_millis(400);

enum Dialog {
    Permission {
        question: String,
        answer: SyncSender<Decision>,
    },
    /// The dialog of `/model`, which no hook reports.
    Model,
}

/// Why the program ends: the reason for the SessionEnd hooks, in claude's words, and the exit code.
struct End {
    reason: &'static str,
    code: u8,
}

/// The user has ended the program.
const EXIT: End = End { reason: "prompt_input_exit", code: 0 };

struct App {
    shared: Arc<Shared>,
    orders: SyncSender<Order>,
    log: Log,
    growing: String,
    input_box: InputBox,
    dialog: Option<Dialog>,
    waiting: VecDeque<String>,
    ready: bool,
    busy: bool,
    leaving: bool,
    size: Size,
}

/// Runs the agent until a key or a signal ends the program, or its terminal is closed.
pub(crate) fn run(options: Options) -> ExitCode {
    run_in_terminal(options).unwrap_or_else(|error| {
        eprintln!("Error: {error}");
        ExitCode::FAILURE
    })
}

fn run_in_terminal(options: Options) -> Result<ExitCode, String> {
    let shared = Arc::new(Shared::begin(&options).map_err(|error| error.to_string())?);
    let raw = terminal::raw().map_err(|error| format!("the simulated agent needs a terminal: {error}"))?;
    let (sender, events) = sync_channel(1024);
    events::listen(&sender).map_err(|error| format!("signals cannot be watched: {error}"))?;
    let orders = events::begin_agent(&shared, &sender);
    let mut app = App {
        shared,
        orders,
        log: Log::default(),
        growing: String::new(),
        input_box: InputBox::default(),
        dialog: None,
        waiting: options.prompt.into_iter().collect(),
        ready: false,
        busy: false,
        leaving: false,
        size: terminal::size().unwrap_or_default(),
    };
    if let Some(text) = &options.system_prompt {
        app.log.add(&format!("({} characters were added to the system prompt)", text.chars().count()));
    }
    put(view::ENTER);
    let end = app.live(&events);
    app.end(&end, &events);
    put(view::LEAVE);
    drop(raw);
    println!("{}. Conversation {}.", view::BANNER, app.shared.current().id);
    Ok(ExitCode::from(end.code))
}

/// Writes to the terminal. Errors are ignored: a signal reports the loss of the terminal.
fn put(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

impl App {
    fn live(&mut self, events: &Receiver<Event>) -> End {
        let mut decoder = Decoder::default();
        self.draw();
        // `recv` does not fail: the senders are in threads that never exit before this thread.
        while let Ok(event) = events.recv() {
            match event {
                Event::Keys { bytes, more } => {
                    for key in decoder.feed(&bytes, more) {
                        if let Some(end) = self.key(key) {
                            return end;
                        }
                    }
                }
                Event::InputEnded => return End { reason: "other", code: 129 },
                Event::Signal(HandledSignal::Resized) => self.size = terminal::size().unwrap_or(self.size),
                Event::Signal(HandledSignal::Terminate) => return End { reason: "other", code: 143 },
                Event::Signal(_) => return End { reason: "other", code: 129 },
                Event::Agent(note) => self.note(note),
            }
            self.draw();
        }
        End { reason: "other", code: 1 }
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Ready => self.ready = true,
            Note::Begins(prompt) => self.log.add(&format!("> {prompt}")),
            Note::Says(text) => self.log.add(&text),
            Note::Word(word) => self.growing.push_str(&word),
            Note::WordsEnd => {
                let text = std::mem::take(&mut self.growing);
                self.log.add(&format!("● {text}"));
            }
            Note::Asks { question, answer } => self.dialog = Some(Dialog::Permission { question, answer }),
            Note::Answered => self.dialog = None,
            Note::Ends => self.busy = false,
            Note::Cleared => self.log.clear(),
        }
        self.next_prompt();
    }

    fn next_prompt(&mut self) {
        if self.ready
            && !self.busy
            && let Some(prompt) = self.waiting.pop_front()
        {
            self.busy = true;
            // Reset before the turn starts, because any later Esc is meant for this prompt.
            self.shared.interrupt.reset();
            self.order(Order::Prompt(prompt));
        }
    }

    fn order(&self, order: Order) {
        // An error is ignored: the agent's thread has ended, or 16 orders are already waiting.
        let _ = self.orders.try_send(order);
    }

    fn key(&mut self, key: Key) -> Option<End> {
        if self.dialog.is_some() {
            self.answer(&key);
            return None;
        }
        let leaving = std::mem::take(&mut self.leaving);
        match key {
            Key::Text(text) => self.input_box.insert(&text),
            Key::Paste(text) => self.input_box.paste(&text),
            Key::Newline => self.input_box.insert("\n"),
            Key::Backspace => self.input_box.backspace(),
            Key::Enter => return self.enter(),
            Key::BackTab => self.shared.next_mode(),
            Key::Escape if self.busy => self.shared.interrupt.request(),
            Key::Ctrl('c') if self.busy => self.shared.interrupt.request(),
            Key::Ctrl('d') if self.input_box.is_empty() => return Some(EXIT),
            Key::Ctrl('c') if self.input_box.is_empty() && leaving => return Some(EXIT),
            Key::Ctrl('c') => {
                self.leaving = self.input_box.is_empty();
                self.input_box.clear();
            }
            Key::Ctrl('u') => self.input_box.clear(),
            Key::Escape | Key::Ctrl(_) => {}
        }
        None
    }

    fn enter(&mut self) -> Option<End> {
        let text = self.input_box.take();
        match text.trim() {
            "" => {}
            "/exit" | "/quit" => return Some(EXIT),
            "/clear" => {
                self.ready = false;
                self.order(Order::Clear);
            }
            "/model" => self.dialog = Some(Dialog::Model),
            command if command.starts_with('/') => self.log.add(&format!("Unknown command: {command}")),
            line if line.starts_with('!') => {
                self.log
                    .add("Claude Code would run this line as a shell command; the simulated agent does not.");
            }
            text => {
                self.waiting.push_back(text.to_owned());
                self.next_prompt();
            }
        }
        None
    }

    fn answer(&mut self, key: &Key) {
        let yes =
            *key == Key::Enter || *key == Key::Text("1".to_owned()) || *key == Key::Text("y".to_owned());
        let no =
            *key == Key::Escape || *key == Key::Text("2".to_owned()) || *key == Key::Text("n".to_owned());
        match &self.dialog {
            Some(Dialog::Permission { answer, .. }) if yes || no => {
                // An error is ignored: it means that a hook answered first.
                let _ = answer.try_send(if yes { Decision::Allow } else { Decision::Reject });
                self.dialog = None;
            }
            Some(Dialog::Model) if yes || no => {
                self.dialog = None;
                self.log.add("There is one simulated model.");
            }
            _ => {}
        }
    }

    fn draw(&self) {
        let shown = self.input_box.shown();
        let below = match &self.dialog {
            None => Below::Input(&shown),
            Some(Dialog::Permission { question, .. }) => {
                Below::Dialog { question, answers: &["Yes", "No, and tell it what to do (esc)"] }
            }
            Some(Dialog::Model) => {
                Below::Dialog { question: "Select model", answers: &["Simulated", "Simulated too"] }
            }
        };
        let state = match (self.ready, self.busy) {
            (false, _) => "starting",
            (true, true) => "working, esc to interrupt",
            (true, false) => "/clear · /exit",
        };
        let leave = if self.leaving { " · ctrl+c again to leave" } else { "" };
        let mode = match self.shared.mode() {
            PermissionMode::Manual => "manual mode",
            PermissionMode::AcceptEdits => "accept edits",
            PermissionMode::Plan => "plan mode",
            PermissionMode::Auto => "auto mode",
            PermissionMode::BypassPermissions => "bypass permissions",
        };
        let footer = format!("{mode} on · {state}{leave}");
        let frame = Frame {
            size: self.size,
            log: &self.log,
            growing: &self.growing,
            below,
            footer: &footer,
            busy: self.busy,
        };
        put(&view::draw(&frame));
    }

    /// Interrupts the turn, waits at most [`GRACE`] for it to end, and then runs the SessionEnd hooks.
    fn end(&mut self, end: &End, events: &Receiver<Event>) {
        self.waiting.clear();
        self.shared.interrupt.request();
        if let Some(Dialog::Permission { answer, .. }) = self.dialog.take() {
            let _ = answer.try_send(Decision::Reject);
        }
        let until = Instant::now() + GRACE;
        while self.busy && Instant::now() < until {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Event::Agent(Note::Asks { answer, .. })) => {
                    let _ = answer.try_send(Decision::Reject);
                }
                Ok(Event::Agent(note)) => self.note(note),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        self.shared.fire("SessionEnd", end.reason, None, json!({"reason": end.reason}));
    }
}
