//! A new memory and its validation.

use super::{
    MemoryEntry, MemoryType,
    filter::distinct,
    key::{derived_key, title_of},
    labels::is_reserved,
};
use crate::{
    Extra,
    ids::BeadId,
    text::{cut, one_line},
};

/// The maximum size of a memory's text, in bytes.
pub const CONTENT_MAX: usize = 2 << 20;
/// The maximum length of an agent or a tag, in characters. They become labels, which trackers limit to 255
/// bytes.
const NAME_MAX: usize = 60;
const KEY_MAX: usize = 120;
const TITLE_MAX: usize = 500;

/// The bead that the agent worked on when it learned a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum OnBead {
    /// Keep the stored bead.
    #[default]
    AsItWas,
    /// The memory belongs to no bead.
    None,
    /// The memory belongs to this bead.
    Bead(BeadId),
}

impl OnBead {
    /// Converts an optional bead; without a bead, the stored bead is kept.
    pub fn known(bead: Option<BeadId>) -> OnBead {
        bead.map_or(OnBead::AsItWas, OnBead::Bead)
    }
}

/// A memory to store; [`NewMemory::checked`] validates it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMemory {
    /// The key; derived from the text by default. [`NewMemory::over`] decides what an existing memory with
    /// this key keeps.
    pub key: Option<String>,
    pub agent_id: String,
    /// The title, on one line; derived from the text by default.
    pub title: Option<String>,
    /// The text, in Markdown.
    pub content: String,
    /// The type; `learning` by default.
    pub memory_type: Option<MemoryType>,
    pub metadata: Extra,
    pub tags: Option<Vec<String>>,
    /// The importance, 1 to 10; 5 by default.
    pub importance: Option<u8>,
    /// The bead that the memory belongs to.
    pub bead: OnBead,
}

impl NewMemory {
    /// Creates a memory that has only an agent and a text.
    pub fn learned(agent: impl Into<String>, content: impl Into<String>) -> NewMemory {
        NewMemory {
            key: None,
            agent_id: agent.into(),
            title: None,
            content: content.into(),
            memory_type: None,
            metadata: Extra::new(),
            tags: None,
            importance: None,
            bead: OnBead::AsItWas,
        }
    }

    /// Validates the fields, and derives a missing key and title from the text.
    pub fn checked(mut self) -> Result<NewMemory, InvalidMemory> {
        if self.content.trim().is_empty() {
            return invalid("text", "it is empty");
        }
        if self.content.contains('\0') {
            return invalid("text", "it contains a NUL character");
        }
        if self.content.len() > CONTENT_MAX {
            let why = format!("it has {} bytes; the maximum is {CONTENT_MAX}", self.content.len());
            return invalid("text", why);
        }
        if let Some(importance) = self.importance.filter(|n| !(1..=10).contains(n)) {
            return invalid("importance", format!("{importance} is not between 1 and 10"));
        }
        let key = match self.key.take() {
            Some(key) => {
                let key = key.trim().to_owned();
                check_name("key", &key, KEY_MAX)?;
                if key.starts_with('-') {
                    return invalid("key", "it must not start with -");
                }
                key
            }
            None => derived_key(&self.content),
        };
        self.key = Some(key);
        let title = self.title.take().map(|title| one_line(&title)).filter(|title| !title.is_empty());
        self.title = Some(cut(&title.unwrap_or_else(|| title_of(&self.content)), TITLE_MAX));
        if self.title.as_deref().is_some_and(str::is_empty) {
            self.title.clone_from(&self.key);
        }
        self.agent_id = one_line(&self.agent_id);
        check_name("agent", &self.agent_id, NAME_MAX)?;
        if let Some(given) = self.tags.take() {
            let tags: Vec<String> = given.iter().map(|tag| check_tag(tag)).collect::<Result<_, _>>()?;
            self.tags = Some(distinct(tags));
        }
        Ok(self)
    }

    /// The key; empty if none was given and the memory is not validated yet.
    pub fn key(&self) -> &str {
        self.key.as_deref().unwrap_or_default()
    }

    /// Takes the agent, and missing attributes other than the title, from the old memory, so that new text
    /// under the same key keeps them.
    pub fn over(mut self, old: &MemoryEntry) -> NewMemory {
        self.agent_id = old.agent_id.clone().unwrap_or(self.agent_id);
        self.memory_type = self.memory_type.or(Some(old.memory_type));
        self.tags = self.tags.or_else(|| Some(old.tags.clone()));
        self.importance = self.importance.or(Some(old.importance));
        if self.bead == OnBead::AsItWas {
            self.bead = OnBead::known(old.bead_id.clone());
        }
        for (key, value) in &old.metadata {
            self.metadata.entry(key.clone()).or_insert_with(|| value.clone());
        }
        self
    }
}

/// Why a memory is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid {field}: {why}")]
pub struct InvalidMemory {
    pub field: &'static str,
    /// The rule that the field violates.
    pub why: String,
}

fn invalid<T>(field: &'static str, why: impl Into<String>) -> Result<T, InvalidMemory> {
    Err(InvalidMemory { field, why: why.into() })
}

/// Checks a tag, and returns it on one line as it is stored.
pub fn check_tag(tag: &str) -> Result<String, InvalidMemory> {
    let tag = one_line(tag);
    check_name("tag", &tag, NAME_MAX)?;
    if is_reserved(&tag) {
        return invalid(
            "tag",
            format!("{tag:?} has a prefix reserved for labels of memories (session:, agent:, memory:)"),
        );
    }
    Ok(tag)
}

/// Checks a key, an agent or a tag. Only a key may contain a comma: the others become labels, which trackers
/// separate by commas.
fn check_name(field: &'static str, name: &str, max: usize) -> Result<(), InvalidMemory> {
    match name {
        "" => invalid(field, "it is empty"),
        name if name.chars().count() > max => invalid(field, format!("it is longer than {max} characters")),
        name if name.chars().any(char::is_control) => invalid(field, "it contains a control character"),
        name if field != "key" && name.contains(',') => invalid(field, "it contains a comma"),
        _ => Ok(()),
    }
}
