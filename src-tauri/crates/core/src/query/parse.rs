//! Parses a query line into conditions on beads (`Test`).

use super::{
    comparison::Comparison,
    value::{Name, Time, priority},
    words::{Value, Word, unquoted, values, words},
};
use memchr::memmem::Finder;

/// A parsed query line.
#[derive(Debug, Clone, Default)]
pub struct Query {
    pub(super) parts: Vec<Part>,
    problems: Vec<Problem>,
}

/// A part of a query line that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The part as typed.
    pub part: String,
    /// The problem, and the expected form.
    pub why: String,
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) negated: bool,
    pub(super) test: Test,
}

#[derive(Debug, Clone)]
pub(super) enum Test {
    /// A lower-cased search string.
    Text(Box<Finder<'static>>),
    Id(Vec<Name>),
    Status(Vec<String>),
    Type(Vec<Name>),
    Label(Vec<Name>),
    Priority(Comparison, Vec<u8>),
    Assignee(Vec<Who>),
    Parent(Vec<Name>),
    Epic(Vec<Name>),
    Blocks(Vec<Name>),
    BlockedBy(Vec<Name>),
    Time(TimeField, Comparison, Vec<Time>),
    Has(Vec<Has>),
    Is(Vec<Is>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    /// The current user, in any session.
    Me,
    Name(Name),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeField {
    Created,
    Updated,
    Closed,
    Due,
    Defer,
}

impl TimeField {
    /// Whether a duration such as `7d` counts from now into the future.
    pub(super) fn is_ahead(self) -> bool {
        matches!(self, TimeField::Due | TimeField::Defer)
    }
}

/// The operands of `has:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Has {
    Description,
    Design,
    Acceptance,
    Notes,
    Comments,
    Reference,
    Labels,
    Assignee,
    Parent,
    Due,
    Defer,
    Estimate,
}

/// The operands of `is:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    Ready,
    Blocked,
    Stale,
    Pinned,
    Open,
    Closed,
    Overdue,
}

const HAS: [(&str, Has); 12] = [
    ("description", Has::Description),
    ("design", Has::Design),
    ("acceptance", Has::Acceptance),
    ("notes", Has::Notes),
    ("comments", Has::Comments),
    ("reference", Has::Reference),
    ("labels", Has::Labels),
    ("assignee", Has::Assignee),
    ("parent", Has::Parent),
    ("due", Has::Due),
    ("defer", Has::Defer),
    ("estimate", Has::Estimate),
];

const IS: [(&str, Is); 7] = [
    ("ready", Is::Ready),
    ("blocked", Is::Blocked),
    ("stale", Is::Stale),
    ("pinned", Is::Pinned),
    ("open", Is::Open),
    ("closed", Is::Closed),
    ("overdue", Is::Overdue),
];

const FIELDS: &str = "id, status, type, label, priority, assignee, parent, epic, created, updated, closed, due, \
                      defer, blocks, blockedby, has, is";

impl Query {
    /// Parses a line. This never fails: [`Query::problems`] lists the parts that were not understood.
    pub fn parse(line: &str) -> Query {
        let mut query = Query::default();
        for word in words(line) {
            let test = test_of(&word).unwrap_or_else(|Unknown { why, is_text }| {
                query.problems.push(Problem { part: word.raw.to_owned(), why });
                text(&word).filter(|_| is_text)
            });
            query.parts.extend(test.map(|test| Part { negated: word.negated, test }));
        }
        query
    }

    /// Whether the query is empty, so that every bead matches.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The parts that were not understood, with the reasons.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether the query reads long text, comments or other data that lists of beads lack.
    pub fn needs_texts(&self) -> bool {
        self.parts.iter().any(|part| match &part.test {
            Test::Text(_) => true,
            Test::Has(has) => has.iter().any(|has| {
                matches!(
                    has,
                    Has::Description
                        | Has::Design
                        | Has::Acceptance
                        | Has::Notes
                        | Has::Comments
                        | Has::Reference
                )
            }),
            _ => false,
        })
    }

