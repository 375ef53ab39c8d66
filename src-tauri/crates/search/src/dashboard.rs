//! A project's figures over a range of days.

use crate::{SearchError, SearchIndex};
use bc_core::{
    Timestamp,
    metrics::{Amount, Dashboard, Day, Range, Share},
    session::Meta,
};
use chrono::{DateTime, Days, NaiveDate, TimeZone};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A quarter of an hour, in milliseconds: the days of every time zone consist of whole quarters.
const QUARTER: i64 = 900_000;
/// Limit of days, so that a wrong clock does not create a million rows.
const MOST_DAYS: usize = 3660;

impl SearchIndex {
    /// The figures of the range that ends with the day of `now` in `zone`.
    pub fn dashboard<Z: TimeZone>(
        &mut self,
        range: Range,
        now: Timestamp,
        zone: &Z,
    ) -> Result<Dashboard, SearchError> {
        let rows = self.with(|index| {
            index.catch_up()?;
            index.rows().map_err(index.sqlite())
        })?;
        Ok(dashboard(&rows, range, now, &|ms| {
            DateTime::from_timestamp_millis(ms).unwrap_or_default().with_timezone(zone).date_naive()
        }))
    }

    fn rows(&self) -> rusqlite::Result<Vec<Row>> {
        let mut quarters: HashMap<i64, Vec<(i64, u64, u64)>> = HashMap::new();
        let mut select =
            self.connection.prepare_cached("SELECT session, quarter, tokens, messages FROM quarter")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            quarters.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?, row.get(3)?));
        }
        let mut select = self.connection.prepare_cached("SELECT key, meta FROM session")?;
        let sessions = select.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        let mut all = Vec::new();
        for session in sessions {
            let (key, json) = session?;
            if let Ok(meta) = serde_json::from_str(&json) {
                all.push(Row { meta, quarters: quarters.remove(&key).unwrap_or_default() });
            }
        }
        Ok(all)
    }
}

/// A session with its tokens and messages per quarter of an hour.
struct Row {
    meta: Meta,
    quarters: Vec<(i64, u64, u64)>,
}

impl Row {
    fn began(&self) -> i64 {
        self.meta.started_at.unwrap_or(self.meta.created_at).timestamp_millis()
    }

    /// The figures per day.
    fn days(&self, now: Timestamp, day: &dyn Fn(i64) -> NaiveDate) -> BTreeMap<NaiveDate, Amount> {
        let mut days: BTreeMap<NaiveDate, Amount> = BTreeMap::new();
        for interval in &self.meta.active_intervals {
            let (mut at, end) =
                (interval.start.timestamp_millis(), interval.end.unwrap_or(now).timestamp_millis());
            // Limits the split of an interval after a wrong clock.
            for _ in 0..96 * MOST_DAYS {
                if at >= end {
                    break;
                }
                let next = ((at.div_euclid(QUARTER) + 1) * QUARTER).min(end);
                days.entry(day(at)).or_default().duration_ms += (next - at).unsigned_abs();
                at = next;
            }
        }
        let tokens: u64 = self.quarters.iter().map(|q| q.1).sum();
        for (quarter, used, messages) in &self.quarters {
            let of_day = days.entry(day(quarter * QUARTER)).or_default();
            of_day.tokens += used;
            of_day.messages += messages;
            if tokens > 0 {
                of_day.cost_usd += self.meta.cost_usd.unwrap_or(0.0) * *used as f64 / tokens as f64;
            }
        }
        if tokens == 0
            && let Some(cost) = self.meta.cost_usd
        {
            days.entry(day(self.began())).or_default().cost_usd += cost;
        }
        days
    }
}

fn dashboard(rows: &[Row], range: Range, now: Timestamp, day: &dyn Fn(i64) -> NaiveDate) -> Dashboard {
    let last = day(now.timestamp_millis());
    let first = match range.days() {
        Some(days) => last.checked_sub_days(Days::new(u64::from(days) - 1)).unwrap_or(last),
        None => rows.iter().map(|row| day(row.began())).min().unwrap_or(last),
    };
    let inside = |date: &NaiveDate| (first..=last).contains(date);
    let mut days: BTreeMap<NaiveDate, (u32, Amount)> =
        first.iter_days().take_while(|d| *d <= last).map(|d| (d, Default::default())).collect();
    let (mut beads, mut agents) = (BTreeMap::new(), BTreeMap::new());
    let mut total = Amount::default();
    let mut begun = Vec::new();
    for row in rows {
        let began = day(row.began());
        if inside(&began) {
            begun.push(row.meta.active_ms(now));
            days.entry(began).or_default().0 += 1;
        }
        let mut here = Amount::default();
        let mut touched = inside(&began);
        for (date, amount) in row.days(now, day).iter().filter(|(date, _)| inside(date)) {
            here.add(*amount);
            days.entry(*date).or_default().1.add(*amount);
            touched = true;
        }
        if touched {
            total.add(here);
            add(&mut beads, row.meta.bead_id.as_ref().map(ToString::to_string), here);
            add(&mut agents, row.meta.agent_id.as_ref().map(ToString::to_string), here);
        }
    }
    let days: Vec<Day> = days
        .into_iter()
        .map(|(date, (sessions, amount))| Day { date: date.to_string(), sessions, amount })
        .collect();
    let skip = days.len().saturating_sub(MOST_DAYS);
    Dashboard {
        range,
        counted_at: now,
        days: days.into_iter().skip(skip).collect(),
        sessions: begun.len() as u32,
        average_duration_ms: begun.iter().sum::<u64>().checked_div(begun.len() as u64).unwrap_or(0),
        sessions_per_bead: sessions_per_bead(rows, &beads),
        total,
        beads: shares(beads, |share| share.amount.tokens),
        agents: shares(agents, |share| u64::from(share.sessions)),
    }
}

/// For the beads that were worked on in the range: all their sessions at any time.
fn sessions_per_bead(rows: &[Row], beads: &BTreeMap<String, Share>) -> Option<f64> {
    let worked_on: BTreeSet<&str> =
        beads.keys().map(String::as_str).filter(|name| !name.is_empty()).collect();
    let beads_of_rows = rows.iter().filter_map(|row| row.meta.bead_id.as_ref());
    let sessions = beads_of_rows.filter(|bead| worked_on.contains(bead.as_str())).count();
    (!worked_on.is_empty()).then(|| sessions as f64 / worked_on.len() as f64)
}

fn add(shares: &mut BTreeMap<String, Share>, name: Option<String>, amount: Amount) {
    let name = name.unwrap_or_default();
    let share = shares.entry(name.clone()).or_insert(Share { name, sessions: 0, amount: Amount::default() });
    share.sessions += 1;
    share.amount.add(amount);
}

fn shares(shares: BTreeMap<String, Share>, by: impl Fn(&Share) -> u64) -> Vec<Share> {
    let mut shares: Vec<Share> = shares.into_values().collect();
    shares.sort_by_key(|share| std::cmp::Reverse(by(share)));
    shares
}
