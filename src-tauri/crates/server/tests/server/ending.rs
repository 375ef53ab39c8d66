//! Start and shutdown.

use crate::{
    backend::TestBackend,
    client::{SESSION, close_code, running},
};
use bc_server::{ServeError, ServeOptions, Server};
use std::{
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

/// Waits until the condition holds.
fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_port_in_use_is_named_with_the_next_step() {
    let server = running();
    let options = ServeOptions { port: Some(server.port), ..ServeOptions::default() };
    let error = Server::bind(options, Arc::new(TestBackend::new())).err().expect("the port is taken");
    assert!(matches!(error, ServeError::PortTaken { port, .. } if port == server.port));
    let text = error.to_string();
    assert!(text.contains(&server.port.to_string()) && text.contains("--port"), "{text}");
}

#[test]
fn the_preferred_port_is_used_if_free() {
    let server = running();
    let preferred = |port| ServeOptions { preferred: Some(port), ..ServeOptions::default() };
    let other = Server::bind(preferred(server.port), Arc::new(TestBackend::new())).unwrap();
    let port = other.port();
    assert_ne!(port, server.port);
    drop(other);
    let again = Server::bind(preferred(port), Arc::new(TestBackend::new())).unwrap();
    assert_eq!(again.port(), port);
    let named = ServeOptions { port: Some(server.port), ..preferred(port) };
    assert!(
        Server::bind(named, Arc::new(TestBackend::new())).is_err(),
        "a port given by the user must not be replaced"
    );
}

#[test]
fn an_announcement_has_a_link_that_works() {
    let server = Server::bind(ServeOptions::default(), Arc::new(TestBackend::new())).unwrap();
    let announced = serde_json::to_value(server.announcement().unwrap()).unwrap();
    let keys: Vec<&String> = announced.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["url", "port", "pid", "origin"]);
    let url = announced["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("http://127.0.0.1:{}/open#token=", server.port())), "{url}");
}

#[test]
fn a_shutdown_finishes_requests_and_informs_clients() {
    let mut server = running();
    let mut events = server.socket("/events");
    let mut terminal = server.socket(&format!("/terminal/cat/{SESSION}"));
    thread::scope(|scope| {
        let waiting = scope.spawn(|| server.call("wait", "{}"));
        eventually("the command is under way", || server.backend.calls.load(Ordering::SeqCst) == 1);
        server.stopper.stop();
        assert_eq!(close_code(&mut events), 1001);
        while terminal.read().is_ok_and(|message| !message.is_close()) {}
        assert!(!server.ended.as_ref().unwrap().is_finished());
        server.backend.release();
        assert_eq!(waiting.join().unwrap().json(), "waited");
    });
    server.ended.take().unwrap().join().unwrap().unwrap();
}

#[test]
fn a_disconnected_client_does_not_affect_others() {
    let server = running();
    let terminal = format!("/terminal/cat/{SESSION}");
    for path in ["/events", terminal.as_str()] {
        for _ in 0..20 {
            let socket = server.socket(path);
            socket.get_ref().shutdown(std::net::Shutdown::Both).unwrap();
        }
    }
    assert_eq!(server.call("echo", "{}").status, 200);
}
