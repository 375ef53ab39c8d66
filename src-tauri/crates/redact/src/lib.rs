//! Finds secrets in text and removes them, according to the published rules of gitleaks.
//!
//! [`redact_text`] handles a string, and [`redact`] a whole JSON document. The rules are gitleaks' own file,
//! unchanged (`gitleaks/gitleaks.toml`, MIT), and a few rules of our own (`ours.toml`).
//!
//! Deliberately elsewhere: the choice of shared documents (the engine), and I/O. Secrets that no rule matches
//! are not found: removal is best effort.

mod rules;
mod scan;

use serde_json::Value;
use std::borrow::Cow;

/// Replaces every secret in the text with `[removed: <rule>]`. Returns the result and the number of secrets.
pub fn redact_text(text: &str) -> (Cow<'_, str>, u32) {
    let found = scan::find(text);
    if found.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for secret in &found {
        out.push_str(&text[at..secret.range.start]);
        out.push_str(&format!("[removed: {}]", secret.rule));
        at = secret.range.end;
    }
    out.push_str(&text[at..]);
    (Cow::Owned(out), u32::try_from(found.len()).unwrap_or(u32::MAX))
}

/// Whether any rule may match in the text, which can be a whole JSON document. If not, the text contains no
/// secret to remove.
pub fn may_hold_secret(text: &str) -> bool {
    rules::any_in_question(text)
}

/// Removes the secrets from every string in the document and returns their number. Field names are taken into
/// account: the value of `password` is a secret even if the value alone does not look like one.
pub fn redact(document: &mut Value) -> u32 {
    walk(document, None)
}

fn walk(value: &mut Value, name: Option<&str>) -> u32 {
    match value {
        Value::String(text) => redact_field(text, name),
        Value::Array(items) => items.iter_mut().map(|item| walk(item, name)).sum(),
        Value::Object(fields) => fields.iter_mut().map(|(name, value)| walk(value, Some(name))).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// The maximum length, in bytes, of a string that is checked together with its field's name; passwords are
/// shorter.
const VALUE_MAX: usize = 400;

fn redact_field(text: &mut String, name: Option<&str>) -> u32 {
    let (redacted, mut count) = redact_text(text);
    if let Cow::Owned(redacted) = redacted {
        *text = redacted;
    }
    let named =
        name.filter(|_| count == 0 && !text.is_empty() && text.len() <= VALUE_MAX && !text.contains('\n'));
    if let Some(name) = named {
        let head = format!("{name} = \"");
        let line = format!("{head}{text}\"");
        let inside =
            |secret: &&scan::Secret| secret.range.start >= head.len() && secret.range.end < line.len();
        if let Some(secret) = scan::find(&line).iter().find(inside) {
            let (start, end) = (secret.range.start - head.len(), secret.range.end - head.len());
            text.replace_range(start..end, &format!("[removed: {}]", secret.rule));
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests;
