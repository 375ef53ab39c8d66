//! Rows by key, their order in time, and the merge of two sets.

use crate::{Timestamp, ids::SessionId, memory};
use chrono::{TimeDelta, Timelike};
use serde_json::{Map, Value};
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

/// A row, or a message of a conversation, with all its fields. [`Records`] sorts its rows' keys at every
/// depth.
pub type Record = Map<String, Value>;

/// The kind of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A tracker's beads, by id.
    Beads,
    /// Memories, by key.
    Memories,
    /// Session records, by id.
    Sessions,
}

/// Which fields win if two states of a record have the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// The fields of the newcomer, the side that is merged in.
    Newcomer,
    /// The fields that a fixed order selects, so that every machine gets the same result in either direction
    /// of the merge.
    Settled,
}

/// Trackers round times to a second, possibly upwards.
const ROUNDED: TimeDelta = TimeDelta::seconds(1);

/// Fields of beads and memories that are dropped, because trackers compute them for their output.
const COUNTED: [&str; 4] = ["_type", "comment_count", "dependency_count", "dependent_count"];

/// A bead's lists that only grow, or that trackers change without updating the bead's time.
const UNITED: [&str; 3] = ["comments", "dependencies", "labels"];

/// Rows of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Records {
    kind: Kind,
    rows: BTreeMap<String, Record>,
    /// Lines that this build cannot parse, kept unchanged.
    foreign: BTreeSet<String>,
}

impl Records {
    /// Creates an empty set.
    pub fn new(kind: Kind) -> Records {
        Records { kind, rows: BTreeMap::new(), foreign: BTreeSet::new() }
    }

    /// Creates a set of these rows. Rows without a key are dropped; rows with equal keys are merged.
    pub fn of(kind: Kind, rows: impl IntoIterator<Item = Record>) -> Records {
        let mut records = Records::new(kind);
        for row in rows {
            if let Some(key) = key_of(kind, &row) {
                records.merge_row(key, ordered_row(kind, row), Tie::Newcomer);
            }
        }
        records
    }

    /// Parses a file with one row per line.
    pub fn parse(kind: Kind, bytes: &[u8]) -> Records {
        let mut records = Records::new(kind);
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            let row = serde_json::from_slice::<Record>(line).ok();
            match row.and_then(|row| Some((key_of(kind, &row)?, row))) {
                Some((key, row)) => records.merge_row(key, ordered_row(kind, row), Tie::Settled),
                None => {
                    records.foreign.insert(String::from_utf8_lossy(line).into_owned());
                }
            }
        }
        records
    }

    /// Renders the file's content: rows by key, then the lines that could not be parsed.
    pub fn render(&self) -> Vec<u8> {
        let mut text = String::new();
        for row in self.rows.values() {
            text.push_str(&Value::Object(row.clone()).to_string());
            text.push('\n');
        }
        for line in &self.foreign {
            text.push_str(line);
            text.push('\n');
        }
        text.into_bytes()
    }

    /// Merges `newcomer` into these records; `tie` decides between states of the same time.
    pub fn with(mut self, newcomer: Records, tie: Tie) -> Records {
        for (key, row) in newcomer.rows {
            self.merge_row(key, row, tie);
        }
        self.foreign.extend(newcomer.foreign);
        self
    }

    /// Applies `change` to each record. The keys must not change.
    pub fn map(mut self, mut change: impl FnMut(&mut Record)) -> Records {
        for row in self.rows.values_mut() {
            change(row);
            *row = ordered_row(self.kind, std::mem::take(row));
        }
        self
    }

    /// The kind of the rows.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The number of rows, without lines that could not be parsed.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the set has no rows. It can still contain lines that could not be parsed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The record with this key.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.rows.get(key)
    }

    /// All records by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Record)> {
        self.rows.iter().map(|(key, row)| (key.as_str(), row))
    }

    fn merge_row(&mut self, key: String, row: Record, tie: Tie) {
        let merged = match self.rows.remove(&key) {
            Some(known) => merge(self.kind, known, row, tie),
            None => row,
        };
        self.rows.insert(key, merged);
    }
}

pub(super) fn merge(kind: Kind, known: Record, row: Record, tie: Tie) -> Record {
    if known == row {
        return known;
    }
    let order = order(kind, &known, &row);
    let known_counts = match (order, tie) {
        (Ordering::Greater, _) => true,
        (Ordering::Less, _) | (Ordering::Equal, Tie::Newcomer) => false,
        (Ordering::Equal, Tie::Settled) => text_of(&known) > text_of(&row),
    };
    let (mut counts, other) = if known_counts { (known, row) } else { (row, known) };
    if kind == Kind::Beads {
        unite(&mut counts, &other, "comments", is_same_comment);
        if order == Ordering::Equal {
            // Trackers change these lists without a new `updated_at`.
            unite(&mut counts, &other, "labels", |a, b| a == b);
            unite(&mut counts, &other, "dependencies", |a, b| {
                a.get("depends_on_id") == b.get("depends_on_id")
            });
        }
    }
    counts
}

