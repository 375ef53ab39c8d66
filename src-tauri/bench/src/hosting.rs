//! A session's host, started as the engine starts it, with a benchmark program in place of claude.

use crate::{environment::Bench, error::BenchError};
use bc_core::{
    Timestamp,
    ids::{ConversationId, ProjectId, SessionId},
    session::{Draft, Event, Meta},
};
use bc_host::{Client, Events, LaunchSpec, Launched, SPEC_VERSION, frame, protocol::View};
use bc_process::{
    descendants::{self, Family, Identity, Signal},
    size::Size,
    socket::Stream,
};
use bc_store::{SessionLock, SessionStore};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// A session and, once it is launched, its host.
pub(crate) struct Hosting {
    exe: PathBuf,
    pub(crate) spec: LaunchSpec,
    lock: Option<SessionLock>,
    launched: Option<Launched>,
}

fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}

fn failed<E: std::fmt::Display>(error: E) -> BenchError {
    BenchError::unexpected_output("the session's host", error.to_string())
}

impl Hosting {
    /// Prepares a new session in the sandbox's project with this program and its arguments. Its record is on
    /// disk, but the host does not run yet.
    pub(crate) fn prepare(
        bench: &Bench,
        sandbox: &Sandbox,
        program: PathBuf,
        args: &[&str],
    ) -> Result<Hosting, BenchError> {
        let root = sandbox.project().to_owned();
        let beads_dir = root.join(".beads");
        let session = SessionId(uuid::Uuid::new_v4());
        let conversation = ConversationId(uuid::Uuid::new_v4());
        let variable = |(key, value): (&std::ffi::OsString, &std::ffi::OsString)| {
            (key.to_string_lossy().into_owned(), Some(value.to_string_lossy().into_owned()))
        };
        // The host's input, without fields that this session does not need.
        let spec = json!({
            "version": SPEC_VERSION,
            "session": session,
            "beads_dir": beads_dir,
            "project_root": root,
            "cwd": root,
            "program": program,
            "args": args,
            "env": sandbox.env().iter().map(variable).collect::<Vec<_>>(),
            "size": Size::new(24, 80),
            "socket": sandbox.root().join("run").join(format!("{}.sock", session.short())),
            "conversation": conversation,
            "resumes": false,
            "transcript": sandbox.claude_dir().join(format!("{}.jsonl", conversation.0)),
            "opening_prompt": false,
            "context": [],
            "simulated": true,
        });
        let spec: LaunchSpec = serde_json::from_value(spec).map_err(failed)?;
        let store = SessionStore::open(&beads_dir).map_err(failed)?;
        let project: ProjectId = "bench".parse().map_err(failed)?;
        let mut meta = Meta::draft(Draft::new(session, project, now()));
        meta.transition(Event::Start, now()).map_err(|refused| failed(format!("{refused:?}")))?;
        let lock = store.create(&meta).map_err(failed)?;
        Ok(Hosting { exe: bench.program("beads-console")?, spec, lock: Some(lock), launched: None })
    }

    /// Starts the host. When this returns, the host listens and has started its program.
    pub(crate) fn launch(&mut self) -> Result<(), BenchError> {
        let lock = self.lock.take().expect("a session is launched once");
        self.launched = Some(bc_host::launch(&self.exe, &self.spec, lock).map_err(failed)?);
        Ok(())
    }

    /// Connects a terminal client to the host.
    pub(crate) fn attach(&self) -> Result<Attached, BenchError> {
        let stream = bc_host::connect_terminal(&self.spec.socket, self.spec.size, View::Whole);
        Ok(Attached { stream: stream.map_err(failed)? })
    }

    /// Subscribes to the host's events; only later events arrive.
    pub(crate) fn events(&self) -> Result<Events, BenchError> {
        Client::connect(&self.spec.socket).and_then(Client::subscribe).map_err(failed)
    }

    pub(crate) fn transcript(&self) -> &Path {
        self.spec.transcript.as_deref().expect("`prepare` sets a transcript")
    }
}

impl Drop for Hosting {
    fn drop(&mut self) {
        let Some(host) = self.launched.as_ref().and_then(|launched| Identity::of(launched.pid)) else {
            return;
        };
        let _ = host.signal(Signal::Kill);
        let family = Family { session: self.spec.session.to_string(), root: None };
        let _ = descendants::end_all(&family, Duration::from_millis(500));
    }
}

/// A terminal client of a host.
pub(crate) struct Attached {
    stream: Stream,
}

impl Attached {
    /// Waits for the next output, and passes its offset and its bytes to `take`.
    pub(crate) fn output<T>(&mut self, take: impl FnOnce(u64, &[u8]) -> T) -> Result<T, BenchError> {
        loop {
            let next = frame::read(&mut self.stream).map_err(failed)?;
            let Some(next) = next else { return Err(failed("it ended")) };
            if let Some((offset, bytes)) = next.as_output() {
                return Ok(take(offset, bytes));
            }
        }
    }

    pub(crate) fn input(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        frame::write(&mut self.stream, &frame::Frame::input(bytes)).map_err(failed)
    }
}
