//! A session with its own host. All its processes are terminated when the session is dropped.

use bc_core::{
    Timestamp,
    ids::{ConversationId, ProjectId, SessionId},
    message::Message,
    session::{Draft, Event, Meta},
};
use bc_host::{
    Activity, Client, ContextPiece, LaunchError, LaunchSpec, Launched, SPEC_VERSION, launch,
    protocol::HostStatus,
};
use bc_process::{
    descendants::{self, Family, Identity, Signal},
    size::Size,
};
use bc_store::{SessionDir, SessionStore};
use bc_testkit::wait_for;
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};
use tempfile::TempDir;
use uuid::Uuid;

/// Long enough for a busy machine; only a failing test waits this long.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// The test program, which serves as host, fake claude, hook relay, helper and attached terminal.
pub(crate) fn exe() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_bc-host-under-test"))
}

fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}

pub(crate) struct Live {
    pub(crate) dir: TempDir,
    pub(crate) spec: LaunchSpec,
    pub(crate) store: SessionStore,
    host: Option<Launched>,
}

impl Live {
    /// Creates an active session with a fake claude, which is not started yet.
    pub(crate) fn new() -> Live {
        let dir = tempfile::Builder::new().prefix("bch").tempdir().unwrap();
        let root = dir.path().canonicalize().map(bc_core::paths::plain).unwrap();
        let beads_dir = root.join(".beads");
        fs::create_dir(&beads_dir).unwrap();
        let conversation = Uuid::new_v4();
        let transcript = root.join("transcript.jsonl");
        let env = |name: &str, value: String| (name.to_owned(), Some(value));
        let spec = LaunchSpec {
            version: SPEC_VERSION,
            session: SessionId(Uuid::new_v4()),
            beads_dir: beads_dir.clone(),
            project_root: root.clone(),
            cwd: root.clone(),
            program: exe(),
            args: vec!["claude".into()],
            env: vec![
                env("STAND_IN_SESSION", conversation.to_string()),
                env("STAND_IN_TRANSCRIPT", transcript.display().to_string()),
            ],
            size: Size::new(24, 80),
            socket: root.join("host.sock"),
            conversation: ConversationId(conversation),
            resumes: false,
            transcript: None,
            opening_prompt: false,
            prompt: None,
            system_prompt: None,
            manual_is_unnamed: false,
            context: vec![ContextPiece { source: "recovery".into(), text: "what to know".into() }],
            shares: Vec::new(),
            base_commit: None,
            simulated: false,
            bead: None,
            in_review: false,
            bead_paths: vec![],
            idle_ms: None,
            console: None,
            actor: None,
            hooks: None,
            runner: None,
            at_place: false,
            clock_ahead_ms: 0,
        };
        let store = SessionStore::open(&beads_dir).unwrap();
        let project: ProjectId = "test".parse().unwrap();
        let mut meta = Meta::draft(Draft::new(spec.session, project, now()));
        meta.transition(Event::Start, now()).unwrap();
        drop(store.create(&meta).unwrap());
        Live { dir, spec, store, host: None }
    }

    /// Selects the behaviour of the fake claude.
    pub(crate) fn behaving(mut self, how: &str) -> Live {
        self.spec.env.push(("STAND_IN".into(), Some(how.into())));
        self
    }

    /// Sets the opening prompt of the fake claude.
    pub(crate) fn prompted(mut self, prompt: &str) -> Live {
        self.spec.env.push(("STAND_IN_PROMPT".into(), Some(prompt.into())));
        self.spec.opening_prompt = true;
        self
    }

    pub(crate) fn try_start(&mut self) -> Result<(), LaunchError> {
        let lock = wait_for("the session's lock", TIMEOUT, || self.session().try_lock().unwrap());
        self.host = Some(launch(&exe(), &self.spec, lock)?);
        Ok(())
    }

    pub(crate) fn started(mut self) -> Live {
        self.start();
        self
    }

    pub(crate) fn start(&mut self) {
        self.try_start().unwrap();
    }

    /// Starts the session again after a pause.
    pub(crate) fn resume(&mut self) {
        let lock = wait_for("the session's lock", TIMEOUT, || self.session().try_lock().unwrap());
        let mut meta = lock.meta().unwrap();
        meta.transition(Event::Resume, now()).unwrap();
        lock.save_meta(&meta).unwrap();
        self.spec.resumes = true;
        self.host = Some(launch(&exe(), &self.spec, lock).unwrap());
    }

    pub(crate) fn session(&self) -> SessionDir {
        self.store.session(self.spec.session)
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(&self.spec.socket).unwrap()
    }

    pub(crate) fn status(&self) -> HostStatus {
        self.client().status().unwrap()
    }

    pub(crate) fn host(&self) -> Identity {
        self.status().host
    }

    /// Waits until claude has this activity.
    #[track_caller]
    pub(crate) fn wait_activity(&self, activity: Activity) {
        // The subscription comes before the query, so that no change is missed.
        let mut events = self.client().subscribe().unwrap();
        let deadline = std::time::Instant::now() + TIMEOUT;
        while self.status().activity != activity {
            let remaining = deadline.saturating_duration_since(std::time::Instant::now());
            if matches!(events.next_within(remaining), Ok(Some(_))) {
                continue;
            }
            let screen = self.client().screen();
            panic!("never {activity:?}: {:?}\n{screen:?}", self.client().status());
        }
    }

    /// Waits until the screen shows this text.
    #[track_caller]
    pub(crate) fn wait_shown(&self, text: &str) -> String {
        wait_for(&format!("{text:?} on the screen"), TIMEOUT, || {
            self.client().screen().ok().filter(|screen| screen.contains(text))
        })
    }

    /// Waits until the host has exited, and returns its exit code.
    pub(crate) fn wait_ended(&self) -> Option<i32> {
        self.host.as_ref().unwrap().ended.recv_timeout(TIMEOUT).unwrap()
    }

    pub(crate) fn meta(&self) -> Meta {
        self.session().meta().unwrap()
    }

    pub(crate) fn messages(&self) -> Vec<Message> {
        self.session().transcript().unwrap().messages
    }

    /// Waits until a message with this text is on disk.
    #[track_caller]
    pub(crate) fn wait_recorded(&self, text: &str) {
        wait_for(&format!("{text:?} in messages.jsonl"), TIMEOUT, || {
            self.messages().iter().any(|m| m.content.contains(text)).then_some(())
        });
    }

    pub(crate) fn family(&self) -> Family {
        Family { session: self.spec.session.to_string(), root: None }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Runs a hook as claude would.
#[allow(clippy::disallowed_methods, reason = "a test starts the relay as claude does")]
pub(crate) fn call_hook(live: &Live, event: &str, index: usize, more: Value) -> Child {
    let mut input = json!({"hook_event_name": event, "session_id": live.spec.conversation});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut child = std::process::Command::new(exe())
        .args(["hook", event, &index.to_string()])
        .env("BEADS_CONSOLE_SOCKET", &live.spec.socket)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    child
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(host) = self.host.as_ref().and_then(|host| Identity::of(host.pid)) {
            let _ = host.signal(Signal::Kill);
        }
        let _ = descendants::end_all(&self.family(), Duration::from_millis(500));
    }
}