    /// Whether the query tests for stale beads, which depends on the activity of sessions.
    pub fn needs_activity(&self) -> bool {
        self.parts.iter().any(|part| matches!(&part.test, Test::Is(is) if is.contains(&Is::Stale)))
    }
}

/// Why a part was not understood, and whether it is searched as text.
struct Unknown {
    why: String,
    is_text: bool,
}

impl Unknown {
    fn as_text(why: impl Into<String>) -> Unknown {
        Unknown { why: why.into(), is_text: true }
    }
}

/// The test that a part of the line describes; `None` for empty text.
fn test_of(word: &Word<'_>) -> Result<Option<Test>, Unknown> {
    let Some((name, how, given)) = word.field() else { return Ok(text(word)) };
    let field = match name.as_str() {
        "blocked-by" | "blocked_by" => "blockedby",
        "state" => "status",
        "labels" => "label",
        "p" | "prio" => "priority",
        "deferred" => "defer",
        name => name,
    };
    let ordered = matches!(field, "priority" | "created" | "updated" | "closed" | "due" | "defer");
    let known = ordered || FIELDS.split(", ").any(|known| known == field);
    match known {
        // `a<b` and URLs are plain text.
        false if !word.rest[name.len()..].starts_with(':') || given.starts_with("//") => {
            return Ok(text(word));
        }
        false => {
            return Err(Unknown::as_text(format!(
                "there is no field {name}; it is searched as text; the fields are {FIELDS}"
            )));
        }
        true => {}
    }
    if !ordered && how != Comparison::Equal {
        return Err(Unknown::as_text(format!("{field} cannot be compared; use {field}:VALUE")));
    }
    let values = values(given);
    if values.is_empty() {
        // The user is probably still typing the value.
        return Err(Unknown { why: format!("a value is missing after {field}"), is_text: false });
    }
    test(field, how, &values).map(Some)
}

fn test(field: &str, how: Comparison, values: &[Value]) -> Result<Test, Unknown> {
    let names = || values.iter().map(Name::of).collect();
    Ok(match field {
        "id" => Test::Id(names()),
        "status" => Test::Status(values.iter().map(|value| state(&value.text)).collect()),
        "type" => Test::Type(names()),
        "label" => Test::Label(names()),
        "priority" => Test::Priority(how, each(values, "0 to 4", priority)?),
        "assignee" => Test::Assignee(values.iter().map(who).collect()),
        "parent" => Test::Parent(names()),
        "epic" => Test::Epic(names()),
        "blocks" => Test::Blocks(names()),
        "blockedby" => Test::BlockedBy(names()),
        "has" => Test::Has(each(values, &listed(&HAS), |text| choice(&HAS, text))?),
        "is" => Test::Is(each(values, &listed(&IS), |text| choice(&IS, text))?),
        _ => {
            let times =
                each(values, "an age such as 12h, 7d or 2w, a date such as 2026-01-31, or none", Time::of)?;
            Test::Time(time_field(field), how, times)
        }
    })
}

fn time_field(field: &str) -> TimeField {
    match field {
        "created" => TimeField::Created,
        "updated" => TimeField::Updated,
        "closed" => TimeField::Closed,
        "due" => TimeField::Due,
        _ => TimeField::Defer,
    }
}

/// Parses all values. The error for the first wrong value contains the expected form.
fn each<T>(values: &[Value], expected: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, Unknown> {
    let parsed = values.iter().map(|value| {
        parse(&value.text)
            .ok_or_else(|| Unknown::as_text(format!("{:?} is not expected; use {expected}", value.text)))
    });
    parsed.collect()
}

fn choice<T: Copy>(choices: &[(&str, T)], text: &str) -> Option<T> {
    let text = text.to_ascii_lowercase();
    let text = match text.as_str() {
        "label" => "labels",
        "comment" => "comments",
        "ref" => "reference",
        text => text,
    };
    choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice)
}

fn listed<T>(choices: &[(&str, T)]) -> String {
    choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn who(value: &Value) -> Who {
    match value.text.to_ascii_lowercase().as_str() {
        "me" if !value.quoted => Who::Me,
        _ => Who::Name(Name::of(value)),
    }
}

/// A status as trackers write it: `In-Progress` is `in_progress`.
fn state(text: &str) -> String {
    text.to_lowercase().replace(['-', ' '], "_")
}

fn text(word: &Word<'_>) -> Option<Test> {
    let text = unquoted(word.rest).text.to_lowercase();
    (!text.is_empty()).then(|| Test::Text(Box::new(Finder::new(text.as_bytes()).into_owned())))
}
