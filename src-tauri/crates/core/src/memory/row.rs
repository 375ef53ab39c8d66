//! Converts a memory to a tracker's row and back.

use super::{
    MemoryEntry, MemoryLink, MemoryType, NewMemory, OnBead, Relation,
    labels::{build_labels, is_memory, parse_labels},
    tables::{importance_of, issue_type_of, priority_of, type_of_issue},
    unfenced,
};
use crate::{
    Extra, Timestamp,
    ids::BeadId,
    text::{cut, one_line},
};
use serde_json::{Map, Value, json};

/// The metadata field with the memory's key.
pub const KEY: &str = "memory_key";
/// The metadata field with the exact importance, which a priority cannot represent.
pub const IMPORTANCE: &str = "memory_importance";
/// The metadata field with the bead on which the memory was learned.
pub const BEAD: &str = "memory_bead";
/// The metadata field with the hash of the text from which bd's own memory was made.
pub const HASH: &str = "memory_hash";
/// The metadata field with the time of the last access.
pub const ACCESSED: &str = "accessed_at";
/// The metadata field with the workstream.
pub const WORKSTREAM: &str = "workstream";

/// Reserved fields of the metadata.
const OURS: [&str; 5] = [KEY, IMPORTANCE, BEAD, HASH, ACCESSED];
/// Metadata fields that [`from_row`] adds. They are never stored.
const OF_THE_ROW: [&str; 3] = ["beads_issue_id", "beads_priority", "beads_status"];

/// The maximum length of the excerpt, in characters.
const EXCERPT: usize = 160;

/// The metadata to store for a memory. Reserved fields in the given metadata are ignored.
pub fn stored_metadata(new: &NewMemory, workstream: &str) -> Extra {
    let mut metadata = new.metadata.clone();
    metadata.retain(|key, _| !OURS.contains(&key.as_str()) && !OF_THE_ROW.contains(&key.as_str()));
    metadata.insert(WORKSTREAM.to_owned(), json!(workstream));
    metadata.insert(KEY.to_owned(), json!(new.key));
    if let Some(importance) = new.importance {
        metadata.insert(IMPORTANCE.to_owned(), json!(importance));
    }
    match &new.bead {
        OnBead::AsItWas => {}
        // An explicit null, because the storage merges these fields into the existing ones.
        OnBead::None => drop(metadata.insert(BEAD.to_owned(), Value::Null)),
        OnBead::Bead(bead) => drop(metadata.insert(BEAD.to_owned(), json!(bead))),
    }
    metadata
}

/// Converts a validated memory to a row. `actor` is recorded as the author; `now` is a time in RFC 3339.
pub fn to_row(
    id: &BeadId,
    new: &NewMemory,
    session: &str,
    workstream: &str,
    actor: &str,
    now: &str,
) -> Map<String, Value> {
    let kind = new.memory_type.unwrap_or(MemoryType::Learning);
    let labels = build_labels(session, &new.agent_id, kind, new.tags.as_deref().unwrap_or_default());
    let row = json!({
        "id": id,
        "title": new.title,
        "description": new.content,
        "status": "pinned",
        "priority": priority_of(new.importance),
        "issue_type": issue_type_of(kind),
        "assignee": new.agent_id,
        "created_at": now,
        "created_by": actor,
        "updated_at": now,
        "labels": labels,
        "metadata": stored_metadata(new, workstream),
    });
    match row {
        Value::Object(row) => row,
        _ => unreachable!("an object was written"),
    }
}

