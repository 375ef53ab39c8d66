//! Searches sessions, pages through their messages and computes metrics, mostly with `bc-search`'s cache.

use super::{export, view};
use crate::context::{
    Context, count,
    errors::{chain, file_error, store_error, tracker_error},
    now,
};
use bc_beads::ListFilter;
use bc_core::{
    bead::{Bead, BeadStatus},
    message::{Message, shorten_page},
    metrics::{Scope, SessionMetrics},
    search::{Query, within},
};
use bc_search::{SearchError, SearchIndex};
use bc_wire::{ApiError, ErrorCode, search::*, session::SessionRef};
use std::{collections::BTreeSet, sync::MutexGuard};

/// The default number of messages in a page.
const PAGE: u32 = 200;
/// The maximum number of messages in a page.
const MOST: u32 = 2000;
/// The default number of hits in a result of `find`.
const SHOWN: u32 = 50;
/// The maximum number of hits in a result of `find`.
const SHOWN_MOST: u32 = 500;

pub(crate) fn search(ctx: &Context, query: &Query) -> Result<SearchAnswer, ApiError> {
    let answer = in_index(ctx.search_index(), ctx, |index| index.search(query))?;
    let mut notes = Vec::new();
    if answer.cut {
        notes.push("Only the first 32 words were searched, and the first 200 characters of each.".into());
    }
    if answer.nothing_to_find {
        notes.push("The query contains no letters or digits; only these are searched.".into());
    }
    let sessions = answer
        .found
        .into_iter()
        .map(|found| FoundSession {
            session: view::of(ctx, found.meta),
            hits: found.hits,
            hit_count: found.hit_count,
        })
        .collect();
    let behind = count(answer.behind);
    if behind > 0 {
        notes.push(format!("{behind} sessions are still being indexed and were not searched."));
    }
    Ok(SearchAnswer { sessions, more: answer.more, behind, notes })
}

pub(crate) fn page(ctx: &Context, params: &SessionPageParams) -> Result<TranscriptPage, ApiError> {
    ctx.meta(params.id)?;
    let limit = params.limit.unwrap_or(PAGE).clamp(1, MOST);
    in_index(ctx.page_index(), ctx, |index| {
        let place = match (&params.message, params.at) {
            (Some(message), _) => index.place_of(params.id, message)?,
            (None, Some(at)) => index.place_at(params.id, at.timestamp_millis())?,
            (None, None) => None,
        };
        // Start the page a little before the requested message, so that most of the page follows it.
        let around = place.map(|place| place.saturating_sub(limit / 4).saturating_add(limit));
        let page = index.page(params.id, around.or(params.before), limit)?;
        let lost = match page.damaged {
            0 => None,
            1 => Some("one damaged line of the conversation was skipped".to_owned()),
            n => Some(format!("{n} damaged lines of the conversation were skipped")),
        };
        let (first, mut messages, total) = (page.first, page.messages, page.total);
        shorten_page(&mut messages);
        Ok(TranscriptPage { first, messages, total, place, warnings: lost.into_iter().collect() })
    })
}

/// One message with its full text; pages shorten long text.
pub(crate) fn message(ctx: &Context, params: &SessionMessageParams) -> Result<Message, ApiError> {
    ctx.meta(params.id)?;
    let found = in_index(ctx.page_index(), ctx, |index| {
        let Some(place) = index.place_of(params.id, &params.message)? else { return Ok(None) };
        Ok(index.page(params.id, Some(place + 1), 1)?.messages.pop())
    })?;
    found.filter(|message| message.id == params.message).ok_or_else(|| {
        ApiError::new(ErrorCode::Usage, format!("the conversation has no message {}", params.message))
    })
}

pub(crate) fn find(ctx: &Context, params: &SessionFindParams) -> Result<SessionFound, ApiError> {
    let messages = export::transcript(ctx, params.id)?.messages;
    let limit = params.limit.unwrap_or(SHOWN).clamp(1, SHOWN_MOST) as usize;
    let found = within(&messages, &params.text, params.skip as usize, limit);
    Ok(SessionFound { places: found.places, hits: found.hits })
}

