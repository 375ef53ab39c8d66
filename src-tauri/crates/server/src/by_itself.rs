//! A terminal that its session serves by itself: the browser is asked for its token here as everywhere, its
//! connection becomes a WebSocket, and is handed over. The server stays beside it until one of the two goes.

use crate::shutdown::{FAREWELL, Guest};
use axum::{
    Extension,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use bc_bridge::{Backend, TerminalByItself};
use bc_core::ids::SessionId;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::{rt::TokioIo, server::conn::auto::upgrade};
use std::{io, os::fd::AsFd, sync::Arc};
use tokio::{io::AsyncReadExt, net::TcpStream, net::UnixStream};
use tungstenite::handshake::derive_accept_key;

/// Whoever serves this terminal by itself, if anybody does.
pub(crate) async fn of(
    backend: &Arc<dyn Backend>,
    project: &str,
    session: SessionId,
) -> Option<Box<dyn TerminalByItself>> {
    let (backend, project) = (Arc::clone(backend), project.to_owned());
    let asked = tokio::task::spawn_blocking(move || backend.terminal_by_itself(&project, session));
    asked.await.ok().flatten()
}

/// Answers a request that was found to be one for a WebSocket, and hands over the connection when it is one.
pub(crate) fn serve(
    terminal: Box<dyn TerminalByItself>,
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
            // A browser that went away meanwhile connects again.
            handed = handed => if let Ok(beside) = handed { stay(beside, &guest).await },
            () = guest.asked_to_go() => {}
        }
    });
    let accepted = [
        (header::CONNECTION, "upgrade".to_owned()),
        (header::UPGRADE, "websocket".to_owned()),
        (header::SEC_WEBSOCKET_ACCEPT, derive_accept_key(key.as_bytes())),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, accepted).into_response()
}

async fn hand_over(connection: Upgraded, terminal: Box<dyn TerminalByItself>) -> io::Result<UnixStream> {
    let other = |_| io::Error::other("the connection is of another kind");
    let parts = upgrade::downcast::<TokioIo<TcpStream>>(connection).map_err(other)?;
    let client = parts.io.into_inner().into_std()?;
    let read = parts.read_buf;
    let serve = move || terminal.serve(client.as_fd(), &read);
    let beside = tokio::task::spawn_blocking(serve).await.map_err(io::Error::other)??;
    beside.set_nonblocking(true)?;
    UnixStream::from_std(beside)
}

/// Waits until the browser has gone; sends it away when the server ends.
async fn stay(mut beside: UnixStream, guest: &Guest) {
    tokio::select! {
        () = gone(&mut beside) => return,
        () = guest.asked_to_go() => {}
    }
    // One that is gone already needs no goodbye.
    let _ = tokio::io::AsyncWriteExt::shutdown(&mut beside).await;
    // One that does not answer is cut.
    let _ = tokio::time::timeout(2 * FAREWELL, gone(&mut beside)).await;
}

async fn gone(beside: &mut UnixStream) {
    // Nothing is said on it but its end.
    while beside.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
}
