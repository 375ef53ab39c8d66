//! A sandbox with the scripted API and a relay. The relay is a shell script that stores the input of every
//! hook and answers from a file.

use bc_claude::{
    argv::{Conversation, Launch},
    hooks::{Answer, Event, EventName, Hook},
    paths::{Env, Places},
    settings::{Relay, settings},
    transcript::{Change, Decoder, Follower},
    version::Version,
};
use bc_core::{ids::ConversationId, message::Message, mode::PermissionMode, session::TokenSplit};
use bc_process::{
    descendants::Signal,
    pty::{self, PtyChild, PtyCommand, PtyWriter, Started},
    screen::Screen,
    size::Size,
};
use bc_testkit::{Sandbox, ScriptedApi, need_claude, wait_for, wait_until};
use serde_json::Value;
use std::{
    collections::HashSet,
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// A time limit for a busy machine. Only a failing test waits this long.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// The relay script. Its second and third arguments are the event's name and the hook's index.
const RELAY: &str = r#"mkdir -p "$BC_HOOKS"
n=$(date +%s%N)-$$
cat > "$BC_HOOKS/.$n"
mv "$BC_HOOKS/.$n" "$BC_HOOKS/$n.$2.json"
if [ "$2" = StatusLine ]; then :; elif [ -f "$BC_HOOKS/answer.$2.$3" ]; then cat "$BC_HOOKS/answer.$2.$3"; else echo '{}'; fi"#;

/// The environment of one test.
pub(crate) struct Lab {
    pub(crate) sandbox: Sandbox,
    pub(crate) api: ScriptedApi,
    claude: PathBuf,
    relay: PathBuf,
    /// The hook files that were already awaited or skipped. A set is necessary because a file with an early
    /// time in its name may appear late.
    seen: Arc<Mutex<HashSet<PathBuf>>>,
}

/// A running claude.
pub(crate) struct Running {
    writer: PtyWriter,
    screen: Arc<Mutex<Screen>>,
    pty: pty::Pty,
    child: PtyChild,
}

/// The settings that differ between starts.
#[derive(Default)]
pub(crate) struct StartOptions<'a> {
    pub(crate) resume: bool,
    pub(crate) mode: PermissionMode,
    pub(crate) prompt: Option<&'a str>,
    pub(crate) agent: Option<&'a bc_claude::agents::Agent>,
    pub(crate) pieces: usize,
}

impl Lab {
    /// A lab in a project of this name; `None` if no claude is available for tests.
    pub(crate) fn named(test: &str, project: &str) -> Option<Lab> {
        let claude = need_claude(test)?;
        let mut sandbox = Sandbox::named(project);
        let api = ScriptedApi::start();
        sandbox.use_api(&api.url());
        let hooks = sandbox.root().join("hooks");
        fs::create_dir_all(&hooks).expect("a folder for hooks");
        sandbox.set("BC_HOOKS", hooks);
        let relay = sandbox.script("the relay's \"path\" ü", RELAY);
        Some(Lab { sandbox, api, claude, relay, seen: Arc::default() })
    }

    pub(crate) fn new(test: &str) -> Option<Lab> {
        Lab::named(test, "project")
    }

    /// The environment as this crate's [`Env`].
    pub(crate) fn env(&self) -> Env {
        let mut vars: Vec<_> = self.sandbox.env().iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        vars.push((bc_claude::probe::OVERRIDE.into(), self.claude.clone().into_os_string()));
        vars.into_iter().collect()
    }

    pub(crate) fn places(&self) -> Places {
        Places::of(&self.env()).expect("the sandbox has a home")
    }

    /// Sets the answer of this event's hook.
    #[allow(clippy::disallowed_methods, reason = "the relay script reads this file")]
    pub(crate) fn answer(&self, event: EventName, piece: Option<usize>, answer: &Answer) {
        let piece = piece.map(|n| n.to_string()).unwrap_or_default();
        let path = self.sandbox.root().join(format!("hooks/answer.{}.{piece}", event.as_str()));
        fs::write(path, answer.to_json().to_string()).expect("an answer");
    }

