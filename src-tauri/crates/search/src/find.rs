//! Finds sessions. Sessions with the words in the title, objective or bead id come first, then the others,
//! newest first.

use crate::{
    SearchError, SearchIndex,
    record::{NUMBER_BITS, row_id},
    words::{Expression, expression},
};
use bc_core::search::{Found, Query};
use rusqlite::{ToSql, params};
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

/// The default number of sessions per page.
const LIMIT: u32 = 50;
const MOST: u32 = 500;
/// The maximum number of counted matches per session.
pub(crate) const COUNTED: usize = 100;
/// The number of superfluous rows of one session that are scanned before a new query skips the rest of the
/// session's rows.
const PASSED: usize = 1_000;
/// The number of unwanted rows that are scanned between two sessions before a new query skips to the next
/// session.
const BETWEEN: usize = 300;

struct Match {
    key: i64,
    /// The matching messages, newest first. `None` if the session was found by its title, objective or bead
    /// id, and its messages have not been searched yet.
    numbers: Option<Vec<i64>>,
}

/// The result of a search.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// The sessions of the requested page.
    pub found: Vec<Found>,
    /// Whether more results follow.
    pub more: bool,
    /// Whether words were omitted or shortened, because there are too many or they are too long.
    pub cut: bool,
    /// Whether the input has no letters or digits, so that the search has no words.
    pub nothing_to_find: bool,
    /// The number of sessions that were not searched completely within the time limit.
    pub behind: usize,
}

impl SearchIndex {
    /// Finds sessions.
    ///
    /// # Errors
    ///
    /// Returns an error if the index or a session's file cannot be read. The input never causes an error.
    pub fn search(&mut self, query: &Query) -> Result<Answer, SearchError> {
        self.with(|index| {
            let end = query.within_ms.map(|ms| Instant::now() + Duration::from_millis(ms.into()));
            let unchecked = index.catch_up_until(end)?;
            let behind = unchecked + index.put_words_until(end)?;
            let answer = index.found_at_once(query).map_err(index.sqlite())?;
            Ok(Answer { behind, ..answer })
        })
    }

    /// Runs the search in one transaction, because separate queries would each take a lock, and the answer
    /// could mix several states.
    fn found_at_once(&self, query: &Query) -> rusqlite::Result<Answer> {
        let transaction = self.connection.unchecked_transaction()?;
        let answer = self.find(query)?;
        transaction.commit()?;
        Ok(answer)
    }

