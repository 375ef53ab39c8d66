//! Sessions that are searched, counted and read in parts, through the cache of `bc-search`.

use super::view;
use crate::{
    engine::{Engine, now},
    errors::{chain, file_error, store_error},
};
use bc_core::{
    metrics::SessionMetrics,
    search::{Query, within},
};
use bc_search::{SearchError, SearchIndex};
use bc_wire::{ApiError, ErrorCode, search::*, session::SessionRef};

/// Messages of a page unless the client says how many.
const PAGE: u32 = 200;
const MOST: u32 = 2000;
/// Places of a text that are shown unless the client says how many.
const SHOWN: u32 = 50;
const SHOWN_MOST: u32 = 500;

pub(crate) fn search(engine: &Engine, query: &Query) -> Result<SearchAnswer, ApiError> {
    let answer = engine.searching(|index| index.search(query))?;
    let mut notes = Vec::new();
    if answer.cut {
        notes.push("Only the first 32 words, and of each the first 200 characters, were looked for.".into());
    }
    if answer.nothing_to_find {
        notes.push("Only letters and digits are searched: there is none in this.".into());
    }
    let sessions = answer
        .found
        .into_iter()
        .map(|found| FoundSession {
            session: view::of(engine, found.meta),
            hits: found.hits,
            hit_count: found.hit_count,
        })
        .collect();
    Ok(SearchAnswer { sessions, more: answer.more, notes })
}

pub(crate) fn page(engine: &Engine, params: &SessionPageParams) -> Result<TranscriptPage, ApiError> {
    engine.store.session(params.id).meta().map_err(store_error)?;
    let limit = params.limit.unwrap_or(PAGE).clamp(1, MOST);
    engine.searching(|index| {
        let place = match (&params.message, params.at) {
            (Some(message), _) => index.place_of(params.id, message)?,
            (None, Some(at)) => index.place_at(params.id, at.timestamp_millis())?,
            (None, None) => None,
        };
        // Most of what is shown comes after what was asked for.
        let around = place.map(|place| place.saturating_sub(limit / 4).saturating_add(limit));
        let page = index.page(params.id, around.or(params.before), limit)?;
        Ok(TranscriptPage { first: page.first, messages: page.messages, total: page.total, place })
    })
}

pub(crate) fn find(engine: &Engine, params: &SessionFindParams) -> Result<SessionFound, ApiError> {
    let messages = super::transcript(engine, params.id)?.messages;
    let limit = params.limit.unwrap_or(SHOWN).clamp(1, SHOWN_MOST) as usize;
    let found = within(&messages, &params.text, params.skip as usize, limit);
    Ok(SessionFound { places: found.places, hits: found.hits })
}

pub(crate) fn metrics(engine: &Engine, params: SessionRef) -> Result<SessionMetrics, ApiError> {
    engine.searching(|index| index.metrics(params.id, now()))
}

pub(crate) fn project_metrics(
    engine: &Engine,
    params: &ProjectMetricsParams,
) -> Result<ProjectMetrics, ApiError> {
    let dashboard = engine.searching(|index| index.dashboard(params.range, now(), &chrono::Local))?;
    Ok(ProjectMetrics { days_csv: dashboard.days_csv(), shares_csv: dashboard.shares_csv(), dashboard })
}

impl Engine {
    fn searching<T>(
        &self,
        what: impl FnOnce(&mut SearchIndex) -> Result<T, SearchError>,
    ) -> Result<T, ApiError> {
        let mut index = self.search_index();
        if index.is_none() {
            *index = Some(SearchIndex::open(&self.store).map_err(search_error)?);
        }
        what(index.as_mut().expect("it was just opened")).map_err(search_error)
    }
}

fn search_error(error: SearchError) -> ApiError {
    match error {
        SearchError::Store(error) => store_error(error),
        SearchError::Folder(error) => file_error(error),
        other => ApiError::new(ErrorCode::Io, chain(&other))
            .hint("the search index is only a cache: `.beads/sessions/.cache` may be removed"),
    }
}