    /// Starts claude in a terminal.
    pub(crate) fn start(&self, id: ConversationId, start: StartOptions<'_>) -> Running {
        let relay = Relay { program: &self.relay, args: &["hook"] };
        let settings = settings(&relay, bc_claude::version::Version::NEWEST, start.pieces, None);
        let launch = Launch {
            conversation: if start.resume { Conversation::Resume(id) } else { Conversation::New(id) },
            mode: start.mode,
            settings: &settings,
            model: None,
            agent: start.agent,
            append_system_prompt: None,
            prompt: start.prompt,
        };
        let mut env: Vec<_> = std::env::vars_os().map(|(key, _)| (key, None)).collect();
        env.extend(self.sandbox.env().iter().map(|(k, v)| (k.clone(), Some(v.clone()))));
        let size = Size::new(40, 120);
        let command = PtyCommand {
            program: self.claude.clone(),
            args: launch.argv(Version::NEWEST),
            cwd: self.sandbox.project().to_owned(),
            env,
            size,
        };
        let Started { pty, mut reader, writer, child } = pty::start(&command).expect("claude starts");
        let screen = Arc::new(Mutex::new(Screen::new(size)));
        let reader_screen = Arc::clone(&screen);
        thread::spawn(move || {
            let mut chunk = [0u8; 16 * 1024];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                reader_screen.lock().expect("no holder panics").feed(&chunk[..n]);
            }
        });
        Running { writer, screen, pty, child }
    }

    /// The files of [`Lab::hooks`].
    fn hook_files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.sandbox.root().join("hooks"))
            .expect("the folder for hooks")
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.extension().is_some_and(|e| e == "json")
                    && !path.to_string_lossy().contains("StatusLine")
            })
            .collect();
        files.sort();
        files
    }

    /// All hooks so far, in order, without those of the status line.
    pub(crate) fn hooks(&self) -> Vec<Hook> {
        self.hook_files().iter().map(decoded).collect()
    }

    /// Waits for the next hook that `pick` accepts. Earlier hooks are skipped.
    #[track_caller]
    pub(crate) fn next<T>(&self, what: &str, mut pick: impl FnMut(&Hook) -> Option<T>) -> T {
        let mut seen = self.seen.lock().expect("one test, one thread");
        wait_for(&format!("the hook {what}"), TIMEOUT, || {
            let files = self.hook_files();
            let mut new = files.iter().enumerate().filter(|(_, file)| !seen.contains(*file));
            let (at, found) = new.find_map(|(at, file)| Some((at, pick(&decoded(file))?)))?;
            seen.extend(files.into_iter().take(at + 1));
            Some(found)
        })
    }

    /// Waits for the end of a turn and returns the model's last text.
    #[track_caller]
    pub(crate) fn stop(&self) -> String {
        self.next("Stop", |hook| match &hook.event {
            Event::Stop { last_message, .. } => Some(last_message.clone()),
            _ => None,
        })
    }

    /// Reads the transcript so far.
    pub(crate) fn read(&self, id: ConversationId) -> TranscriptReader {
        let path = self.places().transcript(self.sandbox.project(), id);
        let mut reading = TranscriptReader::new(Decoder::new(self.sandbox.project()), path);
        reading.more();
        reading
    }
}

fn decoded(file: impl AsRef<Path>) -> Hook {
    Hook::decode("", &fs::read(file).expect("a hook")).expect("claude sends JSON")
}

/// A transcript that is being read.
pub(crate) struct TranscriptReader {
    decoder: Decoder,
    follower: Follower,
    pub(crate) messages: Vec<Message>,
    pub(crate) tokens: TokenSplit,
    pub(crate) files: Vec<String>,
    pub(crate) cost: Option<f64>,
    pub(crate) unread: Vec<Change>,
}

impl TranscriptReader {
    pub(crate) fn new(decoder: Decoder, path: PathBuf) -> TranscriptReader {
        TranscriptReader {
            decoder,
            follower: Follower::new(path),
            messages: Vec::new(),
            tokens: TokenSplit::default(),
            files: Vec::new(),
            cost: None,
            unread: Vec::new(),
        }
    }

    /// Reads and decodes up to 1 MiB of new transcript lines.
    pub(crate) fn more(&mut self) {
        let read = self.follower.poll().expect("the transcript can be read");
        for change in self.decoder.feed(&read.bytes) {
            match change {
                Change::Message(message) => match self.messages.iter_mut().find(|m| m.id == message.id) {
                    Some(known) => *known = message,
                    None => self.messages.push(message),
                },
                Change::Usage(more) => self.tokens.add(more),
                Change::FileTouched(path) => self.files.push(path),
                Change::Cost(cost) => self.cost = Some(cost),
                change @ (Change::Unknown { .. } | Change::Malformed) => self.unread.push(change),
                Change::InheritedUsage(_) | Change::Image(_) | Change::Title { .. } => {}
            }
        }
    }

    /// Reads until the condition holds.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: &str, mut holds: impl FnMut(&TranscriptReader) -> bool) {
        wait_until(what, TIMEOUT, || {
            self.more();
            holds(self)
        });
    }

    /// `role: content` of every message.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.messages.iter().map(|m| format!("{:?}: {}", m.role, m.content)).collect()
    }
}

impl Running {
    /// Types keys into claude's terminal.
    pub(crate) fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).and_then(|()| self.writer.flush()).expect("claude reads");
    }

    /// Pastes a prompt, waits until it is on the screen, and presses Enter.
    #[track_caller]
    pub(crate) fn enter(&mut self, text: &str) {
        self.keys(&format!("\u{1b}[200~{text}\u{1b}[201~"));
        let start: String = text.chars().take(20).collect();
        self.wait_until(&format!("{start:?} in the input box"), |screen| screen.text().contains(&start));
        self.keys("\r");
    }

    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, mut holds: impl FnMut(&Screen) -> bool) {
        let mut last = String::new();
        let what = what.to_owned();
        let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait_until(&what, TIMEOUT, || {
                let screen = self.screen.lock().expect("no holder panics");
                last = screen.text();
                holds(&screen)
            });
        }));
        assert!(waited.is_ok(), "still waiting for {what}; the screen:\n{last}");
    }

    /// Terminates claude and waits until it exits.
    pub(crate) fn terminate(self) -> pty::Exit {
        self.pty.signal(Signal::Term).expect("claude can be signalled");
        self.child.wait().expect("claude can be waited for")
    }
}

/// An id that is the same in every run of a test.
pub(crate) fn id(last: u8) -> ConversationId {
    format!("00000000-0000-4000-8000-0000000000{last:02x}").parse().expect("a UUID")
}

/// The inputs of all status line calls so far.
pub(crate) fn status_lines(lab: &Lab) -> Vec<Value> {
    let files = fs::read_dir(lab.sandbox.root().join("hooks")).expect("the folder for hooks").flatten();
    let lines =
        files.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(".StatusLine.json"));
    lines.filter_map(|path| serde_json::from_slice(&fs::read(path).ok()?).ok()).collect()
}
