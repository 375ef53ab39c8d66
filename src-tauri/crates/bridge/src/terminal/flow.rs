//! One client's flow control: the queued messages, and the number of bytes that may be sent. Performs no I/O;
//! the threads are elsewhere.
//!
//! Invariants: nothing in the queue is lost or reordered, except that a screen replaces the queue and
//! [`Flow::forget`] empties it. Small outputs are merged up to the size of a chunk. The number of sent and
//! unacknowledged bytes is at most the window, unless a single screen is larger.

use super::{
    flow_limits::FlowLimits,
    message::{HEADER, Outgoing, TerminalEvent},
};
use crate::backend::TerminalFrame;
use std::collections::VecDeque;

/// The maximum number of sent frames whose offsets are kept. With more frames, acknowledgements are forwarded
/// in larger steps.
const MARKS_MAX: usize = 1024;

#[derive(Debug)]
enum Item {
    Text(Outgoing),
    /// A frame with space for its header. `output` is the program's offset at the end of the frame.
    Frame {
        bytes: Vec<u8>,
        output: u64,
        screen: bool,
    },
}

#[derive(Debug)]
pub(super) struct Flow {
    limits: FlowLimits,
    queue: VecDeque<Item>,
    queued: usize,
    sent: u64,
    acked: u64,
    /// Two positions at the end of each sent frame, oldest first: the total number of bytes sent to the
    /// client, and the offset in the program's output.
    marks: VecDeque<(u64, u64)>,
    /// The offset that the program's next output should have; `None` until a screen has arrived.
    expected: Option<u64>,
}

/// Output is missing, so the client needs a new screen.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gap;

impl Flow {
    pub(super) fn new(limits: FlowLimits) -> Flow {
        let (queue, marks) = (VecDeque::new(), VecDeque::new());
        Flow { limits, queue, queued: 0, sent: 0, acked: 0, marks, expected: None }
    }

    pub(super) fn push_event(&mut self, event: TerminalEvent<'_>) {
        self.queue.push_back(Item::Text(event.into()));
    }

    /// Queues a terminal frame; a screen replaces the queue.
    pub(super) fn push(&mut self, frame: &TerminalFrame) -> Result<(), Gap> {
        match frame {
            TerminalFrame::Screen { offset, size, bytes } => self.screen(*offset, *size, bytes),
            TerminalFrame::Output { offset, bytes } => self.output(*offset, bytes)?,
            TerminalFrame::Size((cols, rows)) => {
                self.push_event(TerminalEvent::Size { cols: *cols, rows: *rows })
            }
            TerminalFrame::Ended => self.push_event(TerminalEvent::Ended),
        }
        Ok(())
    }

    fn screen(&mut self, offset: u64, (cols, rows): (u16, u16), bytes: &[u8]) {
        self.forget();
        self.push_event(TerminalEvent::Screen { cols, rows });
        self.queue.push_back(Item::Frame { bytes: framed(bytes), output: offset, screen: true });
        self.queued += bytes.len();
        self.expected = Some(offset);
    }

    fn output(&mut self, offset: u64, mut bytes: &[u8]) -> Result<(), Gap> {
        if self.expected != Some(offset) {
            return Err(Gap);
        }
        let end = offset + bytes.len() as u64;
        self.expected = Some(end);
        self.queued += bytes.len();
        if let Some(Item::Frame { bytes: last, output, screen: false }) = self.queue.back_mut() {
            let room = (self.limits.chunk + HEADER).saturating_sub(last.len()).min(bytes.len());
            last.extend_from_slice(&bytes[..room]);
            *output += room as u64;
            bytes = &bytes[room..];
        }
        let mut output = end - bytes.len() as u64;
        for piece in bytes.chunks(self.limits.chunk) {
            output += piece.len() as u64;
            self.queue.push_back(Item::Frame { bytes: framed(piece), output, screen: false });
        }
        Ok(())
    }

    /// Drops the queue, and refuses output until the next screen.
    pub(super) fn forget(&mut self) {
        self.queue.clear();
        self.queued = 0;
        self.expected = None;
    }

