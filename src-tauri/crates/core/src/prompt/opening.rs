//! The opening prompt of a session on a bead, or on a work item of the fleet.

use super::argument::{ARGUMENT_MAX, safe_argument};
use crate::{
    bead::{BeadDetail, BeadLink, BeadStatus, LinkDirection},
    fleet::WorkItem,
    text::{cut, head, one_line, plain},
};
use std::fmt::Write;

/// The maximum length of a title, in characters.
const TITLE_MAX: usize = 500;
/// The maximum number of blockers to list.
const BLOCKERS_MAX: usize = 30;
/// The maximum length of the objective, in bytes.
const OBJECTIVE_MAX: usize = 20_000;
/// The number of bytes reserved for the truncation note, excluding the command in it.
const NOTE_ROOM: usize = 200;

/// The first prompt for a bead: title, type, priority, objective, parent, blockers, description and
/// acceptance criteria. The result is a safe argument. A long bead is truncated, its description first, with
/// a note on how to read the rest. `read_more` is the command that shows the whole bead.
pub fn opening(detail: &BeadDetail, objective: Option<&str>, read_more: &str) -> String {
    let read_more = one_line(read_more);
    let top = top(detail, objective, &read_more);
    let bottom = format!("\n\nThe whole bead with its comments: `{read_more}`");
    let description = plain(&detail.description);
    let acceptance = plain(&detail.acceptance_criteria);
    let (description, acceptance) = (description.trim(), acceptance.trim());

    let notes = 2 * (NOTE_ROOM + read_more.len());
    let left = ARGUMENT_MAX.saturating_sub(top.len() + bottom.len() + notes);
    let for_acceptance = left.saturating_sub(description.len()).max(left / 2);
    let acceptance = within(acceptance, for_acceptance, &read_more);
    let description =
        within(description, left.saturating_sub(acceptance.len().min(for_acceptance)), &read_more);

    let mut prompt = top;
    for (heading, body) in [("Description", description), ("Acceptance criteria", acceptance)] {
        if !body.is_empty() {
            write!(prompt, "\n\n## {heading}\n\n{body}").expect("writing to a String cannot fail");
        }
    }
    prompt.push_str(&bottom);
    safe_argument(&prompt)
}

/// The first prompt for fleet work outside any tracker. It names the command that reports the work as done.
pub fn own_work(item: &WorkItem) -> String {
    let id = &item.bead_id;
    let title = cut(&one_line(&item.title), TITLE_MAX);
    let mut prompt = format!("Work on {id}: {title}\n\nPriority: {:?}.", item.priority);
    let done = format!(
        "\n\nThis work item belongs to the fleet and is in no tracker. When it is done and committed on this branch, report it: \
         `beads-console fleet work status {id} done`"
    );
    let description = plain(&item.description);
    let read_more = format!("beads-console fleet work show {id}");
    let left = ARGUMENT_MAX.saturating_sub(prompt.len() + done.len() + NOTE_ROOM + read_more.len());
    let description = within(description.trim(), left, &read_more);
    if !description.is_empty() {
        write!(prompt, "\n\n## Description\n\n{description}").expect("writing to a String cannot fail");
    }
    prompt.push_str(&done);
    safe_argument(&prompt)
}

/// The part of the prompt above the description.
fn top(detail: &BeadDetail, objective: Option<&str>, read_more: &str) -> String {
    let bead = &detail.bead;
    let mut top = format!("Work on the bead {}: {}", bead.id, cut(&one_line(&bead.title), TITLE_MAX));
    write!(top, "\n\nType: {}. Priority: P{}.", one_line(&bead.issue_type), bead.priority)
        .expect("writing to a String cannot fail");
    if let Some(objective) = objective.map(plain).filter(|text| !text.trim().is_empty()) {
        top.push_str("\n\nObjective: ");
        top.push_str(&within(objective.trim(), OBJECTIVE_MAX, read_more));
    }
    if let Some(parent) = &bead.parent {
        let link = detail.links.iter().find(|link| link.id == *parent);
        let named = link.map_or_else(|| parent.to_string(), named);
        write!(top, "\n\nParent: {named}").expect("writing to a String cannot fail");
    }
    let blockers = blockers(detail);
    if !blockers.is_empty() {
        top.push_str("\n\nBlocked by:");
        for blocker in blockers.iter().take(BLOCKERS_MAX) {
            write!(top, "\n- {blocker}").expect("writing to a String cannot fail");
        }
        if blockers.len() > BLOCKERS_MAX {
            write!(top, "\n- and {} more", blockers.len() - BLOCKERS_MAX)
                .expect("writing to a String cannot fail");
        }
    }
    top
}

/// The remaining blockers: the tracker's list, and open `blocks` links that the list omits.
fn blockers(detail: &BeadDetail) -> Vec<String> {
    let mut ids = detail.bead.blocked_by.clone();
    for link in &detail.links {
        let open = !matches!(link.status, None | Some(BeadStatus::Closed | BeadStatus::Tombstone));
        let blocks = link.kind == "blocks" && link.direction == LinkDirection::DependsOn;
        if open && blocks && !ids.contains(&link.id) {
            ids.push(link.id.clone());
        }
    }
    let line = |id| detail.links.iter().find(|link| link.id == id).map_or_else(|| id.to_string(), named);
    ids.into_iter().map(line).collect()
}

/// Formats a link as `BC-002 Its title (open)`, with the known parts.
fn named(link: &BeadLink) -> String {
    let mut out = link.id.to_string();
    if !link.title.is_empty() {
        out.push(' ');
        out.push_str(&cut(&one_line(&link.title), TITLE_MAX));
    }
    if let Some(status) = &link.status {
        write!(out, " ({})", one_line(status.as_str())).expect("writing to a String cannot fail");
    }
    out
}

