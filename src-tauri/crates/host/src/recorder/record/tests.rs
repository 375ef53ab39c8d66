//! The recorded cost for each order of status lines and transcript reads.

use super::*;
use bc_core::{
    ids::{ProjectId, SessionId},
    session::Draft,
};
use bc_store::SessionStore;
use tempfile::TempDir;
use uuid::Uuid;

fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}

/// A session that is resumed after an earlier run.
struct Resumed {
    dir: TempDir,
    id: ConversationId,
    record: SessionRecord,
}

impl Resumed {
    /// A session in which the earlier run recorded 2 dollars, and another conversation 1 dollar. Claude's
    /// transcript has `costs`.
    fn with_costs_in_file(costs: &[f64]) -> Resumed {
        let dir = tempfile::tempdir().unwrap();
        let (id, other) = (ConversationId(Uuid::new_v4()), ConversationId(Uuid::new_v4()));
        let project: ProjectId = "test".parse().unwrap();
        let mut meta = Meta::draft(Draft::new(SessionId(Uuid::new_v4()), project, now()));
        meta.transition(Event::Start, now()).unwrap();
        for (id, cost) in [(other, 1.0), (id, 2.0)] {
            let extra = Extra::from_iter([(COST.to_owned(), cost.into())]);
            let session =
                ClaudeSession { id, transcript_path: None, started_at: now(), prompted: true, extra };
            meta.claude_sessions.push(session);
        }
        meta.cost_usd = Some(3.0);
        let transcript = dir.path().join("transcript.jsonl");
        file::replace(&transcript, lines(costs).as_bytes()).unwrap();
        let lock = Arc::new(SessionStore::open(dir.path()).unwrap().create(&meta).unwrap());
        let setup = RecorderSetup {
            lock,
            cwd: dir.path().to_owned(),
            conversation: id,
            transcript: Some(transcript),
            base_commit: None,
            now,
        };
        let record = SessionRecord::open(setup, FolderWatch::disabled()).unwrap();
        Resumed { dir, id, record }
    }

    /// The session's cost after reading its files.
    fn read(&mut self) -> f64 {
        self.record.read_all();
        self.record.meta.cost_usd.unwrap()
    }

    /// The session's cost after the status line has shown these costs.
    fn shown(&mut self, costs: &[f64]) -> f64 {
        costs.iter().for_each(|cost| self.record.cost(self.id, *cost));
        self.record.meta.cost_usd.unwrap()
    }
}

fn lines(costs: &[f64]) -> String {
    costs.iter().map(|cost| format!("{{\"type\":\"cost-state\",\"totalCostUSD\":{cost}}}\n")).collect()
}

#[track_caller]
fn check(cost: f64, expect: f64) {
    assert!((cost - expect).abs() < 1e-9, "{cost} instead of {expect}");
}

#[test]
fn a_cost_missing_from_the_transcript_after_a_kill_stays_recorded() {
    for in_file in [&[0.5][..], &[]] {
        check(Resumed::with_costs_in_file(in_file).read(), 3.0);
    }
    check(Resumed::with_costs_in_file(&[0.5, 2.25]).read(), 3.25);
}

#[test]
fn later_costs_are_added_wherever_claude_resumes_counting() {
    // Continues from the file's last value, from 0, or from the total since claude restarted counting.
    let cases: [(&[f64], &[f64]); 5] = [
        (&[0.5], &[0.5, 0.0, 2.0]),
        (&[2.0], &[2.0, 0.0]),
        (&[1.5, 0.5], &[0.5, 0.0]),
        (&[1.25, 0.5], &[0.5, 0.0, 0.75]),
        (&[], &[0.0, 2.0]),
    ];
    for (in_file, counts_from) in cases {
        for from in counts_from {
            let mut resumed = Resumed::with_costs_in_file(in_file);
            resumed.read();
            check(resumed.shown(&[*from]), 3.0);
            check(resumed.shown(&[from + 0.25]), 3.25);
            check(resumed.read(), 3.25);
        }
    }
}

#[test]
fn a_status_line_before_the_first_read_does_not_lower_the_cost() {
    let mut resumed = Resumed::with_costs_in_file(&[0.5]);
    check(resumed.shown(&[0.25]), 3.25);
    check(resumed.read(), 3.25);
    check(resumed.shown(&[0.5]), 3.5);
}

#[test]
fn rereading_a_file_counts_nothing_twice() {
    let mut resumed = Resumed::with_costs_in_file(&[2.0]);
    resumed.read();
    check(resumed.shown(&[0.25, 1.0]), 4.0);
    file::replace(&resumed.dir.path().join("transcript.jsonl"), lines(&[2.0]).as_bytes()).unwrap();
    check(resumed.read(), 4.0);
    check(resumed.shown(&[1.25]), 4.25);
}
