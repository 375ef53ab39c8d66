//! Parses one line of JSON directly into the fields that lists need, without long text, comments and unknown
//! fields. A file can have many thousand lines, and the tree of values for [`Row::read`] takes many times as long
//! to build.
//!
//! Invariants: the parsed fields equal those of [`Row::read`]. A line that this parser rejects is
//! parsed again by [`Row::read`], which also reports the error.

use crate::row::{Fields, Row, RowError, edges, texts};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;
use std::{borrow::Cow, fmt};

/// A bead's row without long text and comments; `None` if the line is deliberately another kind of row. On an error,
/// the line must be parsed in full.
pub(crate) fn read(line: &[u8]) -> Result<Option<Row>, RowError> {
    let Line { fields, kind } = serde_json::from_slice(line).map_err(RowError::Json)?;
    match kind.as_deref() {
        None | Some("issue") => fields.row().map(Some),
        Some(_) => Ok(None),
    }
}

/// All relevant fields of a line.
struct Line<'a> {
    fields: Fields<'a>,
    /// The field `_type`.
    kind: Option<Cow<'a, str>>,
}

impl<'de> Deserialize<'de> for Line<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Line<'de>, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Line<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Line<'de>, A::Error> {
                let mut line = Line { fields: Fields::default(), kind: None };
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    line.take(&key.0, &mut map)?;
                }
                Ok(line)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl<'de> Line<'de> {
    /// Reads the value of the field with this name. If two fields have the same name, the later one counts.
    fn take<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let fields = &mut self.fields;
        match key {
            "_type" => self.kind = text(map)?,
            "id" => fields.id = text(map)?,
            "title" => fields.title = text(map)?,
            "status" => fields.status = text(map)?,
            "priority" => fields.priority = map.next_value::<Piece<'de>>()?.priority(),
            "issue_type" => fields.issue_type = text(map)?,
            "assignee" => fields.assignee = text(map)?,
            "parent" => fields.parent = text(map)?,
            "close_reason" => fields.close_reason = text(map)?,
            // Lists are short, and dependencies have several forms: parse them as values.
            "labels" => fields.labels = texts(Some(&map.next_value::<Value>()?)),
            "blocked_by" => fields.blocked_by = texts(Some(&map.next_value::<Value>()?)),
            "dependencies" => fields.depends_on = edges(Some(&map.next_value::<Value>()?)),
            "dependents" => fields.depended_on_by = edges(Some(&map.next_value::<Value>()?)),
            "created_at" => fields.created_at = text(map)?,
            "updated_at" => fields.updated_at = text(map)?,
            "closed_at" => fields.closed_at = text(map)?,
            "defer_until" => fields.defer_until = text(map)?,
            "due_at" => fields.due_at = text(map)?,
            "estimated_minutes" => fields.estimated_minutes = map.next_value::<Piece<'de>>()?.integer(),
            "ephemeral" => fields.ephemeral = flag(map)?,
            "wisp" => fields.wisp = flag(map)?,
            "is_template" => fields.is_template = flag(map)?,
            "pinned" => fields.pinned = flag(map)?,
            _ => drop(map.next_value::<Piece<'de>>()?),
        }
        Ok(())
    }
}

/// The next value if it is a string, possibly an empty one.
fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<Cow<'de, str>>, A::Error> {
    Ok(map.next_value::<Piece<'de>>()?.text())
}

