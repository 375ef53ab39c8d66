//! The middleware: checks the source of each request, sets the headers of each answer, and requires a token on
//! the routes that are not public.

use crate::{
    access::{Access, Refused},
    connections::Connection,
    origin::Origin,
    pages,
    shared::Shared,
};
use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use std::sync::Arc;

/// Middleware for all routes: refuses requests for other hosts or from other origins, and sets the security
/// headers.
pub(crate) async fn apply(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let old_cookie = shared.access.clears_old_cookie(request.headers());
    let checked = shared.access.check_source(request.method(), request.uri(), request.headers());
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(refused) => pages::refused(refused, request.headers()),
    };
    set_headers(response.headers_mut(), &shared.policy);
    if let Some(gone) = old_cookie {
        response.headers_mut().insert(header::SET_COOKIE, gone);
    }
    response
}

/// Middleware for routes that are not public: requires a valid token, and cancels the answer if the access is
/// revoked.
pub(crate) async fn require_access(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    mut request: Request,
    next: Next,
) -> Response {
    let holder = match shared.access.check_token(request.headers()) {
        Ok(holder) if connection.admit() => holder,
        Ok(_) => return pages::refused(Refused::Busy, request.headers()),
        Err(refused) => return pages::refused(refused, request.headers()),
    };
    let (revoked, headers) = (holder.revoked(), request.headers().clone());
    request.extensions_mut().insert(holder);
    tokio::select! {
        answer = next.run(request) => answer,
        // If the access is revoked meanwhile, the person gets a refusal instead of the answer. The running
        // command is not undone.
        () = revoked => pages::refused(Refused::Token, &headers),
    }
}

/// The content security policy. Apart from inline styles and `data:` images, a page can only load from and
/// connect to this server.
pub(crate) fn content_policy(access: &Access) -> HeaderValue {
    let sockets: Vec<String> = access.origins().iter().map(Origin::websocket).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         font-src 'self'; connect-src 'self' {}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        sockets.join(" ")
    );
    HeaderValue::from_str(&policy).expect("plain text is a header")
}

fn set_headers(headers: &mut HeaderMap, policy: &HeaderValue) {
    const FIXED: [(HeaderName, &str); 5] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
