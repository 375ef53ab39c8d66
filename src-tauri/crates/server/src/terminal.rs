//! A terminal over a WebSocket. What its messages mean is [`bc_bridge::Terminal`]'s. One task does it all,
//! reading the session included, so that a key and its echo wake up this task and no thread beside it.

use crate::{
    pages,
    server::Shared,
    shutdown::{Guest, farewell, goodbye},
    source::Source,
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
use std::{future::poll_fn, pin::pin, sync::Arc};

/// The largest message of a client: more is not typed or pasted at once.
const LARGEST: usize = 1 << 20;

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
            let terminal = Source::open(backend, &project, session, FlowLimits::DEFAULT);
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
    let mut listening = pin!(listen(incoming, &terminal));
    tokio::select! {
        () = speak(out, &terminal, &guest) => farewell(listening).await,
        () = &mut listening => {}
    }
    terminal.close();
}

/// Sends until nothing follows or the server ends, then says so.
async fn speak(mut out: SplitSink<WebSocket, Message>, terminal: &Terminal, guest: &Guest) {
    let mut asked_to_go = pin!(guest.asked_to_go());
    let mut source = Source::default();
    let goodbye = loop {
        let message = tokio::select! {
            message = poll_fn(|context| source.poll_recv(terminal, context)) => message,
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
            // Nearly always: a key goes on its way without another thread.
            Message::Binary(bytes) if terminal.input_now(&bytes) => continue,
            Message::Binary(bytes) => Box::new(move |terminal| terminal.input(&bytes)),
            Message::Text(text) => match serde_json::from_str::<TerminalMessage>(&text) {
                Ok(said @ TerminalMessage::Ack { .. }) => {
                    terminal.control(said);
                    continue;
                }
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