/// Truncates the text to at most `max` bytes, preferably at the end of a line, and appends a note on the
/// omitted part.
fn within(text: &str, max: usize, read_more: &str) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let kept = head(text, max);
    let kept = match kept.rfind('\n') {
        Some(line_end) if line_end > max / 2 => &kept[..line_end],
        _ => kept,
    };
    let missing = text.len() - kept.len();
    format!(
        "{kept}\n\n[Cut here: {missing} of {} bytes are left out. Read the rest with `{read_more}`.]",
        text.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn own_work_names_its_bead_and_the_command_that_completes_it() {
        let item = |description: &str| {
            WorkItem::new(
                "bead-00000000ff".parse().unwrap(),
                "Tidy\nup".into(),
                description.into(),
                crate::fleet::Priority::P1,
            )
        };
        expect![[r#"
            Work on bead-00000000ff: Tidy up

            Priority: P1.

            ## Description

            All of it.

            This work item belongs to the fleet and is in no tracker. When it is done and committed on this branch, report it: `beads-console fleet work status bead-00000000ff done`"#]]
        .assert_eq(&own_work(&item("All of it.\n")));
        let long = own_work(&item(&"word ".repeat(ARGUMENT_MAX)));
        assert!(long.len() <= ARGUMENT_MAX && long.ends_with("done`"), "{}", long.len());
    }

    fn link(id: &str, title: &str, kind: &str, status: BeadStatus) -> BeadLink {
        BeadLink {
            id: id.parse().unwrap(),
            title: title.into(),
            status: Some(status),
            issue_type: None,
            kind: kind.into(),
            direction: LinkDirection::DependsOn,
        }
    }

    fn detail(description: &str, acceptance: &str) -> BeadDetail {
        serde_json::from_value(serde_json::json!({
            "id": "BC-001",
            "title": "Implement login\nvalidation",
            "status": "open",
            "priority": 1,
            "issue_type": "feature",
            "description": description,
            "acceptance_criteria": acceptance,
        }))
        .unwrap()
    }

    #[test]
    fn the_opening_contains_the_beads_texts() {
        let mut detail = detail("Check the\u{1b}[31m password.", "- [ ] empty is refused");
        detail.bead.parent = Some("BC-000".parse().unwrap());
        detail.bead.blocked_by = vec!["BC-007".parse().unwrap()];
        detail.links = vec![
            link("BC-000", "Accounts", "parent-child", BeadStatus::Open),
            link("BC-002", "Schema", "blocks", BeadStatus::InProgress),
            link("BC-003", "Done already", "blocks", BeadStatus::Closed),
        ];
        expect![[r#"
            Work on the bead BC-001: Implement login validation

            Type: feature. Priority: P1.

            Objective: Only the server side

            Parent: BC-000 Accounts (open)

            Blocked by:
            - BC-007
            - BC-002 Schema (in_progress)

            ## Description

            Check the password.

            ## Acceptance criteria

            - [ ] empty is refused

            The whole bead with its comments: `bd show BC-001`"#]]
        .assert_eq(&opening(&detail, Some("Only the server side"), "bd show BC-001"));
    }

    #[test]
    fn a_bead_with_only_a_title_has_a_short_prompt() {
        expect![[r#"
            Work on the bead BC-001: Implement login validation

            Type: feature. Priority: P1.

            The whole bead with its comments: `br show BC-001`"#]]
        .assert_eq(&opening(&detail(" \n", ""), Some("  "), "br show BC-001"));
    }

    #[test]
    fn a_long_description_is_cut_and_the_acceptance_criteria_stay() {
        let prompt =
            opening(&detail(&"A line of text.\n".repeat(20_000), "must work"), None, "bd show BC-001");
        assert!(prompt.len() <= ARGUMENT_MAX && prompt.len() > ARGUMENT_MAX - 2_000, "{}", prompt.len());
        assert!(prompt.contains("A line of text.\n\n[Cut here: "), "not cut at the end of a line");
        assert!(prompt.contains("of 319999 bytes are left out. Read the rest with `bd show BC-001`.]"));
        assert!(prompt.contains("## Acceptance criteria\n\nmust work"));
    }

    #[test]
    fn two_long_texts_share_the_space() {
        let prompt = opening(&detail(&"d".repeat(200_000), &"a".repeat(200_000)), None, "bd show BC-001");
        assert!(prompt.len() <= ARGUMENT_MAX);
        for letter in ['d', 'a'] {
            assert!(prompt.chars().filter(|&c| c == letter).count() > 50_000, "too little of {letter}");
        }
        assert!(prompt.ends_with("`bd show BC-001`"));
    }

    proptest! {
        #[test]
        fn the_opening_fits_and_refers_to_omitted_text(
            description in ("[ -~äß漢\n]{0,40}", 0usize..6000), acceptance in ("[ -~äß漢\n]{0,40}", 0usize..6000),
            title in any::<String>(), objective in any::<Option<String>>(), blockers in 0usize..200,
        ) {
            let mut detail = detail(&description.0.repeat(description.1), &acceptance.0.repeat(acceptance.1));
            detail.bead.title = title;
            detail.bead.blocked_by = (0..blockers).map(|n| format!("BC-{n}").parse().unwrap()).collect();
            let prompt = opening(&detail, objective.as_deref(), "bd show BC-001");
            prop_assert!(prompt.len() <= ARGUMENT_MAX);
            prop_assert!(prompt.starts_with("Work on the bead BC-001"));
            prop_assert!(prompt.ends_with("`bd show BC-001`"));
        }
    }
}
