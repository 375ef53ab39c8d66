//! Tests the line table and the index: after any sequence of edits, the beads equal those of a full read, and
//! clients that apply changes have the same list as clients that load everything.

use super::{lean_rows::lean_rows, line_table::LineTable};
use crate::{
    graph::Graph,
    index::Index,
    readiness::Links,
    tracker::{ListFilter, Part, Warning},
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadStatus},
    ids::BeadId,
};
use std::collections::BTreeMap;

/// Repeatable random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn id(&mut self) -> String {
        format!("a-{}", self.below(24))
    }

    fn line(&mut self) -> String {
        match self.below(24) {
            0 => {
                return self
                    .one(&["", "  ", "no bead", "{\"id\":\"--x\"}", "<<<<<<< ours", "======="])
                    .to_owned();
            }
            1 => return r#"{"_type":"memory","key":"k"}"#.to_owned(),
            _ => {}
        }
        let mut line = format!(
            r#"{{"id":"{}","title":"{}","status":"{}","priority":{},"issue_type":"{}","created_at":"2026-01-0{}T00:00:00Z","updated_at":"2026-02-0{}T00:00:00Z""#,
            self.id(),
            self.one(&["one", "two", "three"]),
            self.one(&[
                "open",
                "open",
                "open",
                "open",
                "in_progress",
                "closed",
                "blocked",
                "hooked",
                "pinned",
                "tombstone"
            ]),
            self.below(5),
            self.one(&["task", "task", "epic", "gate"]),
            1 + self.below(3),
            1 + self.below(3),
        );
        if self.below(3) == 0 {
            line += &format!(r#","parent":"{}""#, self.id());
        }
        if self.below(6) == 0 {
            line += &format!(r#","defer_until":"{}-01-01T00:00:00Z""#, self.one(&["2020", "2030", "2031"]));
        }
        if self.below(5) == 0 {
            line += &format!(r#","labels":["{}"]"#, self.one(&["in_review", "memory:x", "ui"]));
        }
        if self.below(5) == 0 {
            line += r#","assignee":"mara""#;
        }
        let edges: Vec<String> = (0..self.below(4).saturating_sub(1))
            .map(|_| {
                let gate =
                    if self.below(2) == 0 { r#","metadata":"{\"gate\":\"any-children\"}""# } else { "" };
                let kind = self.one(&["blocks", "blocks", "waits-for", "parent-child", "related"]);
                format!(r#"{{"depends_on_id":"{}","type":"{kind}"{gate}}}"#, self.id())
            })
            .collect();
        line + &format!(r#","dependencies":[{}]}}"#, edges.join(","))
    }

    fn edit(&mut self, lines: &mut Vec<String>) {
        let at = self.below(lines.len() + 1);
        match self.below(10) {
            0..4 if at < lines.len() => lines[at] = self.line(),
            4 | 5 => lines.insert(at, self.line()),
            6 if at < lines.len() => drop(lines.remove(at)),
            7 if at < lines.len() => {
                let other = self.below(lines.len());
                lines.swap(at, other);
            }
            8 if at < lines.len() => lines.insert(self.below(lines.len()), lines[at].clone()),
            9 if at < lines.len() => lines[at] = lines[at].replacen("open", "closed", 1),
            _ => lines.push(self.line()),
        }
    }
}

/// A client with a list from an earlier content.
#[derive(Default)]
struct Client {
    filter: ListFilter,
    content: Option<String>,
    beads: BTreeMap<BeadId, Bead>,
}

impl Client {
    /// Loads the changes, or everything, and returns whether it got only the changes.
    fn load(&mut self, index: &Index) -> bool {
        let part = self.content.as_deref().map_or(Part::All, Part::Since);
        let answer = index.part(&self.filter, part, Vec::new());
        if !answer.changes_only {
            self.beads.clear();
        }
        for id in &answer.removed {
            self.beads.remove(id);
        }
        self.beads.extend(answer.beads.into_iter().map(|bead| (bead.id.clone(), bead.as_ref().clone())));
        self.content = answer.content;
        answer.changes_only
    }

    fn is_current(&self, index: &Index) {
        let whole = index.list(&self.filter).into_iter().map(|bead| (bead.id.clone(), bead)).collect();
        assert_eq!(self.beads, whole);
    }
}

fn time(text: &str) -> Timestamp {
    text.parse::<chrono::DateTime<chrono::Utc>>().unwrap().fixed_offset()
}

fn sorted(mut warnings: Vec<Warning>) -> Vec<(Option<usize>, String)> {
    warnings.sort_by(|a, b| (a.line, &a.what).cmp(&(b.line, &b.what)));
    warnings.dedup();
    warnings.into_iter().map(|warning| (warning.line, warning.what)).collect()
}

/// Checks that the table and the index agree with a full read.
fn same(bytes: &[u8], table: &LineTable, index: &Index, now: Timestamp) {
    let (rows, warnings) = lean_rows(bytes);
    let graph = Graph::at(&rows, now);
    for filter in [ListFilter::everything(), ListFilter::board(), ListFilter::open()] {
        let whole = graph.beads(&filter, |row| graph.is_ready(row, now));
        assert_eq!(index.list(&filter), whole, "{}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(sorted(table.warnings().to_vec()), sorted(warnings));
}

#[test]
fn after_any_edits_the_beads_equal_a_full_read_and_clients_follow_by_changes() {
    let now = time("2026-06-01T00:00:00Z");
    for seed in 1..60 {
        let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let (mut table, mut index) = (LineTable::default(), Index::default());
        let mut clients: Vec<Client> = [
            ListFilter::board(),
            ListFilter::everything(),
            ListFilter { statuses: vec![BeadStatus::Open, BeadStatus::InReview], ..ListFilter::board() },
        ]
        .map(|filter| Client { filter, ..Client::default() })
        .into();
        let mut lines: Vec<String> = (0..random.below(40)).map(|_| random.line()).collect();
        for _ in 0..60 {
            for _ in 0..=random.below(3) {
                random.edit(&mut lines);
            }
            let ending = random.one(&["\n", "\n", "\r\n"]);
            let mut text = lines.join(ending).into_bytes();
            if random.below(8) == 0 {
                // Imitate a partly written file.
                text.truncate(random.below(text.len() + 1));
            }
            let number = index.number();
            let changed = table.update(&text, &mut index, now);
            assert_eq!(index.number(), number + u64::from(changed));
            same(&text, &table, &index, now);
            assert!(!table.update(&text, &mut index, now), "the same bytes are no change");
            for client in &mut clients {
                if random.below(2) == 0 {
                    let first = client.content.is_none();
                    assert_eq!(client.load(&index), !first);
                    client.is_current(&index);
                }
            }
        }
    }
}

#[test]
fn a_batch_of_changes_equals_single_changes() {
    let now = time("2026-06-01T00:00:00Z");
    let mut random = Random(42);
    let (mut table, mut index) = (LineTable::default(), Index::default());
    let line = |n: usize, random: &mut Random| random.line().replacen("a-", &format!("{}-", n % 97), 1);
    let mut lines: Vec<String> = (0..5_000).map(|n| line(n, &mut random)).collect();
    for share in [1, 2, 50, 4_000] {
        for (n, old) in lines.iter_mut().enumerate().filter(|(n, _)| n % share == 0) {
            *old = line(n, &mut random);
        }
        let text = lines.join("\n");
        assert!(table.update(text.as_bytes(), &mut index, now));
        same(text.as_bytes(), &table, &index, now);
    }
}

#[test]
fn only_the_changed_bead_and_what_it_unblocks_are_sent() {
    let now = time("2026-06-01T00:00:00Z");
    let (mut table, mut index) = (LineTable::default(), Index::default());
    let text = |status: &str| {
        format!(
            "{{\"id\":\"a-1\",\"status\":\"{status}\"}}\n{{\"id\":\"a-2\",\"dependencies\":[{{\"depends_on_id\":\"a-1\"}}]}}\n{{\"id\":\"a-3\"}}\n"
        )
    };
    table.update(text("open").as_bytes(), &mut index, now);
    let mut client = Client { filter: ListFilter::board(), ..Client::default() };
    client.load(&index);
    table.update(text("closed").as_bytes(), &mut index, now);
    let content = client.content.clone().unwrap();
    let answer = index.part(&client.filter, Part::Since(&content), Vec::new());
    let ids: Vec<&str> = answer.beads.iter().map(|bead| bead.id.as_str()).collect();
    assert_eq!(ids, ["a-1", "a-2"]);
    assert!(answer.beads[1].ready);
    // After a restart of the server, its contents have other names.
    let name = content.strip_suffix("-1").unwrap();
    for unknown in
        [&format!("0{name}-1"), &format!("{name}-99"), &format!("{name}-"), "", &format!("{name}-x")]
    {
        let answer = index.part(&client.filter, Part::Since(unknown), Vec::new());
        assert!(!answer.changes_only && answer.beads.len() == 3, "{unknown}");
    }
}

#[test]
fn a_deferral_that_ends_is_a_change() {
    let (mut table, mut index) = (LineTable::default(), Index::default());
    let text = b"{\"id\":\"e\",\"defer_until\":\"2026-06-01T00:00:00Z\"}\n{\"id\":\"e.1\",\"parent\":\"e\"}\n{\"id\":\"x\",\"defer_until\":\"2027-01-01T00:00:00Z\"}\n";
    let ready = |index: &Index| -> Vec<String> {
        let beads = index.list(&ListFilter::open());
        beads.iter().filter(|bead| bead.ready).map(|bead| bead.id.to_string()).collect()
    };
    table.update(text, &mut index, time("2026-05-01T00:00:00Z"));
    let mut client = Client { filter: ListFilter::board(), ..Client::default() };
    client.load(&index);
    index.pass_time(time("2026-05-31T00:00:00Z"));
    assert_eq!((index.number(), ready(&index).len()), (1, 0));
    let now = time("2026-06-02T00:00:00Z");
    index.pass_time(now);
    assert_eq!(ready(&index), ["e", "e.1"]);
    same(text, &table, &index, now);
    assert!(client.load(&index));
    client.is_current(&index);
    index.pass_time(time("2027-06-02T00:00:00Z"));
    assert_eq!(ready(&index), ["e", "e.1", "x"]);
}

#[test]
fn the_first_page_has_the_first_beads_of_each_column_and_the_total() {
    let (mut table, mut index) = (LineTable::default(), Index::default());
    let line = |n: usize| {
        let status = ["open", "in_progress", "closed", "in_review", "deferred"][n % 5];
        let closed = if n % 5 == 2 {
            format!(",\"closed_at\":\"2026-01-{:02}T00:00:00Z\"", 1 + n / 5)
        } else {
            String::new()
        };
        format!("{{\"id\":\"a-{n:02}\",\"status\":\"{status}\"{closed}}}\n")
    };
    table.update((0..50).map(line).collect::<String>().as_bytes(), &mut index, time("2026-06-01T00:00:00Z"));
    let answer = index.part(&ListFilter::board(), Part::FirstOfColumns(2), Vec::new());
    let ids: Vec<&str> = answer.beads.iter().map(|bead| bead.id.as_str()).collect();
    assert_eq!(ids, ["a-00", "a-01", "a-03", "a-04", "a-05", "a-06", "a-08", "a-09", "a-42", "a-47"]);
    assert_eq!(answer.total, Some(50));
}
