//! Several people. Each person has a link, requests carry the person's name, and a revocation immediately
//! closes all of the person's tabs and connections.

use crate::{
    backend::TestBackend,
    client::{Running, SESSION, close_code, next_text, running, start},
};
use bc_bridge::BrowserAccess;
use bc_server::ServeOptions;
use bc_wire::event::Event;
use std::{
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

fn entered(server: &Running, link: &str) -> String {
    server.exchange(link).expect("the link is valid")
}

fn who(server: &Running, token: &str) -> (u16, String) {
    let mut headers = server.page();
    headers.push(("Authorization", format!("Bearer {token}")));
    headers.push(("Content-Type", "application/json".to_owned()));
    let answer = server.ask("POST", "/rpc/who", &headers, "{}");
    (answer.status, answer.text().to_owned())
}

fn socket_of(server: &Running, token: &str) -> Vec<(&'static str, String)> {
    let mut headers = server.page();
    headers.push(("Sec-WebSocket-Protocol", format!("beads-console, access.{token}")));
    headers
}

#[test]
fn commands_carry_the_persons_name_and_a_revocation_closes_all_of_their_connections() {
    let server = running();
    let ana = entered(&server, &server.links.add("Ana").unwrap());
    let ben = entered(&server, &server.links.add("Ben").unwrap());
    assert_eq!(who(&server, &server.token), (200, "null".to_owned()));
    assert_eq!(who(&server, &ana), (200, "\"Ana\"".to_owned()));
    assert_eq!(who(&server, &ben), (200, "\"Ben\"".to_owned()));

    let mut events = server.socket_with("/events", &socket_of(&server, &ana)).unwrap();
    let mut terminal =
        server.socket_with(&format!("/terminal/cat/{SESSION}"), &socket_of(&server, &ana)).unwrap();
    let mut of_ben = server.socket_with("/events", &socket_of(&server, &ben)).unwrap();
    let tabs =
        || server.links.people().into_iter().map(|person| (person.name, person.tabs)).collect::<Vec<_>>();
    let until = Instant::now() + Duration::from_secs(30);
    while tabs() != [(String::new(), 0), ("Ana".to_owned(), 1), ("Ben".to_owned(), 1)] {
        assert!(Instant::now() < until, "{:?}", tabs());
        thread::yield_now();
    }

    let unused = server.links.add("Ana").unwrap();
    let changes = server.backend.people_changes.load(Ordering::SeqCst);
    let before = server.backend.calls.load(Ordering::SeqCst);
    thread::scope(|scope| {
        // A running command gets no answer, and is not undone.
        let waiting = scope.spawn(|| {
            let mut headers = server.page();
            headers.push(("Authorization", format!("Bearer {ana}")));
            headers.push(("Content-Type", "application/json".to_owned()));
            server.ask("POST", "/rpc/wait", &headers, "{}").status
        });
        while server.backend.calls.load(Ordering::SeqCst) == before {
            thread::yield_now();
        }
        server.links.revoke("ana").unwrap();
        assert!(server.backend.people_changes.load(Ordering::SeqCst) > changes);
        assert_eq!(waiting.join().unwrap(), 401);
        server.backend.release();
    });
    assert_eq!(close_code(&mut events), 1008);
    assert_eq!(close_code(&mut terminal), 1008);
    assert_eq!(who(&server, &ana).0, 401);
    for path in ["/events", &format!("/terminal/cat/{SESSION}")] {
        assert_eq!(server.socket_with(path, &socket_of(&server, &ana)).err(), Some(401), "{path}");
    }
    assert_eq!(server.exchange(&unused), None);
    assert!(server.links.link(Some("Ana")).is_err(), "a revoked person got a new link");

    // Other people keep their access.
    assert_eq!(who(&server, &ben).0, 200);
    server.backend.ring.publish(None, Event::BeadsChanged {});
    assert!(next_text(&mut of_ben).contains("beads_changed"));
    assert!(server.links.revoke("Ana").is_err(), "a person was revoked twice");
}

#[test]
fn people_keep_their_access_across_a_restart_unless_it_was_revoked() {
    let state = tempfile::tempdir().unwrap();
    let options =
        |port| ServeOptions { port, state: Some(state.path().to_owned()), ..ServeOptions::default() };
    let server = start(TestBackend::new(), options(None));
    let port = server.port;
    let ana = entered(&server, &server.links.add("Ana").unwrap());
    let ben = entered(&server, &server.links.add("Ben").unwrap());
    let later = server.links.add("Cai").unwrap();
    server.links.revoke("Ana").unwrap();
    drop(server);

    let server = start(TestBackend::new(), options(Some(port)));
    assert_eq!((who(&server, &ana).0, who(&server, &ben)), (401, (200, "\"Ben\"".to_owned())));
    let cai = entered(&server, &later);
    assert_eq!(who(&server, &cai).1, "\"Cai\"");
}

#[test]
fn names_that_could_deceive_are_refused() {
    let server = running();
    for bad in ["", " ", "-ana", "ana/1a2b", "a\nb", "a\u{202e}b", &"x".repeat(41)] {
        assert!(server.links.add(bad).is_err(), "{bad:?}");
    }
}
