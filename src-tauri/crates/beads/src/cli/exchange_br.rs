//! Imports whole beads into br with their ids and times. br's behaviour was recorded with version 0.1.12.
//!
//! br imports only from its own JSONL (`sync --import-only`) and takes the later state of each bead. On equal
//! times it ignores the import and overwrites it with its own. A single unreadable line fails the whole file,
//! and every later command. Therefore the rows are merged into the file that br just wrote, in a form that br
//! reads, each with a later time than br's own row. Beads that br cannot store are left out and reported. If
//! br refuses, the file is restored. Afterwards br's own content is checked.

use super::{
    call::{CallError, Cli, Request, Turn},
    verify::{ask, explain},
};
use crate::{
    LeftOut, TrackerError,
    beads_files::read_beads,
    json,
    jsonl::Snapshot,
    place::jsonl_file,
    row::{Row, RowError, time},
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

/// The time limit for an import: br takes two minutes for a hundred thousand beads.
const LONG: Duration = Duration::from_secs(300);

/// The maximum number of attempts if br itself writes the file meanwhile.
const TRIES: u32 = 5;

/// br's maximum title length, in characters.
const LONGEST_TITLE: usize = 500;

/// Imports rows that are new or later than br's own. Of other rows, imports only the comments, and at equal
/// times the labels and dependencies, that br's own rows lack. Returns the beads that br cannot store.
pub(crate) fn import(cli: &Cli, rows: &[Record]) -> Result<Vec<LeftOut>, TrackerError> {
    let cli = cli.patient(LONG);
    let turn = cli.turn();
    synchronize(&turn)?;
    let (path, prefix) = place(&cli, &turn)?;
    for _ in 0..TRIES {
        let before = read_beads(&path)?;
        let mut news = News::of(&path, &before, &prefix)?;
        rows.iter().try_for_each(|row| news.merge_row(row))?;
        if news.put.is_empty() {
            return Ok(news.left);
        }
        if read_beads(&path)? != before {
            continue;
        }
        let after = news.snapshot.render();
        write(&path, &after)?;
        if let Err(error) = turn.ask(&Request::new("sync import", ["sync", "--import-only", "--json"])) {
            // Restore the file only after a refusal: otherwise br may have imported some rows, and its next
            // command reads the file again.
            if matches!(error, CallError::Refused(_)) && read_beads(&path)? == after {
                write(&path, &before)?;
            }
            return Err(explain(error, "br", "sync --import-only", None));
        }
        news.verify_import(&turn)?;
        return Ok(news.left);
    }
    let said = "br keeps writing its file".to_owned();
    Err(TrackerError::Busy { beads_dir: cli.beads_dir.clone(), said })
}

/// The beads that br cannot store.
pub(crate) fn unfit(cli: &Cli, rows: &[Record]) -> Result<Vec<LeftOut>, TrackerError> {
    let (path, prefix) = place(cli, &cli.turn())?;
    let mut news = News::of(&path, &read_beads(&path)?, &prefix)?;
    rows.iter().try_for_each(|row| news.merge_row(row))?;
    Ok(news.left)
}

/// br's file, and the prefix of its ids.
fn place(cli: &Cli, turn: &Turn<'_>) -> Result<(PathBuf, String), TrackerError> {
    let value = ask(turn, &Request::new("where", ["where", "--json"]), None)?;
    let prefix = value.get("prefix").and_then(Value::as_str).unwrap_or_default().to_owned();
    // If the file is a symbolic link, write to its target and keep the link.
    let path = jsonl_file(&cli.beads_dir);
    Ok((std::fs::canonicalize(&path).unwrap_or(path), prefix))
}

/// Synchronizes the file and br's database in both directions.
fn synchronize(turn: &Turn<'_>) -> Result<(), TrackerError> {
    let status = Request::new("sync status", ["sync", "--status", "--json"]);
    let mut answer = ask(turn, &status, None)?;
    if answer.get("jsonl_newer").and_then(Value::as_bool) == Some(true) {
        ask(turn, &Request::new("sync import", ["sync", "--import-only", "--json"]), None)?;
        answer = ask(turn, &status, None)?;
    }
    if answer.get("dirty_count").and_then(Value::as_u64).is_some_and(|count| count > 0) {
        ask(turn, &Request::new("sync flush", ["sync", "--flush-only", "--json"]), None)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrackerError> {
    bc_store::file::replace_open(path, bytes)
        .map_err(|source| TrackerError::File { operation: "writing the beads", source })
}

/// The new content of br's file.
struct News {
    snapshot: Snapshot,
    /// Permitted prefixes of ids.
    prefixes: BTreeSet<String>,
    /// Comment numbers in use; br needs each to be unique in the file.
    numbers: HashSet<i64>,
    /// The first comment number that may be free.
    next: i64,
    /// The imported rows, by id.
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

    fn merge_row(&mut self, row: &Record) -> Result<(), TrackerError> {
        let invalid = |why: RowError| TrackerError::InvalidInput { field: "bead", why: why.to_string() };
        let id = Row::read(row).map_err(invalid)?.id;
        if !self.prefixes.contains(prefix_of(id.as_str())) {
            let why = format!("in this project, br only accepts ids of the form {}", listed(&self.prefixes));
            self.leave(id.as_str(), &why);
            return Ok(());
        }
        let known = self.snapshot.find(&id).map(|(known, map)| (known.updated_at, map.clone()));
        let here = Records::of(Kind::Beads, known.iter().map(|(_, map)| map.clone()));
        // On equal times, the local row wins and gets the additions of the imported one.
        let both = Records::of(Kind::Beads, [row.clone()]).with(here.clone(), Tie::Newcomer);
        let (Some(mut map), was) = (both.get(id.as_str()).cloned(), here.get(id.as_str())) else {
            return Ok(());
        };
        if Some(&map) == was {
            return Ok(());
        }
        let title = map.get("title").and_then(Value::as_str).unwrap_or_default().chars().count();
        if title == 0 || title > LONGEST_TITLE {
            self.leave(id.as_str(), "br only accepts titles of 1 to 500 characters");
            return Ok(());
        }
        for number in known.iter().flat_map(|(_, map)| numbers(map)) {
            self.numbers.remove(&number);
        }
        self.number_comments(&mut map);
        if let Some(at) = known.as_ref().and_then(|(at, _)| *at)
            && time(&map, "updated_at").is_none_or(|new| new <= at)
        {
            let later = at.to_utc() + TimeDelta::microseconds(1);
            map.insert("updated_at".to_owned(), json!(later.to_rfc3339_opts(SecondsFormat::Nanos, true)));
        }
        let row = Row::read(&map).map_err(invalid)?;
        self.put.insert(id.as_str().to_owned(), row.clone());
        self.snapshot.put(row, map);
        Ok(())
    }

    /// Gives each comment a unique number: br refuses a whole file if one comment's id is a string.
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

    /// Verifies br's content after the import, because br has reported success for an import without effect.
    fn verify_import(&mut self, turn: &Turn<'_>) -> Result<(), TrackerError> {
        let value = ask(turn, &Request::new("list", ["list", "--all", super::br::NO_LIMIT, "--json"]), None)?;
        let rows = json::objects(value).unwrap_or_default();
        let has: BTreeMap<&str, _> =
            rows.iter().filter_map(|row| Some((row.get("id")?.as_str()?, time(row, "updated_at")))).collect();
        let missing = |(id, row): &(&String, &Row)| match has.get(id.as_str()) {
            Some(at) => *at < row.updated_at,
            // br's list omits deleted beads.
            None => row.stored_status != BeadStatus::Tombstone,
        };
        let missing: Vec<String> = self.put.iter().filter(missing).map(|(id, _)| id.clone()).collect();
        for id in missing {
            self.leave(
                &id,
                "br reported success, but does not have this state of them; check with `br show`",
            );
        }
        Ok(())
    }
}

fn numbers(map: &Record) -> Vec<i64> {
    let comments = map.get("comments").and_then(Value::as_array).into_iter().flatten();
    comments.filter_map(|comment| comment.get("id")?.as_i64()).collect()
}

/// The part of an id before the last dash.
fn prefix_of(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(prefix, _)| prefix)
}

fn listed(prefixes: &BTreeSet<String>) -> String {
    prefixes.iter().map(|prefix| format!("{prefix}-…")).collect::<Vec<_>>().join(", ")
}
