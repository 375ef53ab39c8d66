//! Handles commands. Parameters and results are JSON.

use crate::{people::Holder, shared::Shared};
use axum::{
    Extension,
    body::Bytes,
    extract::{FromRequest, Path, Request, State, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use bc_wire::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{sync::Arc, time::Duration};

/// The maximum size of a command, in bytes, which is enough for long text with escapes.
pub(crate) const BODY: usize = 16 << 20;

/// The time limit for receiving a command.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandRequest {
    #[serde(default)]
    project: Option<String>,
    #[serde(default)]
    params: Value,
}

pub(crate) async fn call(
    State(shared): State<Arc<Shared>>,
    Path(method): Path<String>,
    Extension(holder): Extension<Holder>,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let Ok(body) = tokio::time::timeout(BODY_TIMEOUT, Bytes::from_request(request, &())).await else {
        let error = ApiError::new(ErrorCode::Usage, "the command did not arrive in time");
        return json(StatusCode::REQUEST_TIMEOUT, &error);
    };
    let CommandRequest { project, params } = match read(&headers, body) {
        Ok(request) => request,
        Err((status, error)) => return json(status, &error),
    };
    let backend = Arc::clone(&shared.backend);
    let answer = move || backend.answer(holder.person.as_deref(), &method, project.as_deref(), params);
    match tokio::task::spawn_blocking(answer).await {
        Ok(Ok(result)) => json_response(StatusCode::OK, result.into_bytes()),
        Ok(Err(error)) => json(status(error.code), &error),
        Err(_) => {
            let error = ApiError::new(ErrorCode::Internal, "the command ended without an answer")
                .hint("see the server's output for the cause; the command may have taken effect");
            json(StatusCode::INTERNAL_SERVER_ERROR, &error)
        }
    }
}

fn read(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<CommandRequest, (StatusCode, ApiError)> {
    let usage = |status, message: String| (status, ApiError::new(ErrorCode::Usage, message));
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        let message = "a command must be sent as application/json".to_owned();
        return Err(usage(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let body = body.map_err(|rejected| match rejected.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let error = ApiError::new(ErrorCode::TextTooLarge, "a command may have at most 16 MiB");
            (StatusCode::PAYLOAD_TOO_LARGE, error.hint("send less text at a time"))
        }
        status => usage(status, "the command arrived incomplete".to_owned()),
    })?;
    serde_json::from_slice(&body).map_err(|error| {
        usage(
            StatusCode::BAD_REQUEST,
            format!("a command must be JSON with \"project\" and \"params\": {error}"),
        )
    })
}

/// A response with a value that always serializes.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    json_response(status, serde_json::to_vec(value).expect("an answer has only text keys"))
}

fn json_response(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// The HTTP status for an error code. Clients rely on the code in the body, not on the status.
fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::TextTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::TrackerTimeout => StatusCode::GATEWAY_TIMEOUT,
        ErrorCode::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
        _ => match code.exit_code() {
            2 => StatusCode::BAD_REQUEST,
            3 => StatusCode::NOT_FOUND,
            4 => StatusCode::CONFLICT,
            5 => StatusCode::FAILED_DEPENDENCY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        },
    }
}
