//! Sends an HTTP request to a local server.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// Posts JSON with the server's own address as the origin. Returns the status and the body.
pub(super) fn post(port: u16, path: &str, access: Option<&str>, body: &str) -> Result<(u16, String), String> {
    let access = access.map(|access| format!("Authorization: Bearer {access}\r\n")).unwrap_or_default();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n{access}\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let exchange = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    let answer: String = exchange().map_err(|error: std::io::Error| format!("{path}: {error}"))?;
    parse(&answer).ok_or_else(|| format!("{path}: not an HTTP response: {answer}"))
}

fn parse(answer: &str) -> Option<(u16, String)> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_and_the_body_are_read() {
        let answer = "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(parse(answer), Some((403, "{}".to_owned())));
        assert_eq!(parse("HTTP/1.1 200"), None);
    }
}
