//! Searches, pages and metrics on session files that the store has written.

use crate::fixture::*;
use bc_core::{
    metrics::{Range, Scope},
    search::Query,
    session::Interval,
};
use chrono::{FixedOffset, TimeZone, Utc};

fn query(text: &str) -> Query {
    Query { text: text.into(), ..Query::default() }
}

fn ids(index: &mut crate::SearchIndex, query: &Query) -> Vec<u128> {
    index.search(query).unwrap().found.iter().map(|f| f.meta.id.0.as_u128()).collect()
}

fn marked(index: &mut crate::SearchIndex, text: &str) -> Vec<String> {
    let answer = index.search(&query(text)).unwrap();
    let hits = answer.found.iter().flat_map(|f| &f.hits);
    let mark = |p: &bc_core::search::Piece| if p.found { format!("[{}]", p.text) } else { p.text.clone() };
    hits.map(|hit| hit.snippet.iter().map(mark).collect()).collect()
}

#[test]
fn title_matches_come_first_then_the_newest_and_all_words_are_required() {
    let fixture = Fixture::new();
    fixture.session(1, |m| m.title = Some("Fix the login".into()), &["hello"]);
    fixture.session(2, |_| (), &["the login is broken", "nothing"]);
    fixture.session(3, |_| (), &["a login of another kind"]);
    let mut index = fixture.index();
    assert_eq!(ids(&mut index, &query("login")), [1, 3, 2]);
    assert_eq!(ids(&mut index, &query("login bro")), [2]);
    assert_eq!(ids(&mut index, &query("login cow")), [] as [u128; 0]);
    assert_eq!(marked(&mut index, "login bro"), ["the [login] is [broken]"]);
    assert_eq!(marked(&mut index, "fix"), ["[Fix] the login"]);
}

#[test]
fn tool_input_and_output_are_found_and_named() {
    let fixture = Fixture::new();
    let lock = fixture.session(1, |_| (), &[]);
    let mut with_tool = message(0, "I run the tests.");
    with_tool.tool_calls =
        Some(vec![call("Bash", "cargo test --workspace", "error[E0308]: mismatched types", true)]);
    lock.message_writer().unwrap().0.append(&with_tool).unwrap();
    let found = fixture.index().search(&query("mismatched")).unwrap().found;
    assert_eq!(found[0].hits[0].tool.as_deref(), Some("Bash"));
    assert_eq!(found[0].hits[0].message.as_deref(), Some("msg_0"));
    assert_eq!(
        ids(&mut fixture.index(), &query("E0308 tests")),
        [1],
        "words of a message and of a tool call"
    );
}

#[test]
fn scripts_without_spaces_accents_right_to_left_and_emoji_are_found() {
    let fixture = Fixture::new();
    fixture.session(
        1,
        |_| (),
        &["日本語の検索を直す", "שלום עולם", "Größe café", "ship it 🚀 now", "snake_case_name"],
    );
    let mut index = fixture.index();
    for text in ["検索", "の検", "שלום", "עול", "cafe", "grosse", "GRÖSS", "🚀 now", "snake_ca", "case"]
    {
        let expected: &[u128] = if text == "grosse" || text == "GRÖSS" { &[] } else { &[1] };
        assert_eq!(ids(&mut index, &query(text)), expected, "{text}");
    }
    assert_eq!(marked(&mut index, "検索"), ["日本語の[検索]を直す"]);
    assert_eq!(ids(&mut index, &query("größe")), [1]);
}

#[test]
fn any_input_is_a_valid_query() {
    let fixture = Fixture::new();
    fixture.session(1, |_| (), &["a (b) [c] d* AND NOT x:y"]);
    let mut index = fixture.index();
    let long = "x".repeat(10_000);
    let many = "b ".repeat(5_000);
    for text in [
        ".*",
        "^$",
        "\"",
        "\"\"\"",
        "a AND",
        "NOT",
        "x:y",
        "(",
        "b*",
        "NEAR(a b)",
        "{head}:x",
        "\0",
        "'; --",
        "-b",
        "%",
        "\u{202e}b",
        &long,
        &many,
    ] {
        index.search(&query(text)).unwrap();
    }
    assert_eq!(ids(&mut index, &query("x:y")), [1]);
    assert!(index.search(&query("[]")).unwrap().nothing_to_find);
    assert!(index.search(&query(&many)).unwrap().cut);
}

