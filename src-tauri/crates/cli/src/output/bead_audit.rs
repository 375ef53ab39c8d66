//! The history of a bead.

use super::{Cell, Style, Table, Tone, moment};
use bc_wire::bead::{AuditEvent, BeadAudit};

pub(crate) fn table(audit: &BeadAudit, style: &Style) -> String {
    if audit.events.is_empty() {
        return format!("No changes of {} are recorded.\n", bc_core::text::one_line(audit.id.as_str()));
    }
    let mut table = Table::new(&["TIME", "WHO", "SESSION", "WHAT", "CHANGE"], 4);
    for event in &audit.events {
        let session = event.session.map(|session| session.short()).unwrap_or_default();
        table.row(vec![
            Cell::new(Tone::Faint, &moment(style, &event.at)),
            Cell::plain(&event.actor),
            Cell::plain(&session),
            Cell::new(Tone::Strong, &what(event)),
            Cell::plain(&change(event)),
        ]);
    }
    table.print(style)
}

fn what(event: &AuditEvent) -> String {
    match (event.kind.as_str(), &event.field) {
        ("field", Some(field)) => field.clone(),
        (kind, Some(field)) => format!("{kind} {field}").replace('_', " "),
        (kind, None) => kind.replace('_', " "),
    }
}

fn change(event: &AuditEvent) -> String {
    match (&event.from, &event.to) {
        (Some(from), Some(to)) => format!("{from} → {to}"),
        (Some(from), None) => format!("− {from}"),
        (None, Some(to)) => to.clone(),
        (None, None) => String::new(),
    }
}

/// The history as CSV (RFC 4180), for spreadsheets.
pub(crate) fn csv(audit: &BeadAudit) -> String {
    let mut text = String::from("at,actor,session,kind,field,from,to\r\n");
    for event in &audit.events {
        let session = event.session.map(|session| session.to_string()).unwrap_or_default();
        let optional = |value: &Option<String>| value.clone().unwrap_or_default();
        let cells = [
            event.at.to_rfc3339(),
            event.actor.clone(),
            session,
            event.kind.clone(),
            optional(&event.field),
            optional(&event.from),
            optional(&event.to),
        ];
        text.push_str(&cells.map(|cell| quoted(&cell)).join(","));
        text.push_str("\r\n");
    }
    text
}

/// A CSV field. A value that begins like a formula gets a leading apostrophe, so that spreadsheets do not
/// evaluate it.
fn quoted(value: &str) -> String {
    let value = match value.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{value}"),
        false => value.to_owned(),
    };
    match value.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value,
    }
}
