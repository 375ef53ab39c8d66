//! Sends 200 MB through one client's flow control. A client that acknowledges loses nothing. A stalled client
//! uses no more memory than the limits allow.

use bc_bridge::{
    Backend, EventFeed, EventRing, FlowLimits, Outgoing, Terminal, TerminalFrame, TerminalMessage,
    TerminalPipe,
};
use bc_core::ids::SessionId;
use bc_wire::ApiError;
use serde_json::Value;
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

const FLOOD: u64 = 200 << 20;
/// The length after which the pattern repeats: a prime number, so that it does not align with the chunks.
const PERIOD: usize = 65_521;
const LARGEST: usize = 1 << 20;

/// A fixed pattern, whose byte at each offset is known.
struct Pattern(Vec<u8>);

impl Pattern {
    fn new() -> Pattern {
        let byte = |n: usize| (n % PERIOD).wrapping_mul(2_654_435_761).to_le_bytes()[2];
        Pattern((0..PERIOD + LARGEST).map(byte).collect())
    }

    fn at(&self, offset: u64, length: usize) -> &[u8] {
        let start = (offset % PERIOD as u64) as usize;
        &self.0[start..start + length]
    }
}

/// A program that prints the pattern as fast as its output is read. All its connections share the same output.
#[derive(Clone)]
struct Flood {
    pattern: Arc<Pattern>,
    printed: Arc<AtomicU64>,
}

struct FloodPipe {
    flood: Flood,
    screen_sent: AtomicBool,
    closed: AtomicBool,
}

impl TerminalPipe for FloodPipe {
    fn read(&self) -> io::Result<TerminalFrame> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let offset = self.flood.printed.load(Ordering::Relaxed);
        if !self.screen_sent.swap(true, Ordering::Relaxed) {
            return Ok(TerminalFrame::Screen { offset, size: (80, 24), bytes: b"screen".to_vec() });
        }
        if offset == FLOOD {
            return Ok(TerminalFrame::Ended);
        }
        // The lengths range from a single keystroke to more than a chunk.
        let length = (1 + offset * 7919 % 90_000).min(FLOOD - offset);
        self.flood.printed.fetch_add(length, Ordering::Relaxed);
        let bytes = self.flood.pattern.at(offset, length as usize).to_vec();
        Ok(TerminalFrame::Output { offset, bytes })
    }

    fn write(&self, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn resize(&self, _size: (u16, u16)) -> io::Result<()> {
        Ok(())
    }

    fn ack(&self, _offset: u64) {}

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}

impl Backend for Flood {
    fn call(&self, _method: &str, _project: Option<&str>, params: Value) -> Result<Value, ApiError> {
        Ok(params)
    }

    fn events(&self, since: Option<u64>) -> EventFeed {
        EventRing::default().follow(since)
    }

    fn terminal(
        &self,
        _project: &str,
        _session: SessionId,
        _size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError> {
        let (screen_sent, closed) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Box::new(FloodPipe { flood: self.clone(), screen_sent, closed }))
    }
}

fn flood() -> (Flood, Terminal) {
    let flood = Flood { pattern: Arc::new(Pattern::new()), printed: Arc::default() };
    let session = "6b0e6c0e-0000-4000-8000-000000000001".parse().expect("a UUID");
    let limits = FlowLimits { patience: Duration::from_millis(20), ..FlowLimits::DEFAULT };
    let terminal = Terminal::attach(Arc::new(flood.clone()), "p1", session, limits);
    terminal.control(TerminalMessage::Resize { cols: 80, rows: 24 });
    (flood, terminal)
}

/// The peak memory of this process in bytes, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}

#[test]
fn a_fast_client_gets_every_byte_and_a_stalled_one_uses_no_memory() {
    let before = peak_memory();

    let (flood, terminal) = flood();
    let (mut drawn, mut largest) = (0, 0);
    let mut output = None;
    while let Some(message) = terminal.recv() {
        let Outgoing::Frame(frame) = message else { continue };
        let (header, bytes) = frame.split_at(8);
        assert_eq!(u64::from_le_bytes(header.try_into().unwrap()), drawn, "frames must be contiguous");
        drawn += bytes.len() as u64;
        largest = largest.max(bytes.len());
        match &mut output {
            None => output = Some(0),
            Some(offset) => {
                assert!(bytes == flood.pattern.at(*offset, bytes.len()), "wrong bytes at {offset}");
                *offset += bytes.len() as u64;
            }
        }
        terminal.control(TerminalMessage::Ack { offset: drawn });
    }
    assert_eq!(output, Some(FLOOD));
    assert_eq!(largest, FlowLimits::DEFAULT.chunk);

    let (flood, terminal) = self::flood();
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut sent = 0;
    while sent < FlowLimits::DEFAULT.window - FlowLimits::DEFAULT.chunk {
        if let Some(Outgoing::Frame(frame)) = terminal.recv() {
            sent += frame.len() - 8;
        }
    }
    while flood.printed.load(Ordering::Relaxed) < FLOOD {
        assert!(Instant::now() < deadline, "the stalled client blocks its program");
        std::thread::yield_now();
    }
    assert!(sent <= FlowLimits::DEFAULT.window);
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before < 24 << 20, "{} MiB were needed", (after - before) >> 20);
    }
}
