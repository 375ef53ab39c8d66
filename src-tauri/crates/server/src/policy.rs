//! The layer before every route: who may ask, and the headers of every answer.

use crate::{
    access::{Access, Refused},
    pages,
    routes::LINK,
    server::Shared,
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};
use std::sync::Arc;

/// Answers what may not be asked, and gives every answer its headers.
pub(crate) async fn apply(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match judge(&shared.access, &request) {
        Ok(()) => next.run(request).await,
        Err(refused) => pages::refused(refused, request.headers()),
    };
    set_headers(response.headers_mut(), &shared.policy);
    response
}

fn judge(access: &Access, request: &Request) -> Result<(), Refused> {
    access.check_source(request.method(), request.uri(), request.headers())?;
    match *request.method() == Method::GET && request.uri().path() == LINK {
        true => Ok(()),
        false => access.check_token(request.headers()),
    }
}

/// What a page may load and connect to: this server, and nothing else.
pub(crate) fn content_policy(access: &Access) -> HeaderValue {
    let [ip, name] = access.hosts();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         font-src 'self'; connect-src 'self' ws://{ip} ws://{name}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
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
