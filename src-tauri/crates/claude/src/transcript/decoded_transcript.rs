//! Decodes a whole transcript file, or a whole conversation with the files of its subagents.

use super::{Change, Decoder, Follower, ImageData, ReadError};
use crate::paths::{subagent_id, subagents_dir};
use bc_core::{
    message::{Message, MessageLog},
    session::TokenSplit,
};
use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    path::Path,
};

/// The kind in [`Decoded::unknown`] of lines that are too long, are not a JSON object, or lack required
/// fields.
pub const UNREADABLE: &str = "unreadable line";

/// The content of a whole transcript.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decoded {
    /// The messages in order, each id once.
    pub messages: Vec<Message>,
    pub images: Vec<ImageData>,
    /// The tokens, including inherited tokens, counted once for each `message.id`.
    pub tokens: TokenSplit,
    /// The tokens of messages that were copied from another conversation.
    pub inherited: TokenSplit,
    /// The number of lines of each unknown kind, and of unreadable lines.
    pub unknown: BTreeMap<String, u64>,
    /// The files that tools read or wrote, relative to the working folder if they are inside it.
    pub files: Vec<String>,
    pub title: Option<String>,
    /// The cost in US dollars, as claude reports it.
    pub cost: Option<f64>,
}

impl Decoded {
    /// Decodes one file written by a claude process in `cwd`.
    ///
    /// # Errors
    /// The file does not exist, is not a regular file, or cannot be read.
    pub fn of_file(path: &Path, cwd: &Path) -> Result<Decoded, ReadError> {
        // A follower treats a missing file as an empty one, so the file is checked first.
        let is_file =
            File::open(path).and_then(|file| file.metadata()).and_then(|meta| match meta.is_file() {
                true => Ok(()),
                false => Err(std::io::Error::other("it is not a regular file")),
            });
        is_file.map_err(|source| ReadError { path: path.to_owned(), offset: 0, source })?;
        let decoder = match subagent_id(path) {
            Some(agent) => Decoder::for_subagent(cwd, agent),
            None => Decoder::new(cwd),
        };
        read(path, decoder)
    }

    /// Decodes a conversation: its file and the files of its subagents. The subagents' messages are inserted
    /// by their time.
    ///
    /// # Errors
    /// The main file does not exist, or one of the files cannot be read.
    pub fn of_conversation(path: &Path, cwd: &Path) -> Result<Decoded, ReadError> {
        let mut whole = Decoded::of_file(path, cwd)?;
        let Ok(entries) = fs::read_dir(subagents_dir(path)) else { return Ok(whole) };
        let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        let mut parts = Vec::new();
        for file in files {
            let Some(agent) = subagent_id(&file) else { continue };
            let part = read(&file, Decoder::for_subagent(cwd, agent))?;
            whole.tokens.add(part.tokens);
            whole.inherited.add(part.inherited);
            for (kind, count) in part.unknown {
                *whole.unknown.entry(kind).or_default() += count;
            }
            for path in part.files {
                if !whole.files.contains(&path) {
                    whole.files.push(path);
                }
            }
            whole.images.extend(part.images);
            parts.extend(part.messages);
        }
        whole.messages = merged(whole.messages, parts);
        Ok(whole)
    }
}

/// Inserts each subagent message that `main` lacks before the first later message of `main`, or at the end.
/// The order of `main` is kept.
fn merged(main: Vec<Message>, mut parts: Vec<Message>) -> Vec<Message> {
    parts.sort_by_key(|message| message.timestamp);
    let known: HashSet<String> = main.iter().map(|message| message.id.clone()).collect();
    let mut parts = parts.into_iter().filter(|message| !known.contains(&message.id)).peekable();
    let mut all = Vec::with_capacity(main.len());
    for message in main {
        while let Some(part) = parts.next_if(|part| part.timestamp < message.timestamp) {
            all.push(part);
        }
        all.push(message);
    }
    all.extend(parts);
    all
}

fn read(path: &Path, mut decoder: Decoder) -> Result<Decoded, ReadError> {
    let mut follower = Follower::new(path);
    let mut decoded = Decoded::default();
    let (mut log, mut by_person) = (MessageLog::default(), false);
    let mut take = |changes: Vec<Change>| {
        for change in changes {
            match change {
                Change::Message(message) => drop(log.push(message)),
                Change::Image(image) => decoded.images.push(image),
                Change::Usage(more) => decoded.tokens.add(more),
                Change::InheritedUsage(more) => {
                    decoded.tokens.add(more);
                    decoded.inherited.add(more);
                }
                Change::FileTouched(path) => decoded.files.push(path),
                Change::Cost(cost) => decoded.cost = Some(cost),
                Change::Title { text, by_person: by } if by || !by_person => {
                    by_person |= by;
                    decoded.title = Some(text);
                }
                Change::Unknown { kind } => *decoded.unknown.entry(kind).or_default() += 1,
                Change::Malformed => *decoded.unknown.entry(UNREADABLE.to_owned()).or_default() += 1,
                Change::Title { .. } => {}
            }
        }
    };
    loop {
        let appended = follower.poll()?;
        take(decoder.feed(&appended.bytes));
        if !appended.more {
            break;
        }
    }
    take(decoder.finish());
    decoded.messages = log.into_messages();
    Ok(decoded)
}
