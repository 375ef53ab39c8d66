//! Beads: lists, one bead in detail, labels, and the results of changes.

use super::{Cell, Style, Table, Tone, field, indented, moment, section, session};
use bc_core::{
    bead::{Bead, BeadDetail, BeadStatus, LinkDirection, NotReady},
    ids::BeadId,
    text::one_line,
};
use bc_wire::bead::{BeadDeleted, BeadShown};
use std::{collections::BTreeMap, sync::Arc};

/// The kind of a list of beads. It determines whether states are shown, and the text for an empty list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    /// Beads in any state.
    All,
    /// Beads that match a query.
    Found,
    /// Beads that can be started now.
    Ready,
    /// Beads that wait for others.
    Blocked,
}

impl List {
    fn empty(self) -> &'static str {
        match self {
            List::All => "No beads. `beads-console bead create TITLE` makes one.\n",
            List::Found => "No bead matches.\n",
            List::Ready => {
                "Nothing is ready. `beads-console bead ready --explain` shows the other open beads and their reasons.\n"
            }
            List::Blocked => "Nothing is blocked.\n",
        }
    }
}

pub(crate) fn list(beads: &[Arc<Bead>], list: List, style: &Style) -> String {
    if beads.is_empty() {
        return list.empty().to_owned();
    }
    let mut table = Table::new(&["ID", "P", "TYPE", "STATE", "WHO", "WAITS FOR", "TITLE"], 6);
    for bead in beads {
        let state = match list {
            List::All | List::Found => Cell::new(tone(&bead.status), state(bead)),
            List::Ready | List::Blocked => Cell::plain(""),
        };
        table.row(vec![
            Cell::new(Tone::Strong, bead.id.as_str()),
            priority(bead.priority),
            Cell::plain(&bead.issue_type),
            state,
            Cell::plain(bead.assignee.as_deref().unwrap_or_default()),
            Cell::new(Tone::Faint, &ids(&bead.blocked_by)),
            Cell::plain(&bead.title),
        ]);
    }
    table.print(style)
}

/// Open beads, each with the reasons why it is not ready, if any.
pub(crate) fn explained(beads: &[Arc<Bead>], style: &Style) -> String {
    if beads.is_empty() {
        return "Nothing is open.\n".to_owned();
    }
    let mut table = Table::new(&["ID", "P", "READY", "TITLE"], 3);
    for bead in beads {
        let reason = match (bead.ready, bead.not_ready.is_empty()) {
            (true, _) => Cell::new(Tone::Good, "ready"),
            (false, true) => Cell::new(Tone::Attention, "no: only the tracker knows why"),
            (false, false) => Cell::new(Tone::Attention, &format!("no: {}", reasons(bead))),
        };
        table.row(vec![
            Cell::new(Tone::Strong, bead.id.as_str()),
            priority(bead.priority),
            reason,
            Cell::plain(&bead.title),
        ]);
    }
    table.print(style)
}

fn reasons(bead: &Bead) -> String {
    bead.not_ready.iter().map(why).collect::<Vec<_>>().join("; ")
}

/// The labels, each with its number of beads.
pub(crate) fn labels(counts: &BTreeMap<&str, usize>, style: &Style) -> String {
    if counts.is_empty() {
        return "No labels.\n".to_owned();
    }
    let mut table = Table::new(&["LABEL", "BEADS"], 0);
    for (label, beads) in counts {
        table.row(vec![Cell::new(Tone::Strong, label), Cell::plain(&beads.to_string())]);
    }
    table.print(style)
}

/// The line printed after a deletion.
pub(crate) fn deleted(deleted: &BeadDeleted, _: &Style) -> String {
    let id = one_line(deleted.id.as_str());
    match deleted.can_undo {
        true => format!("deleted {id}; `beads-console bead undelete {id}` restores it\n"),
        false => format!("deleted {id}\n"),
    }
}

fn why(reason: &NotReady) -> String {
    let of = |parent: &Option<BeadId>| {
        parent.as_ref().map(|id| format!("its parent {id} is ")).unwrap_or_default()
    };
    match reason {
        NotReady::Status { status } => format!("its status is {}", status.as_str()),
        NotReady::BlockedBy { id, title, kind, parent, .. } if kind == "waits-for" => {
            format!("{}waiting for the children of {id} {title}", of(parent))
        }
        NotReady::BlockedBy { id, title, parent, .. } => format!("{}blocked by {id} {title}", of(parent)),
        NotReady::Deferred { until, parent } => {
            format!("{}deferred until {}", of(parent), until.format("%Y-%m-%d"))
        }
        NotReady::Assigned { to } => format!("assigned to {to}"),
        NotReady::Kind { issue_type } => format!("beads of type {issue_type} are internal to the tracker"),
    }
}

