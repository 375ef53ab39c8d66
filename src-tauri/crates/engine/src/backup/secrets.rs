//! Removes secrets from a backup's records. A restore puts this machine's original text back.
//!
//! Only text written by users and agents is searched. Fields that identify or order a record stay
//! unchanged, so that backups on several machines agree on each record's identity.

use bc_core::backup::{Kind, Record, Records};
use serde_json::Value;
use std::collections::HashMap;

/// The fields of beads and memories that are never redacted: they identify, order, classify or link a record.
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

/// The prefix of this program's own fields in a memory's metadata.
const OURS: &str = "memory_";

/// The text fields of a session's record.
const SESSION_TEXTS: [&str; 2] = ["title", "objective"];

/// The number of removed secrets, and the strings that contained them.
#[derive(Debug, Default)]
pub(super) struct Redacted {
    pub(super) count: u32,
    /// Maps each redacted text to its original.
    originals: HashMap<String, String>,
}

impl Redacted {
    /// Removes the secrets from a record's strings, and keeps the original strings for [`Redacted::restore`].
    pub(super) fn redact(&mut self, kind: Kind, record: &mut Record) {
        for (name, value) in record.iter_mut() {
            let is_text = match kind {
                Kind::Sessions => SESSION_TEXTS.contains(&name.as_str()),
                Kind::Beads | Kind::Memories => !STRUCTURE.contains(&name.as_str()),
            };
            match value {
                _ if !is_text => {}
                // Nested strings, as in comments and metadata.
                Value::Object(fields) => self.redact_fields(fields),
                Value::Array(items) => {
                    for item in items {
                        match item {
                            Value::Object(fields) => self.redact_fields(fields),
                            other => self.redact_value(name, other),
                        }
                    }
                }
                other => self.redact_value(name, other),
            }
        }
    }

    fn redact_fields(&mut self, fields: &mut Record) {
        for (name, value) in fields.iter_mut() {
            if !STRUCTURE.contains(&name.as_str()) && !name.starts_with(OURS) {
                self.redact_value(name, value);
            }
        }
    }

    /// Redacts a value together with its field's name, which may indicate a secret.
    fn redact_value(&mut self, name: &str, value: &mut Value) {
        let before = value.clone();
        let mut document = Value::Object(Record::from_iter([(name.to_owned(), value.take())]));
        self.count += bc_redact::redact(&mut document);
        *value = document[name].take();
        if let (Value::String(before), Value::String(after)) = (&before, &*value)
            && before != after
        {
            self.originals.insert(after.clone(), before.clone());
        }
    }

    /// Replaces each redacted text in a restored record by this machine's original.
    pub(super) fn restore(&self, record: &mut Record) {
        record.values_mut().for_each(|value| self.restore_value(value));
    }

    fn restore_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(original) = self.originals.get(text) {
                    text.clone_from(original);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.restore_value(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.restore_value(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

pub(super) fn without_secrets(records: Records, redacted: &mut Redacted) -> Records {
    let kind = records.kind();
    records.map(|record| redacted.redact(kind, record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Assembled from parts, so that secret scanners do not report this file.
    fn secret() -> String {
        ["ghp_", "9aBcDeF0gHiJkLmN1oPqRsTuV2wXyZ3a4B5c"].concat()
    }

    fn record(value: Value) -> Record {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn every_text_of_a_record_is_redacted_and_its_ids_are_not() {
        let secret = secret();
        let password = ["9xK.vb2", "qLm7Zw4Rt8"].concat();
        let bead = record(json!({
            "id": secret, "title": format!("use {secret}"), "notes": format!("x\n{secret}"), "labels": [secret],
            "updated_at": "2026-01-01T00:00:00Z",
            "comments": [{"id": 1, "author": "a", "text": format!("it is {secret}")}],
            "metadata": {"memory_key": secret, "found": secret, "password": password},
        }));
        let (mut redacted, mut out) = (Redacted::default(), bead.clone());
        redacted.redact(Kind::Beads, &mut out);
        assert_eq!(redacted.count, 5, "{out:?}");
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
        redacted.restore(&mut out);
        assert_eq!(out, bead);
    }

    #[test]
    fn a_comment_on_the_branch_with_its_secret_equals_its_redacted_copy() {
        let bead = |text: String| {
            record(json!({"id": "a-1", "updated_at": "2026-01-01T00:00:00Z",
                "comments": [{"id": 1, "author": "a", "created_at": "2026-01-01T00:00:00Z", "text": text}]}))
        };
        let mut redacted = Redacted::default();
        let branch = Records::of(Kind::Beads, [bead(format!("it is {}", secret()))]);
        let mut ours = bead(format!("it is {}", secret()));
        redacted.redact(Kind::Beads, &mut ours);
        let all = without_secrets(branch, &mut redacted)
            .with(Records::of(Kind::Beads, [ours]), bc_core::backup::Tie::Newcomer);
        let text = String::from_utf8(all.render()).unwrap();
        assert!(!text.contains(&secret()) && text.matches("[removed: ").count() == 1, "{text}");
    }
}
