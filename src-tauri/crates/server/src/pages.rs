//! The few answers that are neither the UI nor JSON: as a page for who looks at them, else as a line.

use crate::access::Refused;
use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Response},
};

/// Why a request is not answered, and what to do.
pub(crate) fn refused(refused: Refused, headers: &HeaderMap) -> Response {
    match refused {
        Refused::Host => answer(StatusCode::FORBIDDEN, headers, "This server does not go by that name", HOST),
        Refused::Origin => {
            answer(StatusCode::FORBIDDEN, headers, "That page may not ask this server", ORIGIN)
        }
        Refused::Token => answer(StatusCode::UNAUTHORIZED, headers, "This page has no access", TOKEN),
    }
}

const HOST: &str = "Open the address that the server printed when it was started.";
const ORIGIN: &str = "Only pages of this server may. Open the link that it printed when it was started.";
const TOKEN: &str = "Run `beads-console serve --link` for a new link, and open it: the one that was printed at the start \
                     works once. If you have just opened it, load this page again.";

/// The link does not work.
pub(crate) fn link_is_used(headers: &HeaderMap) -> Response {
    let why = "It was used already, or belongs to an earlier start. `beads-console serve --link` prints a new one, and so \
               does a browser that is in: Open in another browser…, in the palette.";
    answer(StatusCode::UNAUTHORIZED, headers, "This link does not work any more", why)
}

/// There is nothing at that address.
pub(crate) fn not_found(headers: &HeaderMap) -> Response {
    answer(StatusCode::NOT_FOUND, headers, "There is nothing here", "Go to the start page.")
}

/// A request that makes no sense.
pub(crate) fn bad_request(headers: &HeaderMap, why: &str) -> Response {
    answer(StatusCode::BAD_REQUEST, headers, "That cannot be asked", why)
}

/// What is between backticks as code.
fn coded(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces
        .map(|(i, piece)| if i % 2 == 1 { format!("<code>{piece}</code>") } else { piece.to_owned() })
        .collect()
}

/// Texts are ours alone: nothing of the request is repeated in the page.
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
    fn a_command_is_set_as_code() {
        assert_eq!(coded("Run `a b` now."), "Run <code>a b</code> now.");
        assert_eq!(coded("Nothing to run."), "Nothing to run.");
    }
}
