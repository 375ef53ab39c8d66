//! Answers that are neither part of the UI nor JSON: a page if the client accepts HTML, otherwise a line of
//! text.

use crate::access::Refused;
use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Response},
};

/// The answer to a refused request, with the reason and the next step.
pub(crate) fn refused(refused: Refused, headers: &HeaderMap) -> Response {
    match refused {
        Refused::Host => answer(StatusCode::FORBIDDEN, headers, "Unknown host name", HOST),
        Refused::Origin => {
            answer(StatusCode::FORBIDDEN, headers, "This page may not access the server", ORIGIN)
        }
        Refused::Token => answer(StatusCode::UNAUTHORIZED, headers, "Access denied", TOKEN),
        Refused::Busy => {
            answer(StatusCode::SERVICE_UNAVAILABLE, headers, "Too many connections are open", BUSY)
        }
    }
}

const HOST: &str = "Open the address that the server printed at its start.";
const ORIGIN: &str = "Only the server's own pages may. Open the link that the server printed at its start.";
const TOKEN: &str = "Run `beads-console serve --link` and open the link that it prints.";
const BUSY: &str = "Close tabs that you do not need, and try again.";

/// The answer to a link that was already used, was replaced, or never existed.
pub(crate) fn link_is_used(headers: &HeaderMap) -> Response {
    let why =
        "It was already used, or replaced by a newer one. `beads-console serve --link` prints a new link.";
    answer(StatusCode::UNAUTHORIZED, headers, "This link no longer works", why)
}

pub(crate) fn not_found(headers: &HeaderMap) -> Response {
    answer(StatusCode::NOT_FOUND, headers, "Page not found", "Go to the start page.")
}

pub(crate) fn bad_request(headers: &HeaderMap, why: &str) -> Response {
    answer(StatusCode::BAD_REQUEST, headers, "Invalid request", why)
}

/// Marks the parts in backticks as code.
fn coded(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces
        .map(|(i, piece)| if i % 2 == 1 { format!("<code>{piece}</code>") } else { piece.to_owned() })
        .collect()
}

/// Builds the answer from fixed strings, so that the page never repeats any part of the request.
fn answer(status: StatusCode, headers: &HeaderMap, what: &str, todo: &str) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !accepted.contains("text/html") {
        return (status, format!("{what}. {todo}\n")).into_response();
    }
    let page = include_str!("page.html").replace("{what}", what).replace("{todo}", &coded(todo));
    (status, Html(page)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_code() {
        assert_eq!(coded("Run `a b` now."), "Run <code>a b</code> now.");
        assert_eq!(coded("Nothing to run."), "Nothing to run.");
    }
}
