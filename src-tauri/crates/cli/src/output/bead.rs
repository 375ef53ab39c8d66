//! Beads as lists and as a page.

use super::{Cell, Looks, Table, Tone, field, indented, moment, section, session};
use bc_core::{
    bead::{Bead, BeadDetail, BeadStatus, LinkDirection},
    ids::BeadId,
    text::one_line,
};
use bc_wire::bead::BeadShown;

/// What a list of beads is about; it decides the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    /// Beads in any state.
    All,
    /// Beads that can be started now.
    Ready,
    /// Beads that wait for others.
    Blocked,
}

impl List {
    fn empty(self) -> &'static str {
        match self {
            List::All => "No beads. `beads-console bead create TITLE` makes one.\n",
            List::Ready => "Nothing is ready. `beads-console bead blocked` shows what waits, and for what.\n",
            List::Blocked => "Nothing is blocked.\n",
        }
    }
}

/// The beads as a table.
pub(crate) fn list(beads: &[Bead], list: List, looks: &Looks) -> String {
    if beads.is_empty() {
        return list.empty().to_owned();
    }
    let mut table = Table::new(&["ID", "P", "TYPE", "STATE", "WHO", "WAITS FOR", "TITLE"], 6);
    for bead in beads {
        let state = match list {
            List::All => Cell::new(tone(&bead.status), state(bead)),
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
    table.print(looks)
}

/// One bead with everything.
pub(crate) fn page(shown: &BeadShown, looks: &Looks) -> String {
    let detail = &shown.bead;
    let bead = &detail.bead;
    let mut text = format!("{}\n", heading(bead, looks));
    let mut add = |label: &str, value: &str| {
        if !value.is_empty() {
            text.push_str(&field(looks, label, value));
        }
    };
    add("State", &looks.paint(tone(&bead.status), &one_line(state(bead))));
    add("Priority", &format!("P{}", bead.priority));
    add("Type", &one_line(&bead.issue_type));
    add("Who", &one_line(bead.assignee.as_deref().unwrap_or_default()));
    add("Labels", &one_line(&bead.labels.join(", ")));
    add("Made", &bead.created_at.as_ref().map(|at| moment(looks, at)).unwrap_or_default());
    add("Closed", &bead.closed_at.as_ref().map(|at| moment(looks, at)).unwrap_or_default());
    add("Because", &one_line(detail.close_reason.as_deref().unwrap_or_default()));
    text.push_str(&links(detail, looks));
    text.push_str(&section(looks, "Description", &detail.description));
    text.push_str(&section(looks, "Acceptance", &detail.acceptance_criteria));
    text.push_str(&section(looks, "Design", &detail.design));
    text.push_str(&section(looks, "Notes", &detail.notes));
    text.push_str(&comments(detail, looks));
    if !shown.sessions.is_empty() {
        let table = session::of_bead(&shown.sessions, looks);
        text.push_str(&format!("\n{}\n{}\n", looks.paint(Tone::Strong, "Sessions"), indented(&table, "  ")));
    }
    text
}

/// One line after a change.
pub(crate) fn changed(bead: &Bead, verb: &str, looks: &Looks) -> String {
    format!("{verb} {}\n", heading(bead, looks))
}

fn heading(bead: &Bead, looks: &Looks) -> String {
    format!("{}  {}", looks.paint(Tone::Strong, &one_line(bead.id.as_str())), one_line(&bead.title))
}

fn links(detail: &BeadDetail, looks: &Looks) -> String {
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
            looks.paint(Tone::Faint, &status)
        );
        text.push_str(&field(looks, &label, &value));
    }
    text
}

fn comments(detail: &BeadDetail, looks: &Looks) -> String {
    let mut text = String::new();
    for comment in &detail.comments {
        let at =
            comment.created_at.as_ref().map(|at| format!(" · {}", moment(looks, at))).unwrap_or_default();
        text.push_str(&section(looks, &format!("{}{at}", one_line(&comment.author)), &comment.text));
    }
    text
}

fn ids(ids: &[BeadId]) -> String {
    ids.iter().map(BeadId::as_str).collect::<Vec<_>>().join(" ")
}

/// `ready` is not a state of the tracker, but what a person wants to know of an open bead.
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

fn priority(priority: u8) -> Cell {
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
    use crate::fake;
    use expect_test::expect;

    #[test]
    fn a_list_shows_what_can_be_acted_on() {
        let mut blocked = fake::bead("BC-002", "Fix the redirect");
        blocked.blocked_by = vec!["BC-001".parse().unwrap()];
        blocked.ready = false;
        expect![[r#"
            ID      P   TYPE  STATE  WAITS FOR  TITLE
            BC-001  P2  task  ready             Implement login
            BC-002  P2  task  open   BC-001     Fix the redirect
        "#]]
        .assert_eq(&list(&[fake::bead("BC-001", "Implement login"), blocked], List::All, &Looks::default()));
    }

    #[test]
    fn a_page_has_its_texts_links_comments_and_sessions() {
        let shown = BeadShown { bead: fake::bead_detail("BC-001"), sessions: vec![fake::session(1)] };
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
              STATE     ID        ACTIVE  COMMITS  STARTED           TITLE
              ● active  00000001  45m     1        2026-01-19 16:00  Implement login
        "#]]
        .assert_eq(&page(&shown, &fake::LOOKS));
    }
}