#[test]
fn a_session_is_found_by_its_active_days() {
    let fixture = Fixture::new();
    let active = |intervals: &[(i64, Option<i64>)]| {
        let of = |(start, end): &(i64, Option<i64>)| Interval { start: at(*start), end: end.map(at) };
        intervals.iter().map(of).collect::<Vec<_>>()
    };
    for (n, intervals) in [
        (1, active(&[])),
        (2, active(&[(2, Some(5)), (40, Some(50))])),
        (3, active(&[(3, Some(9))])),
        (4, active(&[(4, None)])),
    ] {
        fixture.session(n, |m| m.active_intervals = intervals, &["same words"]);
    }
    let mut index = fixture.index();
    for text in ["same", ""] {
        let mut within = |since: Option<i64>, until: Option<i64>| {
            ids(&mut index, &Query { since: since.map(at), until: until.map(at), ..query(text) })
        };
        assert_eq!(within(Some(45), None), [4, 2], "created long before");
        assert_eq!(within(Some(6), Some(30)), [4, 3], "between two times of the second one");
        assert_eq!(within(None, Some(2)), [1], "a draft, by its creation time");
        assert_eq!(within(Some(51), None), [4], "still active");
    }
}

#[test]
fn filters_narrow_and_pages_follow_each_other() {
    let fixture = Fixture::new();
    for n in 1..=9 {
        fixture.session(
            n,
            |m| {
                m.bead_id = Some(format!("BC-{}", n % 3).parse().unwrap());
                m.agent_id = (n > 5).then(|| "tester".parse().unwrap());
                m.files_touched = vec![format!("src/File{n}.rs")];
                m.commits = vec![format!("{n}abcdef0")];
            },
            &["same words"],
        );
    }
    let mut index = fixture.index();
    let bead = Query { bead: Some("BC-0".parse().unwrap()), ..query("same") };
    assert_eq!(ids(&mut index, &bead), [9, 6, 3]);
    assert_eq!(ids(&mut index, &Query { agent: Some("tester".parse().unwrap()), ..bead.clone() }), [9, 6]);
    assert_eq!(ids(&mut index, &Query { file: Some("file4".into()), ..query("") }), [4]);
    assert_eq!(ids(&mut index, &Query { commit: Some("7ABC".into()), ..query("") }), [7]);
    assert_eq!(ids(&mut index, &Query { commit: Some("abc".into()), ..query("") }), [] as [u128; 0]);
    assert_eq!(ids(&mut index, &Query { since: Some(at(8)), ..query("same") }), [9, 8]);
    assert_eq!(ids(&mut index, &Query { until: Some(at(3)), ..query("") }), [2, 1]);
    for text in ["same", ""] {
        let page = |skip| Query { skip, limit: Some(4), ..query(text) };
        let answers: Vec<_> = [0, 4, 8].into_iter().map(|skip| index.search(&page(skip)).unwrap()).collect();
        assert_eq!(
            answers.iter().map(|a| (a.found.len(), a.more)).collect::<Vec<_>>(),
            [(4, true), (4, true), (1, false)]
        );
    }
}

#[test]
fn only_new_lines_are_read_and_rewritten_ones_replace() {
    let fixture = Fixture::new();
    let lock = fixture.session(1, |_| (), &["first", "second"]);
    let mut index = fixture.index();
    assert_eq!(ids(&mut index, &query("first")), [1]);
    let (writer, _) = lock.message_writer().unwrap();
    writer.append_all(&[message(2, "third"), message(0, "changed")]).unwrap();
    assert_eq!(ids(&mut index, &query("third")), [1]);
    assert_eq!(ids(&mut index, &query("first")), [] as [u128; 0]);
    assert_eq!(ids(&mut index, &query("changed")), [1]);
    let page = index.page(id(1), None, 10).unwrap();
    assert_eq!(page.messages, lock.transcript().unwrap().messages);
    assert_eq!((page.first, page.total), (0, 3));
}

