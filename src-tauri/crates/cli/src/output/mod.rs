//! What results look like to a person. Everything that came from outside goes through
//! [`bc_core::text`]: nothing in a title moves the cursor.

pub(crate) mod agent_files;
pub(crate) mod backup;
pub(crate) mod bead;
pub(crate) mod changes;
mod diff;
pub(crate) mod doctor;
pub(crate) mod ending;
mod figures;
pub(crate) mod finding;
pub(crate) mod fleet;
pub(crate) mod fleet_queue;
pub(crate) mod fleet_settings;
pub(crate) mod glance;
pub(crate) mod hooks;
pub(crate) mod injections;
pub(crate) mod memory;
pub(crate) mod project;
pub(crate) mod resuming;
pub(crate) mod runner;
pub(crate) mod session;
pub(crate) mod settings;
mod table;
pub(crate) mod timeline;
pub(crate) mod transcript;
pub(crate) mod worktree;

pub(crate) use figures::moment;
pub(crate) use table::{Cell, Table};

/// Colours, width and clock of whoever reads.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looks {
    /// Whether colours are wanted.
    pub(crate) colour: bool,
    /// Columns of the terminal; `None` where results go into a file or a pipe.
    pub(crate) width: Option<usize>,
    /// The offset that moments are shown in; the system's unless given.
    pub(crate) zone: Option<chrono::FixedOffset>,
}

/// What a colour says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// The thing itself: an id, a heading.
    Strong,
    /// Less important than what is beside it.
    Faint,
    /// Runs, is well.
    Good,
    /// Waits, wants attention.
    Attention,
    /// Failed, stops something.
    Bad,
}

impl Looks {
    /// The text in its tone.
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

/// `Label     value` lines below a heading.
pub(crate) fn field(looks: &Looks, label: &str, value: &str) -> String {
    format!("{}{value}\n", looks.paint(Tone::Faint, &format!("{label:<11}")))
}

/// A text of several lines below its heading; nothing where it is empty.
pub(crate) fn section(looks: &Looks, heading: &str, text: &str) -> String {
    match bc_core::text::plain(text).trim() {
        "" => String::new(),
        text => format!("\n{}\n{}\n", looks.paint(Tone::Strong, heading), indented(text, "  ")),
    }
}

/// Every line behind the margin; empty ones stay empty.
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