fn flag<'de, A: MapAccess<'de>>(map: &mut A) -> Result<bool, A::Error> {
    Ok(matches!(map.next_value::<Piece<'de>>()?, Piece::Flag(true)))
}

/// A field's name; copied only if it contains an escape.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A value of any kind. Objects and lists are parsed and skipped: invalid JSON in them must still fail.
enum Piece<'a> {
    Text(Cow<'a, str>),
    /// A number; `None` if it is not an integer.
    Number(Option<i64>),
    Flag(bool),
    Other,
}

impl<'a> Piece<'a> {
    fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Piece::Text(text) => Some(text),
            _ => None,
        }
    }

    fn integer(self) -> Option<i64> {
        match self {
            Piece::Number(number) => number,
            _ => None,
        }
    }

    fn priority(self) -> Option<i64> {
        match self {
            Piece::Text(text) => text.trim_start_matches(['P', 'p']).parse().ok(),
            Piece::Number(number) => number,
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Piece<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Piece<'de>, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Piece<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Piece::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Piece::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Piece::Number(Some(number)))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Piece::Number(i64::try_from(number).ok()))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Piece::Number(None))
            }
            fn visit_bool<E>(self, flag: bool) -> Result<Self::Value, E> {
                Ok(Piece::Flag(flag))
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Piece::Other)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                while items.next_element::<Piece<'de>>()?.is_some() {}
                Ok(Piece::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<Key<'de>, Piece<'de>>()?.is_some() {}
                Ok(Piece::Other)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;

    /// Reduces a whole row to the fields that lists show.
    fn reduced(row: Row) -> Row {
        Row {
            comments: Vec::new(),
            description: String::new(),
            design: String::new(),
            acceptance_criteria: String::new(),
            notes: String::new(),
            external_ref: None,
            created_by: None,
            ..row
        }
    }

    fn same(line: &[u8]) {
        let shown = String::from_utf8_lossy(line);
        let whole = serde_json::from_slice::<Map<String, Value>>(line).ok();
        let whole = whole.map(|map| match map.get("_type").and_then(Value::as_str) {
            None | Some("issue") => Row::read(&map).map(Some).ok(),
            Some(_) => Some(None),
        });
        match (read(line).ok(), whole.flatten()) {
            (Some(lean), Some(whole)) => assert_eq!(lean, whole.map(reduced), "{shown}"),
            (lean, whole) => assert_eq!(lean.is_some(), whole.is_some(), "{shown}"),
        }
    }

    #[test]
    fn lean_and_full_reads_of_every_sample_agree() {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for name in [
            "beads/artifact-keeper-issues.jsonl",
            "beads/bd-v0.17.0-beads.jsonl",
            "beads/bd-v0.47.0-issues-part.jsonl",
            "beads/bd-20260126-predolt-issues-part.jsonl",
            "beads/tea-rags-dolt-server-v1-issues-part.jsonl",
            "beads/br-0.1.12-issues-part.jsonl",
            "br-cli/final-issues.jsonl",
        ] {
            let bytes = std::fs::read(data.join(name)).unwrap();
            bytes.split(|&byte| byte == b'\n').for_each(same);
        }
    }

    #[test]
    fn lean_and_full_reads_of_odd_lines_agree() {
        for line in [
            &br#"{"id":"a-1","title":7,"priority":"P9","status":"","labels":[1,"x",["y"]],"parent":""}"#[..],
            br#"{"id":"a-1","id":"a-2","title":"one","title":null,"pinned":true,"pinned":"no"}"#,
            br#"{"id":"a-1","priority":1.0,"labels":"x","dependencies":{"id":"b"},"dependents":null}"#,
            br#"{"id":"a-1","priority":-3,"created_at":"0001-01-01T00:00:00Z","updated_at":7,"wisp":true}"#,
            br#"{"id":"a-1","priority":18446744073709551615,"is_template":true,"labels":["agent:a","memory:b"]}"#,
            br#"{"id":"a-1","dependencies":[{"depends_on_id":"a-2","type":"waits-for","metadata":"{\"gate\":\"any-children\"}"},"junk",{"id":"external:x:y"},{"id":"a-3","dependency_type":"parent_child"}]}"#,
            br#"{"\u0069d":"a\u002d1","ti\u0074le":"T","description":"\ud83d\ude00 \ud800"}"#,
            br#"{"id":"a-1","description":"\ud800"}"#,
            br#"{"id":"a-1","unknown":1e999}"#,
            br#"{"id":"a-1","unknown":{"deep":[{"x":1,}]}}"#,
            b"{\"id\":\"a-1\",\"notes\":\"\xff\"}",
            br#"{"_type":"memory","key":"k"}"#,
            br#"{"_type":"issue","id":"a-1"}"#,
            br#"{"_type":7,"id":"a-1"}"#,
            br#"{"id":"--force"}"#,
            br#"{"title":"no id"}"#,
            br#"["id"]"#,
            b"7",
            b"",
        ] {
            same(line);
        }
    }
}