/// Orders two states of a record by time; a state without a time is the oldest. A time in whole seconds
/// counts as equal to a more precise time within one second. Sessions with equal times are ordered by their
/// number of messages.
pub(super) fn order(kind: Kind, a: &Record, b: &Record) -> Ordering {
    let (a_at, b_at) = (moment(kind, a), moment(kind, b));
    let rounded = |a: Timestamp, b: Timestamp| {
        let one_is_rounded = (a.nanosecond() == 0) != (b.nanosecond() == 0);
        one_is_rounded && (a - b).abs() <= ROUNDED
    };
    let messages = |row: &Record| row.get("message_count").and_then(Value::as_u64).unwrap_or(0);
    match (a_at, b_at) {
        (Some(a_at), Some(b_at)) if rounded(a_at, b_at) => Ordering::Equal,
        _ if kind == Kind::Sessions => a_at.cmp(&b_at).then_with(|| messages(a).cmp(&messages(b))),
        _ => a_at.cmp(&b_at),
    }
}

/// The time of a record's last change, if it has one.
pub(super) fn moment(kind: Kind, row: &Record) -> Option<Timestamp> {
    let read = |value: &Value| Timestamp::parse_from_rfc3339(value.as_str()?).ok();
    let field = |key: &str| row.get(key).and_then(read);
    match kind {
        Kind::Beads | Kind::Memories => field("updated_at").or_else(|| field("created_at")),
        Kind::Sessions => {
            let own = ["created_at", "started_at", "paused_at", "closed_at", "last_activated_at"];
            let intervals = row.get("active_intervals").and_then(Value::as_array).into_iter().flatten();
            let ends = intervals.flat_map(|interval| [interval.get("start"), interval.get("end")]);
            own.into_iter().filter_map(field).chain(ends.flatten().filter_map(read)).max()
        }
    }
}

fn key_of(kind: Kind, row: &Record) -> Option<String> {
    let id = row.get("id")?.as_str()?;
    match kind {
        Kind::Beads => Some(id.to_owned()),
        Kind::Memories => memory::from_row(row).map(|entry| entry.key),
        Kind::Sessions => id.parse::<SessionId>().ok().map(|id| id.to_string()),
    }
}

/// Adds the items that only `other` has, and sorts the list.
fn unite(row: &mut Record, other: &Record, list: &str, is_same: impl Fn(&Value, &Value) -> bool) {
    let items = |row: &Record| row.get(list).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut all = items(row);
    let before = all.len();
    for item in items(other) {
        if !all.iter().any(|known| is_same(known, &item)) {
            all.push(item);
        }
    }
    if all.len() > before {
        sort_items(&mut all);
        row.insert(list.to_owned(), Value::Array(all));
        row.sort_keys();
    }
}

/// Sorts items by time, then by their text; items without a time come first.
fn sort_items(items: &mut [Value]) {
    items.sort_by_cached_key(|item| (item.get("created_at").map(Value::to_string), item.to_string()));
}

/// Compares comments without their ids, because trackers renumber comments on import.
fn is_same_comment(a: &Value, b: &Value) -> bool {
    let text = |value: &Value| value.get("text").and_then(Value::as_str).map(|text| text.trim().to_owned());
    let at = |value: &Value| Timestamp::parse_from_rfc3339(value.get("created_at")?.as_str()?).ok();
    let near = match (at(a), at(b)) {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDED,
        (a, b) => a == b,
    };
    near && a.get("author") == b.get("author") && text(a) == text(b)
}

fn ordered_row(kind: Kind, mut row: Record) -> Record {
    if kind != Kind::Sessions {
        row.retain(|key, _| !COUNTED.contains(&key.as_str()));
    }
    let mut value = Value::Object(row);
    value.sort_all_objects();
    for list in UNITED {
        if let Some(Value::Array(items)) = value.get_mut(list) {
            sort_items(items);
        }
    }
    if let Some(Value::Array(comments)) = value.get_mut("comments") {
        // A repetition within the rounding interval cannot be distinguished from a rounded copy.
        let mut once: Vec<Value> = Vec::with_capacity(comments.len());
        for comment in comments.drain(..) {
            if !once.iter().any(|known| is_same_comment(known, &comment)) {
                once.push(comment);
            }
        }
        *comments = once;
    }
    match value {
        Value::Object(row) => row,
        _ => unreachable!("sorting keeps an object an object"),
    }
}

/// The row's text without the lists that are combined anyway.
fn text_of(row: &Record) -> String {
    let mut row = row.clone();
    row.retain(|key, _| !UNITED.contains(&key.as_str()));
    Value::Object(row).to_string()
}
