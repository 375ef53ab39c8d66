//! The metrics of a project over a range of days.

use crate::{SearchError, SearchIndex};
use bc_core::{
    Timestamp,
    metrics::{Amount, BeadSessions, Dashboard, Day, Period, Scope, Share, TokenKinds},
    session::Meta,
};
use chrono::{DateTime, Days, NaiveDate, TimeZone};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A quarter of an hour, in milliseconds. In every time zone, days consist of whole quarter hours.
const QUARTER: i64 = 900_000;
/// The maximum number of days, so that a wrong clock does not create a million rows.
const MOST_DAYS: usize = 3660;

impl SearchIndex {
    /// The metrics of the range that ends with the day of `now` in `zone`, and of the range before it.
    pub fn dashboard<Z: TimeZone>(
        &mut self,
        scope: impl Into<Scope>,
        now: Timestamp,
        zone: &Z,
    ) -> Result<Dashboard, SearchError> {
        let rows = self.with(|index| {
            index.catch_up()?;
            index.rows().map_err(index.sqlite())
        })?;
        Ok(dashboard(&rows, &scope.into(), now, &|ms| {
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

    fn agent(&self) -> String {
        self.meta.agent_id.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    fn is_in(&self, scope: &Scope) -> bool {
        let of_bead = |beads: &BTreeSet<String>| {
            self.meta.bead_id.as_ref().is_some_and(|bead| beads.contains(bead.as_str()))
        };
        scope.agent.as_ref().is_none_or(|agent| *agent == self.agent())
            && scope.beads.as_ref().is_none_or(of_bead)
    }

    /// The metrics of the session per day.
    fn days(&self, now: Timestamp, day: &dyn Fn(i64) -> NaiveDate) -> BTreeMap<NaiveDate, Amount> {
        let mut days: BTreeMap<NaiveDate, Amount> = BTreeMap::new();
        for interval in &self.meta.active_intervals {
            let (mut at, end) =
                (interval.start.timestamp_millis(), interval.end.unwrap_or(now).timestamp_millis());
            // With a wrong clock, an interval can be very long, so the number of its parts is limited.
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

fn dashboard(rows: &[Row], scope: &Scope, now: Timestamp, day: &dyn Fn(i64) -> NaiveDate) -> Dashboard {
    let agent_names: BTreeSet<String> = rows.iter().map(Row::agent).collect();
    let rows: Vec<&Row> = rows.iter().filter(|row| row.is_in(scope)).collect();
    let last = day(now.timestamp_millis());
    let first = match scope.range.days() {
        Some(days) => before(last, days - 1),
        None => rows.iter().map(|row| day(row.began())).min().unwrap_or(last),
    };
    let counted = Counted::of(&rows, first, last, now, day);
    let previous = scope.range.days().map(|days| {
        let (first, last) = (before(first, days), before(first, 1));
        Counted::of(&rows, first, last, now, day).period(&rows, first, last)
    });
    let bead_sessions = counted.bead_sessions(&rows);
    let skip = counted.days.len().saturating_sub(MOST_DAYS);
    let as_day = |(date, (sessions, amount, kinds)): (NaiveDate, (u32, Amount, TokenKinds))| Day {
        date: date.to_string(),
        sessions,
        kinds,
        amount,
    };
    Dashboard {
        range: scope.range,
        counted_at: now,
        sessions: counted.begun.len() as u32,
        average_duration_ms: counted.average(),
        sessions_per_bead: mean(&bead_sessions),
        total: counted.total,
        days: counted.days.into_iter().skip(skip).map(as_day).collect(),
        beads: shares(counted.beads, |share| share.amount.tokens),
        agents: shares(counted.agents, |share| u64::from(share.sessions)),
        previous,
        beads_closed: None,
        bead_sessions,
        agent_names: agent_names.into_iter().collect(),
    }
}

fn before(date: NaiveDate, days: u32) -> NaiveDate {
    date.checked_sub_days(Days::new(u64::from(days))).unwrap_or(date)
}

/// The metrics of a range of days.
struct Counted {
    days: BTreeMap<NaiveDate, (u32, Amount, TokenKinds)>,
    total: Amount,
    beads: BTreeMap<String, Share>,
    agents: BTreeMap<String, Share>,
    /// The active time of each session that began in the range.
    begun: Vec<u64>,
}

impl Counted {
    fn of(
        rows: &[&Row],
        first: NaiveDate,
        last: NaiveDate,
        now: Timestamp,
        day: &dyn Fn(i64) -> NaiveDate,
    ) -> Counted {
        let inside = |date: &NaiveDate| (first..=last).contains(date);
        let days = first.iter_days().take_while(|d| *d <= last).map(|d| (d, Default::default())).collect();
        let (total, begun) = (Amount::default(), Vec::new());
        let mut all = Counted { days, total, beads: BTreeMap::new(), agents: BTreeMap::new(), begun };
        for row in rows {
            let began = day(row.began());
            if inside(&began) {
                all.begun.push(row.meta.active_ms(now));
                all.days.entry(began).or_default().0 += 1;
            }
            let mut in_range = Amount::default();
            let mut touched = inside(&began);
            for (date, amount) in row.days(now, day).iter().filter(|(date, _)| inside(date)) {
                in_range.add(*amount);
                let of_day = all.days.entry(*date).or_default();
                of_day.1.add(*amount);
                of_day.2.add(TokenKinds::of(amount.tokens, &row.meta.tokens));
                touched = true;
            }
            if touched {
                all.total.add(in_range);
                let bead = row.meta.bead_id.as_ref().map(ToString::to_string).unwrap_or_default();
                add(&mut all.beads, bead, in_range);
                add(&mut all.agents, row.agent(), in_range);
            }
        }
        all
    }

    fn average(&self) -> u64 {
        self.begun.iter().sum::<u64>().checked_div(self.begun.len() as u64).unwrap_or(0)
    }

    /// The beads of the sessions in the range, each with the number of all its sessions, including earlier
    /// ones.
    fn bead_sessions(&self, rows: &[&Row]) -> Vec<BeadSessions> {
        let mut counts: BTreeMap<&str, u32> =
            self.beads.keys().filter(|name| !name.is_empty()).map(|name| (name.as_str(), 0)).collect();
        for bead in rows.iter().filter_map(|row| row.meta.bead_id.as_ref()) {
            if let Some(count) = counts.get_mut(bead.as_str()) {
                *count += 1;
            }
        }
        let mut beads: Vec<BeadSessions> = counts
            .into_iter()
            .map(|(bead, sessions)| BeadSessions { bead: bead.to_owned(), sessions })
            .collect();
        beads.sort_by_key(|bead| std::cmp::Reverse(bead.sessions));
        beads
    }

    fn period(&self, rows: &[&Row], first: NaiveDate, last: NaiveDate) -> Period {
        Period {
            first: first.to_string(),
            last: last.to_string(),
            sessions: self.begun.len() as u32,
            average_duration_ms: self.average(),
            sessions_per_bead: mean(&self.bead_sessions(rows)),
            total: self.total,
            beads_closed: None,
        }
    }
}

fn mean(beads: &[BeadSessions]) -> Option<f64> {
    let sessions: u32 = beads.iter().map(|bead| bead.sessions).sum();
    (!beads.is_empty()).then(|| f64::from(sessions) / beads.len() as f64)
}

fn add(shares: &mut BTreeMap<String, Share>, name: String, amount: Amount) {
    let share = shares.entry(name.clone()).or_insert(Share { name, sessions: 0, amount: Amount::default() });
    share.sessions += 1;
    share.amount.add(amount);
}

fn shares(shares: BTreeMap<String, Share>, by: impl Fn(&Share) -> u64) -> Vec<Share> {
    let mut shares: Vec<Share> = shares.into_values().collect();
    shares.sort_by_key(|share| std::cmp::Reverse(by(share)));
    shares
}
