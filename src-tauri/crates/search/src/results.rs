//! Builds the displayed results. Several threads read the messages from the sessions' files and make most
//! snippets. One thread queries the cache: first for the records, finally for the snippets that need its
//! tokenizer.

use crate::{
    SearchIndex, find::COUNTED, lines, message_fields::MessageText, page::at_places, pieces::Snippet,
    snippet::shown_ascii, words::Expression,
};
use bc_core::{
    search::{Found, Hit},
    session::Meta,
};
use bc_store::SessionStore;
use std::{io, panic::resume_unwind, sync::LazyLock, thread};

/// The maximum number of snippets per session.
const SHOWN: usize = 2;
/// Up to this number of sessions, another thread costs more time than it saves.
const FEW: usize = 8;
/// The number of threads, including the current one: the number of processors, at most 4.
static THREADS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, |count| count.get().min(4)));

/// The cached values of a displayed session.
pub(crate) struct Row {
    meta: String,
    /// The displayed messages: number, offset and length.
    places: Vec<(i64, u64, u64)>,
    in_head: bool,
    count: usize,
}

/// A result that still lacks the snippets that need the cache.
struct Draft {
    meta: Meta,
    /// The snippet of the title and objective. `None` if the session was not found by its title, objective or
    /// bead id; `Some(None)` if the snippet needs the cache.
    head: Option<Option<Snippet>>,
    /// Each message's number, text and snippet. The snippet is `None` if it needs the cache.
    messages: Vec<(i64, MessageText, Option<Snippet>)>,
    count: usize,
}

impl SearchIndex {
    /// The cached values of a session with matches in these messages, newest first.
    pub(crate) fn row(&self, key: i64, in_head: bool, numbers: &[i64]) -> rusqlite::Result<Row> {
        let meta = self.meta(key)?;
        let mut select = self
            .connection
            .prepare_cached("SELECT start, length FROM message WHERE session = ?1 AND no = ?2")?;
        let mut places = Vec::with_capacity(SHOWN);
        for number in numbers.iter().take(SHOWN) {
            let mut rows = select.query([key, *number])?;
            if let Some(row) = rows.next()? {
                places.push((*number, row.get(0)?, row.get(1)?));
            }
        }
        Ok(Row { meta, places, in_head, count: (numbers.len() + usize::from(in_head)).min(COUNTED) })
    }

    pub(crate) fn meta(&self, key: i64) -> rusqlite::Result<String> {
        self.connection
            .prepare_cached("SELECT meta FROM session WHERE key = ?1")?
            .query_row([key], |row| row.get(0))
    }

    /// The results for these sessions, with snippets. Sessions with unreadable records are omitted.
    pub(crate) fn found(&self, rows: &[Row], words: &Expression) -> rusqlite::Result<Vec<Found>> {
        let store = &self.store;
        let drafts = side_by_side(rows, |row| draft(row, store, words));
        drafts.into_iter().flatten().map(|draft| self.finished(draft, words)).collect()
    }

    /// Completes a result with the snippets that only the tokenizer finds.
    fn finished(&self, draft: Draft, words: &Expression) -> rusqlite::Result<Found> {
        let Draft { meta, head, messages, count } = draft;
        let mut hits = Vec::with_capacity(messages.len() + 1);
        if let Some(head) = head {
            let shown = match head {
                Some(shown) => Some(shown),
                None => self.shown(&heads(&meta), words)?,
            };
            let at = meta.created_at;
            let hit = |shown: Snippet| Hit {
                message: None,
                place: None,
                role: None,
                at,
                tool: None,
                snippet: shown.pieces,
            };
            hits.extend(shown.map(hit));
        }
        for (number, message, shown) in messages {
            let shown = match shown {
                Some(shown) => Some(shown),
                None => {
                    let tools = tools(&message);
                    self.shown(&texts(&message, &tools), words)?
                }
            };
            let Some(shown) = shown else { continue };
            let tool = |at: usize| message.tool_calls.iter().flatten().nth(at).map(|call| call.tool.clone());
            hits.push(Hit {
                tool: shown.text.checked_sub(1).and_then(tool),
                snippet: shown.pieces,
                place: Some(number as u32 - 1),
                role: Some(message.role),
                at: message.timestamp,
                message: Some(message.id),
            });
        }
        Ok(Found { meta, hits, hit_count: count as u32 })
    }
}

fn draft(row: &Row, store: &SessionStore, words: &Expression) -> Option<Draft> {
    let meta: Meta = serde_json::from_str(&row.meta).ok()?;
    // If the file cannot be read, the session is listed without snippets.
    let messages = read(row, &meta, store).unwrap_or_default().into_iter();
    let messages = messages.map(|(number, message)| {
        let tools = tools(&message);
        let shown = shown_ascii(&texts(&message, &tools), words);
        (number, message, shown)
    });
    let messages = messages.collect();
    let head = row.in_head.then(|| shown_ascii(&heads(&meta), words));
    Some(Draft { meta, head, messages, count: row.count })
}

/// Reads the messages at the row's positions. If the file was just changed, a message that is no longer at
/// its position is omitted; the next query finds it.
fn read(row: &Row, meta: &Meta, store: &SessionStore) -> io::Result<Vec<(i64, MessageText)>> {
    if row.places.is_empty() {
        return Ok(Vec::new());
    }
    let ranges: Vec<_> = row.places.iter().map(|&(_, start, length)| (start, length)).collect();
    let mut messages = Vec::with_capacity(ranges.len());
    at_places(&store.session(meta.id).messages_path(), &ranges, |at, message| {
        messages.extend(message.map(|message| (row.places[at].0, message)));
        Ok::<(), io::Error>(())
    })?;
    Ok(messages)
}

fn heads(meta: &Meta) -> [&str; 2] {
    [meta.title.as_deref().unwrap_or_default(), meta.objective.as_deref().unwrap_or_default()]
}

fn tools(message: &MessageText) -> Vec<String> {
    message.tool_calls.iter().flatten().map(lines::tool).collect()
}

/// The message's own text, then one string per tool call.
fn texts<'a>(message: &'a MessageText, tools: &'a [String]) -> Vec<&'a str> {
    std::iter::once(message.content.as_str()).chain(tools.iter().map(String::as_str)).collect()
}

/// Maps all items in order; many items are split over several threads.
fn side_by_side<T: Sync, R: Send>(all: &[T], what: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let share = all.len().div_ceil(*THREADS).max(FEW);
    let (own, others) = all.split_at(share.min(all.len()));
    let of = |share: &[T]| share.iter().map(&what).collect::<Vec<R>>();
    thread::scope(|scope| {
        let started = |share| (share, thread::Builder::new().spawn_scoped(scope, move || of(share)));
        let others: Vec<_> = others.chunks(share).map(started).collect();
        let mut done = of(own);
        for (share, other) in others {
            // If no other thread is available, the current thread does the work.
            let theirs = other.map_or_else(|_| Ok(of(share)), thread::ScopedJoinHandle::join);
            done.extend(theirs.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_threads_are_complete_and_in_order() {
        for count in [0, 1, FEW, FEW + 1, 50, 501] {
            let all: Vec<usize> = (0..count).collect();
            assert_eq!(side_by_side(&all, |n| n * 2), all.iter().map(|n| n * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "the last of many")]
    fn a_threads_panic_is_propagated() {
        let all: Vec<usize> = (0..50).collect();
        side_by_side(&all, |n| assert!(*n != 49, "the last of many"));
    }
}
