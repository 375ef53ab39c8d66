//! A conversation's files in a backup. A long conversation is cut into parts at line ends, for three reasons:
//! repository hosts refuse large files, several parts are stored in parallel, and a conversation that only
//! grew keeps its earlier parts.

use crate::context::errors::git_error;
use bc_git::{ObjectId, Repo};
use bc_wire::{ApiError, ErrorCode};
use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

const FOLDER: &str = "transcripts/";
const ENDING: &str = ".jsonl";

/// The maximum size of a part in bytes, unless a single line is longer.
const PART_MAX: usize = 16 << 20;

/// A conversation's stored parts, in order.
pub(super) type Parts = Vec<ObjectId>;

/// The path of a part; parts are numbered from 0. The first part is `ID.jsonl`, followed by `ID.2.jsonl`,
/// `ID.3.jsonl`, …
pub(super) fn path_of(session: &str, part: usize) -> String {
    match part {
        0 => format!("{FOLDER}{session}{ENDING}"),
        _ => format!("{FOLDER}{session}.{}{ENDING}", part + 1),
    }
}

/// The session and part of a path; `None` if the path does not belong to a conversation.
fn part_of(path: &str) -> Option<(&str, usize)> {
    let name = path.strip_prefix(FOLDER)?.strip_suffix(ENDING)?;
    match name.rsplit_once('.') {
        None => Some((name, 0)),
        Some((session, number)) => Some((session, number.parse::<usize>().ok()?.checked_sub(1)?)),
    }
}

/// Removes the conversation files from `files`, and returns them by session.
pub(super) fn take(files: &mut BTreeMap<String, ObjectId>) -> BTreeMap<String, Parts> {
    let mut found: BTreeMap<String, BTreeMap<usize, ObjectId>> = BTreeMap::new();
    files.retain(|path, id| match part_of(path) {
        Some((session, part)) => {
            found.entry(session.to_owned()).or_default().insert(part, id.clone());
            false
        }
        None => true,
    });
    found.into_iter().map(|(session, parts)| (session, parts.into_values().collect())).collect()
}

/// Reads a conversation's parts and joins them.
pub(super) fn read(repo: &Repo, parts: &Parts) -> Result<Vec<u8>, ApiError> {
    let mut text = Vec::new();
    for part in parts {
        text.extend(repo.blob(part).map_err(git_error)?);
    }
    Ok(text)
}

/// Stores a conversation in the repository, and returns its parts. `texts` are consecutive chunks of the
/// conversation, each of which ends with a newline.
pub(super) fn write<T: AsRef<[u8]> + Sync>(repo: &Repo, texts: &[T]) -> Result<Parts, ApiError> {
    let cuts = cuts(texts.iter().map(AsRef::as_ref), PART_MAX);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut stored = Vec::new();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            let Some(pieces) = cuts.get(part) else { return Ok(stored) };
            stored.push((part, repo.write_blob(&pieces.concat()).map_err(git_error)?));
        }
    };
    let failed = || ApiError::new(ErrorCode::Internal, "a thread that stores a conversation failed");
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(cuts.len());
    let stored: Vec<Result<Vec<(usize, ObjectId)>, ApiError>> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        started.into_iter().map(|one| one.join().unwrap_or_else(|_| Err(failed()))).collect()
    });
    let mut all: Vec<(usize, ObjectId)> = Vec::with_capacity(cuts.len());
    for one in stored {
        all.extend(one?);
    }
    all.sort_unstable();
    Ok(all.into_iter().map(|(_, id)| id).collect())
}

/// Cuts the chunks into parts, each with as many whole lines as fit. Chunks that have only grown are cut at the
/// same positions as before. A part consists of slices, because it can span several chunks.
fn cuts<'a>(texts: impl Iterator<Item = &'a [u8]>, most: usize) -> Vec<Vec<&'a [u8]>> {
    let mut parts: Vec<Vec<&[u8]>> = vec![Vec::new()];
    let mut size = 0;
    for text in texts {
        let mut start = 0;
        let mut end = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if size > 0 && size + line.len() > most {
                parts.last_mut().expect("there is one").push(&text[start..end]);
                parts.push(Vec::new());
                (start, size) = (end, 0);
            }
            end += line.len();
            size += line.len();
        }
        parts.last_mut().expect("there is one").push(&text[start..end]);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(texts: &[&str], most: usize) -> Vec<String> {
        let of_part = |pieces: Vec<&[u8]>| String::from_utf8(pieces.concat()).unwrap();
        cuts(texts.iter().map(|text| text.as_bytes()), most).into_iter().map(of_part).collect()
    }

    #[test]
    fn a_part_contains_only_whole_lines_even_across_texts() {
        assert_eq!(parts(&["aa\nbb\n", "cc\ndd\n"], 9), ["aa\nbb\ncc\n", "dd\n"]);
        assert_eq!(parts(&["longer than a part\n", "b\n"], 4), ["longer than a part\n", "b\n"]);
        assert_eq!(parts(&["aa\n"], 9), ["aa\n"]);
        assert_eq!(parts(&[], 9), [""]);
    }

    #[test]
    fn a_conversation_that_grew_keeps_its_earlier_parts() {
        let before = parts(&["aa\nbb\ncc\n"], 6);
        let after = parts(&["aa\nbb\n", "cc\ndd\nee\n"], 6);
        assert_eq!(before, ["aa\nbb\n", "cc\n"]);
        assert_eq!(after, ["aa\nbb\n", "cc\ndd\n", "ee\n"]);
    }

    #[test]
    fn paths_of_parts_are_read_back() {
        for part in [0, 1, 11] {
            assert_eq!(part_of(&path_of("3f25", part)), Some(("3f25", part)));
        }
        assert_eq!(part_of("transcripts/3f25.jsonl"), Some(("3f25", 0)));
        assert_eq!(part_of("transcripts/3f25.x.jsonl"), None);
        assert_eq!(part_of("notes.jsonl"), None);
    }
}
