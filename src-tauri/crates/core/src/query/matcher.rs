//! Matches beads against a query at one moment.

use super::{
    beads::{Beads, Entry},
    parse::{Has, Is, Query, Test, TimeField, Who},
    value::{Name, Span, same},
};
use crate::{
    Timestamp,
    bead::{Bead, BeadStatus, NotReady},
    ids::BeadId,
    stale,
};
use std::collections::HashMap;

/// The inputs of a query besides the beads.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The current time, with the user's offset.
    pub now: Timestamp,
    /// The user's name, for `assignee:me`.
    pub me: String,
    /// The last activity of live sessions on beads, for `is:stale`.
    pub activity: HashMap<BeadId, Timestamp>,
}

/// A query, prepared for matching at one moment.
#[derive(Debug)]
pub struct Matcher<'a> {
    query: &'a Query,
    moment: &'a Moment,
    /// For each part, the times that it accepts.
    spans: Vec<Vec<Span>>,
    /// The user's name, lower-cased.
    me: String,
}

impl<'a> Matcher<'a> {
    /// Prepares a query by converting its durations, such as `7d`, and its days to times.
    pub fn new(query: &'a Query, moment: &'a Moment) -> Matcher<'a> {
        let spans = query.parts.iter().map(|part| match &part.test {
            Test::Time(field, how, times) => {
                times.iter().map(|time| time.span(*how, field.is_ahead(), moment.now)).collect()
            }
            _ => Vec::new(),
        });
        Matcher { spans: spans.collect(), me: moment.me.to_lowercase(), query, moment }
    }

    /// The ids of the matching beads, in the tracker's order.
    pub fn ids(&self, beads: &Beads) -> Vec<BeadId> {
        self.matching(beads).map(|bead| bead.id.clone()).collect()
    }

    /// The matching beads, in the tracker's order.
    pub fn matching<'b>(&'b self, beads: &'b Beads) -> impl Iterator<Item = &'b Bead> {
        beads.entries.iter().filter(|entry| self.matches(beads, entry)).map(|entry| entry.bead.as_ref())
    }

    fn matches(&self, beads: &Beads, entry: &Entry) -> bool {
        let mut parts = self.query.parts.iter().zip(&self.spans);
        parts.all(|(part, spans)| self.passes(&part.test, spans, beads, entry) != part.negated)
    }

    fn passes(&self, test: &Test, spans: &[Span], beads: &Beads, entry: &Entry) -> bool {
        let bead = &entry.bead;
        let one_of = |names: &[Name], of: &[BeadId]| {
            names.iter().any(|name| name.among(of.iter().map(BeadId::as_str)))
        };
        match test {
            Test::Text(text) => text.find(entry.text.as_bytes()).is_some(),
            Test::Id(names) => names.iter().any(|name| name.among(std::iter::once(bead.id.as_str()))),
            Test::Status(states) => states.iter().any(|state| has_state(bead, state)),
            Test::Type(names) => {
                names.iter().any(|name| name.among(std::iter::once(bead.issue_type.as_str())))
            }
            Test::Label(names) => names.iter().any(|name| name.among(bead.labels.iter().map(String::as_str))),
            Test::Priority(how, values) => values.iter().any(|value| how.holds(bead.priority, *value)),
            Test::Assignee(who) => who.iter().any(|who| self.is_assigned(bead.assignee.as_deref(), who)),
            Test::Parent(names) => names.iter().any(|name| name.among(beads.ancestors(entry).take(1))),
            Test::Epic(names) => names.iter().any(|name| name.among(beads.ancestors(entry))),
            Test::Blocks(names) => one_of(names, &bead.unblocks),
            Test::BlockedBy(names) => one_of(names, &bead.blocked_by),
            Test::Time(field, ..) => {
                let at = match field {
                    TimeField::Created => bead.created_at,
                    TimeField::Updated => bead.updated_at,
                    TimeField::Closed => bead.closed_at,
                    TimeField::Due => bead.due_at,
                    TimeField::Defer => bead.defer_until,
                };
                spans.iter().any(|span| span.has(at))
            }
            Test::Has(has) => has.iter().any(|has| has_value(entry, *has)),
            Test::Is(is) => is.iter().any(|is| self.satisfies(bead, *is)),
        }
    }

    /// Whether the assignee is this person, in any session.
    fn is_assigned(&self, assignee: Option<&str>, who: &Who) -> bool {
        let is = |name: &str| {
            let user = |held: &str| held.rsplit_once('/').is_some_and(|(user, _)| same(user, name));
            assignee.is_some_and(|held| same(held, name) || user(held))
        };
        match who {
            Who::Me => is(&self.me),
            Who::Name(Name::Is(name)) => is(name),
            Who::Name(name) => name.among(assignee.into_iter()),
        }
    }

    fn satisfies(&self, bead: &Bead, is: Is) -> bool {
        let done = !bead.is_open();
        match is {
            Is::Ready => bead.ready,
            Is::Blocked => is_blocked(bead),
            Is::Stale => stale::level(bead, self.moment.activity.get(&bead.id), self.moment.now).is_some(),
            Is::Pinned => bead.status == BeadStatus::Pinned,
            Is::Open => !done,
            Is::Closed => done,
            Is::Overdue => !done && bead.due_at.is_some_and(|due| due < self.moment.now),
        }
    }
}

/// Whether a bead has this status, or is `ready`, or `blocked` for any reason.
fn has_state(bead: &Bead, state: &str) -> bool {
    match state {
        "ready" => bead.ready,
        "blocked" => is_blocked(bead),
        state => same(bead.status.as_str(), state),
    }
}

fn is_blocked(bead: &Bead) -> bool {
    bead.status == BeadStatus::Blocked
        || !bead.blocked_by.is_empty()
        || bead.not_ready.iter().any(|why| matches!(why, NotReady::BlockedBy { .. }))
}

fn has_value(entry: &Entry, has: Has) -> bool {
    let bead = &entry.bead;
    match has {
        Has::Labels => !bead.labels.is_empty(),
        Has::Assignee => bead.assignee.is_some(),
        Has::Parent => bead.parent.is_some(),
        Has::Due => bead.due_at.is_some(),
        Has::Defer => bead.defer_until.is_some(),
        Has::Estimate => bead.estimated_minutes.is_some(),
        Has::Description | Has::Design | Has::Acceptance | Has::Notes | Has::Comments | Has::Reference => {
            entry.has(has)
        }
    }
}
