//! Many unauthenticated connections. Half-open requests are closed, and do not lock out clients that have
//! access.

#[cfg(unix)]
use crate::client::{SESSION, next_text, running};
use crate::{
    backend::TestBackend,
    client::{Running, start},
};
use bc_server::ServeOptions;
#[cfg(unix)]
use bc_wire::event::Event;
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

fn half_open(server: &Running) -> Vec<Vec<u8>> {
    let head = format!(
        "POST /rpc/echo HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\n",
        server.port
    );
    let socket = format!("GET /events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\n", server.port);
    let slow = format!("{head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{");
    let exchange = slow.replace("/rpc/echo", "/open");
    let tls = vec![0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3];
    let texts = [String::new(), "G".to_owned(), head, socket, slow, exchange];
    texts.into_iter().map(String::into_bytes).chain([tls]).collect()
}

/// Reads and discards data until the server closes the connection. Fails at the deadline.
fn assert_closed(mut stream: TcpStream) {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the connection was left open: {error}"),
    }
}

#[test]
fn an_unauthenticated_connection_is_closed_in_time() {
    let options = ServeOptions { strangers_within: Duration::from_millis(300), ..ServeOptions::default() };
    let server = start(TestBackend::new(), options);
    let streams: Vec<_> = half_open(&server)
        .into_iter()
        .map(|bytes| {
            let mut stream = server.connect();
            stream.write_all(&bytes).unwrap();
            stream
        })
        .collect();
    streams.into_iter().for_each(assert_closed);
}

#[test]
#[cfg(unix)]
fn hundreds_of_half_open_requests_do_not_delay_the_owner() {
    let server = running();
    let mut events = server.socket("/events");
    let mut terminal = server.socket(&format!("/terminal/cat/{SESSION}"));
    terminal.send(tungstenite::Message::text(r#"{"type":"resize","cols":100,"rows":30}"#)).unwrap();
    next_text(&mut terminal);
    terminal.read().unwrap();
    let kinds = half_open(&server);
    let mut open = Vec::new();
    for n in 0..400 {
        let mut stream = server.connect();
        // An error is ignored, because the server may have closed the connection in favour of a newer one.
        let _ = stream.write_all(&kinds[n % kinds.len()]);
        open.push(stream);
    }
    // A new connection, an existing one, and a link in another browser still work.
    assert_eq!(server.call("echo", "{}").status, 200);
    server.backend.ring.publish(None, Event::BeadsChanged {});
    assert!(next_text(&mut events).contains("beads_changed"));
    terminal.send(tungstenite::Message::binary(b"k".to_vec())).unwrap();
    let echoed = terminal.read().unwrap().into_data();
    assert_eq!(echoed.get(8..), Some(&b"k"[..]));
    assert!(server.exchange(&server.links.fresh().unwrap()).is_some());
    assert_eq!(server.ask("GET", "/", &server.host(), "").status, 200);
    drop(open);
}
