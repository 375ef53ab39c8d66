//! Whole beads into br, as recorded at 0.1.12, with their ids and times.
//!
//! br takes beads in from its own JSONL alone (`sync --import-only`), and of each the state that is later; of one that
//! is as late as its own it takes nothing and writes its own over it. One line that it cannot read costs the whole file, and
//! with it every command after that. So the rows are merged into the file as br has just written it, in a form
//! that br reads, each later than br's own; what br cannot have is left out and told of; where br says no, the file
//! is put back as it was; and afterwards br is asked what it has.

use super::{
    call::{CallError, Cli, Request, Turn},
    verify::explain,
};
use crate::{
    LeftOut, TrackerError, json,
    jsonl::Snapshot,
    place::jsonl_file,
    row::{self, Row},
};
use bc_core::{
    backup::{Kind, Record, Records, Tie},
    bead::BeadStatus,
};
use chrono::{SecondsFormat, TimeDelta};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::{Path, PathBuf},
    time::Duration,
};

/// br takes two minutes for a hundred thousand beads.
const LONG: Duration = Duration::from_secs(300);

/// So often is it tried where br itself writes the file meanwhile.
const TRIES: u32 = 5;

/// As long as br takes titles.
const LONGEST_TITLE: usize = 500;

/// Lets br take rows in that are later than its own, or that it has not; those that it cannot have.
pub(crate) fn take_in(cli: &Cli, rows: &[Record]) -> Result<Vec<LeftOut>, TrackerError> {
    let cli = cli.patient(LONG);
    let turn = cli.turn();
    settle(&turn)?;
    let (path, prefix) = place(&cli, &turn)?;
    for _ in 0..TRIES {
        let before = read(&path)?;
        let mut news = News::of(&path, &before, &prefix)?;
        rows.iter().try_for_each(|row| news.lay(row))?;
        if news.put.is_empty() {
            return Ok(news.left);
        }
        if read(&path)? != before {
            continue;
        }
        let after = news.snapshot.render();
        write(&path, &after)?;
        if let Err(error) = turn.ask(&Request::new("sync import", ["sync", "--import-only", "--json"])) {
            // Where br did not say no it may have taken some of it in, and goes on with the file at its next command.
            if matches!(error, CallError::Refused(_)) && read(&path)? == after {
                write(&path, &before)?;
            }
            return Err(explain(error, "br", "sync --import-only", None));
        }
        news.look_again(&turn)?;
        return Ok(news.left);
    }
    let said = "br is writing its file all the time".to_owned();
    Err(TrackerError::Busy { beads_dir: cli.beads_dir.clone(), said })
}

/// Those that br cannot have.
pub(crate) fn unfit(cli: &Cli, rows: &[Record]) -> Result<Vec<LeftOut>, TrackerError> {
    let (path, prefix) = place(cli, &cli.turn())?;
    let mut news = News::of(&path, &read(&path)?, &prefix)?;
    rows.iter().try_for_each(|row| news.lay(row))?;
    Ok(news.left)
}

/// br's file, and what the ids begin with that it gives.
fn place(cli: &Cli, turn: &Turn<'_>) -> Result<(PathBuf, String), TrackerError> {
    let value = ask(turn, &Request::new("where", ["where", "--json"]))?;
    let prefix = value.get("prefix").and_then(Value::as_str).unwrap_or_default().to_owned();
    // Behind a link is the file; the link itself stays.
    let path = jsonl_file(&cli.beads_dir);
    Ok((std::fs::canonicalize(&path).unwrap_or(path), prefix))
}

fn ask(turn: &Turn<'_>, request: &Request) -> Result<Value, TrackerError> {
    turn.ask(request).map_err(|error| explain(error, "br", request.operation, None))
}

