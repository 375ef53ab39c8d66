//! Terminal modes that vt100 does not track and that programs such as Claude Code use, and the title.

use crate::size::Size;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The private modes that a snapshot restores: focus reports, alternate scroll, further mouse encodings, and
/// colour scheme reports. vt100's own output restores the modes that it supports.
const REPLAYED_MODES: [u16; 5] = [1004, 1007, 1015, 1016, 2031];

/// The maximum number of kitty keyboard states per screen. Terminals discard the oldest state.
const KITTY_MAX: usize = 16;

#[derive(Debug, Default, Clone)]
struct PerScreen {
    /// The first and last line of the scroll region, counted from 1.
    region: Option<(u16, u16)>,
    origin: bool,
    kitty: Vec<u16>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Modes {
    private: BTreeSet<u16>,
    no_wrap: bool,
    modify_other_keys: Option<u16>,
    alternate: bool,
    main_screen: PerScreen,
    alternate_screen: PerScreen,
    title: String,
}

impl Modes {
    fn screen(&self, alternate: bool) -> &PerScreen {
        if alternate { &self.alternate_screen } else { &self.main_screen }
    }

    fn screen_mut(&mut self) -> &mut PerScreen {
        if self.alternate { &mut self.alternate_screen } else { &mut self.main_screen }
    }

    /// Handles a sequence of ESC and one byte.
    pub(super) fn escape(&mut self, byte: u8) {
        if byte == b'c' {
            let title = std::mem::take(&mut self.title);
            *self = Modes { title, ..Modes::default() };
        }
    }

    /// Handles a CSI sequence, split into the bytes before the final byte, and the final byte.
    pub(super) fn csi(&mut self, middle: &[u8], last: u8) {
        let (prefix, rest) = match middle.split_first() {
            Some((b'?' | b'>' | b'<' | b'=', rest)) => (middle[0], rest),
            _ => (0, middle),
        };
        let params: Vec<u16> = rest
            .split(|&b| b == b';')
            .map(|digits| std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()).unwrap_or(0))
            .collect();
        let first = params.first().copied().unwrap_or(0);
        let second = params.get(1).copied();
        match (prefix, last) {
            (b'?', b'h') => params.iter().for_each(|&mode| self.set(mode, true)),
            (b'?', b'l') => params.iter().for_each(|&mode| self.set(mode, false)),
            (0, b'r') if rest.iter().all(|b| b.is_ascii_digit() || *b == b';') => {
                let (top, bottom) = (first.max(1), second.unwrap_or(0));
                self.screen_mut().region = (top > 1 || bottom > 0).then_some((top, bottom));
            }
            (0, b'p') if rest == b"!" => {
                self.private.clear();
                self.no_wrap = false;
                *self.screen_mut() =
                    PerScreen { kitty: std::mem::take(&mut self.screen_mut().kitty), ..PerScreen::default() };
            }
            (b'>', b'm') if first == 4 => self.modify_other_keys = second.filter(|&level| level > 0),
            (b'>', b'u') => {
                let stack = &mut self.screen_mut().kitty;
                stack.push(first);
                let extra = stack.len().saturating_sub(KITTY_MAX);
                stack.drain(..extra);
            }
            (b'<', b'u') => {
                let stack = &mut self.screen_mut().kitty;
                let left = stack.len().saturating_sub(usize::from(first.max(1)));
                stack.truncate(left);
            }
            (b'=', b'u') => self.kitty_set(first, second.unwrap_or(1)),
            _ => {}
        }
    }

    fn kitty_set(&mut self, flags: u16, how: u16) {
        let stack = &mut self.screen_mut().kitty;
        if stack.is_empty() {
            stack.push(0);
        }
        if let Some(top) = stack.last_mut() {
            *top = match how {
                2 => *top | flags,
                3 => *top & !flags,
                _ => flags,
            };
        }
    }

    fn set(&mut self, mode: u16, on: bool) {
        match mode {
            6 => self.screen_mut().origin = on,
            7 => self.no_wrap = !on,
            47 | 1047 => self.alternate = on,
            1049 => {
                self.alternate = on;
                if on {
                    self.alternate_screen.region = None;
                    self.alternate_screen.origin = false;
                }
            }
            mode if REPLAYED_MODES.contains(&mode) && on => drop(self.private.insert(mode)),
            mode => drop(self.private.remove(&mode)),
        }
    }

    /// Handles the content of an OSC string, without introducer and terminator.
    pub(super) fn osc(&mut self, text: &[u8]) {
        let mut parts = text.splitn(2, |&b| b == b';');
        if let (Some(b"0" | b"2"), Some(title)) = (parts.next(), parts.next()) {
            self.title = bc_core::text::cut(&bc_core::text::one_line(&String::from_utf8_lossy(title)), 200);
        }
    }

    /// Whether the visible screen has no scroll region.
    pub(super) fn scrolls_whole(&self) -> bool {
        self.screen(self.alternate).region.is_none()
    }

    pub(super) fn resized(&mut self) {
        self.main_screen.region = None;
        self.alternate_screen.region = None;
    }

    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// Writes the scroll region, followed by the cursor position, because setting a region moves the cursor.
    pub(super) fn write_region(&self, out: &mut String, alternate: bool, size: Size, cursor: (u16, u16)) {
        let screen = self.screen(alternate);
        let Some((top, bottom)) = screen.region.filter(|_| !screen.origin) else { return };
        let bottom = if bottom == 0 { size.rows() } else { bottom.min(size.rows()) };
        if top < bottom && (top, bottom) != (1, size.rows()) {
            let _ = write!(out, "\x1b[{top};{bottom}r\x1b[{};{}H", cursor.0 + 1, cursor.1 + 1);
        }
    }

    /// Writes all other modes and the title.
    pub(super) fn write(&self, out: &mut String, alternate: bool) {
        // Ignore the results: writing to a String cannot fail.
        for mode in &self.private {
            let _ = write!(out, "\x1b[?{mode}h");
        }
        if self.no_wrap {
            out.push_str("\x1b[?7l");
        }
        if let Some(level) = self.modify_other_keys {
            let _ = write!(out, "\x1b[>4;{level}m");
        }
        for flags in &self.screen(alternate).kitty {
            let _ = write!(out, "\x1b[>{flags}u");
        }
        if !self.title.is_empty() {
            let _ = write!(out, "\x1b]2;{}\x1b\\", self.title);
        }
    }
}
