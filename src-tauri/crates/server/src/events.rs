//! Sends events over a WebSocket, one message per event.

use crate::{
    access::SUBPROTOCOL,
    pages,
    people::{Holder, Present},
    shared::Shared,
    shutdown::{Registration, await_close, close_frame},
};
use axum::{
    Extension,
    extract::{
        Query, State,
        rejection::QueryRejection,
        ws::{Message, WebSocket, WebSocketUpgrade, close_code, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use bc_bridge::EventFeed;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use std::{pin::pin, sync::Arc, thread};
use tokio::sync::mpsc;

/// The maximum number of events in the channel between the thread that reads the feed and the WebSocket.
const EVENTS_MAX: usize = 64;

#[derive(Deserialize)]
pub(crate) struct EventsQuery {
    /// The number of the last received event; absent for future events only.
    since: Option<u64>,
}

pub(crate) async fn follow(
    State(shared): State<Arc<Shared>>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    query: Result<Query<EventsQuery>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(Query(query)) = query else { return pages::bad_request(&headers, "`since` must be a number.") };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols([SUBPROTOCOL]).max_message_size(4096),
        Err(rejected) => return rejected.into_response(),
    };
    let feed = shared.backend.events(query.since);
    let person = holder.person.clone();
    let Some(registration) = shared.websockets.register(holder) else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let presence = Arc::clone(&shared.presence);
    upgrade.on_upgrade(move |socket| send(socket, feed, registration, presence.enter(person)))
}

async fn send(socket: WebSocket, mut feed: EventFeed, registration: Registration, _present: Present) {
    // Dropping this value stops the thread that reads the feed.
    let _stop = feed.stopper();
    let (sender, mut events) = mpsc::channel(EVENTS_MAX);
    thread::spawn(move || {
        while let Some(event) = feed.recv() {
            if sender.blocking_send(event).is_err() {
                break;
            }
        }
    });
    let (mut out, mut incoming) = socket.split();
    // Clients do not send messages on this WebSocket, so incoming messages are ignored.
    let mut listening = pin!(async { while incoming.next().await.is_some_and(|message| message.is_ok()) {} });
    let mut close_requested = pin!(registration.close_requested());
    let last = loop {
        let event = tokio::select! {
            event = events.recv() => event,
            frame = &mut close_requested => break frame,
            () = &mut listening => return,
        };
        let Some(event) = event else { break close_frame(close_code::AWAY, "the server is ending") };
        if out.send(Message::text(&*event)).await.is_err() {
            return;
        }
    };
    // An error is ignored, because the client may already have disconnected.
    let _ = out.send(last).await;
    await_close(listening).await;
}
