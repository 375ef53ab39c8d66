//! The metrics of one session.

use crate::{SearchError, SearchIndex};
use bc_core::{
    Timestamp,
    ids::SessionId,
    metrics::{Latency, SessionMetrics, ToolCount},
};

impl SearchIndex {
    /// The metrics of a session. The current interval of an active session counts up to `now`.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Store`] if the session's record cannot be read, for example because the session
    /// does not exist.
    pub fn metrics(&mut self, id: SessionId, now: Timestamp) -> Result<SessionMetrics, SearchError> {
        self.with(|index| {
            let meta = index.store.session(id).meta().map_err(SearchError::Store)?;
            index.catch_up_on(id)?;
            let (key, messages, _) = index.key(id)?.unwrap_or_default();
            let counted = index.counted(key).map_err(index.sqlite())?;
            Ok(SessionMetrics {
                id,
                duration_ms: meta.active_ms(now),
                message_count: u64::from(messages),
                tokens: meta.tokens,
                total_tokens: meta.tokens.total(),
                cost_usd: meta.cost_usd,
                files_touched: meta.files_touched.len() as u32,
                commits: meta.commits.len() as u32,
                tool_calls: counted.tools.iter().map(|t| t.calls).sum(),
                errors: counted.failed + counted.tools.iter().map(|t| t.errors).sum::<u32>(),
                tools: counted.tools,
                latency: latency(counted.latencies),
            })
        })
    }

    fn counted(&self, key: i64) -> rusqlite::Result<Counted> {
        let mut tools = self.connection.prepare_cached(
            "SELECT name, COUNT(*) AS calls, SUM(failed) FROM tool WHERE session = ?1
             GROUP BY name ORDER BY calls DESC, name",
        )?;
        let tools = tools
            .query_map([key], |row| {
                Ok(ToolCount { tool: row.get(0)?, calls: row.get(1)?, errors: row.get(2)? })
            })?
            .collect::<Result<Vec<_>, _>>()?;
        let failed = self
            .connection
            .prepare_cached("SELECT COALESCE(SUM(failed), 0) FROM message WHERE session = ?1")?
            .query_row([key], |row| row.get(0))?;
        let latencies = self
            .connection
            .prepare_cached(
                "SELECT latency FROM message WHERE session = ?1 AND latency IS NOT NULL ORDER BY latency",
            )?
            .query_map([key], |row| row.get(0))?
            .collect::<Result<Vec<u64>, _>>()?;
        Ok(Counted { tools, failed, latencies })
    }
}

struct Counted {
    tools: Vec<ToolCount>,
    failed: u32,
    latencies: Vec<u64>,
}

/// The median and the 90th percentile of sorted latencies. `None` without latencies.
fn latency(sorted: Vec<u64>) -> Option<Latency> {
    let at = |part: usize| sorted.get((sorted.len() * part).div_ceil(10).saturating_sub(1)).copied();
    Some(Latency { median_ms: at(5)?, p90_ms: at(9)?, answers: sorted.len() as u32 })
}
