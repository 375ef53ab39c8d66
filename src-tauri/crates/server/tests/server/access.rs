//! Tests access: the routes with missing, wrong and foreign tokens, origins and hosts; also links, restarts,
//! a proxy and security headers.

use crate::{
    backend::TestBackend,
    client::{Headers, Running, SESSION, running, start},
};
use bc_server::{ROUTES, Route, ServeOptions};
use std::{
    io::{Read, Write},
    sync::atomic::Ordering,
};

/// A route's method and path, as in [`Route`], and its kind.
type ExpectedRoute = (&'static str, &'static str, Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The route does not need a token.
    Public,
    Private,
    Socket,
}
use Kind::{Private, Public, Socket};

/// The expected routes. A new route must be added to this list, so that it is tested.
const EXPECTED: &[ExpectedRoute] = &[
    ("GET", "/", Public),
    ("GET", "/{*path}", Public),
    ("GET", "/open", Public),
    ("POST", "/open", Public),
    ("POST", "/prove", Public),
    ("POST", "/rpc/{method}", Private),
    ("GET", "/events", Socket),
    ("GET", "/terminal/{project}/{session}", Socket),
];

fn concrete(path: &str) -> String {
    let path = path.replace("{*path}", "index.html").replace("{method}", "echo");
    path.replace("{project}", "cat").replace("{session}", SESSION)
}

/// The status of the answer, which is 101 if the connection becomes a WebSocket.
fn status(server: &Running, (method, path, kind): ExpectedRoute, headers: Headers) -> u16 {
    let path = concrete(path);
    if kind == Socket {
        return server.socket_with(&path, headers).map_or_else(|status| status, |_| 101);
    }
    let mut headers = headers.to_vec();
    headers.push(("Content-Type", "application/json".to_owned()));
    server.ask(method, &path, &headers, "{}").status
}

/// The status of a request with the UI's own headers. The public POST routes answer 400, because the body
/// `{}` lacks their fields.
fn usual((method, path, kind): ExpectedRoute) -> u16 {
    match (kind, method, path) {
        (Socket, ..) => 101,
        (Public, "POST", _) => 400,
        _ => 200,
    }
}

/// The headers that the UI sends to a route.
fn own(server: &Running, (_, _, kind): ExpectedRoute) -> Vec<(&'static str, String)> {
    if kind == Socket { server.own_socket() } else { server.own() }
}

/// The UI's headers, with one header replaced or removed.
fn with(
    server: &Running,
    route: ExpectedRoute,
    name: &str,
    value: Option<&str>,
) -> Vec<(&'static str, String)> {
    let mut headers = own(server, route);
    match value {
        Some(value) => {
            headers.iter_mut().filter(|header| header.0 == name).for_each(|h| h.1 = value.to_owned())
        }
        None => headers.retain(|header| header.0 != name),
    }
    headers
}

#[test]
fn every_route_is_known_to_this_test() {
    let kind = |route: &Route| match (route.public, route.websocket) {
        (true, _) => Public,
        (false, false) => Private,
        (false, true) => Socket,
    };
    let found: Vec<_> = ROUTES.iter().map(|route| (route.method, route.path, kind(route))).collect();
    assert_eq!(found, EXPECTED);
}

#[test]
fn the_ui_is_allowed_on_every_route() {
    let server = running();
    for route in EXPECTED {
        assert_eq!(status(&server, *route, &own(&server, *route)), usual(*route), "{route:?}");
    }
}

#[test]
fn no_private_route_is_answered_without_the_token() {
    let server = running();
    let other = running();
    let unused = server.links.fresh().unwrap();
    let link_token = unused.rsplit('=').next().unwrap();
    let (id, secret) = server.token.split_once('.').unwrap();
    let wrong_tokens = [
        String::new(),
        "0".repeat(64),
        link_token.to_owned(),
        format!("{id}.{link_token}"),
        other.token.clone(),
        id.to_owned(),
        secret.to_owned(),
        server.token[..server.token.len() - 1].to_owned(),
    ];
    for route in EXPECTED.iter().filter(|route| route.2 != Public) {
        for token in &wrong_tokens {
            for (name, value) in [
                ("Authorization", format!("Bearer {token}")),
                ("Authorization", format!("Basic {token}")),
                ("Sec-WebSocket-Protocol", format!("beads-console, access.{token}")),
                ("Cookie", format!("beads_console_{}={token}", server.port)),
            ] {
                let mut headers = server.page();
                headers.push((name, value));
                assert_eq!(status(&server, *route, &headers), 401, "{route:?} {name} {token}");
            }
        }
        assert_eq!(status(&server, *route, &server.page()), 401, "{route:?}");
        // The correct token in a cookie, which a browser would send automatically.
        for name in [format!("beads_console_{}", server.port), "access".to_owned()] {
            let mut headers = server.page();
            headers.push(("Cookie", format!("{name}={}", server.token)));
            assert_eq!(status(&server, *route, &headers), 401, "{route:?} {name}");
        }
        let path = format!("{}?access={}&token={}", concrete(route.1), server.token, server.token);
        assert_eq!(server.ask(route.0, &path, &server.page(), "{}").status, 401, "{path}");
    }
    assert_eq!(server.backend.calls.load(Ordering::SeqCst), 0);
}

