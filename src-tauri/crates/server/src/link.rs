//! The link that opens a browser: its token is exchanged for a cookie, then it is gone from the address.

use crate::{pages, server::Shared};
use axum::{
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use std::sync::Arc;

#[derive(Deserialize)]
pub(crate) struct Given {
    #[serde(default)]
    token: String,
}

pub(crate) async fn open(
    State(shared): State<Arc<Shared>>,
    Query(given): Query<Given>,
    headers: HeaderMap,
) -> Response {
    // A browser that guesses what will be opened must not use up what works once.
    let guessed =
        |name| headers.get(name).is_some_and(|value: &HeaderValue| value.as_bytes().ends_with(b"prefetch"));
    if guessed("sec-purpose") || guessed("purpose") {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let home = (header::LOCATION, HeaderValue::from_static("/"));
    match shared.access.exchange(&given.token) {
        Some(cookie) => (StatusCode::SEE_OTHER, [home, (header::SET_COOKIE, cookie)]).into_response(),
        None if shared.access.check_token(&headers).is_ok() => {
            (StatusCode::SEE_OTHER, [home]).into_response()
        }
        None => pages::link_is_used(&headers),
    }
}
