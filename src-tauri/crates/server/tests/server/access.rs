//! Who is let in: every route with a missing, a wrong and a foreign token, origin and host.

use crate::client::{Headers, Running, SESSION, running};
use bc_server::ROUTES;
use std::sync::atomic::Ordering;

/// What is served, said a second time: a route that is added has to be added here, and is then walked.
const EXPECTED: &[(&str, &str, bool)] = &[
    ("GET", "/", false),
    ("GET", "/{*path}", false),
    ("GET", "/open", false),
    ("POST", "/rpc/{method}", false),
    ("GET", "/events", true),
    ("GET", "/terminal/{project}/{session}", true),
];

fn concrete(path: &str) -> String {
    let path = path.replace("{*path}", "index.html").replace("{method}", "echo");
    path.replace("{project}", "cat").replace("{session}", SESSION)
}

/// The status that a request on a route is answered with; 101 is a WebSocket.
fn status(server: &Running, (method, path, websocket): (&str, &str, bool), headers: Headers) -> u16 {
    let path = concrete(path);
    if websocket {
        return server.socket_with(&path, headers).map_or_else(|status| status, |_| 101);
    }
    let mut headers = headers.to_vec();
    headers.push(("Content-Type", "application/json".to_owned()));
    server.ask(method, &path, &headers, "{}").status
}

/// The own headers with one of them replaced, or left out.
fn with(server: &Running, name: &str, value: Option<&str>) -> Vec<(&'static str, String)> {
    let mut headers = server.own();
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
    let found: Vec<_> = ROUTES.iter().map(|route| (route.method, route.path, route.websocket)).collect();
    assert_eq!(found, EXPECTED);
}

#[test]
fn the_ui_itself_is_let_in_everywhere() {
    let server = running();
    for route in EXPECTED {
        let status = status(&server, *route, &server.own());
        let expected = if route.2 {
            101
        } else if route.1 == "/open" {
            303
        } else {
            200
        };
        assert_eq!(status, expected, "{route:?}");
    }
}

#[test]
fn no_route_is_open_without_the_token() {
    let server = running();
    let other = running();
    let name = server.cookie.split('=').next().unwrap();
    let unused = server.links.fresh().unwrap();
    let link_token = unused.rsplit('=').next().unwrap();
    let strange = [
        format!("{name}="),
        format!("{name}={}", "0".repeat(64)),
        format!("{name}={link_token}"),
        format!("{name}={}", other.cookie.split('=').nth(1).unwrap()),
        other.cookie.clone(),
        server.cookie[..server.cookie.len() - 1].to_owned(),
        "a=b".to_owned(),
    ];
    for route in EXPECTED {
        for cookie in strange.iter().map(|cookie| Some(cookie.as_str())).chain([None]) {
            let status = status(&server, *route, &with(&server, "Cookie", cookie));
            assert_eq!(status, 401, "{route:?} {cookie:?}");
        }
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
            let headers = with(&server, "Host", host);
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
fn no_route_answers_to_a_page_of_somebody_else() {
    let server = running();
    let secure = format!("https://127.0.0.1:{}", server.port);
    let other_port = format!("http://127.0.0.1:{}", server.port ^ 1);
    let longer = format!("http://127.0.0.1:{}.evil.example", server.port);
    let other_name = format!("http://localhost:{}", server.port);
    for route in EXPECTED {
        for origin in ["null", "", "http://evil.example", &secure, &other_port, &longer, &other_name] {
            let status = status(&server, *route, &with(&server, "Origin", Some(origin)));
            assert_eq!(status, 403, "{route:?} {origin:?}");
        }
        let without = status(&server, *route, &with(&server, "Origin", None));
        match route.0 == "GET" && !route.2 {
            true => assert!(matches!(without, 200 | 303), "{route:?}: a browser asks so for a page"),
            false => assert_eq!(without, 403, "{route:?} without an origin"),
        }
    }
    assert_eq!(server.backend.calls.load(Ordering::SeqCst), 0);
}

#[test]
fn no_other_method_gets_anything() {
    let server = running();
    for (_, path, _) in EXPECTED {
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "POST", "HEAD"] {
            let stranger = server.ask(method, &concrete(path), &server.host(), "");
            assert!(matches!(stranger.status, 401 | 403), "{method} {path}: {}", stranger.status);
        }
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS"] {
            let own = server.ask(method, &concrete(path), &server.own(), "");
            assert_eq!(own.status, 405, "{method} {path}");
        }
    }
}

#[test]
fn a_link_opens_one_browser_and_its_address_is_gone_at_once() {
    let server = running();
    let link = server.links.fresh().unwrap();
    let path = server.path_of(&link).to_owned();

    let mut guessing = server.host();
    guessing.push(("Sec-Purpose", "prefetch".to_owned()));
    let guessed = server.ask("GET", &path, &guessing, "");
    assert_eq!((guessed.status, guessed.header("set-cookie")), (503, None), "a guess does not use it up");

    let opened = server.ask("GET", &path, &server.host(), "");
    assert_eq!((opened.status, opened.header("location")), (303, Some("/")));
    let cookie = opened.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert_eq!(opened.header("referrer-policy"), Some("no-referrer"));

    let mut browser = server.host();
    browser.push(("Accept", "text/html".to_owned()));
    let again = server.ask("GET", &path, &browser, "");
    assert_eq!((again.status, again.header("set-cookie")), (401, None));
    assert!(again.text().contains("does not work any more"), "{}", again.text());
    let known = server.ask("GET", &path, &server.own(), "");
    assert_eq!(known.status, 303, "who has the cookie gets to the page");
    let strange = server.ask("GET", "/open?token=<script>alert(1)</script>", &browser, "");
    assert!(strange.status >= 400 && !strange.text().contains("alert"));
}

#[test]
fn every_answer_forbids_what_a_page_may_not_do() {
    let server = running();
    let asked = [
        server.ask("GET", "/", &server.own(), ""),
        server.ask("GET", "/nothing", &server.own(), ""),
        server.ask("GET", "/", &server.host(), ""),
        server.ask("POST", "/rpc/echo", &server.own(), ""),
        server.ask("GET", "/", &[("Host", "evil.example".to_owned())], ""),
    ];
    for answer in asked {
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
