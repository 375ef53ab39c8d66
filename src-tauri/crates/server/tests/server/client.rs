//! A running server, and a client that controls each byte that it sends.

use crate::backend::TestBackend;
use bc_bridge::Backend;
use bc_server::{Links, ServeError, ServeOptions, Server, Stopper};
use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
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

/// The time limit for each operation. A test that waits this long has failed.
const DEADLINE: Duration = Duration::from_secs(30);

pub(crate) const SESSION: &str = "6b0e6c0e-0000-4000-8000-000000000001";

pub(crate) type Headers<'a> = &'a [(&'static str, String)];

/// A server and its backend, which are stopped when this value is dropped.
pub(crate) struct Running {
    pub(crate) backend: Arc<TestBackend>,
    pub(crate) port: u16,
    pub(crate) links: Links,
    pub(crate) stopper: Stopper,
    pub(crate) ended: Option<JoinHandle<Result<(), ServeError>>>,
    /// The token of the tab that opened the link.
    pub(crate) token: String,
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

/// Starts a server, and exchanges its link for a token.
pub(crate) fn running_with(backend: TestBackend) -> Running {
    let mut running = start(backend, ServeOptions { grace: DEADLINE, ..ServeOptions::default() });
    let link = running.links.fresh().unwrap();
    running.token = running.exchange(&link).expect("the link is valid");
    running
}

/// Starts a server to which no tab has access yet.
pub(crate) fn start(backend: TestBackend, options: ServeOptions) -> Running {
    let backend = Arc::new(backend);
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
    Running { backend, port, links, stopper, ended: Some(ended), token: String::new() }
}

impl Running {
    pub(crate) fn host(&self) -> Vec<(&'static str, String)> {
        vec![("Host", format!("127.0.0.1:{}", self.port))]
    }

    /// The headers of every request from the UI's page, except for the token.
    pub(crate) fn page(&self) -> Vec<(&'static str, String)> {
        let mut headers = self.host();
        headers.push(("Origin", format!("http://127.0.0.1:{}", self.port)));
        headers
    }

    /// The headers of the UI's requests, including the token.
    pub(crate) fn own(&self) -> Vec<(&'static str, String)> {
        let mut headers = self.page();
        headers.push(("Authorization", format!("Bearer {}", self.token)));
        headers
    }

    pub(crate) fn own_socket(&self) -> Vec<(&'static str, String)> {
        let mut headers = self.page();
        headers.push(("Sec-WebSocket-Protocol", format!("beads-console, access.{}", self.token)));
        headers
    }

    /// Exchanges a link for a token, as the link's page would. Returns `None` if the link does not work.
    pub(crate) fn exchange(&self, link: &str) -> Option<String> {
        let opened = format!("http://127.0.0.1:{}/open#token=", self.port);
        let token = link.strip_prefix(&opened).expect("the link is this server's");
        let answer = self.post("/open", &format!(r#"{{"token":"{token}"}}"#));
        (answer.status == 200).then(|| answer.json()["access"].as_str().unwrap().to_owned())
    }

    /// Posts JSON without a token, as the UI's page would.
    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        let mut headers = self.page();
        headers.push(("Content-Type", "application/json".to_owned()));
        self.ask("POST", path, &headers, body)
    }

    /// Sends a request on a separate connection.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: Headers, body: &str) -> Answer {
        let mut stream = self.connect();
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        // A server that refuses a request early may close the connection before it has read the whole
        // request.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        parse(&answer)
    }

    /// Sends a command as the UI would.
    pub(crate) fn call(&self, method: &str, body: &str) -> Answer {
        let mut headers = self.own();
        headers.push(("Content-Type", "application/json".to_owned()));
        self.ask("POST", &format!("/rpc/{method}"), &headers, body)
    }

    /// Opens a WebSocket. Returns the HTTP status if the server refuses.
    pub(crate) fn socket_with(
        &self,
        path: &str,
        headers: Headers,
    ) -> Result<WebSocket<UninterruptedStream>, u16> {
        let address = format!("ws://127.0.0.1:{}{path}", self.port);
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().remove("host");
        for (name, value) in headers {
            let name: HeaderName = name.to_ascii_lowercase().parse().unwrap();
            request.headers_mut().append(name, HeaderValue::from_str(value).unwrap());
        }
        if !request.headers().contains_key("host") {
            // tungstenite requires this header.
            request.headers_mut().insert("host", HeaderValue::from_static("none.invalid"));
        }
        match tungstenite::client(request, UninterruptedStream(self.connect())) {
            Ok((socket, _)) => Ok(socket),
            Err(HandshakeError::Failure(tungstenite::Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(other) => panic!("{path}: {other}"),
        }
    }

    pub(crate) fn socket(&self, path: &str) -> WebSocket<UninterruptedStream> {
        self.socket_with(path, &self.own_socket()).unwrap()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }
}

/// A connection that continues to read after a signal. The system does not restart an interrupted read that
/// has a time limit, and every exiting child process sends a signal.
pub(crate) struct UninterruptedStream(TcpStream);

impl UninterruptedStream {
    pub(crate) fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.0.shutdown(how)
    }
}

impl Read for UninterruptedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl Write for UninterruptedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
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

/// Reads the next text message.
pub(crate) fn next_text(socket: &mut WebSocket<UninterruptedStream>) -> String {
    match socket.read().unwrap() {
        Message::Text(text) => text.to_string(),
        other => panic!("not a text: {other:?}"),
    }
}

/// Reads the code in the server's close frame.
pub(crate) fn close_code(socket: &mut WebSocket<UninterruptedStream>) -> u16 {
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return frame.unwrap().code.into(),
            Ok(_) => {}
            Err(error) => panic!("the connection was cut: {error}"),
        }
    }
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an empty line ends the headers");
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap_or((line, ""));
        (name.to_ascii_lowercase(), value.to_owned())
    };
    Answer { status, headers: lines.map(header).collect(), body: bytes[end + 4..].to_vec() }
}
