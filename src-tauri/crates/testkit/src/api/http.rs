//! The part of HTTP/1.1 that one client on loopback needs: one request per connection.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
};

/// A request, read to its end.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    /// Without the query.
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// Reads one request; `None` if the client closed without sending one.
pub(super) fn read(stream: &TcpStream) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let Some(first) = line(&mut reader)? else { return Ok(None) };
    let mut parts = first.split(' ');
    let (method, target) = (parts.next().unwrap_or("").to_owned(), parts.next().unwrap_or("/"));
    let path = target.split('?').next().unwrap_or("/").to_owned();
    let (mut length, mut chunked) = (0, false);
    while let Some(header) = line(&mut reader)?.filter(|header| !header.is_empty()) {
        let Some((name, value)) = header.split_once(':') else { continue };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap_or(0),
            "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
            "expect" => (&mut &*stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        while let Some(size) = line(&mut reader)? {
            let size = u64::from_str_radix(size.split(';').next().unwrap_or("").trim(), 16).unwrap_or(0);
            if size == 0 {
                break;
            }
            reader.by_ref().take(size).read_to_end(&mut body)?;
            line(&mut reader)?;
        }
    } else {
        reader.take(length).read_to_end(&mut body)?;
    }
    Ok(Some(Request { method, path, body }))
}

fn line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    match reader.read_line(&mut line)? {
        0 => Ok(None),
        _ => Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned())),
    }
}

/// Sends a complete response.
pub(super) fn send(mut stream: &TcpStream, status: u16, body: &str) -> io::Result<()> {
    let head = head(status, "application/json", Some(body.len()));
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}

/// Starts a response of server-sent events, which ends with the connection.
pub(super) fn begin_events(mut stream: &TcpStream) -> io::Result<()> {
    stream.write_all(head(200, "text/event-stream", None).as_bytes())
}

fn head(status: u16, kind: &str, length: Option<usize>) -> String {
    let length = length.map(|n| format!("content-length: {n}\r\n")).unwrap_or_default();
    format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: {kind}\r\nrequest-id: req_scripted\r\n{length}connection: close\r\n\r\n"
    )
}
