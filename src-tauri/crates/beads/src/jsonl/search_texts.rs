//! Reads only the text that queries search, because building whole rows takes many times as long.
//!
//! A line that cannot be read is left out; the list reports it.

use bc_core::{ids::BeadId, query::Texts};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The searched fields of a line.
#[derive(Debug, Default, Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    description: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    design: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    acceptance_criteria: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    notes: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    external_ref: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    comments: Option<Vec<Comment<'a>>>,
}

#[derive(Debug, Deserialize)]
struct Comment<'a> {
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
}

/// Calls `found` with the text of each bead, in the file's order.
pub(crate) fn texts(bytes: &[u8], found: &mut dyn FnMut(BeadId, Texts)) {
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let read = match serde_json::from_slice::<Line<'_>>(line) {
            Ok(line) => line.id.parse().ok().map(|id| (id, of_line(line))),
            // A field has an unexpected type.
            Err(_) => serde_json::from_slice(line).ok().and_then(|map| of_map(&map)),
        };
        if let Some((id, texts)) = read {
            found(id, texts);
        }
    }
}

pub(crate) fn of_map(map: &Map<String, Value>) -> Option<(BeadId, Texts)> {
    let text = |map: &Map<String, Value>, key: &str| {
        map.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let has = |key: &str| !text(map, key).trim().is_empty();
    let comments = map.get("comments").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let texts = Texts {
        description: text(map, "description"),
        comments: comments.iter().filter_map(Value::as_object).map(|comment| text(comment, "text")).collect(),
        design: has("design"),
        acceptance: has("acceptance_criteria"),
        notes: has("notes"),
        reference: has("external_ref"),
    };
    Some((text(map, "id").parse().ok()?, texts))
}

fn of_line(line: Line<'_>) -> Texts {
    let has = |text: Option<Cow<'_, str>>| text.is_some_and(|text| !text.trim().is_empty());
    let comments = line.comments.into_iter().flatten();
    Texts {
        description: line.description.unwrap_or_default().into_owned(),
        comments: comments.map(|comment| comment.text.unwrap_or_default().into_owned()).collect(),
        design: has(line.design),
        acceptance: has(line.acceptance_criteria),
        notes: has(line.notes),
        reference: has(line.external_ref),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn all(bytes: &[u8]) -> HashMap<BeadId, Texts> {
        let mut all = HashMap::new();
        texts(bytes, &mut |id, texts| drop(all.insert(id, texts)));
        all
    }

    #[test]
    fn a_line_of_unusual_types_is_read_too() {
        let lines = concat!(
            r#"{"id":"a-1","description":"One\nline","comments":[{"id":"x","text":"Two"}],"notes":" "}"#,
            "\n{torn\n\n",
            r#"{"id":"a-2","description":7,"design":"d","comments":[{"text":"Three"},4]}"#,
        );
        let texts = all(lines.as_bytes());
        let one = &texts[&"a-1".parse().unwrap()];
        assert_eq!((one.description.as_str(), one.notes), ("One\nline", false));
        assert_eq!(one.comments, ["Two"]);
        let two = &texts[&"a-2".parse().unwrap()];
        assert_eq!((two.description.as_str(), two.design, two.comments.len()), ("", true, 1));
        assert_eq!(texts.len(), 2);
    }

    #[test]
    fn texts_of_real_files_equal_those_of_a_full_read() {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beads");
        let mut read = 0;
        for file in std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_none_or(|ending| ending != "jsonl") {
                continue;
            }
            let bytes = std::fs::read(&file).unwrap();
            let lines = bytes.split(|byte| *byte == b'\n');
            let whole: HashMap<BeadId, Texts> =
                lines.filter_map(|line| of_map(&serde_json::from_slice(line).ok()?)).collect();
            assert_eq!(all(&bytes), whole, "{}", file.display());
            read += whole.len();
        }
        assert!(read > 0, "there are samples");
    }
}