#[test]
fn no_route_answers_to_another_host() {
    let server = running();
    let other_port = format!("127.0.0.1:{}", server.port ^ 1);
    let name = format!("evil.example:{}", server.port);
    let longer = format!("127.0.0.1:{}.evil.example", server.port);
    let any = format!("0.0.0.0:{}", server.port);
    for route in EXPECTED {
        for host in [None, Some(&*other_port), Some(&*name), Some(&*longer), Some(&*any), Some("127.0.0.1")] {
            let headers = with(&server, *route, "Host", host);
            let status = status(&server, *route, &headers);
            assert!(matches!(status, 400 | 403), "{route:?} {host:?}: {status}");
            let own_page: Vec<_> = match host {
                Some(host) => headers
                    .iter()
                    .map(|(name, value)| match *name {
                        "Origin" => ("Origin", format!("http://{host}")),
                        _ => (*name, value.clone()),
                    })
                    .collect(),
                None => continue,
            };
            assert_eq!(
                self::status(&server, *route, &own_page),
                403,
                "{route:?} {host:?} with its own origin"
            );
        }
    }
    assert_eq!(server.backend.calls.load(Ordering::SeqCst), 0);
}

#[test]
fn no_route_answers_to_a_page_of_another_origin() {
    let server = running();
    let secure = format!("https://127.0.0.1:{}", server.port);
    let other_port = format!("http://127.0.0.1:{}", server.port ^ 1);
    let longer = format!("http://127.0.0.1:{}.evil.example", server.port);
    let other_name = format!("http://localhost:{}", server.port);
    for route in EXPECTED {
        for origin in ["null", "", "http://evil.example", &secure, &other_port, &longer, &other_name] {
            let status = status(&server, *route, &with(&server, *route, "Origin", Some(origin)));
            assert_eq!(status, 403, "{route:?} {origin:?}");
        }
        let without = status(&server, *route, &with(&server, *route, "Origin", None));
        match route.0 == "GET" && route.2 != Socket {
            true => assert_eq!(without, 200, "{route:?}: a browser sends this request for a page"),
            false => assert_eq!(without, 403, "{route:?} without an origin"),
        }
    }
    assert_eq!(server.backend.calls.load(Ordering::SeqCst), 0);
}

#[test]
fn other_methods_are_refused() {
    let server = running();
    for (_, path, kind) in EXPECTED {
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "POST", "HEAD"] {
            let unauthenticated = server.ask(method, &concrete(path), &server.host(), "");
            let is_allowed = method == "HEAD" && *kind == Public;
            assert_eq!(
                matches!(unauthenticated.status, 401 | 403),
                !is_allowed,
                "{method} {path}: {}",
                unauthenticated.status
            );
        }
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS"] {
            let own = server.ask(method, &concrete(path), &server.own(), "");
            assert_eq!(own.status, 405, "{method} {path}");
        }
    }
}