pub(crate) fn metrics(ctx: &Context, params: SessionRef) -> Result<SessionMetrics, ApiError> {
    in_index(ctx.page_index(), ctx, |index| index.metrics(params.id, now()))
}

pub(crate) fn project_metrics(
    ctx: &Context,
    params: &ProjectMetricsParams,
) -> Result<ProjectMetrics, ApiError> {
    let listed = ctx.tracker().and_then(|tracker| tracker.list(&ListFilter::board()).map_err(tracker_error));
    let beads = listed.map(|listing| listing.beads);
    let with_label = |label: &String| -> Result<BTreeSet<String>, ApiError> {
        let found = beads.as_ref().map_err(Clone::clone)?;
        let having = found.iter().filter(|bead| bead.labels.contains(label));
        Ok(having.map(|bead| bead.id.to_string()).collect())
    };
    let labelled = params.label.as_ref().map(with_label).transpose()?;
    let scope = Scope { range: params.range, agent: params.agent.clone(), beads: labelled };
    let mut dashboard =
        in_index(ctx.search_index(), ctx, |index| index.dashboard(scope, now(), &chrono::Local))?;
    // Without a label, a failing tracker only hides the number of closed beads.
    if let Ok(beads) = &beads {
        let wanted = |bead: &&Bead| params.label.as_ref().is_none_or(|label| bead.labels.contains(label));
        let closed: Vec<String> = beads.iter().filter(wanted).filter_map(closed_on).collect();
        let within = |first: &str, last: &str| {
            let count = closed.iter().filter(|date| (first..=last).contains(&date.as_str())).count();
            u32::try_from(count).ok()
        };
        let ends = dashboard.days.first().zip(dashboard.days.last());
        dashboard.beads_closed = ends.and_then(|(first, last)| within(&first.date, &last.date));
        if let Some(previous) = &mut dashboard.previous {
            previous.beads_closed = within(&previous.first, &previous.last);
        }
    }
    Ok(ProjectMetrics { days_csv: dashboard.days_csv(), shares_csv: dashboard.shares_csv(), dashboard })
}

/// The day on which a closed bead was closed, in this machine's time zone, such as `2026-01-19`.
fn closed_on(bead: &Bead) -> Option<String> {
    let closed = bead.closed_at.filter(|_| bead.status == BeadStatus::Closed)?;
    Some(closed.with_timezone(&chrono::Local).date_naive().to_string())
}

/// Runs a query on [`Context::search_index`] or, for single sessions, on [`Context::page_index`].
fn in_index<T>(
    mut index: MutexGuard<'_, Option<SearchIndex>>,
    ctx: &Context,
    query: impl FnOnce(&mut SearchIndex) -> Result<T, SearchError>,
) -> Result<T, ApiError> {
    if index.is_none() {
        *index = Some(SearchIndex::open(&ctx.store).map_err(search_error)?);
    }
    query(index.as_mut().expect("the index was just opened")).map_err(search_error)
}

