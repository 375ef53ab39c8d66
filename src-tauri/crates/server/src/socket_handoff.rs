//! Hands a terminal's connection to the session's host. The server authenticates the browser and upgrades the
//! connection to a WebSocket; it then keeps a link to the host until either side ends.

use crate::{
    access,
    shutdown::{FAREWELL, Guest},
};
use axum::{
    Extension,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bc_bridge::{Backend, TerminalHandoff};
use bc_core::ids::SessionId;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use std::{io, os::fd::AsFd, sync::Arc};
use tokio::{io::AsyncReadExt, net::TcpStream, net::UnixStream};
use tungstenite::handshake::derive_accept_key;

/// The handoff for this terminal, if its host supports it.
pub(crate) async fn find(
    backend: &Arc<dyn Backend>,
    project: &str,
    session: SessionId,
) -> Option<Box<dyn TerminalHandoff>> {
    let (backend, project) = (Arc::clone(backend), project.to_owned());
    let asked = tokio::task::spawn_blocking(move || backend.terminal_handoff(&project, session));
    asked.await.ok().flatten()
}

/// Answers a WebSocket request, and hands over the upgraded connection.
pub(crate) fn serve(
    terminal: Box<dyn TerminalHandoff>,
    headers: &HeaderMap,
    connection: Option<Extension<OnUpgrade>>,
    guest: Guest,
) -> Response {
    let (Some(Extension(connection)), Some(key)) = (connection, headers.get(header::SEC_WEBSOCKET_KEY))
    else {
        return StatusCode::UPGRADE_REQUIRED.into_response();
    };
    tokio::spawn(async move {
        let handed = async { hand_over(connection.await.map_err(io::Error::other)?, terminal).await };
        tokio::select! {
            // A browser that disconnected meanwhile connects again.
            handed = handed => if let Ok(link) = handed { hold_open(link, &guest).await },
            _ = guest.asked_to_go() => {}
        }
    });
    let accepted = [
        (header::CONNECTION, "upgrade".to_owned()),
        (header::UPGRADE, "websocket".to_owned()),
        (header::SEC_WEBSOCKET_ACCEPT, derive_accept_key(key.as_bytes())),
    ];
    let mut answer = (StatusCode::SWITCHING_PROTOCOLS, accepted).into_response();
    // A browser closes a connection that accepts none of its offered subprotocols, or another one.
    if access::offers_ours(headers) {
        let ours = HeaderValue::from_static(access::SUBPROTOCOL);
        answer.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, ours);
    }
    answer
}

async fn hand_over(connection: Upgraded, terminal: Box<dyn TerminalHandoff>) -> io::Result<UnixStream> {
    let other = |_| io::Error::other("unexpected connection type");
    let parts = connection.downcast::<TokioIo<TcpStream>>().map_err(other)?;
    let client = parts.io.into_inner().into_std()?;
    let read = parts.read_buf;
    let serve = move || terminal.serve(client.as_fd(), &read);
    let link = tokio::task::spawn_blocking(serve).await.map_err(io::Error::other)??;
    link.set_nonblocking(true)?;
    UnixStream::from_std(link)
}

/// Waits until the browser has gone; disconnects it when the server ends.
async fn hold_open(mut link: UnixStream, guest: &Guest) {
    tokio::select! {
        () = closed(&mut link) => return,
        _ = guest.asked_to_go() => {}
    }
    // It may have gone already.
    let _ = tokio::io::AsyncWriteExt::shutdown(&mut link).await;
    // A client that does not answer is disconnected.
    let _ = tokio::time::timeout(2 * FAREWELL, closed(&mut link)).await;
}

async fn closed(link: &mut UnixStream) {
    // The host sends nothing on this link; only its end matters.
    while link.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
}