/// What is in the file and not in br goes in, then what is in br and not in the file goes there.
fn settle(turn: &Turn<'_>) -> Result<(), TrackerError> {
    let status = Request::new("sync status", ["sync", "--status", "--json"]);
    let mut stands = ask(turn, &status)?;
    if stands.get("jsonl_newer").and_then(Value::as_bool) == Some(true) {
        ask(turn, &Request::new("sync import", ["sync", "--import-only", "--json"]))?;
        stands = ask(turn, &status)?;
    }
    if stands.get("dirty_count").and_then(Value::as_u64).is_some_and(|count| count > 0) {
        ask(turn, &Request::new("sync flush", ["sync", "--flush-only", "--json"]))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, TrackerError> {
    let bytes = bc_store::file::read(path)
        .map_err(|source| TrackerError::File { operation: "reading the beads", source })?;
    Ok(bytes.unwrap_or_default())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrackerError> {
    bc_store::file::replace_open(path, bytes)
        .map_err(|source| TrackerError::File { operation: "writing the beads", source })
}

/// br's file as it shall be.
struct News {
    snapshot: Snapshot,
    /// What ids may begin with.
    prefixes: BTreeSet<String>,
    /// br has numbers for comments, each once in the file.
    numbers: HashSet<i64>,
    /// The next one that is free.
    next: i64,
    /// What was put in, and its moment.
    put: BTreeMap<String, Row>,
    left: Vec<LeftOut>,
}

impl News {
    fn of(path: &Path, bytes: &[u8], prefix: &str) -> Result<News, TrackerError> {
        let snapshot = Snapshot::parse(bytes);
        if let Some(line) = snapshot.conflict {
            return Err(TrackerError::Conflict { path: path.to_owned(), line });
        }
        let mut prefixes: BTreeSet<String> =
            snapshot.all().map(|(row, _)| prefix_of(row.id.as_str()).to_owned()).collect();
        prefixes.insert(prefix.to_owned());
        let numbers: HashSet<i64> = snapshot.all().flat_map(|(_, map)| numbers(map)).collect();
        let next = numbers.iter().max().map_or(1, |last| last + 1);
        Ok(News { snapshot, prefixes, numbers, next, put: BTreeMap::new(), left: Vec::new() })
    }

    fn lay(&mut self, row: &Record) -> Result<(), TrackerError> {
        let invalid = |why: row::RowError| TrackerError::InvalidInput { field: "bead", why: why.to_string() };
        let id = Row::read(row).map_err(invalid)?.id;
        if !self.prefixes.contains(prefix_of(id.as_str())) {
            let why = format!("br here takes ids of {} alone", listed(&self.prefixes));
            self.leave(id.as_str(), &why);
            return Ok(());
        }
        let known = self.snapshot.find(&id).map(|(known, map)| (known.updated_at, map.clone()));
        let here = Records::of(Kind::Beads, known.iter().map(|(_, map)| map.clone()));
        // Of two that are as late as each other the one that is here counts, with what the other has beside it.
        let both = Records::of(Kind::Beads, [row.clone()]).with(here.clone(), Tie::Newcomer);
        let (Some(mut map), was) = (both.get(id.as_str()).cloned(), here.get(id.as_str())) else {
            return Ok(());
        };
        if Some(&map) == was {
            return Ok(());
        }
        let title = map.get("title").and_then(Value::as_str).unwrap_or_default().chars().count();
        if title == 0 || title > LONGEST_TITLE {
            self.leave(id.as_str(), "br takes titles of 1 to 500 characters");
            return Ok(());
        }
        for number in known.iter().flat_map(|(_, map)| numbers(map)) {
            self.numbers.remove(&number);
        }
        self.number_comments(&mut map);
        if let Some(at) = known.as_ref().and_then(|(at, _)| *at)
            && row::time(&map, "updated_at").is_none_or(|new| new <= at)
        {
            let later = at.to_utc() + TimeDelta::microseconds(1);
            map.insert("updated_at".to_owned(), json!(later.to_rfc3339_opts(SecondsFormat::Nanos, true)));
        }
        let row = Row::read(&map).map_err(invalid)?;
        self.put.insert(id.as_str().to_owned(), row.clone());
        self.snapshot.put(row, map);
        Ok(())
    }

    /// br refuses a whole file for one comment that has a text for an id.
    fn number_comments(&mut self, map: &mut Record) {
        let Some(comments) = map.get_mut("comments").and_then(Value::as_array_mut) else { return };
        for comment in comments.iter_mut().filter_map(Value::as_object_mut) {
            let has = comment.get("id").and_then(Value::as_i64);
            if has.is_some_and(|number| self.numbers.insert(number)) {
                continue;
            }
            while !self.numbers.insert(self.next) {
                self.next += 1;
            }
            comment.insert("id".to_owned(), json!(self.next));
        }
    }

    fn leave(&mut self, id: &str, why: &str) {
        match self.left.iter_mut().find(|left| left.why == why) {
            Some(left) => left.ids.push(id.to_owned()),
            None => self.left.push(LeftOut { ids: vec![id.to_owned()], why: why.to_owned() }),
        }
    }

    /// What br has of what it was given: success was reported before without anything being kept.
    fn look_again(&mut self, turn: &Turn<'_>) -> Result<(), TrackerError> {
        let value = ask(turn, &Request::new("list", ["list", "--all", super::br::NO_LIMIT, "--json"]))?;
        let rows = json::objects(value).unwrap_or_default();
        let has: BTreeMap<&str, _> = rows
            .iter()
            .filter_map(|row| Some((row.get("id")?.as_str()?, row::time(row, "updated_at"))))
            .collect();
        let missing = |(id, row): &(&String, &Row)| match has.get(id.as_str()) {
            Some(at) => *at < row.updated_at,
            // Its list has none that are deleted.
            None => row.stored_status != BeadStatus::Tombstone,
        };
        let missing: Vec<String> = self.put.iter().filter(missing).map(|(id, _)| id.clone()).collect();
        for id in missing {
            self.leave(
                &id,
                "br reported that it took them in, and does not have them so; look with `br show`",
            );
        }
        Ok(())
    }
}

fn numbers(map: &Record) -> Vec<i64> {
    let comments = map.get("comments").and_then(Value::as_array).into_iter().flatten();
    comments.filter_map(|comment| comment.get("id")?.as_i64()).collect()
}

/// What stands before the last dash.
fn prefix_of(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(prefix, _)| prefix)
}

fn listed(prefixes: &BTreeSet<String>) -> String {
    prefixes.iter().map(|prefix| format!("{prefix}-…")).collect::<Vec<_>>().join(", ")
}
