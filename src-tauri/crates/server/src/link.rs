//! Grants access to tabs, and proves the server's identity to them. The page that a link opens exchanges the
//! link's token for its tab's token. A tab that lost its connection requests a proof before it sends its
//! token again, because another program may have taken over the port.

use crate::{access::Refused, connections::Connection, pages, rpc, shared::Shared};
use axum::{
    Extension,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;
use std::sync::Arc;

/// The maximum size of a request body, in bytes. A body contains only short strings.
pub(crate) const BODY: usize = 1024;

#[derive(Deserialize)]
struct ExchangeRequest {
    /// The link's token.
    token: String,
}

#[derive(Deserialize)]
struct ProofRequest {
    /// The first part of the tab's token.
    id: String,
    nonce: String,
}

/// `POST /open`: exchanges a link's token for a tab's token.
pub(crate) async fn exchange(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(ExchangeRequest { token }) = read(&headers, &body) else {
        return pages::bad_request(&headers, "The body must be JSON: {\"token\"}.");
    };
    let access = Arc::clone(&shared.access);
    let granted = tokio::task::spawn_blocking(move || access.exchange(&token)).await;
    match granted {
        Ok(Ok(Some(access))) => {
            // If too many connections have access, the tab's next request reports the problem.
            connection.admit();
            rpc::json(StatusCode::OK, &json!({ "access": access }))
        }
        Ok(Ok(None)) => pages::link_is_used(&headers),
        Ok(Err(_)) | Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// `POST /prove`: proves to the requesting tab that this server has its verifier.
pub(crate) async fn prove(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(ProofRequest { id, nonce }) = read(&headers, &body) else {
        return pages::bad_request(&headers, "The body must be JSON: {\"id\", \"nonce\"}.");
    };
    match shared.access.tabs().proof(&id, &nonce) {
        Some(proof) => rpc::json(StatusCode::OK, &json!({ "proof": proof })),
        None => pages::refused(Refused::Token, &headers),
    }
}

fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &Bytes) -> Option<T> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok())?;
    (kind == "application/json").then(|| serde_json::from_slice(body).ok()).flatten()
}
