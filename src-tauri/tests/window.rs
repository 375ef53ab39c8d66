//! Tests the real window with a page that uses commands, events and terminals through the UI's own code. The
//! test has its own `main` function, because a window must run on the main thread.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use bc_bridge::{Backend, EventFeed, EventRing, RingLimits, TerminalFrame, TerminalPipe, assets as built};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode, event::Event};
use serde_json::{Value, json};
use std::{
    borrow::Cow,
    collections::VecDeque,
    io, process,
    sync::{Arc, Condvar, Mutex},
    thread,
    time::Duration,
};
use tauri::{
    Assets, Wry,
    utils::assets::{AssetKey, AssetsIter, CspHash},
};

const NAME: &str = "the_window_carries_commands_events_and_terminals";
/// The last line of a successful run, as other test programs print it.
const PASSED: &str = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
const PAGE: &str = r#"<!doctype html><html><head><meta charset="utf-8"><title>probe</title>
<script type="module" src="./probe.js"></script></head>
<body><script>window.inlineRan = true;</script></body></html>"#;
const PROBE: &str = include_str!("window/probe.js");
const FLOOD: u64 = 64 << 20;
/// The flood's bytes repeat with this period. It is a prime, so that a chunk at a wrong offset is noticed.
/// The page has the same constant.
const PERIOD: u64 = 251;

fn main() {
    let Some(chunk) = built::paths().find(|path| is_bridge(path)) else {
        return skipped("the UI is not built: npm --prefix ui run build");
    };
    if cfg!(target_os = "linux")
        && std::env::var_os("DISPLAY").is_none()
        && std::env::var_os("WAYLAND_DISPLAY").is_none()
    {
        return skipped("there is no display: DISPLAY is not set");
    }
    thread::spawn(|| {
        thread::sleep(Duration::from_secs(180));
        eprintln!("FAILED window: the page did not report within three minutes");
        process::exit(1);
    });
    let page = Page { probe: PROBE.replace("DESKTOP", &format!("./{chunk}")) };
    beads_console_desktop::run(Arc::new(TestBackend::default()), Box::new(page)).unwrap();
    eprintln!("FAILED window: the window was closed before the page reported");
    process::exit(1);
}

/// Whether this file is the UI's desktop bridge. Other chunks can have similar names, so the content is also
/// checked.
fn is_bridge(path: &str) -> bool {
    let exported = b"as desktopHost";
    let named = path.starts_with("assets/desktop-") && path.ends_with(".js");
    named
        && built::find(path)
            .is_some_and(|asset| asset.bytes.windows(exported.len()).any(|part| part == exported))
}

fn skipped(why: &str) {
    eprintln!("SKIPPED {NAME}: {why}");
    println!("{PASSED}");
}

/// Compares the page's report with the expected values.
fn judge(report: &Value) -> bool {
    let expected = json!({
        "echo": { "project": "p1", "params": { "text": "ä\u{0}☃" } },
        "error": { "code": "bead_not_found", "message": "There is no such bead.", "hint": "It may have been deleted. Refresh the board." },
        "events": { "count": 2000, "in_order": true },
        "typed": "abcdefghijklmnopqrstuvwxyz",
        "flood": { "bytes": FLOOD, "right": true },
        "shown_again": "screen",
        "ended": "ended",
        "inline_script_ran": false,
        "eval_ran": false,
        "fetch_blocked_by": "connect-src",
        "other_commands": [],
        "global_tauri": false,
    });
    println!("{report:#}");
    if *report == expected {
        println!("test {NAME} ... ok\n\n{PASSED}");
        return true;
    }
    eprintln!("FAILED {NAME}: expected {expected:#}");
    false
}

struct Page {
    probe: String,
}

impl Assets<Wry> for Page {
    fn get(&self, key: &AssetKey) -> Option<Cow<'_, [u8]>> {
        match key.as_ref() {
            "/" | "/index.html" => Some(Cow::Borrowed(PAGE.as_bytes())),
            "/probe.js" => Some(Cow::Borrowed(self.probe.as_bytes())),
            other => built::find(other).map(|asset| Cow::Borrowed(asset.bytes)),
        }
    }

    fn iter(&self) -> Box<AssetsIter<'_>> {
        Box::new(std::iter::empty())
    }

    fn csp_hashes(&self, _html_path: &AssetKey) -> Box<dyn Iterator<Item = CspHash<'_>> + '_> {
        Box::new(std::iter::empty())
    }
}

struct TestBackend {
    ring: EventRing,
}

impl Default for TestBackend {
    fn default() -> Self {
        TestBackend { ring: EventRing::starting_at(1, RingLimits::default()) }
    }
}

impl Backend for TestBackend {
    fn call(&self, method: &str, project: Option<&str>, params: Value) -> Result<Value, ApiError> {
        match method {
            "echo" => Ok(json!({ "project": project, "params": params })),
            "publish" => {
                for _ in 0..params["count"].as_u64().unwrap() {
                    self.ring.publish(None, Event::BeadsChanged {});
                }
                Ok(Value::Null)
            }
            "report" => process::exit(if judge(&params) { 0 } else { 1 }),
            _ => Err(ApiError::new(ErrorCode::BeadNotFound, "there is no such bead").hint("check again")),
        }
    }

    fn events(&self, since: Option<u64>) -> EventFeed {
        self.ring.follow(since)
    }

    fn terminal(
        &self,
        _project: &str,
        _session: SessionId,
        size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError> {
        let screen = TerminalFrame::Screen { offset: 0, size, bytes: b"screen".to_vec() };
        let state = PipeState { frames: VecDeque::from([screen]), ..PipeState::default() };
        Ok(Box::new(Echo { state: Mutex::new(state), changed: Condvar::new() }))
    }
}

/// A terminal that echoes its input. The input `!` starts the flood, and `\x04` ends the terminal.
struct Echo {
    state: Mutex<PipeState>,
    changed: Condvar,
}

#[derive(Default)]
struct PipeState {
    frames: VecDeque<TerminalFrame>,
    offset: u64,
    flooding: u64,
    closed: bool,
}

impl TerminalPipe for Echo {
    fn read(&self) -> io::Result<TerminalFrame> {
        let mut state = self.state.lock().unwrap();
        loop {
            if state.closed {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if let Some(frame) = state.frames.pop_front() {
                return Ok(frame);
            }
            if state.flooding > 0 {
                let (offset, done) = (state.offset, FLOOD - state.flooding);
                // Vary the length between 1 byte and 64 KiB.
                let length = (1 + done * 7919 % 65_536).min(state.flooding);
                let bytes = (done..done + length).map(|n| (n % PERIOD) as u8).collect();
                state.flooding -= length;
                state.offset += length;
                return Ok(TerminalFrame::Output { offset, bytes });
            }
            state = self.changed.wait(state).unwrap();
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.state.lock().unwrap();
        match bytes {
            b"!" => state.flooding = FLOOD,
            b"\x04" => state.frames.push_back(TerminalFrame::Ended),
            _ => {
                let offset = state.offset;
                state.frames.push_back(TerminalFrame::Output { offset, bytes: bytes.to_vec() });
                state.offset += bytes.len() as u64;
            }
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    fn resize(&self, _size: (u16, u16)) -> io::Result<()> {
        Ok(())
    }

    fn ack(&self, _offset: u64) {}

    fn close(&self) {
        self.state.lock().unwrap().closed = true;
        self.changed.notify_all();
    }
}
