//! Every route of the server, in one table: what is not in it is not served, and a test walks it.

use crate::{events, files, link, policy, rpc, server::Shared, terminal};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{MethodRouter, get, post},
};
use std::sync::Arc;

/// Where the link leads: the one path that is answered without a token.
pub(crate) const LINK: &str = "/open";

/// The largest body of a request: a long text with room for its escapes.
const BODY: usize = 4 << 20;

/// One route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// Its method; a WebSocket begins as GET.
    pub method: &'static str,
    /// Its path with its parameters in braces.
    pub path: &'static str,
    /// Whether it becomes a WebSocket.
    pub websocket: bool,
}

const fn route(method: &'static str, path: &'static str, websocket: bool) -> Route {
    Route { method, path, websocket }
}

/// Every route.
pub const ROUTES: &[Route] = &[
    route("GET", "/", false),
    route("GET", "/{*path}", false),
    route("GET", LINK, false),
    route("POST", "/rpc/{method}", false),
    route("GET", "/events", true),
    route("GET", "/terminal/{project}/{session}", true),
];

fn handler(path: &'static str) -> MethodRouter<Arc<Shared>> {
    match path {
        "/" | "/{*path}" => get(files::file),
        LINK => get(link::open),
        "/rpc/{method}" => post(rpc::call),
        "/events" => get(events::follow),
        "/terminal/{project}/{session}" => get(terminal::attach),
        _ => unreachable!("{path} is in the table and has no handler"),
    }
}

/// The whole server behind its policy.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let router =
        ROUTES.iter().fold(Router::new(), |router, route| router.route(route.path, handler(route.path)));
    router
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), policy::apply))
        .with_state(shared)
}