fn search_error(error: SearchError) -> ApiError {
    match error {
        SearchError::Store(error) => store_error(error),
        SearchError::Folder(error) => file_error(error),
        other => ApiError::new(ErrorCode::Io, chain(&other))
            .hint("the search index is only a cache: delete `.beads/sessions/.cache` to rebuild it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_core::{
        ids::SessionId,
        message::{Message, Role},
    };
    use bc_wire::api::Api;

    /// A session with a hundred messages, a minute apart.
    fn session(fixture: &Fixture) -> SessionId {
        let id = fixture.closed(1, 5);
        let lock = fixture.session_lock(id);
        let began = fixture.meta(id).created_at;
        let said = |n: i64| {
            let at = began + chrono::Duration::minutes(n);
            Message::new(format!("m{n}"), Role::User, format!("number {n}."), at)
        };
        lock.message_writer().unwrap().0.append_all(&(0..100).map(said).collect::<Vec<_>>()).unwrap();
        id
    }

    fn ask(id: SessionId) -> SessionPageParams {
        SessionPageParams { id, before: None, at: None, message: None, limit: Some(20) }
    }

    #[test]
    fn a_page_surrounds_the_requested_time_or_message() {
        let fixture = Fixture::new();
        let id = session(&fixture);
        let at = fixture.meta(id).created_at + chrono::Duration::seconds(40 * 60 - 30);
        let page = |params: SessionPageParams| {
            let page = fixture.engine.session_page(params).unwrap();
            assert_eq!(page.total, 100);
            let last = page.first as usize + page.messages.len();
            assert_eq!(page.messages[0].id, format!("m{}", page.first));
            (page.place, page.first as usize..last)
        };
        assert_eq!(page(ask(id)), (None, 80..100));
        assert_eq!(page(SessionPageParams { at: Some(at), ..ask(id) }), (Some(40), 35..55));
        let message = |id: &str| Some(id.to_owned());
        assert_eq!(page(SessionPageParams { message: message("m2"), ..ask(id) }), (Some(2), 0..20));
        assert_eq!(page(SessionPageParams { message: message("m99"), ..ask(id) }), (Some(99), 80..100));
        assert_eq!(page(SessionPageParams { message: message("gone"), ..ask(id) }), (None, 80..100));
        let later = at + chrono::Duration::days(1);
        assert_eq!(page(SessionPageParams { at: Some(later), ..ask(id) }), (None, 80..100));
    }

    #[test]
    fn a_page_shortens_a_giant_message_which_can_be_read_as_a_whole() {
        let fixture = Fixture::new();
        let id = session(&fixture);
        let long = Message::new("long", Role::User, "x".repeat(13 << 20), fixture.meta(id).created_at);
        fixture.session_lock(id).message_writer().unwrap().0.append_all(&[long]).unwrap();
        let page = fixture.engine.session_page(ask(id)).unwrap();
        let last = page.messages.last().unwrap();
        assert!(last.content.len() < 70_000 && last.left_out.unwrap() > 13_000_000, "{:?}", last.left_out);
        let whole = |message: &str| {
            fixture.engine.session_message(SessionMessageParams { id, message: message.to_owned() })
        };
        let read = whole("long").unwrap();
        assert_eq!((read.content.len(), read.left_out), (13 << 20, None));
        assert_eq!(whole("m7").unwrap().content, "number 7.");
        assert_eq!(whole("gone").unwrap_err().code, ErrorCode::Usage);
    }

    #[test]
    fn a_page_reports_the_damage_of_the_whole_transcript() {
        let fixture = Fixture::new();
        let id = session(&fixture);
        let said = || fixture.engine.session_page(ask(id)).unwrap().warnings;
        assert_eq!(said(), Vec::<String>::new());
        let path = fixture.ctx.store.session(id).messages_path();
        let mut bytes = bc_store::file::read(&path).unwrap().unwrap();
        let whole = bytes.clone();
        bytes.extend_from_slice(b"{\"id\": what\n");
        bc_store::file::replace(&path, &bytes).unwrap();
        assert_eq!(said(), ["one damaged line of the conversation was skipped"]);
        bytes.extend_from_slice(b"nothing\n");
        bc_store::file::replace(&path, &bytes).unwrap();
        assert_eq!(said(), ["2 damaged lines of the conversation were skipped"]);
        bc_store::file::replace(&path, &whole).unwrap();
        assert_eq!(said(), Vec::<String>::new());
    }

    #[test]
    fn the_positions_of_a_text_match_the_pages() {
        let fixture = Fixture::new();
        let id = session(&fixture);
        let params = |text: &str, skip| SessionFindParams { id, text: text.to_owned(), skip, limit: Some(2) };
        let found = fixture.engine.session_find(params("R 9", 1)).unwrap();
        assert_eq!(found.places, [9, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
        assert_eq!(found.hits.iter().map(|hit| hit.place).collect::<Vec<_>>(), [Some(90), Some(91)]);
        let page = SessionPageParams { message: found.hits[0].message.clone(), ..ask(id) };
        assert_eq!(fixture.engine.session_page(page).unwrap().place, Some(90));
        let unknown = SessionFindParams { id: SessionId(uuid::Uuid::from_u128(9)), ..params("x", 0) };
        assert_eq!(fixture.engine.session_find(unknown).unwrap_err().code, ErrorCode::SessionNotFound);
    }
}