#[test]
fn a_page_equals_its_part_of_the_conversation() {
    let fixture = Fixture::new();
    let said: Vec<String> = (0..100).map(|n| format!("message {n} größer")).collect();
    let lock = fixture.session(1, |_| (), &said.iter().map(String::as_str).collect::<Vec<_>>());
    let whole = lock.transcript().unwrap().messages;
    let mut index = fixture.index();
    for (before, limit, range) in
        [(None, 10, 90..100), (Some(90), 30, 60..90), (Some(5), 30, 0..5), (Some(500), 1, 99..100)]
    {
        let page = index.page(id(1), before, limit).unwrap();
        assert_eq!(page.messages, whole[range.clone()], "{before:?}");
        assert_eq!(page.first as usize, range.start);
    }
    assert_eq!(index.place_at(id(1), at(40).timestamp_millis()).unwrap(), Some(40));
    assert_eq!(index.place_at(id(1), at(100).timestamp_millis()).unwrap(), None);
    assert_eq!(index.place_of(id(1), "msg_7").unwrap(), Some(7));
    assert_eq!(index.place_of(id(1), "msg_700").unwrap(), None);
    assert_eq!(index.place_of(id(9), "msg_7").unwrap(), None);
}

#[test]
fn many_matches_in_one_session_do_not_hide_others() {
    let fixture = Fixture::new();
    fixture.session(1, |_| (), &["busy", "and busy"]);
    let lock = fixture.session(2, |_| (), &[]);
    let said = |n: i64| bc_core::message::Message { id: format!("often_{n}"), ..message(0, "busy") };
    lock.message_writer().unwrap().0.append_all(&(0..1_500).map(said).collect::<Vec<_>>()).unwrap();
    let found = fixture.index().search(&query("bus")).unwrap().found;
    let counts: Vec<_> = found.iter().map(|f| (f.meta.id.0.as_u128(), f.hit_count)).collect();
    assert_eq!(counts, [(2, 100), (1, 2)]);
}

#[test]
fn pages_and_metrics_do_not_wait_for_other_sessions() {
    let fixture = Fixture::new();
    fixture.session(1, |_| (), &["first"]);
    fixture.session(2, |_| (), &["second"]);
    fixture.session(3, |_| (), &["third"]);
    let mut index = fixture.index();
    assert_eq!(index.page(id(1), None, 10).unwrap().total, 1);
    assert_eq!(index.metrics(id(2), at(0)).unwrap().message_count, 1);
    assert!(index.key(id(1)).unwrap().is_some() && index.key(id(2)).unwrap().is_some());
    assert_eq!(index.key(id(3)).unwrap(), None, "no search requested it");
    assert_eq!(ids(&mut index, &query("third")), [3]);
}

#[test]
fn positions_are_indexed_before_texts() {
    let fixture = Fixture::new();
    let lock = fixture.session(1, |_| (), &["early words"]);
    let mut index = fixture.index();
    assert_eq!(index.page(id(1), None, 10).unwrap().total, 1);
    lock.message_writer().unwrap().0.append(&message(7, "late words")).unwrap();
    assert_eq!(index.page(id(1), None, 10).unwrap().total, 2);
    assert_eq!(index.metrics(id(1), at(0)).unwrap().message_count, 2);
    // The second index indexes the text that the first one did not read.
    assert_eq!(fixture.index().search(&query("words")).unwrap().found[0].hit_count, 2);
    assert_eq!(ids(&mut index, &query("late")), [1]);
}

