//! Grants access to tabs, and proves the server's identity to them. The page that a link opens exchanges the
//! link's token for its tab's token. A tab that lost its connection requests a proof before it sends its
//! token again, because another program may have taken over the port.

use crate::{connections::Connection, pages, shared::Shared};
use axum::{
    Extension,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// The maximum size of a request body, in bytes. A body contains only short strings.
pub(crate) const BODY: usize = 1024;

#[derive(Deserialize)]
pub(crate) struct Given {
    token: String,
}

#[derive(Serialize)]
struct Granted {
    access: String,
}

#[derive(Deserialize)]
pub(crate) struct Doubted {
    id: String,
    nonce: String,
}

#[derive(Serialize)]
struct Proved {
    proof: String,
}

/// `POST /open`: exchanges a link's token for a tab's token.
pub(crate) async fn exchange(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(Given { token }) = read(&headers, &body) else {
        return pages::bad_request(&headers, "The body must be JSON: {\"token\"}.");
    };
    let access = Arc::clone(&shared.access);
    let granted = tokio::task::spawn_blocking(move || access.exchange(&token)).await;
    match granted {
        Ok(Ok(Some(access))) => {
            // If too many connections have access, the tab's next request reports the problem.
            connection.admit();
            answer(&Granted { access })
        }
        Ok(Ok(None)) => pages::link_is_used(&headers),
        Ok(Err(_)) | Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// `POST /prove`: proves to the requesting tab that this server has its verifier.
pub(crate) async fn prove(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(Doubted { id, nonce }) = read(&headers, &body) else {
        return pages::bad_request(&headers, "The body must be JSON: {\"id\", \"nonce\"}.");
    };
    match shared.access.proof(&id, &nonce) {
        Some(proof) => answer(&Proved { proof }),
        None => pages::refused(crate::access::Refused::Token, &headers),
    }
}

fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &Bytes) -> Option<T> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok())?;
    (kind == "application/json").then(|| serde_json::from_slice(body).ok()).flatten()
}

fn answer(value: &impl Serialize) -> Response {
    let body = serde_json::to_vec(value).expect("it has only text keys");
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