    fn find(&self, query: &Query) -> rusqlite::Result<Answer> {
        let (skip, limit) = (query.skip as usize, query.limit.unwrap_or(LIMIT).clamp(1, MOST) as usize);
        if query.text.trim().is_empty() {
            let keys = self.allowed(query, Some((skip, limit + 1)))?;
            let more = keys.len() > limit;
            let metas = keys.into_iter().take(limit).map(|key| self.meta(key));
            let metas = metas.collect::<Result<Vec<_>, _>>()?;
            let metas = metas.iter().filter_map(|json| serde_json::from_str(json).ok());
            let found = metas.map(|meta| Found { meta, hits: Vec::new(), hit_count: 0 }).collect();
            return Ok(Answer { found, more, ..Answer::default() });
        }
        let Some(words) = expression(&query.text) else {
            return Ok(Answer { nothing_to_find: true, ..Answer::default() });
        };
        let allowed = match is_unfiltered(query) {
            true => None,
            false => Some(self.allowed(query, None)?.into_iter().collect::<HashSet<_>>()),
        };
        let all = self.matching(&words, allowed.as_ref(), skip + limit + 1)?;
        let more = all.len() > skip + limit;
        let page: Vec<Match> = all.into_iter().skip(skip).take(limit).collect();
        let by_head: Vec<i64> = page.iter().filter(|m| m.numbers.is_none()).map(|m| m.key).collect();
        let mut numbers = self.numbers(&by_head, &words)?;
        let rows = page.into_iter().map(|place| {
            let in_head = place.numbers.is_none();
            let numbers = place.numbers.unwrap_or_else(|| numbers.remove(&place.key).unwrap_or_default());
            self.row(place.key, in_head, &numbers)
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let found = self.found(&rows, &words)?;
        Ok(Answer { found, more, cut: words.cut, ..Answer::default() })
    }

    /// The keys of the sessions that match all filters except the text, newest first.
    fn allowed(&self, query: &Query, page: Option<(usize, usize)>) -> rusqlite::Result<Vec<i64>> {
        let mut sql = "SELECT key FROM session WHERE 1".to_owned();
        if query.since.is_some() || query.until.is_some() {
            let since = query.since.map_or(i64::MIN, |since| since.timestamp_millis());
            let until = query.until.map_or(i64::MAX, |until| until.timestamp_millis());
            sql.push_str(&format!(
                " AND (made >= {since} AND made < {until} OR key IN
                 (SELECT session FROM active WHERE ended >= {since} AND began < {until}))"
            ));
        }
        let mut values: Vec<Box<dyn ToSql>> = Vec::new();
        let mut and = |condition: &str, value: Box<dyn ToSql>| {
            values.push(value);
            sql.push_str(&format!(" AND {}", condition.replace('?', &format!("?{}", values.len()))));
        };
        if let Some(bead) = &query.bead {
            and("bead = ?", Box::new(bead.to_string()));
        }
        if let Some(agent) = &query.agent {
            and("agent = ?", Box::new(agent.to_string()));
        }
        if let Some(file) = query.file.as_deref().filter(|f| !f.is_empty()) {
            and("key IN (SELECT session FROM file WHERE instr(path, ?))", Box::new(file.to_lowercase()));
        }
        if let Some(commit) = query.commit.as_deref().filter(|c| !c.is_empty()) {
            and(
                "key IN (SELECT session FROM hash WHERE substr(hash, 1, length(?)) = ?)",
                Box::new(commit.to_lowercase()),
            );
        }
        if !query.status.is_empty() {
            let words: Vec<_> = query.status.iter().map(|s| format!("'{s}'")).collect();
            sql.push_str(&format!(" AND status IN ({})", words.join(",")));
        }
        sql.push_str(" ORDER BY made DESC, key DESC");
        if let Some((skip, limit)) = page {
            sql.push_str(&format!(" LIMIT {limit} OFFSET {skip}"));
        }
        let mut select = self.connection.prepare_cached(&sql)?;
        let rows = select.query_map(rusqlite::params_from_iter(values.iter()), |row| row.get(0))?;
        rows.collect()
    }

    /// The sessions that contain the words: first those with matches in the title, objective or bead id, then
    /// the others.
    fn matching(
        &self,
        words: &Expression,
        allowed: Option<&HashSet<i64>>,
        most: usize,
    ) -> rusqlite::Result<Vec<Match>> {
        let wanted = |key: i64| allowed.is_none_or(|allowed| allowed.contains(&key));
        let mut found: Vec<Match> = Vec::new();
        let mut select = self
            .connection
            .prepare_cached("SELECT rowid FROM heads WHERE heads MATCH ?1 ORDER BY rowid DESC")?;
        let mut heads = select.query([&words.all])?;
        while found.len() < most
            && let Some(row) = heads.next()?
        {
            let key = row.get(0)?;
            if wanted(key) {
                found.push(Match { key, numbers: None });
            }
        }
        let in_head: HashSet<i64> = found.iter().map(|found| found.key).collect();
        let wanted = |key| wanted(key) && !in_head.contains(&key);
        let mut before = Some(i64::MAX);
        while let Some(row) = before.filter(|_| found.len() < most) {
            before = self.matching_before(row, words, most, &mut found, &wanted)?;
        }
        Ok(found)
    }

    /// Scans the matching rows before a row, newest first. Returns the row at which another scan has to
    /// start, if one is needed.
    ///
    /// Starting a scan is expensive, because all words with a prefix are merged; continuing is cheap. A new
    /// scan starts only to skip a session with very many matches.
    fn matching_before(
        &self,
        before: i64,
        words: &Expression,
        most: usize,
        found: &mut Vec<Match>,
        wanted: &dyn Fn(i64) -> bool,
    ) -> rusqlite::Result<Option<i64>> {
        let mut walk = self.connection.prepare_cached(
            "SELECT rowid FROM words WHERE words MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC",
        )?;
        let mut rows = walk.query(params![words.all, before])?;
        let (mut key, mut numbers, mut passed) = (None, Vec::new(), 0);
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            let this = id >> NUMBER_BITS;
            if key != Some(this) {
                found.extend(key.filter(|key| wanted(*key)).map(|key| Match { key, numbers: Some(numbers) }));
                if found.len() == most {
                    return Ok(None);
                }
                (key, numbers, passed) = (Some(this), Vec::new(), 0);
            }
            if numbers.len() < COUNTED {
                numbers.push(id & ((1 << NUMBER_BITS) - 1));
            } else if passed < PASSED {
                passed += 1;
            } else {
                break;
            }
        }
        found.extend(key.filter(|key| wanted(*key)).map(|key| Match { key, numbers: Some(numbers) }));
        Ok(key.filter(|_| passed == PASSED).map(|key| row_id(key, 0)))
    }

    /// The numbers of the matching messages in these sessions, newest first. A single scan covers everything
    /// between the sessions, because starting a scan is expensive. A new scan starts only to skip many rows.
    fn numbers(&self, keys: &[i64], words: &Expression) -> rusqlite::Result<HashMap<i64, Vec<i64>>> {
        let mut numbers: HashMap<i64, Vec<i64>> = keys.iter().map(|key| (*key, Vec::new())).collect();
        let mut next = keys.iter().max().copied();
        let Some(last) = keys.iter().min() else { return Ok(numbers) };
        while let Some(first) = next.take() {
            let mut select = self.connection.prepare_cached(
                "SELECT rowid FROM words WHERE words MATCH ?1 AND rowid >= ?2 AND rowid < ?3 ORDER BY rowid DESC",
            )?;
            let mut rows = select.query(params![words.all, row_id(*last, 0), row_id(first + 1, 0)])?;
            let mut between = 0;
            while let Some(row) = rows.next()? {
                let id: i64 = row.get(0)?;
                let key = id >> NUMBER_BITS;
                match numbers.get_mut(&key).filter(|n| n.len() < COUNTED) {
                    Some(of_key) => {
                        of_key.push(id & ((1 << NUMBER_BITS) - 1));
                        between = 0;
                    }
                    None if between < BETWEEN => between += 1,
                    None => {
                        next = keys.iter().filter(|wanted| **wanted < key).max().copied();
                        break;
                    }
                }
            }
        }
        Ok(numbers)
    }
}

fn is_unfiltered(query: &Query) -> bool {
    let rest = Query { text: String::new(), skip: 0, limit: None, within_ms: None, ..query.clone() };
    rest == Query::default()
}
