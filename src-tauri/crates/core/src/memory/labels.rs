//! The labels that store a memory's attributes: `session:…`, `agent:…`, `memory:…`. Tags stay unchanged.

use super::MemoryType;

const SESSION: &str = "session:";
const AGENT: &str = "agent:";
const MEMORY: &str = "memory:";

/// The content of a memory's labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    pub session_id: Option<String>,
    pub agent_id: Option<String>,
    pub memory_type: Option<String>,
    pub custom_tags: Vec<String>,
}

/// Builds the labels that store these attributes.
pub fn build_labels(session: &str, agent: &str, kind: MemoryType, tags: &[String]) -> Vec<String> {
    let own =
        [format!("{SESSION}{session}"), format!("{AGENT}{agent}"), format!("{MEMORY}{}", kind.as_str())];
    own.into_iter().chain(tags.iter().cloned()).collect()
}

/// Parses labels in any order. A value is everything after the first colon.
pub fn parse_labels(labels: &[String]) -> Labels {
    let mut parsed = Labels::default();
    for label in labels {
        let (place, value) = if let Some(value) = label.strip_prefix(SESSION) {
            (&mut parsed.session_id, value)
        } else if let Some(value) = label.strip_prefix(AGENT) {
            (&mut parsed.agent_id, value)
        } else if let Some(value) = label.strip_prefix(MEMORY) {
            (&mut parsed.memory_type, value)
        } else {
            parsed.custom_tags.push(label.clone());
            continue;
        };
        *place = Some(value.to_owned());
    }
    parsed
}

/// Whether these are a memory's labels: they contain a type and an agent.
pub fn is_memory(labels: &[String]) -> bool {
    let has = |prefix: &str| labels.iter().any(|label| label.starts_with(prefix));
    has(MEMORY) && has(AGENT)
}

/// Whether a tag could be mistaken for one of our labels.
pub(super) fn is_reserved(tag: &str) -> bool {
    [SESSION, AGENT, MEMORY].iter().any(|prefix| tag.starts_with(prefix))
}
