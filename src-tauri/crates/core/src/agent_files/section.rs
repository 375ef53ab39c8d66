//! A section between two marker lines, in a file with any content and encoding except UTF-16.
//!
//! The section is appended after a blank line, and ends like the file: with or without a line ending.
//! Removing the section therefore restores the previous bytes exactly.

use super::{Content, Refusal, State, VERSION};
use std::ops::Range;

const BEGIN: &str = "<!-- beads-console:begin v";
const BEGIN_ENDS: &str = " -->";
const END: &str = "<!-- beads-console:end -->";

struct Found {
    /// The range from the begin marker to the end marker, without the following line ending.
    place: Range<usize>,
    version: u32,
}

pub(super) fn state(now: &[u8], template: &str) -> Result<State, Refusal> {
    Ok(match find(now)? {
        None => State::Absent,
        Some(found) if found.version > VERSION => State::Newer,
        Some(found) if now[found.place.clone()] == *ours(template, line_end(now)).as_bytes() => {
            State::Current
        }
        Some(_) => State::Outdated,
    })
}

/// Adds or updates the section in a file that also has other text, and creates the file if it is missing.
pub(super) fn install(now: Option<&[u8]>, template: &str) -> Result<Vec<u8>, Refusal> {
    let Some(now) = now else { return Ok((ours(template, "\n") + "\n").into_bytes()) };
    let eol = line_end(now);
    let section = ours(template, eol);
    if let Some(found) = find(now)? {
        return Ok(replaced(now, &found, &section));
    }
    // An empty file also gets a blank line, which distinguishes it from a missing file.
    let ends = now.is_empty() || now.ends_with(b"\n");
    // After a lone carriage return, a bare line feed would merge with it into one line ending.
    let gap = if now.ends_with(b"\r") { "\r\n" } else { eol };
    let (before, after) = if ends { (eol.to_owned(), eol) } else { (gap.repeat(2), "") };
    Ok([now, before.as_bytes(), section.as_bytes(), after.as_bytes()].concat())
}

/// Creates a file from the whole template, or replaces the section in an existing file.
pub(super) fn install_whole(now: Option<&[u8]>, template: &str) -> Result<Vec<u8>, Refusal> {
    let Some(now) = now else { return Ok(template.as_bytes().to_vec()) };
    let found = find(now)?.ok_or(Refusal::NotOurs)?;
    Ok(replaced(now, &found, &ours(template, line_end(now))))
}

fn replaced(now: &[u8], found: &Found, section: &str) -> Vec<u8> {
    match found.version > VERSION {
        true => now.to_vec(),
        false => [&now[..found.place.start], section.as_bytes(), &now[found.place.end..]].concat(),
    }
}

pub(super) fn remove(now: &[u8]) -> Result<Content, Refusal> {
    let Some(found) = find(now)? else { return Ok(Some(now.to_vec())) };
    let (mut before, mut after) = (&now[..found.place.start], &now[found.place.end..]);
    if before.is_empty() && matches!(after, b"" | b"\n" | b"\r\n") {
        return Ok(None);
    }
    let blank_before =
        |text: &[u8]| without_end(text).is_some_and(|line| line.is_empty() || line.ends_with(b"\n"));
    // If the file had no line ending, the install added two before the section and none after it.
    let added = if after.is_empty() { 2 } else { 1 };
    if blank_before(before) {
        for _ in 0..added {
            before = without_end(before).unwrap_or_default();
        }
    }
    after = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).unwrap_or(after);
    Ok(Some([before, after].concat()))
}

/// Keeps the user's text outside the markers; removes the file if it contains no such text.
pub(super) fn remove_whole(now: &[u8], template: &str) -> Result<Content, Refusal> {
    let Some(found) = find(now)? else { return Ok(Some(now.to_vec())) };
    let around = |text: &[u8], place: &Range<usize>| {
        let outside = [&text[..place.start], &text[place.end..]].concat();
        outside.into_iter().filter(|byte| *byte != b'\r').collect::<Vec<_>>()
    };
    let own = find(template.as_bytes())?.expect("a template has its markers");
    match around(now, &found.place) == around(template.as_bytes(), &own.place) {
        true => Ok(None),
        false => remove(now),
    }
}

/// The text without its final line ending; `None` if it has none.
fn without_end(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_suffix(b"\n")?;
    Some(text.strip_suffix(b"\r").unwrap_or(text))
}

/// The template's section with these line endings.
fn ours(template: &str, eol: &str) -> String {
    let found = find(template.as_bytes()).ok().flatten().expect("a template has its markers");
    let section = template[found.place].replace("\r\n", "\n");
    if eol == "\n" { section } else { section.replace('\n', eol) }
}

/// A file's line ending: that of its first line. If a file of one line ends with a carriage return, it is
/// `\r\n`.
pub(super) fn line_end(text: &[u8]) -> &'static str {
    let first = text.split(|byte| *byte == b'\n').next();
    match first.is_some_and(|line| line.ends_with(b"\r")) {
        true => "\r\n",
        false => "\n",
    }
}

fn find(text: &[u8]) -> Result<Option<Found>, Refusal> {
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
        return Err(Refusal::Utf16);
    }
    let mut open: Option<(usize, usize, u32)> = None;
    let mut found: Option<Found> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let (start, line_number) = (at, number + 1);
        at += line.len();
        let bare = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let Ok(words) = std::str::from_utf8(bare.trim_ascii()) else { continue };
        if let Some(version) = version(words) {
            match open {
                None if found.is_some() => return Err(Refusal::Twice { line: line_number }),
                None => open = Some((start + line.len() - bare.len(), line_number, version)),
                Some((_, line, _)) => return Err(Refusal::HalfMarked { line }),
            }
        } else if words == END {
            let (from, _, version) = open.take().ok_or(Refusal::HalfMarked { line: line_number })?;
            let end = start + line.trim_ascii_end().len();
            found = Some(Found { place: from..end, version });
        }
    }
    match open {
        Some((_, line, _)) => Err(Refusal::HalfMarked { line }),
        None => Ok(found),
    }
}

fn version(line: &str) -> Option<u32> {
    line.strip_prefix(BEGIN)?.strip_suffix(BEGIN_ENDS)?.parse().ok()
}