pub(crate) fn page(shown: &BeadShown, style: &Style) -> String {
    let detail = &shown.bead;
    let bead = &detail.bead;
    let mut text = format!("{}\n", heading(bead, style));
    let mut add = |label: &str, value: &str| {
        if !value.is_empty() {
            text.push_str(&field(style, label, value));
        }
    };
    add("State", &style.paint(tone(&bead.status), &one_line(state(bead))));
    add("Not ready", &one_line(&reasons(bead)));
    add("Priority", &format!("P{}", bead.priority));
    add("Type", &one_line(&bead.issue_type));
    add("Who", &one_line(bead.assignee.as_deref().unwrap_or_default()));
    add("Labels", &one_line(&bead.labels.join(", ")));
    let minutes = bead.estimated_minutes.map(|minutes| format!("{minutes} min"));
    add("Estimate", &minutes.unwrap_or_default());
    add("Due", &bead.due_at.as_ref().map(|at| moment(style, at)).unwrap_or_default());
    add("Deferred", &bead.defer_until.as_ref().map(|at| moment(style, at)).unwrap_or_default());
    add("Reference", &one_line(detail.external_ref.as_deref().unwrap_or_default()));
    add("Created", &bead.created_at.as_ref().map(|at| moment(style, at)).unwrap_or_default());
    add("Closed", &bead.closed_at.as_ref().map(|at| moment(style, at)).unwrap_or_default());
    add("Because", &one_line(detail.close_reason.as_deref().unwrap_or_default()));
    text.push_str(&links(detail, style));
    text.push_str(&section(style, "Description", &detail.description));
    text.push_str(&section(style, "Acceptance", &detail.acceptance_criteria));
    text.push_str(&section(style, "Design", &detail.design));
    text.push_str(&section(style, "Notes", &detail.notes));
    text.push_str(&comments(detail, style));
    if !shown.sessions.is_empty() {
        let table = session::of_bead(&shown.sessions, style);
        text.push_str(&format!("\n{}\n{}\n", style.paint(Tone::Strong, "Sessions"), indented(&table, "  ")));
    }
    text
}

pub(crate) fn changed(bead: &Bead, verb: &str, style: &Style) -> String {
    format!("{verb} {}\n", heading(bead, style))
}

fn heading(bead: &Bead, style: &Style) -> String {
    format!("{}  {}", style.paint(Tone::Strong, &one_line(bead.id.as_str())), one_line(&bead.title))
}

fn links(detail: &BeadDetail, style: &Style) -> String {
    let mut text = String::new();
    for link in &detail.links {
        let label = match (link.kind.as_str(), link.direction) {
            ("parent-child", LinkDirection::DependsOn) => "Parent".to_owned(),
            ("parent-child", LinkDirection::DependedOnBy) => "Child".to_owned(),
            ("blocks", LinkDirection::DependsOn) => "Waits for".to_owned(),
            ("blocks", LinkDirection::DependedOnBy) => "Unblocks".to_owned(),
            (kind, _) => one_line(kind),
        };
        let status =
            link.status.as_ref().map(|s| format!("  ({})", one_line(s.as_str()))).unwrap_or_default();
        let value = format!(
            "{}  {}{}",
            one_line(link.id.as_str()),
            one_line(&link.title),
            style.paint(Tone::Faint, &status)
        );
        text.push_str(&field(style, &label, &value));
    }
    text
}

fn comments(detail: &BeadDetail, style: &Style) -> String {
    let mut text = String::new();
    for comment in &detail.comments {
        let at =
            comment.created_at.as_ref().map(|at| format!(" · {}", moment(style, at))).unwrap_or_default();
        text.push_str(&section(style, &format!("{}{at}", one_line(&comment.author)), &comment.text));
    }
    text
}

fn ids(ids: &[BeadId]) -> String {
    ids.iter().map(BeadId::as_str).collect::<Vec<_>>().join(" ")
}

/// The displayed status. `ready` is computed by the tracker and is not a status, but users need to see it on
/// an open bead.
fn state(bead: &Bead) -> &str {
    match bead.status {
        BeadStatus::Open if bead.ready => "ready",
        _ => bead.status.as_str(),
    }
}

fn tone(status: &BeadStatus) -> Tone {
    match status {
        BeadStatus::InProgress => Tone::Good,
        BeadStatus::InReview | BeadStatus::Blocked => Tone::Attention,
        BeadStatus::Closed | BeadStatus::Deferred | BeadStatus::Tombstone => Tone::Faint,
        BeadStatus::Open | BeadStatus::Pinned | BeadStatus::Other(_) => Tone::Plain,
    }
}

pub(super) fn priority(priority: u8) -> Cell {
    let tone = match priority {
        0 => Tone::Bad,
        1 => Tone::Attention,
        2 => Tone::Plain,
        _ => Tone::Faint,
    };
    Cell::new(tone, &format!("P{priority}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles;
    use expect_test::expect;

    #[test]
    fn list_shows_status_assignee_and_blockers() {
        let mut blocked = test_doubles::bead("BC-002", "Fix the redirect");
        blocked.blocked_by = vec!["BC-001".parse().unwrap()];
        blocked.ready = false;
        expect![[r#"
            ID      P   TYPE  STATE  WAITS FOR  TITLE
            BC-001  P2  task  ready             Implement login
            BC-002  P2  task  open   BC-001     Fix the redirect
        "#]]
        .assert_eq(&list(
            &[test_doubles::bead("BC-001", "Implement login").into(), blocked.into()],
            List::All,
            &Style::default(),
        ));
    }

    #[test]
    fn page_shows_texts_links_comments_and_sessions() {
        let shown =
            BeadShown { bead: test_doubles::bead_detail("BC-001"), sessions: vec![test_doubles::session(1)] };
        expect![[r#"
            BC-001  Implement login
            State      ready
            Priority   P2
            Type       task
            Parent     BC-000  Accounts  (open)
            Unblocks   BC-007  Sign-up

            Description
              First line.

              red is only text.

            Acceptance
              It works.

            alice · 2026-01-19 16:00
              Mind the cookies.

            Sessions
              STATE      ID        ACTIVE  COMMITS  STARTED           TITLE
              ● Working  00000001  45m     1        2026-01-19 16:00  Implement login
        "#]]
        .assert_eq(&page(&shown, &test_doubles::PLAIN));
    }
}
