//! Serves a browser at the session's terminal. A server accepts the browser and hands its connection over once it is
//! a WebSocket. So no other process has to wake up between a key and the program, or between the program and the
//! browser. The server remains connected as long as the browser is allowed: when the server's connection ends, the
//! browser is disconnected, and when the browser goes, the server's connection ends.
//!
//! [`bc_core::terminal`] defines the messages.

#[cfg(unix)]
mod unix;
#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) mod ws_flow_control;

#[cfg(unix)]
pub(crate) use unix::serve_browser;

/// A connection cannot be handed over on this system.
#[cfg(not(unix))]
pub(crate) fn serve_browser(
    _id: crate::client_id::ClientId,
    _server: bc_process::socket::Stream,
    _actor: &std::sync::Arc<crate::actor::ActorHandle>,
) {
}
