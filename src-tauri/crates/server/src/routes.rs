//! The table of all routes. The server has no other routes, and a test checks each entry.

use crate::{events, files, link, policy, rpc, shared::Shared, terminal};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{MethodRouter, get, post},
};
use std::sync::Arc;

/// One entry of [`ROUTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The HTTP method; `GET` for a WebSocket.
    pub method: &'static str,
    /// The path, with parameters in braces.
    pub path: &'static str,
    pub websocket: bool,
    /// Whether the route does not need a token. Public routes never return user data.
    pub public: bool,
}

const fn public(method: &'static str, path: &'static str) -> Route {
    Route { method, path, websocket: false, public: true }
}

const fn private(method: &'static str, path: &'static str, websocket: bool) -> Route {
    Route { method, path, websocket, public: false }
}

/// Every route of the server, in no particular order.
pub const ROUTES: &[Route] = &[
    public("GET", "/"),
    public("GET", "/{*path}"),
    public("GET", "/open"),
    public("POST", "/open"),
    public("POST", "/prove"),
    private("POST", "/rpc/{method}", false),
    private("GET", "/events", true),
    private("GET", "/terminal/{project}/{session}", true),
];

fn handler(Route { method, path, .. }: &Route) -> MethodRouter<Arc<Shared>> {
    let small = DefaultBodyLimit::max(link::BODY);
    match (*method, *path) {
        ("GET", "/") | ("GET", "/{*path}") => get(files::file),
        ("GET", "/open") => get(files::page),
        ("POST", "/open") => post(link::exchange).layer(small),
        ("POST", "/prove") => post(link::prove).layer(small),
        ("POST", "/rpc/{method}") => post(rpc::call),
        ("GET", "/events") => get(events::follow),
        ("GET", "/terminal/{project}/{session}") => get(terminal::attach),
        _ => unreachable!("{method} {path} has no handler"),
    }
}

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let access = middleware::from_fn_with_state(Arc::clone(&shared), policy::require_access);
    let behind_access = |route: &Route| match route.public {
        true => handler(route),
        // Requests with other methods also pass through the access check.
        false => handler(route).layer(access.clone()),
    };
    let router =
        ROUTES.iter().fold(Router::new(), |router, route| router.route(route.path, behind_access(route)));
    router
        .layer(DefaultBodyLimit::max(rpc::BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), policy::apply))
        .with_state(shared)
}