/// Parses a row as a memory, without its text; `None` if the row is not a memory.
pub fn from_row(row: &Map<String, Value>) -> Option<MemoryEntry> {
    let text = |key: &str| row.get(key).and_then(Value::as_str);
    let id: BeadId = text("id")?.parse().ok()?;
    let status = text("status").unwrap_or("pinned");
    let labels: Vec<String> = strings(row.get("labels"));
    if status == "tombstone" || !is_memory(&labels) {
        return None;
    }
    let labels = parse_labels(&labels);
    let mut metadata = metadata_of(row);
    let priority = priority(row.get("priority"));
    let key = metadata.get(KEY).and_then(Value::as_str).filter(|key| !key.is_empty());
    let key = key.map_or_else(|| id.to_string(), str::to_owned);
    // The stored exact value applies unless the priority was changed by hand.
    let exact = metadata.get(IMPORTANCE).and_then(Value::as_u64).and_then(|n| u8::try_from(n).ok());
    let exact = exact.filter(|n| (1..=10).contains(n) && priority_of(Some(*n)) == priority);
    let time = |value: Option<&Value>| Timestamp::parse_from_rfc3339(value?.as_str()?).ok();
    let updated_at = time(row.get("updated_at"));
    let accessed_at = time(metadata.get(ACCESSED)).max(updated_at);
    let bead_id = metadata.get(BEAD).and_then(Value::as_str).and_then(|bead| bead.parse().ok());
    let kind = labels.memory_type.as_deref().and_then(|word| word.parse().ok());
    let links = links(row);
    let parent = |kind: Relation| links.iter().find(|link| link.kind == kind).map(|link| link.id.clone());
    let parent_id = parent(Relation::Blocks).or_else(|| parent(Relation::DiscoveredFrom));
    let content = text("description").unwrap_or_default();
    metadata.retain(|key, value| !value.is_null() && !OURS.contains(&key.as_str()));
    metadata.insert("beads_issue_id".to_owned(), json!(id));
    metadata.insert("beads_priority".to_owned(), json!(priority));
    metadata.insert("beads_status".to_owned(), json!(status));
    Some(MemoryEntry {
        key,
        session_id: labels.session_id,
        agent_id: labels.agent_id,
        memory_type: kind.unwrap_or_else(|| type_of_issue(text("issue_type").unwrap_or("task"))),
        title: text("title").map(one_line).unwrap_or_default(),
        content: None,
        excerpt: excerpt(content),
        bytes: content.len() as u64,
        metadata,
        created_at: time(row.get("created_at")),
        updated_at,
        accessed_at,
        tags: labels.custom_tags,
        importance: exact.unwrap_or_else(|| importance_of(priority)),
        expires_at: None,
        parent_id,
        bead_id,
        links,
        forgotten: status == "closed",
        id,
    })
}

/// The text of a memory's row; empty if the row has none.
pub fn content_of(row: &Map<String, Value>) -> &str {
    row.get("description").and_then(Value::as_str).unwrap_or_default()
}

/// The metadata of a row: an object, an object as text, or the fenced block in the row's notes.
fn metadata_of(row: &Map<String, Value>) -> Extra {
    let own = match row.get("metadata") {
        Some(Value::Object(map)) => Some(map.clone()),
        Some(Value::String(text)) => serde_json::from_str(text).ok(),
        _ => None,
    };
    let own = own.filter(|map: &Extra| !map.is_empty());
    own.or_else(|| unfenced(row.get("notes")?.as_str()?)).unwrap_or_default()
}

fn links(row: &Map<String, Value>) -> Vec<MemoryLink> {
    let edges = row.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    let link = |edge: &Value| {
        let text = |keys: [&str; 2]| keys.into_iter().find_map(|key| edge.get(key)?.as_str());
        let id = text(["depends_on_id", "id"])?.parse().ok()?;
        let kind = text(["dependency_type", "type"]).unwrap_or("blocks").parse().ok()?;
        Some(MemoryLink { id, kind })
    };
    edges.filter_map(link).collect()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Parses a priority written as a number or as `P2`. Numbers above 4 count as 4, other values as 2.
fn priority(value: Option<&Value>) -> u8 {
    let number = match value {
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(text)) => text.trim_start_matches(['P', 'p']).parse().ok(),
        _ => None,
    };
    number.map_or(2, |n| u8::try_from(n.min(4)).expect("at most 4"))
}

/// The beginning of the text on one line. Only the beginning is read, because the text can be megabytes long.
fn excerpt(text: &str) -> String {
    cut(&one_line(crate::text::head(text, EXCERPT * 8)), EXCERPT)
}
