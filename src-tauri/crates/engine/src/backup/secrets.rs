//! Removes secrets from the records of a backup, and puts this machine's own texts back on a restore.
//!
//! Only texts of users and agents are searched. Fields that identify or order a record stay unchanged, so that
//! two states of a record remain the same record.

use bc_core::backup::{Kind, Record, Records};
use serde_json::Value;
use std::collections::HashMap;

/// Fields of beads and memories that identify, order or link a record.
const STRUCTURE: [&str; 12] = [
    "id",
    "status",
    "issue_type",
    "priority",
    "labels",
    "dependencies",
    "created_at",
    "updated_at",
    "closed_at",
    "author",
    "source_repo",
    "content_hash",
];

/// The prefix of our own fields in a memory's metadata.
const OURS: &str = "memory_";

/// The text fields of a session's record.
const OF_SESSIONS: [&str; 2] = ["title", "objective"];

/// The removed secrets.
#[derive(Debug, Default)]
pub(super) struct Struck {
    /// The number of secrets.
    pub(super) count: u32,
    /// The original texts, by redacted text.
    originals: HashMap<String, String>,
}

impl Struck {
    /// Removes the secrets from a record.
    pub(super) fn strike(&mut self, kind: Kind, record: &mut Record) {
        for (name, value) in record.iter_mut() {
            let is_text = match kind {
                Kind::Sessions => OF_SESSIONS.contains(&name.as_str()),
                Kind::Beads | Kind::Memories => !STRUCTURE.contains(&name.as_str()),
            };
            match value {
                _ if !is_text => {}
                // Nested texts: comments, metadata.
                Value::Object(fields) => self.strike_fields(fields),
                Value::Array(items) => {
                    for item in items {
                        match item {
                            Value::Object(fields) => self.strike_fields(fields),
                            other => self.strike_value(name, other),
                        }
                    }
                }
                other => self.strike_value(name, other),
            }
        }
    }

    fn strike_fields(&mut self, fields: &mut Record) {
        for (name, value) in fields.iter_mut() {
            if !STRUCTURE.contains(&name.as_str()) && !name.starts_with(OURS) {
                self.strike_value(name, value);
            }
        }
    }

    /// Includes the field's name, which may indicate a secret.
    fn strike_value(&mut self, name: &str, value: &mut Value) {
        let before = value.clone();
        let mut named = Record::from_iter([(name.to_owned(), value.take())]);
        let mut document = Value::Object(std::mem::take(&mut named));
        self.count += bc_redact::strike(&mut document);
        *value = document[name].take();
        if let (Value::String(before), Value::String(after)) = (&before, &*value)
            && before != after
        {
            self.originals.insert(after.clone(), before.clone());
        }
    }

    /// Puts this machine's own texts back into a restored record.
    pub(super) fn put_back(&self, record: &mut Record) {
        record.values_mut().for_each(|value| self.put_back_in(value));
    }

    fn put_back_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(original) = self.originals.get(text) {
                    text.clone_from(original);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.put_back_in(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.put_back_in(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// The records without secrets.
pub(super) fn without_secrets(records: Records, struck: &mut Struck) -> Records {
    let kind = records.kind();
    records.map(|record| struck.strike(kind, record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Assembled here, so that no scanner reports this file.
    fn secret() -> String {
        ["ghp_", "9aBcDeF0gHiJkLmN1oPqRsTuV2wXyZ3a4B5c"].concat()
    }

    fn record(value: Value) -> Record {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn every_text_of_a_record_is_struck_and_what_names_it_is_not() {
        let secret = secret();
        let password = ["9xK.vb2", "qLm7Zw4Rt8"].concat();
        let bead = record(json!({
            "id": secret, "title": format!("use {secret}"), "notes": format!("x\n{secret}"), "labels": [secret],
            "updated_at": "2026-01-01T00:00:00Z",
            "comments": [{"id": 1, "author": "a", "text": format!("it is {secret}")}],
            "metadata": {"memory_key": secret, "found": secret, "password": password},
        }));
        let (mut struck, mut out) = (Struck::default(), bead.clone());
        struck.strike(Kind::Beads, &mut out);
        assert_eq!(struck.count, 5, "{out:?}");
        for kept in ["id", "labels", "updated_at"] {
            assert_eq!(out[kept], bead[kept], "{kept}");
        }
        assert_eq!(out["metadata"]["memory_key"], bead["metadata"]["memory_key"]);
        for text in [&out["title"], &out["notes"], &out["comments"][0]["text"], &out["metadata"]["found"]] {
            assert!(
                text.as_str().unwrap().contains("[removed: ") && !text.to_string().contains(&secret),
                "{text}"
            );
        }
        struck.put_back(&mut out);
        assert_eq!(out, bead);
    }

    #[test]
    fn a_comment_that_the_branch_has_with_its_secret_is_one_with_ours() {
        let bead = |text: String| {
            record(json!({"id": "a-1", "updated_at": "2026-01-01T00:00:00Z",
                "comments": [{"id": 1, "author": "a", "created_at": "2026-01-01T00:00:00Z", "text": text}]}))
        };
        let mut struck = Struck::default();
        let branch = Records::of(Kind::Beads, [bead(format!("it is {}", secret()))]);
        let mut ours = bead(format!("it is {}", secret()));
        struck.strike(Kind::Beads, &mut ours);
        let all = without_secrets(branch, &mut struck)
            .with(Records::of(Kind::Beads, [ours]), bc_core::backup::Tie::Newcomer);
        let text = String::from_utf8(all.render()).unwrap();
        assert!(!text.contains(&secret()) && text.matches("[removed: ").count() == 1, "{text}");
    }
}
