//! Tracks the parser state at the end of the output, and interprets the complete sequences before it.
//!
//! A small parser with the state machine that terminals have in common. It keeps the bytes of an unfinished
//! sequence or character, and passes complete sequences to [`super::modes`].

use super::modes::Modes;

/// The maximum size of an unfinished string, in bytes. Only the beginning of a longer string is kept.
const PENDING_MAX: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Ground,
    /// Within a multi-byte character, with the number of missing bytes.
    Character(u8),
    Escape,
    EscapeIntermediate,
    Csi,
    /// Within an OSC, DCS, APC, PM or SOS string, until its terminator.
    Text,
    /// After an ESC within a string. The next byte decides whether the string ends.
    TextEscape,
}

#[derive(Default)]
pub(super) struct Tracker {
    state: State,
    /// The unfinished sequence, including its introducer, or the unfinished character.
    pending: Vec<u8>,
    overlong: bool,
    pub(super) modes: Modes,
}

impl Tracker {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.step(byte);
        }
    }

    fn step(&mut self, byte: u8) {
        match (self.state, byte) {
            // These two bytes abort any unfinished sequence.
            (
                State::Escape | State::EscapeIntermediate | State::Csi | State::Text | State::TextEscape,
                0x18 | 0x1a,
            ) => {
                self.reset();
            }
            (State::Text, 0x1b) => self.push(byte, State::TextEscape),
            (State::Text, 0x07) if self.pending.get(1) == Some(&b']') => self.finish_text(),
            (State::Text, 0x9c) if self.in_device_string() => self.finish_text(),
            (State::Text, _) => self.push(byte, State::Text),
            (State::TextEscape, b'\\') => self.finish_text(),
            (State::TextEscape, _) => {
                // The byte is not the terminator, so the string ends and another sequence begins.
                self.finish_text();
                self.pending.push(0x1b);
                self.state = State::Escape;
                self.step(byte);
            }
            (_, 0x1b) => {
                self.reset();
                self.push(byte, State::Escape);
            }
            (State::Ground | State::Character(_), _) => self.character(byte),
            // Control characters within a sequence take effect immediately and are not part of the sequence.
            (_, 0x00..=0x1f | 0x7f..) => {}
            (State::Escape, b'[') => self.push(byte, State::Csi),
            (State::Escape, b']' | b'P' | b'_' | b'^' | b'X') => self.push(byte, State::Text),
            (State::Escape | State::EscapeIntermediate, 0x20..=0x2f) => {
                self.push(byte, State::EscapeIntermediate)
            }
            (State::Escape, _) => {
                self.modes.escape(byte);
                self.reset();
            }
            (State::EscapeIntermediate, _) => self.reset(),
            (State::Csi, 0x20..=0x3f) => self.push(byte, State::Csi),
            (State::Csi, _) => {
                if !self.overlong {
                    self.modes.csi(self.pending.get(2..).unwrap_or_default(), byte);
                }
                self.reset();
            }
        }
    }

    fn character(&mut self, byte: u8) {
        let missing = match (byte, self.state) {
            (0x80..=0xbf, State::Character(missing)) => missing - 1,
            (0xc2..=0xdf, _) => 1,
            (0xe0..=0xef, _) => 2,
            (0xf0..=0xf4, _) => 3,
            _ => 0,
        };
        if !(0x80..=0xbf).contains(&byte) {
            self.pending.clear();
        }
        match missing {
            0 => self.reset(),
            _ => self.push(byte, State::Character(missing)),
        }
    }

    fn push(&mut self, byte: u8, state: State) {
        self.state = state;
        if self.pending.len() < PENDING_MAX {
            self.pending.push(byte);
        } else {
            self.overlong = true;
        }
    }

    /// Whether the parser is within the data of a DCS. As in vt100, an 8-bit terminator ends the data.
    fn in_device_string(&self) -> bool {
        matches!(self.pending.as_slice(), [0x1b, b'P', header @ ..] if header.iter().any(|b| matches!(b, 0x40..=0x7e)))
    }

    fn finish_text(&mut self) {
        if !self.overlong {
            let text = self.pending.strip_suffix(b"\x1b").unwrap_or(&self.pending);
            if let Some(osc) = text.strip_prefix(b"\x1b]") {
                self.modes.osc(osc);
            }
        }
        self.reset();
    }

    fn reset(&mut self) {
        self.state = State::Ground;
        self.pending.clear();
        self.overlong = false;
    }

    /// Whether no sequence is unfinished and a line feed at the bottom scrolls the whole screen.
    pub(super) fn scrolls_whole(&self) -> bool {
        self.state == State::Ground && self.modes.scrolls_whole()
    }

    /// Writes the unfinished sequence, so that later output completes it.
    pub(super) fn write_pending(&self, out: &mut Vec<u8>) {
        match (self.overlong, self.state) {
            (false, _) => out.extend_from_slice(&self.pending),
            // Do not replay an overlong string. An inert string absorbs its remaining bytes.
            (true, state) => {
                let osc = self.pending.get(1) == Some(&b']');
                out.extend_from_slice(if osc { b"\x1b]77777;" } else { b"\x1bX" });
                if state == State::TextEscape {
                    out.push(0x1b);
                }
            }
        }
    }
}