#[test]
fn a_link_opens_one_tab_and_loading_its_page_does_not_use_it() {
    let server = running();
    let link = server.links.fresh().unwrap();
    let page = server.ask("GET", "/open", &server.host(), "");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!((page.header("set-cookie"), page.header("referrer-policy")), (None, Some("no-referrer")));

    let token = server.exchange(&link).expect("the link is valid");
    assert_ne!(token, server.token);
    assert_eq!(server.exchange(&link), None);
    let used = server.post("/open", r#"{"token":"<script>alert(1)</script>"}"#);
    assert_eq!(used.status, 401);
    assert!(used.text().contains("no longer works") && !used.text().contains("alert"), "{}", used.text());
    for bad in ["", "{}", "[]", r#"{"token":1}"#, &format!(r#"{{"token":"{}"}}"#, "x".repeat(4096))] {
        let refused = server.post("/open", bad);
        assert!(matches!(refused.status, 400 | 413), "{}: {bad}", refused.status);
    }
    let mut form = server.page();
    form.push(("Content-Type", "text/plain".to_owned()));
    assert_eq!(server.ask("POST", "/open", &form, r#"{"token":"0"}"#).status, 400);
}

#[test]
fn a_restarted_server_recognizes_its_tabs() {
    let state = tempfile::tempdir().unwrap();
    let options =
        |port| ServeOptions { port, state: Some(state.path().to_owned()), ..ServeOptions::default() };
    let mut before = start(TestBackend::new(), options(None));
    before.token = before.exchange(&before.links.fresh().unwrap()).unwrap();
    let (port, token) = (before.port, before.token.clone());
    drop(before);

    let mut after = start(TestBackend::new(), options(Some(port)));
    let (id, _) = token.split_once('.').unwrap();
    let ask = |id: &str, nonce: &str| after.post("/prove", &format!(r#"{{"id":"{id}","nonce":"{nonce}"}}"#));
    let proved = ask(id, &"0f".repeat(32));
    assert_eq!((proved.status, proved.json()["proof"].as_str().unwrap().len()), (200, 64));
    assert_ne!(proved.json(), ask(id, &"0e".repeat(32)).json());
    assert_eq!(ask("0123456789abcdef", &"0f".repeat(32)).status, 401);
    after.token = token.clone();
    assert_eq!(after.call("echo", "{}").status, 200);
    drop(after);

    // A server on another port and a server without a state folder do not know the tab.
    let mut elsewhere = start(TestBackend::new(), options(None));
    assert_ne!(elsewhere.port, port);
    elsewhere.token = token.clone();
    assert_eq!(elsewhere.call("echo", "{}").status, 401);
    let mut forgetful =
        start(TestBackend::new(), ServeOptions { port: Some(port), ..ServeOptions::default() });
    forgetful.token = token;
    assert_eq!(forgetful.call("echo", "{}").status, 401);
}

#[test]
fn behind_a_proxy_every_route_answers_at_the_public_origin_only() {
    let origin = "https://console.example.org:8443";
    let options = ServeOptions { origin: Some(origin.parse().unwrap()), ..ServeOptions::default() };
    let mut server = start(TestBackend::new(), options);
    let link = server.links.fresh().unwrap();
    let secret = link.strip_prefix(&format!("{origin}/open#token=")).expect("the link has the public origin");
    let from = |host: &str, origin: &str, token: &str| {
        vec![
            ("Host", host.to_owned()),
            ("Origin", origin.to_owned()),
            ("Authorization", format!("Bearer {token}")),
            ("Content-Type", "application/json".to_owned()),
        ]
    };
    let host = "console.example.org:8443";
    let exchanged =
        server.ask("POST", "/open", &from(host, origin, ""), &format!(r#"{{"token":"{secret}"}}"#));
    let token = exchanged.json()["access"].as_str().unwrap().to_owned();
    server.token.clone_from(&token);

    let ask = |route: ExpectedRoute, host: &str, origin: &str| {
        let mut headers = from(host, origin, &token);
        if route.2 == Socket {
            headers[2] = ("Sec-WebSocket-Protocol", format!("beads-console, access.{token}"));
        }
        status(&server, route, &headers[..3])
    };
    let own = format!("127.0.0.1:{}", server.port);
    for route in EXPECTED {
        assert_eq!(ask(*route, host, origin), usual(*route), "{route:?}");
        for host in ["console.example.org", &own, &format!("localhost:{}", server.port), "evil.example:8443"]
        {
            assert_eq!(ask(*route, host, origin), 403, "{route:?} at {host}");
        }
        for origin in
            ["http://console.example.org:8443", "https://console.example.org", &format!("http://{own}")]
        {
            assert_eq!(ask(*route, host, origin), 403, "{route:?} from {origin}");
        }
    }
    let page = server.ask("GET", "/", &[("Host", host.to_owned())], "");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("connect-src 'self' wss://console.example.org:8443;"), "{policy}");
}

#[test]
fn the_cookie_of_an_earlier_version_is_removed() {
    let server = running();
    let name = format!("beads_console_{}", server.port);
    let mut headers = server.host();
    headers.push(("Cookie", format!("theme=dark; {name}={}", "0".repeat(64))));
    let page = server.ask("GET", "/", &headers, "");
    assert_eq!(page.status, 200);
    let removal = page.header("set-cookie").unwrap();
    assert!(removal.starts_with(&format!("{name}=;")) && removal.contains("Max-Age=0"), "{removal}");
}

#[test]
fn a_websocket_accepts_our_subprotocol_and_never_repeats_the_token() {
    let server = running();
    for path in ["/events".to_owned(), format!("/terminal/cat/{SESSION}")] {
        let mut stream = server.connect();
        let offered = format!("access.{}, beads-console", server.token);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             Sec-WebSocket-Protocol: {offered}\r\n\r\n",
            server.port
        );
        stream.write_all(request.as_bytes()).unwrap();
        let (mut answer, mut byte) = (Vec::new(), [0]);
        while !answer.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            answer.push(byte[0]);
        }
        let answer = String::from_utf8(answer).unwrap().to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 101"), "{path}: {answer}");
        assert!(answer.contains("sec-websocket-protocol: beads-console\r\n"), "{path}: {answer}");
        assert!(!answer.contains(&server.token), "{path}: {answer}");
    }
}

#[test]
fn every_answer_has_the_security_headers() {
    let server = running();
    let answers = [
        server.ask("GET", "/", &server.own(), ""),
        server.ask("GET", "/nothing", &server.own(), ""),
        server.ask("GET", "/", &server.host(), ""),
        server.ask("POST", "/rpc/echo", &server.own(), ""),
        server.ask("GET", "/", &[("Host", "evil.example".to_owned())], ""),
    ];
    for answer in answers {
        let policy = answer.header("content-security-policy").unwrap();
        let sockets = format!("connect-src 'self' ws://127.0.0.1:{0} ws://localhost:{0};", server.port);
        for part in ["default-src 'none';", "script-src 'self';", "frame-ancestors 'none'", &sockets] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe-eval") && !policy.contains("script-src 'self' "), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert!(answer.header("access-control-allow-origin").is_none());
        assert!(answer.header("cache-control").is_some());
    }
}
