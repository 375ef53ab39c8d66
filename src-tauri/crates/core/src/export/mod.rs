//! Exports a session as one document: Markdown or HTML for reading, or the specification's `Session` as JSON.
//!
//! Markdown and HTML read like a report: facts first, then prompts as headings, answers as prose, edits as
//! diffs, and long inputs and outputs folded. Untrusted text cannot change their structure or run anything.

mod document;
mod html;
mod markdown;
mod prose;
mod sanitize;
mod session;
mod tool_block;

pub use html::html;
pub use markdown::markdown;
pub(crate) use sanitize::code as inline_code;
pub use session::Document;

use crate::{context_pack::ContextPack, session::Meta, work::CommitLine};
use serde::Serialize;

/// The specification's `Session`: the session's `meta.json`, context pack and commits. [`Self::to_json`] adds
/// the messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionDocument<'a> {
    #[serde(flatten)]
    pub meta: &'a Meta,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_pack: Option<&'a ContextPack>,
    /// The commits with their subjects.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub commit_list: &'a [CommitLine],
}

impl SessionDocument<'_> {
    /// The separator between two messages.
    pub const BETWEEN: &'static str = ",\n    ";

    /// Serializes the document with these messages. Each item contains one or more messages, one line of JSON
    /// each, joined with [`Self::BETWEEN`], so that the caller can serialize a long conversation in parts.
    ///
    /// # Errors
    ///
    /// Returns an error if the session's record cannot be serialized as JSON.
    pub fn to_json(&self, messages: &[String]) -> Result<String, serde_json::Error> {
        let head = serde_json::to_string_pretty(self)?;
        let head = head.strip_suffix("\n}").unwrap_or(&head);
        let size: usize = messages.iter().map(|part| part.len() + Self::BETWEEN.len()).sum();
        let mut text = String::with_capacity(head.len() + size + 32);
        text.push_str(head);
        text.push_str(",\n  \"messages\": [");
        for (n, part) in messages.iter().enumerate() {
            text.push_str(if n == 0 { "\n    " } else { Self::BETWEEN });
            text.push_str(part);
        }
        text.push_str(if messages.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        Ok(text)
    }
}

#[cfg(test)]
mod tests;
