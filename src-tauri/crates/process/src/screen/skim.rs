//! Skips lines that scroll away before they are visible.
//!
//! A printed line leaves no trace once a full screen of lines has followed it. Parsing a line takes far
//! longer than recognizing it as plain. Bulk output is therefore scanned, and only the last lines of each
//! long plain run are parsed.
//!
//! Invariant: the result is the same screen as after parsing all bytes. Plain bytes are therefore only text,
//! control characters that stay on their line, line feeds, colours, and erasing within a line. Any other byte
//! ends the run. The caller ensures that the whole screen scrolls, that no sequence is unfinished, and that
//! the terminal has no scrollback.

/// Returns the parts of a plain run that must be parsed for a screen of `rows` rows: the colours, and the
/// last lines.
pub(super) fn needed(run: &[u8], rows: usize) -> (Vec<u8>, &[u8]) {
    match last_lines(run, rows) {
        Some(start) => (colours(&run[..start]), &run[start..]),
        None => (Vec::new(), run),
    }
}

/// Returns the length of the plain prefix. The prefix can end within a character, but not within a colour
/// sequence.
pub(super) fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        // Check 16 bytes at a time, because bulk output spends most of its time in this loop.
        while bytes[at..]
            .first_chunk::<16>()
            .is_some_and(|some| some.iter().fold(true, |all, &b| all & keeps_line(b)))
        {
            at += 16;
        }
        match bytes.get(at) {
            Some(&byte) if keeps_line(byte) => at += 1,
            Some(0x1b) => match colour_or_erase(&bytes[at..]) {
                Some(length) => at += length,
                None => return at,
            },
            _ => return at,
        }
    }
}

/// Whether the byte is text, or a control character that stays on its line or ends it.
fn keeps_line(byte: u8) -> bool {
    ((byte >= 0x20) & (byte != 0x7f)) | (0x07..=b'\n').contains(&byte) | (byte == b'\r')
}

/// Returns the length of a colour sequence (`CSI … m`) or an erase-in-line sequence (`CSI … K`) at the start
/// of `bytes`.
fn colour_or_erase(bytes: &[u8]) -> Option<usize> {
    let middle = bytes.strip_prefix(b"\x1b[")?;
    let last = middle.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'))?;
    matches!(middle[last], b'm' | b'K').then_some(last + 3)
}

/// Returns the start of the part to parse: at least the last `rows` lines. Returns `None` if the run is too
/// short or has no suitable line break.
fn last_lines(run: &[u8], rows: usize) -> Option<usize> {
    // Skipping lines pays off only in longer runs.
    if run.len() < 4096 {
        return None;
    }
    let mut feeds = run.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    // Start after `\r\n`: after a line feed alone, the column is unknown.
    feeds.by_ref().nth(rows.checked_sub(1)?)?;
    feeds.find(|&at| at > 0 && run[at - 1] == b'\r').map(|at| at + 1)
}

/// Returns the colour sequences of plain text, starting at the last reset.
fn colours(text: &[u8]) -> Vec<u8> {
    let mut sequences = Vec::new();
    let mut rest = &text[last_undone(text)..];
    while let Some(at) = rest.iter().position(|&byte| byte == 0x1b) {
        rest = &rest[at..];
        let (sequence, after) = rest.split_at(colour_or_erase(rest).unwrap_or(1));
        if sequence.ends_with(b"m") {
            sequences.extend_from_slice(sequence);
        }
        rest = after;
    }
    sequences
}

/// Returns the position of the last colour reset, or 0.
fn last_undone(text: &[u8]) -> usize {
    let mut begins = text.iter().enumerate().rev().filter(|(_, byte)| **byte == 0x1b).map(|(at, _)| at);
    begins.find(|&at| text[at..].starts_with(b"\x1b[m") || text[at..].starts_with(b"\x1b[0m")).unwrap_or(0)
}