#[test]
fn a_long_session_is_indexed_in_steps_and_rewritten_lines_replace() {
    let fixture = Fixture::new();
    let lock = fixture.session(1, |_| (), &[]);
    let long = |n: u8, word: &str| message(n, &format!("{word} {}", "filler ".repeat(40_000)));
    let (writer, _) = lock.message_writer().unwrap();
    writer.append_all(&(0..60).map(|n| long(n, "first")).collect::<Vec<_>>()).unwrap();
    let mut index = fixture.index();
    assert_eq!(index.search(&query("first ")).unwrap().found[0].hit_count, 60);
    writer.append_all(&[long(3, "second"), long(60, "third"), long(3, "fourth")]).unwrap();
    let count = |index: &mut crate::SearchIndex, text: &str| {
        index.search(&query(text)).unwrap().found.first().map_or(0, |found| found.hit_count)
    };
    assert_eq!(["first", "second", "third", "fourth"].map(|word| count(&mut index, word)), [59, 0, 1, 1]);
}

#[test]
fn title_matches_and_hits_of_a_common_prefix_are_counted_together() {
    let fixture = Fixture::new();
    for n in 1..=4 {
        let said = ["sessions here", "nothing", "sessional"];
        fixture.session(n, |m| m.title = (n != 2).then(|| format!("Session {n}")), &said);
    }
    let found = fixture.index().search(&query("sessio")).unwrap().found;
    let counts: Vec<_> = found.iter().map(|f| (f.meta.id.0.as_u128(), f.hit_count, f.hits.len())).collect();
    assert_eq!(counts, [(4, 3, 3), (3, 3, 3), (1, 3, 3), (2, 2, 2)]);
}

#[test]
fn distant_title_matches_are_counted() {
    let fixture = Fixture::new();
    for n in 1..=9 {
        let titled = n % 4 == 1;
        let said = match n {
            1 => vec!["needle"; 3],
            5 => vec!["needle"; 250],
            9 => Vec::new(),
            _ => vec!["needle"; 200],
        };
        fixture.session(n, |m| m.title = titled.then(|| format!("Needle {n}")), &said);
    }
    let found = fixture.index().search(&query("needle")).unwrap().found;
    let counts: Vec<_> = found.iter().map(|f| (f.meta.id.0.as_u128(), f.hit_count)).collect();
    let others = [8, 7, 6, 4, 3, 2].map(|n| (n, 100));
    assert_eq!(counts, [&[(9, 1), (5, 100), (1, 4)][..], &others].concat());
}

#[test]
fn torn_foreign_and_replaced_files_are_read_again() {
    let fixture = Fixture::new();
    let lock = fixture.session(1, |_| (), &["first", "second"]);
    let mut index = fixture.index();
    assert_eq!(ids(&mut index, &query("second")), [1]);
    let path = lock.messages_path();
    let whole = std::fs::read(&path).unwrap();
    scribble(&path, [b"<<<<<<<\n", &whole[..], b"{\"id\":\"msg_9\",\"role\""].concat());
    assert_eq!(ids(&mut index, &query("second")), [1]);
    assert_eq!(index.page(id(1), None, 9).unwrap().total, 2, "a torn line is not a message");
    scribble(&path, &whole[..whole.len() / 2 + 1]);
    assert_eq!(ids(&mut index, &query("second")), [] as [u128; 0]);
    scribble(&path, &whole[..whole.len() - 1]);
    assert_eq!(ids(&mut index, &query("second")), [1], "only the line's end is missing");
    assert_eq!(index.page(id(1), None, 9).unwrap().total, 2);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(index.page(id(1), None, 9).unwrap().total, 0);
}

#[test]
fn a_missing_or_broken_cache_is_rebuilt() {
    let fixture = Fixture::new();
    fixture.session(1, |_| (), &["first"]);
    assert_eq!(ids(&mut fixture.index(), &query("first")), [1]);
    let file = fixture.store.path().join(".cache/search-3.sqlite");
    assert!(file.is_file());
    scribble(
        &file,
        "not a database, and long enough that SQLite has to look at the header of it ".repeat(40),
    );
    assert_eq!(ids(&mut fixture.index(), &query("first")), [1]);
    std::fs::remove_dir_all(fixture.store.path().join(".cache")).unwrap();
    assert_eq!(ids(&mut fixture.index(), &query("first")), [1]);
}

