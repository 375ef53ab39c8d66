//! Formats results for users. All external text passes through [`bc_core::text`], so that, for example, a title
//! cannot move the cursor.

pub(crate) mod agent_files;
pub(crate) mod backup;
pub(crate) mod bead;
pub(crate) mod bead_audit;
pub(crate) mod bead_graph;
pub(crate) mod bead_insight;
pub(crate) mod changes;
pub(crate) mod checkpoints;
pub(crate) mod context_pack;
pub(crate) mod conversations;
mod diff;
pub(crate) mod doctor;
pub(crate) mod fleet;
pub(crate) mod fleet_overview;
pub(crate) mod fleet_queue;
pub(crate) mod fleet_settings;
pub(crate) mod hooks;
pub(crate) mod injections;
pub(crate) mod memory;
pub(crate) mod needs;
mod permission_request;
pub(crate) mod places;
pub(crate) mod project;
pub(crate) mod runner;
pub(crate) mod search_metrics;
pub(crate) mod session;
pub(crate) mod session_end;
pub(crate) mod session_resume;
pub(crate) mod session_state;
pub(crate) mod settings;
mod table;
pub(crate) mod timeline;
pub(crate) mod transcript;
mod units;
pub(crate) mod worktree;

pub(crate) use table::{Cell, Table};
pub(crate) use units::moment;

/// The colours, width and time zone with which results are formatted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    pub(crate) colour: bool,
    /// Columns of the terminal; `None` for a file or pipe.
    pub(crate) width: Option<usize>,
    /// The offset of displayed times; `None` means the system's time zone.
    pub(crate) zone: Option<chrono::FixedOffset>,
}

/// The meaning of a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tone {
    /// No emphasis.
    #[default]
    Plain,
    /// An id, or a heading.
    Strong,
    /// Less important.
    Faint,
    /// Running, or good.
    Good,
    /// Waiting, or in need of attention.
    Attention,
    /// Failed, or blocking.
    Bad,
}

impl Style {
    /// The text in the colour of its tone.
    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        let code = match tone {
            _ if !self.colour || text.is_empty() => return text.to_owned(),
            Tone::Plain => return text.to_owned(),
            Tone::Strong => "1",
            Tone::Faint => "2",
            Tone::Good => "32",
            Tone::Attention => "33",
            Tone::Bad => "31",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// A `Label     value` line below a heading.
pub(crate) fn field(style: &Style, label: &str, value: &str) -> String {
    format!("{}{value}\n", style.paint(Tone::Faint, &format!("{label:<11}")))
}

/// A heading with the text below it; empty if the text is empty.
pub(crate) fn section(style: &Style, heading: &str, text: &str) -> String {
    match bc_core::text::plain(text).trim() {
        "" => String::new(),
        text => format!("\n{}\n{}\n", style.paint(Tone::Strong, heading), indented(text, "  ")),
    }
}

/// Prefixes every non-empty line with the margin.
pub(crate) fn indented(text: &str, margin: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| match line.trim_end() {
            "" => String::new(),
            line => format!("{margin}{line}"),
        })
        .collect();
    lines.join("\n")
}
