//! Passing over lines that were scrolled away before anybody could see them.
//!
//! What a program prints line by line leaves nothing of a line once as many lines as the screen has rows came
//! after it. A terminal's parser takes far longer for a line than it takes to see that it is one, so a
//! flood is looked through, and of every long run of plain lines only the last ones are parsed.
//!
//! Invariant: the screen is the same as if everything had been parsed. So only text, the control characters
//! that stay on their line, line feeds, colours and erasing within a line count as plain; everything else ends the run.
//! The caller sees to it that the whole screen scrolls, that nothing has begun and not ended, and that
//! nothing is kept of what scrolls away.

/// The parts of a plain run that must be parsed for a screen of so many rows: colours, then the last lines.
pub(super) fn needed(run: &[u8], rows: usize) -> (Vec<u8>, &[u8]) {
    match last_lines(run, rows) {
        Some(start) => (colours(&run[..start]), &run[start..]),
        None => (Vec::new(), run),
    }
}

/// How many bytes from the beginning are plain. A character may be cut at the end, a colour never is.
pub(super) fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        // Many at a time, as far as that goes: this is what a flood is looked through with.
        while bytes[at..]
            .first_chunk::<16>()
            .is_some_and(|some| some.iter().fold(true, |all, &b| all & stays(b)))
        {
            at += 16;
        }
        match bytes.get(at) {
            Some(&byte) if stays(byte) => at += 1,
            Some(0x1b) => match colour_or_erase(&bytes[at..]) {
                Some(length) => at += length,
                None => return at,
            },
            _ => return at,
        }
    }
}

/// Text, or a control character that stays on its line, or ends it.
fn stays(byte: u8) -> bool {
    ((byte >= 0x20) & (byte != 0x7f)) | (0x07..=b'\n').contains(&byte) | (byte == b'\r')
}

/// The length of the colour (`CSI … m`) or erasing in the line (`CSI … K`) that `bytes` begin with.
fn colour_or_erase(bytes: &[u8]) -> Option<usize> {
    let middle = bytes.strip_prefix(b"\x1b[")?;
    let last = middle.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'))?;
    matches!(middle[last], b'm' | b'K').then_some(last + 3)
}

/// Where the last `rows` line feeds of a plain run and the lines around them begin, if much comes before.
fn last_lines(run: &[u8], rows: usize) -> Option<usize> {
    // Not worth it otherwise.
    if run.len() < 4096 {
        return None;
    }
    let mut feeds = run.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    // The column is known after a carriage return only.
    feeds.by_ref().nth(rows.checked_sub(1)?)?;
    feeds.find(|&at| at > 0 && run[at - 1] == b'\r').map(|at| at + 1)
}

/// The colours of a plain text, from the last one on that undoes them all.
fn colours(text: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut rest = &text[last_undone(text)..];
    while let Some(at) = rest.iter().position(|&byte| byte == 0x1b) {
        rest = &rest[at..];
        let (sequence, after) = rest.split_at(colour_or_erase(rest).unwrap_or(1));
        if sequence.ends_with(b"m") {
            kept.extend_from_slice(sequence);
        }
        rest = after;
    }
    kept
}

/// Where the last colour stands that undoes all others, or the beginning.
fn last_undone(text: &[u8]) -> usize {
    let mut begins = text.iter().enumerate().rev().filter(|(_, byte)| **byte == 0x1b).map(|(at, _)| at);
    begins.find(|&at| text[at..].starts_with(b"\x1b[m") || text[at..].starts_with(b"\x1b[0m")).unwrap_or(0)
}