#[test]
fn a_deleted_session_is_not_found_and_a_restored_one_is() {
    let fixture = Fixture::new();
    drop(fixture.session(1, |_| (), &["first"]));
    let mut index = fixture.index();
    assert_eq!(ids(&mut index, &query("first")), [1]);
    let away = fixture.folder.path().join("away");
    let folder = fixture.store.session(id(1)).path().to_owned();
    std::fs::rename(&folder, &away).unwrap();
    fixture.store.sync_index().unwrap();
    assert_eq!(ids(&mut index, &query("first")), [] as [u128; 0]);
    std::fs::rename(&away, &folder).unwrap();
    fixture.store.sync_index().unwrap();
    assert_eq!(ids(&mut index, &query("first")), [1]);
}

#[test]
fn concurrent_programs_see_the_same_results() {
    let fixture = Fixture::new();
    let locks: Vec<_> = (1..=20).map(|n| fixture.session(n, |_| (), &["common words"])).collect();
    std::thread::scope(|scope| {
        let looks: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut index = fixture.index();
                    (0..5).map(|_| ids(&mut index, &query("common")).len()).max()
                })
            })
            .collect();
        for lock in &locks {
            lock.message_writer().unwrap().0.append(&message(7, "later words")).unwrap();
        }
        for look in looks {
            assert_eq!(look.join().unwrap(), Some(20));
        }
    });
    assert_eq!(ids(&mut fixture.index(), &query("later")).len(), 20);
}

#[test]
fn a_sessions_metrics_come_from_its_files() {
    let fixture = Fixture::new();
    let lock = fixture.session(
        1,
        |m| {
            m.active_intervals = vec![Interval { start: at(0), end: Some(at(30)) }];
            m.total_duration_ms = Some(30 * 60_000);
            m.files_touched = vec!["a".into(), "b".into()];
            m.cost_usd = Some(0.5);
        },
        &["go"],
    );
    let mut messages: Vec<_> = (1..=10).map(|n| message(n, "answer")).collect();
    for (at, message) in messages.iter_mut().enumerate() {
        message.latency_ms = Some(100 * (at as u64 + 1));
        message.tool_calls = Some(vec![call(if at < 7 { "Bash" } else { "Read" }, "x", "y", at == 0)]);
    }
    lock.message_writer().unwrap().0.append_all(&messages).unwrap();
    let mut index = fixture.index();
    let metrics = index.metrics(id(1), at(60)).unwrap();
    assert_eq!((metrics.duration_ms, metrics.message_count, metrics.files_touched), (30 * 60_000, 11, 2));
    assert_eq!((metrics.tool_calls, metrics.errors), (10, 1));
    assert_eq!(
        metrics.tools.iter().map(|t| (t.tool.as_str(), t.calls, t.errors)).collect::<Vec<_>>(),
        [("Bash", 7, 1), ("Read", 3, 0)]
    );
    let latency = metrics.latency.unwrap();
    assert_eq!((latency.median_ms, latency.p90_ms, latency.answers), (500, 900, 10));
    assert!(index.metrics(id(9), at(0)).is_err());
}

