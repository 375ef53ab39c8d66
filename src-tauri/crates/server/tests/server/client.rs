//! A running server, and a client that sends exactly what it is told to.

use crate::backend::TestBackend;
use bc_bridge::Backend;
use bc_server::{Links, ServeError, ServeOptions, Server, Stopper};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{Arc, mpsc::sync_channel},
    thread::{self, JoinHandle},
    time::Duration,
};
use tungstenite::{
    Message, WebSocket,
    client::IntoClientRequest,
    handshake::HandshakeError,
    http::{HeaderName, HeaderValue},
};

/// Longer than anything takes; a test that waits this long has failed.
const DEADLINE: Duration = Duration::from_secs(30);

pub(crate) const SESSION: &str = "6b0e6c0e-0000-4000-8000-000000000001";

pub(crate) type Headers<'a> = &'a [(&'static str, String)];

/// A server with its backend; ends with the test.
pub(crate) struct Running {
    pub(crate) backend: Arc<TestBackend>,
    pub(crate) port: u16,
    pub(crate) links: Links,
    pub(crate) stopper: Stopper,
    pub(crate) ended: Option<JoinHandle<Result<(), ServeError>>>,
    pub(crate) cookie: String,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

pub(crate) fn running() -> Running {
    running_with(TestBackend::new())
}

/// A server whose link was used.
pub(crate) fn running_with(backend: TestBackend) -> Running {
    let backend = Arc::new(backend);
    let options = ServeOptions { grace: DEADLINE, ..ServeOptions::default() };
    let server = Server::bind(options, Arc::clone(&backend) as Arc<dyn Backend>).unwrap();
    let (port, links, stopper) = (server.port(), server.links(), server.stopper());
    let (ready, is_ready) = sync_channel(1);
    let ended = thread::spawn(move || {
        server.run(move || {
            ready.send(()).unwrap();
            Ok(())
        })
    });
    is_ready.recv_timeout(DEADLINE).unwrap();
    let mut running = Running { backend, port, links, stopper, ended: Some(ended), cookie: String::new() };
    let link = running.links.fresh().unwrap();
    let opened = running.ask("GET", running.path_of(&link), &running.host(), "");
    assert_eq!((opened.status, opened.header("location")), (303, Some("/")));
    let cookie = opened.header("set-cookie").unwrap();
    running.cookie = cookie.split(';').next().unwrap().to_owned();
    running
}

impl Running {
    pub(crate) fn host(&self) -> Vec<(&'static str, String)> {
        vec![("Host", format!("127.0.0.1:{}", self.port))]
    }

    /// The headers that the UI's requests have.
    pub(crate) fn own(&self) -> Vec<(&'static str, String)> {
        let mut headers = self.host();
        headers.push(("Origin", format!("http://127.0.0.1:{}", self.port)));
        headers.push(("Cookie", self.cookie.clone()));
        headers
    }

    pub(crate) fn path_of<'a>(&self, link: &'a str) -> &'a str {
        link.strip_prefix(&format!("http://127.0.0.1:{}", self.port)).unwrap()
    }

    /// One request on a connection of its own.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: Headers, body: &str) -> Answer {
        let mut stream = self.connect();
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        // A server that refuses early may close before it has read everything.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        parse(&answer)
    }

    /// A command as the UI sends it.
    pub(crate) fn call(&self, method: &str, body: &str) -> Answer {
        let mut headers = self.own();
        headers.push(("Content-Type", "application/json".to_owned()));
        self.ask("POST", &format!("/rpc/{method}"), &headers, body)
    }

    /// Begins a WebSocket; the status where it is refused.
    pub(crate) fn socket_with(&self, path: &str, headers: Headers) -> Result<WebSocket<TcpStream>, u16> {
        let address = format!("ws://127.0.0.1:{}{path}", self.port);
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().remove("host");
        for (name, value) in headers {
            let name: HeaderName = name.to_ascii_lowercase().parse().unwrap();
            request.headers_mut().append(name, HeaderValue::from_str(value).unwrap());
        }
        if !request.headers().contains_key("host") {
            // tungstenite cannot do without one.
            request.headers_mut().insert("host", HeaderValue::from_static("none.invalid"));
        }
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(socket),
            Err(HandshakeError::Failure(tungstenite::Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(other) => panic!("{path}: {other}"),
        }
    }

    /// A WebSocket as the UI begins it.
    pub(crate) fn socket(&self, path: &str) -> WebSocket<TcpStream> {
        self.socket_with(path, &self.own()).unwrap()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.backend.release();
        self.stopper.stop();
        if let Some(ended) = self.ended.take() {
            let ended = ended.join();
            if !thread::panicking() {
                ended.unwrap().unwrap();
            }
        }
    }
}

/// The next message that is not about the connection itself.
pub(crate) fn next_text(socket: &mut WebSocket<TcpStream>) -> String {
    match socket.read().unwrap() {
        Message::Text(text) => text.to_string(),
        other => panic!("not a text: {other:?}"),
    }
}

/// The code with which the server closes.
pub(crate) fn close_code(socket: &mut WebSocket<TcpStream>) -> u16 {
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return frame.unwrap().code.into(),
            Ok(_) => {}
            Err(error) => panic!("it was cut: {error}"),
        }
    }
}

fn parse(bytes: &[u8]) -> Answer {
    let end =
        bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has an end of its headers");
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap_or((line, ""));
        (name.to_ascii_lowercase(), value.to_owned())
    };
    Answer { status, headers: lines.map(header).collect(), body: bytes[end + 4..].to_vec() }
}
