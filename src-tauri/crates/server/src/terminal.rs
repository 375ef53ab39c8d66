//! A terminal over a WebSocket. What its messages mean is [`bc_bridge::Terminal`]'s.

use crate::{
    pages,
    server::Shared,
    shutdown::{Guest, farewell, goodbye},
};
use axum::{
    extract::{
        Path, State,
        ws::{Message, WebSocket, WebSocketUpgrade, close_code, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use bc_bridge::{FlowLimits, Outgoing, Terminal, TerminalMessage};
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use std::{pin::pin, sync::Arc, thread};
use tokio::sync::mpsc;

/// The largest message of a client: more is not typed or pasted at once.
const LARGEST: usize = 1 << 20;
/// Messages between the terminal and the socket; what counts is the window of the terminal.
const UNDER_WAY: usize = 4;

pub(crate) async fn attach(
    State(shared): State<Arc<Shared>>,
    Path((project, session)): Path<(String, String)>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(session) = session.parse() else {
        return pages::bad_request(&headers, "A session's id is a UUID.");
    };
    match upgrade {
        Ok(upgrade) => {
            let backend = Arc::clone(&shared.backend);
            let terminal = Terminal::attach(backend, &project, session, FlowLimits::DEFAULT);
            let Some(guest) = shared.door.enter() else {
                return StatusCode::SERVICE_UNAVAILABLE.into_response();
            };
            let upgrade = upgrade.max_message_size(LARGEST);
            upgrade.on_upgrade(move |socket| carry(socket, Arc::new(terminal), guest))
        }
        Err(rejected) => rejected.into_response(),
    }
}

async fn carry(socket: WebSocket, terminal: Arc<Terminal>, guest: Guest) {
    let (out, incoming) = socket.split();
    let (sender, messages) = mpsc::channel(UNDER_WAY);
    let speaking = Arc::clone(&terminal);
    thread::spawn(move || {
        while let Some(message) = speaking.recv() {
            if sender.blocking_send(message).is_err() {
                break;
            }
        }
    });
    let mut listening = pin!(listen(incoming, &terminal));
    tokio::select! {
        () = speak(out, messages, &guest) => farewell(listening).await,
        () = &mut listening => {}
    }
    terminal.close();
}

/// Sends until nothing follows or the server ends, then says so.
async fn speak(
    mut out: SplitSink<WebSocket, Message>,
    mut messages: mpsc::Receiver<Outgoing>,
    guest: &Guest,
) {
    let mut asked_to_go = pin!(guest.asked_to_go());
    let goodbye = loop {
        let message = tokio::select! {
            message = messages.recv() => message,
            () = &mut asked_to_go => break goodbye(close_code::AWAY, "the server is ending"),
        };
        let sent = match message {
            Some(Outgoing::Frame(bytes)) => out.send(Message::binary(bytes)).await,
            Some(Outgoing::Text(text)) => out.send(Message::text(text)).await,
            None => break goodbye(close_code::NORMAL, "nothing follows"),
        };
        if sent.is_err() {
            return;
        }
    };
    // A client that is gone already needs no goodbye.
    let _ = out.send(goodbye).await;
}

/// Hears until the client is gone, or says what makes no sense.
async fn listen(mut incoming: SplitStream<WebSocket>, terminal: &Arc<Terminal>) {
    while let Some(Ok(message)) = incoming.next().await {
        let act: Box<dyn FnOnce(&Terminal) + Send> = match message {
            Message::Binary(bytes) => Box::new(move |terminal| terminal.input(&bytes)),
            Message::Text(text) => match serde_json::from_str::<TerminalMessage>(&text) {
                Ok(said) => Box::new(move |terminal| terminal.control(said)),
                Err(_) => return,
            },
            Message::Close(_) => return,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        let terminal = Arc::clone(terminal);
        // In order, and away from the threads that serve everybody: a program may not read what is typed.
        if tokio::task::spawn_blocking(move || act(&terminal)).await.is_err() {
            return;
        }
    }
}