#[test]
fn days_follow_the_users_time_zone_and_intervals_are_split_at_midnight() {
    let fixture = Fixture::new();
    // 16:00 UTC to 16:00 UTC of the next day.
    let lock = fixture.session(
        1,
        |m| {
            m.bead_id = Some("BC-1".parse().unwrap());
            m.started_at = Some(at(0));
            m.active_intervals = vec![Interval { start: at(0), end: Some(at(24 * 60)) }];
            m.cost_usd = Some(3.0);
        },
        &[],
    );
    let mut early = message(0, "a");
    early.tokens = Some(200);
    let mut late = message(1, "b");
    (late.tokens, late.timestamp) = (Some(100), at(20 * 60));
    lock.message_writer().unwrap().0.append_all(&[early, late]).unwrap();
    let mut index = fixture.index();
    let week = index.dashboard(Range::Week, at(24 * 60), &Utc).unwrap();
    let days: Vec<_> = week.days[5..]
        .iter()
        .map(|d| {
            (
                d.date.as_str(),
                d.sessions,
                d.amount.duration_ms / 3_600_000,
                d.amount.tokens,
                d.amount.cost_usd,
            )
        })
        .collect();
    assert_eq!(days, [("2026-01-19", 1, 8, 200, 2.0), ("2026-01-20", 0, 16, 100, 1.0)]);
    assert_eq!(week.days.len(), 7);
    assert_eq!((week.sessions, week.sessions_per_bead), (1, Some(1.0)));
    assert_eq!(week.beads[0].name, "BC-1");
    let zone = FixedOffset::east_opt(5 * 3600 + 45 * 60).unwrap();
    let nepal = index.dashboard(Range::All, at(24 * 60), &zone).unwrap();
    let first = zone.with_ymd_and_hms(2026, 1, 19, 21, 45, 0).unwrap();
    assert_eq!(first, at(0), "the example is what it says");
    assert_eq!(nepal.days[0].amount.duration_ms, 135 * 60_000);
    let today = index.dashboard(Range::Today, at(24 * 60), &Utc).unwrap();
    assert_eq!((today.sessions, today.total.tokens, today.days.len()), (0, 100, 1));
    let yesterday = today.previous.unwrap();
    assert_eq!((yesterday.first.as_str(), yesterday.last.as_str()), ("2026-01-19", "2026-01-19"));
    assert_eq!(
        (yesterday.sessions, yesterday.total.tokens, yesterday.sessions_per_bead),
        (1, 200, Some(1.0))
    );
    assert_eq!(nepal.previous, None);
    assert_eq!((week.bead_sessions[0].bead.as_str(), week.bead_sessions[0].sessions), ("BC-1", 1));
    assert_eq!(week.agent_names, [""]);
    let mut scoped = |agent: Option<&str>, bead: &str| {
        let beads = Some([bead.to_owned()].into());
        let scope = Scope { range: Range::Week, agent: agent.map(str::to_owned), beads };
        index.dashboard(scope, at(24 * 60), &Utc).unwrap().total.tokens
    };
    let scoped_totals = [(None, "BC-1"), (Some(""), "BC-1"), (Some("other"), "BC-1"), (None, "BC-2")];
    assert_eq!(scoped_totals.map(|(agent, bead)| scoped(agent, bead)), [300, 300, 0, 0]);
    assert!(week.days_csv().contains("2026-01-19,1,28800000,1,200,2.000000,200,0,0\n"));
}

#[test]
fn a_limited_query_uses_the_indexed_part_and_the_next_continues() {
    let fixture = Fixture::new();
    let long = "needle ".repeat(40_000);
    for n in 1..=12 {
        fixture.session(n, |_| (), &[&long]);
    }
    let mut index = fixture.index();
    let hurried = Query { within_ms: Some(0), ..query("needle") };
    let mut answers = vec![index.search(&hurried).unwrap()];
    while answers.last().unwrap().behind > 0 {
        answers.push(index.search(&hurried).unwrap());
    }
    assert!(answers.len() > 2, "everything was read by one query");
    let behind: Vec<_> = answers.iter().map(|answer| answer.behind).collect();
    assert!(behind.windows(2).all(|two| two[1] <= two[0]), "{behind:?}");
    assert!(answers[0].found.len() < 12, "{behind:?}");
    assert_eq!(answers.last().unwrap().found.len(), 12);
    assert_eq!(ids(&mut fixture.index(), &query("needle")).len(), 12);
}
