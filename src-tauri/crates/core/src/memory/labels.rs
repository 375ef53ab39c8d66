//! The labels that a memory's attributes travel in: `session:…`, `agent:…`, `memory:…`, tags as they are.

use super::MemoryType;

const SESSION: &str = "session:";
const AGENT: &str = "agent:";
const MEMORY: &str = "memory:";

/// What the labels of a memory say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// In which session it was stored.
    pub session_id: Option<String>,
    /// Which agent stored it.
    pub agent_id: Option<String>,
    /// What kind of thing it is, as the label has it.
    pub memory_type: Option<String>,
    /// Every other label.
    pub custom_tags: Vec<String>,
}

/// The labels of a memory.
pub fn build_labels(session: &str, agent: &str, kind: MemoryType, tags: &[String]) -> Vec<String> {
    let own =
        [format!("{SESSION}{session}"), format!("{AGENT}{agent}"), format!("{MEMORY}{}", kind.as_str())];
    own.into_iter().chain(tags.iter().cloned()).collect()
}

/// What labels say, in whatever order a tracker has them. A value is all that follows the first colon.
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

/// Whether these are the labels of a memory: of its kind and of an agent.
pub fn is_memory(labels: &[String]) -> bool {
    let has = |prefix: &str| labels.iter().any(|label| label.starts_with(prefix));
    has(MEMORY) && has(AGENT)
}

/// Whether a tag would be taken for one of ours.
pub(super) fn is_reserved(tag: &str) -> bool {
    [SESSION, AGENT, MEMORY].iter().any(|prefix| tag.starts_with(prefix))
}
