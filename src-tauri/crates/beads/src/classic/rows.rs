//! The rows of a classic bd's tables, in the shape of its export.

use chrono::{DateTime, NaiveDateTime, SecondsFormat};
use rusqlite::{Connection, types::ValueRef};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// Columns that bd's export writes as booleans.
const FLAGS: [&str; 4] = ["ephemeral", "pinned", "is_template", "crystallizes"];
const MOMENTS: [&str; 7] =
    ["created_at", "updated_at", "closed_at", "due_at", "defer_until", "deleted_at", "compacted_at"];

/// All beads, with their labels, dependencies and comments.
pub(super) fn beads(connection: &Connection) -> rusqlite::Result<Vec<Map<String, Value>>> {
    let mut beads = table(connection, "select * from issues order by id")?;
    let mut parts: HashMap<(String, &str), Vec<Value>> = HashMap::new();
    for (key, query) in [
        ("labels", "select issue_id, label from labels order by label"),
        ("dependencies", "select * from dependencies order by created_at, depends_on_id"),
        ("comments", "select * from comments order by created_at, id"),
    ] {
        // Old versions lack some tables.
        if !has_table(connection, key)? {
            continue;
        }
        for mut row in table(connection, query)? {
            let Some(id) = row.get("issue_id").and_then(Value::as_str).map(str::to_owned) else { continue };
            let part = match key {
                "labels" => row.remove("label").unwrap_or_default(),
                _ => Value::Object(row),
            };
            parts.entry((id, key)).or_default().push(part);
        }
    }
    for bead in &mut beads {
        let id = bead.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        for key in ["labels", "dependencies", "comments"] {
            if let Some(part) = parts.remove(&(id.clone(), key)) {
                bead.insert(key.to_owned(), Value::Array(part));
            }
        }
    }
    Ok(beads)
}

/// The ids that bd counts as blocked; `None` for versions that compute them on demand.
pub(super) fn blocked(connection: &Connection) -> rusqlite::Result<Option<HashSet<String>>> {
    if !has_table(connection, "blocked_issues_cache")? {
        return Ok(None);
    }
    let rows = table(connection, "select issue_id from blocked_issues_cache")?;
    Ok(Some(rows.iter().filter_map(|row| row.get("issue_id")?.as_str().map(str::to_owned)).collect()))
}

/// The recorded changes of a bead, the newest first.
pub(super) fn events(connection: &Connection, id: &str) -> rusqlite::Result<Value> {
    if !has_table(connection, "events")? {
        return Ok(json!([]));
    }
    let mut query = connection.prepare("select * from events where issue_id = ?1 order by id desc")?;
    Ok(Value::Array(rows(&mut query, [id])?.into_iter().map(Value::Object).collect()))
}

pub(super) fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let query = "select count(*) from sqlite_master where type = 'table' and name = ?1";
    connection.query_row(query, [name], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

fn table(connection: &Connection, query: &str) -> rusqlite::Result<Vec<Map<String, Value>>> {
    rows(&mut connection.prepare(query)?, [])
}

fn rows(
    query: &mut rusqlite::Statement<'_>,
    params: impl rusqlite::Params,
) -> rusqlite::Result<Vec<Map<String, Value>>> {
    let names: Vec<String> = query.column_names().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut rows = query.query(params)?;
    while let Some(row) = rows.next()? {
        let mut map = Map::new();
        for (at, name) in names.iter().enumerate() {
            if let Some(value) = field(name, row.get_ref(at)?) {
                map.insert(name.clone(), value);
            }
        }
        found.push(map);
    }
    Ok(found)
}

/// A column's value in the form of bd's export; `None` if the export would omit it.
fn field(name: &str, value: ValueRef<'_>) -> Option<Value> {
    match value {
        ValueRef::Null | ValueRef::Blob(_) => None,
        ValueRef::Integer(number) if FLAGS.contains(&name) => (number != 0).then(|| json!(true)),
        ValueRef::Integer(0) if name != "priority" => None,
        ValueRef::Integer(number) => Some(json!(number)),
        ValueRef::Real(number) => Some(json!(number)),
        ValueRef::Text(text) => {
            let text = String::from_utf8_lossy(text);
            match name {
                _ if text.is_empty() || name == "content_hash" => None,
                "waiters" => serde_json::from_str(&text).ok(),
                _ if MOMENTS.contains(&name) => Some(json!(moment(&text))),
                _ => Some(json!(text)),
            }
        }
    }
}

/// Converts a time in Go's or SQLite's form to RFC 3339; unknown forms stay unchanged.
fn moment(text: &str) -> String {
    // Already RFC 3339, with `T` or a space between date and time.
    if DateTime::parse_from_rfc3339(text).is_ok() {
        return text.to_owned();
    }
    // Go appends the zone's name: "2026-01-30 20:25:18.84563 -0600 CST m=+0.1".
    let mut words = text.split_whitespace();
    let (day, time, zone) = (words.next(), words.next(), words.next());
    let (Some(day), Some(time)) = (day, time) else { return text.to_owned() };
    let zoned = zone.and_then(|zone| {
        DateTime::parse_from_str(&format!("{day} {time} {zone}"), "%Y-%m-%d %H:%M:%S%.f %z").ok()
    });
    let plain = || {
        let plain = NaiveDateTime::parse_from_str(&format!("{day} {time}"), "%Y-%m-%d %H:%M:%S%.f");
        plain.ok().map(|at| at.and_utc().fixed_offset())
    };
    let at = zoned.or_else(plain);
    at.map_or_else(|| text.to_owned(), |at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_every_form_are_read() {
        for (text, expect) in [
            ("2026-01-30T20:25:18.84563-06:00", "2026-01-30T20:25:18.84563-06:00"),
            ("2026-02-06 20:06:35", "2026-02-06T20:06:35Z"),
            ("2026-02-06 20:06:35.5-06:00", "2026-02-06 20:06:35.5-06:00"),
            ("2026-01-30 20:25:18.5 -0600 CST", "2026-01-30T20:25:18.500-06:00"),
            ("yesterday", "yesterday"),
        ] {
            assert_eq!(moment(text), expect);
        }
    }
}
