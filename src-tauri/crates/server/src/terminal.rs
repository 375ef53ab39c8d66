//! Serves a terminal over a WebSocket. [`bc_core::terminal`] defines the messages.

use crate::{
    access::SUBPROTOCOL,
    pages,
    people::Holder,
    shared::Shared,
    shutdown::{Registration, await_close, close_frame},
};
use axum::{
    Extension,
    extract::{
        Path, State,
        ws::{Message, WebSocket, WebSocketUpgrade, close_code, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use bc_bridge::{FlowLimits, Outgoing, Terminal};
use bc_core::terminal::{CLIENT_MESSAGE_MAX, TerminalMessage};
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use std::{future::poll_fn, pin::pin, sync::Arc};

pub(crate) async fn attach(
    State(shared): State<Arc<Shared>>,
    Path((project, session)): Path<(String, String)>,
    Extension(holder): Extension<Holder>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(session) = session.parse() else {
        return pages::bad_request(&headers, "A session id must be a UUID.");
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols([SUBPROTOCOL]).max_message_size(CLIENT_MESSAGE_MAX),
        Err(rejected) => return rejected.into_response(),
    };
    let Some(registration) = shared.websockets.register(holder) else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let backend = Arc::clone(&shared.backend);
    let terminal = Terminal::attach(backend, &project, session, FlowLimits::DEFAULT);
    upgrade.on_upgrade(move |socket| connect(socket, Arc::new(terminal), registration))
}

async fn connect(socket: WebSocket, terminal: Arc<Terminal>, registration: Registration) {
    let (out, incoming) = socket.split();
    let mut listening = pin!(listen(incoming, &terminal));
    tokio::select! {
        () = send(out, &terminal, &registration) => await_close(listening).await,
        () = &mut listening => {}
    }
    terminal.close();
}

/// Sends messages until the terminal or the server ends, followed by a close frame.
async fn send(mut out: SplitSink<WebSocket, Message>, terminal: &Terminal, registration: &Registration) {
    let mut close_requested = pin!(registration.close_requested());
    let frame = loop {
        let message = tokio::select! {
            message = poll_fn(|context| terminal.poll_recv(context)) => message,
            frame = &mut close_requested => break frame,
        };
        let sent = match message {
            Some(Outgoing::Frame(bytes)) => out.send(Message::binary(bytes)).await,
            Some(Outgoing::Text(text)) => out.send(Message::text(text)).await,
            None => break close_frame(close_code::NORMAL, "end of stream"),
        };
        if sent.is_err() {
            return;
        }
    };
    // An error is ignored, because the client may already have disconnected.
    let _ = out.send(frame).await;
}

/// Receives messages until the client disconnects or sends an invalid message.
async fn listen(mut incoming: SplitStream<WebSocket>, terminal: &Arc<Terminal>) {
    while let Some(Ok(message)) = incoming.next().await {
        let act: Box<dyn FnOnce(&Terminal) + Send> = match message {
            Message::Binary(bytes) => Box::new(move |terminal| terminal.input(&bytes)),
            Message::Text(text) => match serde_json::from_str::<TerminalMessage>(&text) {
                Ok(message @ TerminalMessage::Ack { .. }) => {
                    terminal.control(message);
                    continue;
                }
                Ok(message) => Box::new(move |terminal| terminal.control(message)),
                Err(_) => return,
            },
            Message::Close(_) => return,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        let terminal = Arc::clone(terminal);
        // Await the call to keep the messages in order. It runs on a blocking thread, because the write
        // blocks while the program does not read its input.
        if tokio::task::spawn_blocking(move || act(&terminal)).await.is_err() {
            return;
        }
    }
}
