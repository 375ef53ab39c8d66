//! A minimal backend: it echoes commands, publishes the given events, and runs `/bin/cat` in a terminal.

use bc_bridge::{Backend, EventFeed, EventRing, RingLimits, TerminalFrame, TerminalPipe};
use bc_core::ids::SessionId;
use bc_process::{
    pty::{Pty, PtyCommand, PtyReader, PtyWriter, start},
    size::Size,
};
use bc_wire::{ApiError, ErrorCode};
use serde_json::{Value, json};
use std::{
    ffi::OsString,
    io::{self, Read, Write},
    path::PathBuf,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

pub(crate) struct TestBackend {
    pub(crate) ring: EventRing,
    pub(crate) calls: AtomicUsize,
    pub(crate) people_changes: AtomicUsize,
    flood: PathBuf,
    released: Mutex<bool>,
    changed: Condvar,
}

impl TestBackend {
    pub(crate) fn new() -> TestBackend {
        TestBackend::with_flood(PathBuf::from("/dev/null"))
    }

    /// Like [`TestBackend::new`], but a terminal in the project `flood` prints this file.
    pub(crate) fn with_flood(flood: PathBuf) -> TestBackend {
        TestBackend {
            ring: EventRing::starting_at(1, RingLimits { events: 100, ..RingLimits::default() }),
            calls: AtomicUsize::new(0),
            people_changes: AtomicUsize::new(0),
            flood,
            released: Mutex::new(false),
            changed: Condvar::new(),
        }
    }

    /// Allows waiting `wait` commands to continue.
    pub(crate) fn release(&self) {
        *self.released.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

impl Backend for TestBackend {
    fn call(&self, method: &str, project: Option<&str>, params: Value) -> Result<Value, ApiError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        match method {
            "echo" => Ok(json!({ "project": project, "params": params })),
            "fail" => {
                let code: ErrorCode = serde_json::from_value(params["code"].clone()).unwrap();
                Err(ApiError::new(code, "it failed").hint("try again"))
            }
            "wait" => {
                let mut released = self.released.lock().unwrap();
                while !*released {
                    released = self.changed.wait(released).unwrap();
                }
                Ok(json!("waited"))
            }
            "crash" => panic!("the command crashes on purpose"),
            _ => Err(ApiError::new(ErrorCode::Usage, format!("there is no command called {method:?}"))),
        }
    }

    fn answer(
        &self,
        person: Option<&str>,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<String, ApiError> {
        match method {
            "who" => Ok(json!(person).to_string()),
            _ => self.call(method, project, params).map(|answer| answer.to_string()),
        }
    }

    fn people_changed(&self) {
        self.people_changes.fetch_add(1, Ordering::SeqCst);
    }

    fn events(&self, since: Option<u64>) -> EventFeed {
        self.ring.follow(since)
    }

    fn terminal(
        &self,
        project: &str,
        _session: SessionId,
        size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError> {
        let args: Vec<OsString> = match project {
            "cat" => Vec::new(),
            "flood" => vec![self.flood.clone().into()],
            _ => return Err(ApiError::new(ErrorCode::ProjectNotFound, format!("{project} is not open"))),
        };
        let size = Size::new(size.1, size.0);
        let command =
            PtyCommand { program: "/bin/cat".into(), args, cwd: std::env::temp_dir(), env: Vec::new(), size };
        let started = start(&command).map_err(|e| ApiError::new(ErrorCode::Io, e.to_string()))?;
        thread::spawn(move || started.child.wait());
        Ok(Box::new(PtyPipe {
            size: (size.cols(), size.rows()),
            output: Mutex::new(Output { reader: started.reader, offset: 0, screen_sent: false }),
            writer: Mutex::new(started.writer),
            pty: Mutex::new(Some(started.pty)),
        }))
    }
}

/// One client's terminal. The program ends when the client disconnects.
struct PtyPipe {
    size: (u16, u16),
    output: Mutex<Output>,
    writer: Mutex<PtyWriter>,
    pty: Mutex<Option<Pty>>,
}

struct Output {
    reader: PtyReader,
    offset: u64,
    screen_sent: bool,
}

impl TerminalPipe for PtyPipe {
    fn read(&self) -> io::Result<TerminalFrame> {
        let mut output = self.output.lock().unwrap();
        let offset = output.offset;
        if !std::mem::replace(&mut output.screen_sent, true) {
            return Ok(TerminalFrame::Screen { offset, size: self.size, bytes: Vec::new() });
        }
        let mut bytes = vec![0; 64 << 10];
        let length = output.reader.read(&mut bytes)?;
        if self.pty.lock().unwrap().is_none() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if length == 0 {
            return Ok(TerminalFrame::Ended);
        }
        bytes.truncate(length);
        output.offset += length as u64;
        Ok(TerminalFrame::Output { offset, bytes })
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.writer.lock().unwrap().write_all(bytes)
    }

    fn resize(&self, (cols, rows): (u16, u16)) -> io::Result<()> {
        let pty = self.pty.lock().unwrap();
        pty.as_ref().map_or(Ok(()), |pty| pty.resize(Size::new(rows, cols))).map_err(io::Error::other)
    }

    fn ack(&self, _offset: u64) {}

    fn close(&self) {
        if let Some(pty) = self.pty.lock().unwrap().take() {
            pty.hang_up();
        }
    }
}
