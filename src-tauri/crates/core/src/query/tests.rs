//! Tests of the query line: parsing, matching, and arbitrary text.

use super::*;
use crate::{
    Timestamp,
    bead::{BeadDetail, BeadStatus},
    ids::BeadId,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;

fn at(text: &str) -> Timestamp {
    Timestamp::parse_from_rfc3339(text).unwrap()
}

fn moment() -> Moment {
    Moment { now: at("2026-02-10T12:00:00+01:00"), me: "Ann".to_owned(), activity: HashMap::new() }
}

fn bead(id: &str, more: Value) -> BeadDetail {
    let mut whole = json!({"id": id, "title": id, "status": "open", "priority": 2, "issue_type": "task"});
    whole.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(whole).unwrap()
}

fn with_texts<const N: usize>(details: [BeadDetail; N]) -> Beads {
    let texts = details.each_ref().map(|detail| (detail.bead.id.clone(), Texts::of(detail)));
    let beads = details.into_iter().map(|detail| detail.bead.into()).collect();
    let read = |found: &mut dyn FnMut(BeadId, Texts)| {
        texts.into_iter().for_each(|(id, texts)| found(id, texts));
        Ok::<_, ()>(())
    };
    Beads::with_texts(beads, read).unwrap()
}

fn beads() -> Beads {
    with_texts([
        bead("BC-1", json!({"title": "Accounts", "issue_type": "epic", "labels": ["auth"]})),
        bead(
            "BC-2",
            json!({"title": "Login form", "parent": "BC-1", "priority": 0, "status": "in_progress",
                "assignee": "ann/0a1b2c3d", "labels": ["UI", "area:web"], "unblocks": ["BC-3"],
                "created_at": "2026-02-01T10:00:00Z", "updated_at": "2026-02-10T05:00:00Z",
                "description": "With Cookies.", "comments": [{"id": "1", "author": "bob", "text": "Straße"}]}),
        ),
        bead(
            "BC-3",
            json!({"title": "Sign-up", "parent": "BC-2", "blocked_by": ["BC-2"], "assignee": "bob",
                "due_at": "2026-02-12T00:00:00Z", "labels": ["a,b", "none"], "updated_at": "2026-02-01T00:00:00Z"}),
        ),
        bead(
            "BC-4",
            json!({"title": "Old", "status": "closed", "priority": 4, "closed_at": "2026-01-31T12:00:00Z",
                "updated_at": "2026-01-31T12:00:00Z", "notes": "x", "external_ref": "gh-9"}),
        ),
        bead("BC-5", json!({"title": "Free", "ready": true, "due_at": "2026-02-01T00:00:00Z"})),
        bead("BC-6", json!({"title": "Custom", "status": "hooked", "estimated_minutes": 30})),
    ])
}

fn found(line: &str) -> String {
    let (query, moment, beads) = (Query::parse(line), moment(), beads());
    let ids = Matcher::new(&query, &moment).ids(&beads);
    ids.iter().map(|id| id.as_str().trim_start_matches("BC-")).collect::<Vec<_>>().join("")
}

#[test]
fn every_field_finds_its_beads() {
    for (line, expect) in [
        ("", "123456"),
        ("id:bc-2,BC-4", "24"),
        ("status:open", "135"),
        ("status:In-Progress,closed", "24"),
        ("status:ready", "5"),
        ("status:blocked", "3"),
        ("status:hooked", "6"),
        ("-status:closed", "12356"),
        ("type:epic", "1"),
        ("label:ui", "2"),
        ("label:area:web", "2"),
        ("label:none", "456"),
        ("label:\"none\"", "3"),
        ("label:\"a,b\"", "3"),
        ("label:ui,auth", "12"),
        ("label:any -label:ui", "13"),
        ("priority<=1", "2"),
        ("priority:P4", "4"),
        ("p>2", "4"),
        ("priority:<1", "2"),
        ("assignee:none", "1456"),
        ("assignee:me", "2"),
        ("assignee:bob", "3"),
        ("parent:BC-1", "2"),
        ("parent:none", "1456"),
        ("epic:BC-1", "23"),
        ("blocks:BC-3", "2"),
        ("blockedby:BC-2", "3"),
        ("blocked-by:any", "3"),
        ("has:description", "2"),
        ("has:comments", "2"),
        ("has:notes,estimate", "46"),
        ("has:reference", "4"),
        ("has:labels", "123"),
        ("is:ready", "5"),
        ("is:blocked", "3"),
        ("is:stale", "2"),
        ("is:overdue", "5"),
        ("is:closed", "4"),
        ("is:open -is:ready", "1236"),
    ] {
        assert_eq!(found(line), expect, "{line}");
        assert!(Query::parse(line).problems().is_empty(), "{line}");
    }
}

#[test]
fn times_are_ages_or_days_in_the_users_time_zone() {
    for (line, expect) in [
        ("updated<7d", "2"),
        ("updated<12h", "2"),
        ("updated<5h", ""),
        ("updated>1w", "34"),
        ("created:2026-02-01", "2"),
        ("closed<=2026-01-31", "4"),
        ("closed<2026-01-31", ""),
        ("closed:none", "12356"),
        ("due<3d", "35"),
        ("due>3d", ""),
        ("due:tomorrow", ""),
        ("due:2026-02-12", "3"),
        ("updated:today", "2"),
        ("due:any", "35"),
    ] {
        assert_eq!(found(line), expect, "{line}");
    }
}

#[test]
fn text_is_found_in_ids_titles_descriptions_and_comments_in_any_case() {
    for (line, expect) in [
        ("LOGIN", "2"),
        ("cookies", "2"),
        ("STRASSE", ""),
        ("strasse", ""),
        ("straße", "2"),
        ("bc-3", "3"),
        ("\"login form\"", "2"),
        ("\"form with\"", ""),
        ("login -cookies", ""),
        ("-login -old", "1356"),
        ("label:ui login", "2"),
    ] {
        assert_eq!(found(line), expect, "{line}");
    }
}

#[test]
fn a_part_that_is_not_understood_is_text_and_reported() {
    for (line, part) in [
        ("colour:red", "colour:red"),
        ("priority:9 x", "priority:9"),
        ("due:soon", "due:soon"),
        ("is:nice", "is:nice"),
        ("label<x", "label<x"),
        ("updated<99999999999w", "updated<99999999999w"),
    ] {
        let query = Query::parse(line);
        assert_eq!(query.problems().iter().map(|problem| &problem.part).collect::<Vec<_>>(), [part]);
        assert!(query.needs_texts(), "{line} is searched as text");
    }
    let typing = Query::parse("status:");
    assert_eq!(
        (typing.problems().len(), typing.is_empty()),
        (1, true),
        "an unfinished part excludes no bead"
    );
    for plain in ["https://example.org/a?b=c", "a<b", "-", "\"status:open\"", "10:30", "x=1"] {
        assert!(Query::parse(plain).problems().is_empty(), "{plain}");
        assert!(Query::parse(plain).needs_texts(), "{plain}");
    }
}

#[test]
fn a_cycle_of_parents_ends() {
    let beads = with_texts([
        bead("a", json!({"parent": "b"})),
        bead("b", json!({"parent": "a"})),
        bead("c", json!({"parent": "gone"})),
    ]);
    let (query, moment) = (Query::parse("epic:a"), moment());
    assert_eq!(Matcher::new(&query, &moment).ids(&beads).len(), 2);
    let query = Query::parse("epic:gone");
    assert_eq!(Matcher::new(&query, &moment).ids(&beads).len(), 1);
}

#[test]
fn live_sessions_keep_a_bead_from_being_stale() {
    let (query, mut moment, beads) = (Query::parse("is:stale"), moment(), beads());
    assert!(query.needs_activity() && !query.needs_texts());
    moment.activity.insert("BC-2".parse().unwrap(), at("2026-02-10T11:30:00+01:00"));
    assert!(Matcher::new(&query, &moment).ids(&beads).is_empty());
}

#[test]
fn beads_without_texts_serve_queries_on_fields() {
    let beads = Beads::of(beads().iter().map(|bead| bead.clone().into()).collect());
    let (query, moment) = (Query::parse("epic:BC-1 priority:0"), moment());
    let matcher = Matcher::new(&query, &moment);
    let found: Vec<_> = matcher.matching(&beads).map(|bead| &bead.status).collect();
    assert_eq!(found, [&BeadStatus::InProgress]);
    assert!(!query.needs_texts() && !beads.has_texts());
}

proptest! {
    #[test]
    fn any_text_is_a_query(line in any::<String>()) {
        let (query, moment, beads) = (Query::parse(&line), moment(), beads());
        prop_assert!(Matcher::new(&query, &moment).ids(&beads).len() <= beads.len());
    }

    #[test]
    fn any_combination_of_query_words_is_a_query(
        line in "(-?(id|status|label|priority|due|updated|has|is|epic|x)(:|<|<=|>|>=|=|:<)(\"|,|\\\\|[a-z0-9-]|é){0,6} ?){0,5}"
    ) {
        let (query, moment, beads) = (Query::parse(&line), moment(), beads());
        prop_assert!(Matcher::new(&query, &moment).ids(&beads).len() <= beads.len());
    }

    #[test]
    fn a_quoted_text_is_found_as_written(text in "[a-zA-Z ,:<>=-]{1,12}") {
        let beads = with_texts([bead("a-1", json!({"title": format!("<{text}>")}))]);
        let (query, moment) = (Query::parse(&format!("\"{text}\"")), moment());
        prop_assert_eq!(Matcher::new(&query, &moment).ids(&beads).len(), 1);
    }

    #[test]
    fn a_part_and_its_negation_split_the_beads(
        part in "(status:open|priority<2|label:none|has:due|is:open|updated<7d|form|blocks:any)"
    ) {
        let (with, without) = (found(&part), found(&format!("-{part}")));
        prop_assert_eq!(with.len() + without.len(), 6);
    }
}