    pub(super) fn has_room(&self) -> bool {
        self.queued < self.limits.queue
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether the client has acknowledged all sent bytes.
    pub(super) fn is_drawn(&self) -> bool {
        self.acked == self.sent
    }

    /// Takes the next message from the queue, if it may be sent now.
    pub(super) fn take(&mut self) -> Option<Outgoing> {
        if let Item::Frame { bytes, .. } = self.queue.front()? {
            let length = (bytes.len() - HEADER) as u64;
            let in_flight = self.sent - self.acked;
            if in_flight > 0 && in_flight + length > self.limits.window as u64 {
                return None;
            }
        }
        match self.queue.pop_front()? {
            Item::Text(message) => Some(message),
            Item::Frame { mut bytes, output, .. } => {
                bytes[..HEADER].copy_from_slice(&self.sent.to_le_bytes());
                self.queued -= bytes.len() - HEADER;
                self.sent += (bytes.len() - HEADER) as u64;
                if self.marks.len() == MARKS_MAX {
                    self.marks.pop_back();
                }
                self.marks.push_back((self.sent, output));
                Some(Outgoing::Frame(bytes))
            }
        }
    }

    /// Handles an acknowledgement up to `offset`. Returns the corresponding offset of the program's output, if it
    /// advanced. Bytes that were never sent cannot be acknowledged.
    pub(super) fn ack(&mut self, offset: u64) -> Option<u64> {
        self.acked = self.acked.max(offset.min(self.sent));
        let mut output = None;
        while let Some(mark) = self.marks.pop_front_if(|(sent, _)| *sent <= self.acked) {
            output = Some(mark.1);
        }
        output
    }
}

fn framed(bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEADER + bytes.len());
    frame.extend_from_slice(&[0; HEADER]);
    frame.extend_from_slice(bytes);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: FlowLimits = FlowLimits { chunk: 4, window: 10, queue: 12, ..FlowLimits::DEFAULT };

    fn flow() -> Flow {
        let mut flow = Flow::new(LIMITS);
        flow.screen(100, (80, 24), b"SCR");
        flow
    }

    fn taken(flow: &mut Flow) -> Vec<String> {
        let text = |message| match message {
            Outgoing::Text(text) => text,
            Outgoing::Frame(bytes) => {
                let offset = u64::from_le_bytes(bytes[..8].try_into().unwrap());
                format!("{offset}:{}", String::from_utf8_lossy(&bytes[8..]))
            }
        };
        std::iter::from_fn(|| flow.take()).map(text).collect()
    }

    const SCREEN: &str = r#"{"type":"screen","cols":80,"rows":24}"#;

    #[test]
    fn small_outputs_are_merged_and_large_ones_split() {
        let mut flow = flow();
        flow.output(100, b"a").unwrap();
        flow.output(101, b"bc").unwrap();
        flow.output(103, b"defg").unwrap();
        assert_eq!(taken(&mut flow), [SCREEN, "0:SCR", "3:abcd", "7:efg"]);
    }

    #[test]
    fn at_most_the_window_is_in_flight() {
        let mut flow = flow();
        flow.output(100, b"abcdefghijkl").unwrap();
        assert_eq!(taken(&mut flow), [SCREEN, "0:SCR", "3:abcd"]);
        flow.ack(3);
        assert_eq!(taken(&mut flow), ["7:efgh"]);
        flow.ack(11);
        assert_eq!(taken(&mut flow), ["11:ijkl"]);
        assert!(!flow.is_drawn());
        flow.ack(15);
        assert!(flow.is_drawn());
    }

    #[test]
    fn acknowledgements_are_forwarded_in_the_programs_offsets() {
        let mut flow = flow();
        flow.output(100, b"abcdefgh").unwrap();
        assert_eq!(taken(&mut flow).len(), 3);
        assert_eq!(flow.ack(2), None);
        assert_eq!(flow.ack(3), Some(100));
        assert_eq!(flow.ack(7), Some(104));
        assert_eq!(flow.ack(7), None);
        assert_eq!(taken(&mut flow), ["7:efgh"]);
        assert_eq!(flow.ack(u64::MAX), Some(108));
    }

    #[test]
    fn a_screen_replaces_the_queued_output() {
        let mut flow = flow();
        flow.output(100, b"old").unwrap();
        flow.push_event(TerminalEvent::Size { cols: 9, rows: 9 });
        flow.screen(500, (80, 24), b"new");
        flow.output(500, b"x").unwrap();
        assert_eq!(taken(&mut flow), [SCREEN, "0:new", "3:x"]);
        assert!(flow.has_room() && flow.is_empty());
    }

    #[test]
    fn a_gap_in_the_output_is_detected() {
        let mut flow = flow();
        assert_eq!(flow.output(101, b"x"), Err(Gap));
        flow.forget();
        assert_eq!(flow.output(100, b"x"), Err(Gap));
        assert!(flow.is_empty());
    }

    #[test]
    fn a_screen_larger_than_the_window_is_sent_alone() {
        let mut flow = flow();
        flow.screen(0, (80, 24), b"larger than the window");
        assert_eq!(taken(&mut flow).len(), 2);
        flow.screen(0, (80, 24), b"another");
        assert_eq!(taken(&mut flow), [SCREEN]);
    }

    #[test]
    fn a_client_that_never_acknowledges_costs_bounded_memory() {
        let mut flow = Flow::new(FlowLimits { window: usize::MAX, ..LIMITS });
        flow.screen(0, (80, 24), b"");
        for offset in 0..10_000 {
            flow.output(offset, b"x").unwrap();
            taken(&mut flow);
        }
        assert_eq!(flow.marks.len(), MARKS_MAX);
        assert_eq!(flow.ack(u64::MAX), Some(10_000));
    }
}
