//! A browser at the session's terminal, served by the host itself: whoever let the browser in, a server, hands its
//! connection over once it has become a WebSocket, so that nobody else has to wake up between a key and the
//! program, nor between the program and the browser. The server stays connected as long as the browser may: when
//! it goes, the browser is sent away, and when the browser goes, the server's connection ends.
//!
//! What passes is [`bc_core::terminal`]'s.

#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) mod told;
#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub(crate) use unix::converse;

/// Nothing is handed over here.
#[cfg(not(unix))]
pub(crate) fn converse(
    _id: crate::server::ClientId,
    _server: bc_process::socket::Stream,
    _office: &std::sync::Arc<crate::owner::Office>,
) {
}
