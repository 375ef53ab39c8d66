//! The address at which browsers reach the server: its own loopback address, or the address of a reverse
//! proxy or tunnel.

use std::{
    fmt,
    net::{Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// The scheme, host and port of a page's address in the form that browsers use:
/// `https://console.example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    secure: bool,
    /// The host and port in lower case, without the scheme's default port.
    authority: String,
}

/// The reason that a string cannot be a public origin of this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    #[error("it must start with https://, such as https://console.example.org")]
    Scheme,
    #[error(
        "http:// is possible only for 127.0.0.1, [::1] and localhost; use https://, so that others cannot read the access token"
    )]
    Insecure,
    #[error("it cannot contain a user name or password; only the scheme, the host and the port")]
    UserInfo,
    #[error("it cannot contain a path; the proxy must pass a whole host name or port to the server")]
    Path,
    #[error("its port must be a number from 1 to 65535")]
    Port,
    #[error(
        "its host must be a name, an IPv4 address or an IPv6 address in brackets; write international names in their xn-- form"
    )]
    Host,
}

impl Origin {
    pub(crate) fn loopback(host: &str, port: u16) -> Origin {
        Origin { secure: false, authority: with_port(host, port, 80) }
    }

    /// The host, with the port unless it is the scheme's default port. This is the expected value of a
    /// request's `Host` header.
    pub(crate) fn authority(&self) -> &str {
        &self.authority
    }

    /// The address of the server's WebSockets, for the content security policy.
    pub(crate) fn websocket(&self) -> String {
        format!("{}://{}", if self.secure { "wss" } else { "ws" }, self.authority)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}://{}", if self.secure { "https" } else { "http" }, self.authority)
    }
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Origin, OriginError> {
        let text = text.to_ascii_lowercase();
        let (scheme, rest) = text.split_once("://").ok_or(OriginError::Scheme)?;
        let (secure, default) = match scheme {
            "https" => (true, 443),
            "http" => (false, 80),
            _ => return Err(OriginError::Scheme),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains(['/', '\\', '?', '#']) {
            return Err(OriginError::Path);
        }
        if rest.contains('@') {
            return Err(OriginError::UserInfo);
        }
        let end_of_ipv6 = rest.find(']').map_or(0, |end| end + 1);
        let (host, port) = match rest[end_of_ipv6..].split_once(':') {
            Some((before, port)) => (&rest[..end_of_ipv6 + before.len()], Some(port)),
            None => (rest, None),
        };
        if !is_host(host) {
            return Err(OriginError::Host);
        }
        let port = port.map_or(Ok(default), port_number)?;
        if !secure && !matches!(host, "127.0.0.1" | "[::1]" | "localhost") {
            return Err(OriginError::Insecure);
        }
        Ok(Origin { secure, authority: with_port(host, port, default) })
    }
}

/// Parses a number in the form that browsers use, without a sign or leading zeros.
fn port_number(text: &str) -> Result<u16, OriginError> {
    let number = text.parse::<u16>().ok().filter(|&number| number > 0 && number.to_string() == text);
    number.ok_or(OriginError::Port)
}

fn with_port(host: &str, port: u16, default: u16) -> String {
    if port == default { host.to_owned() } else { format!("{host}:{port}") }
}

/// Whether this is a host name in the form that browsers use. International names must be in their ASCII
/// form.
fn is_host(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return inner.parse::<Ipv6Addr>().is_ok_and(|address| address.to_string() == inner);
    }
    let is_label = |label: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(allowed)
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    // Browsers treat a name whose last label begins with a digit as an IPv4 address.
    match last.starts_with(|first: char| first.is_ascii_digit()) {
        true => host.parse::<Ipv4Addr>().is_ok(),
        false => host.len() <= 253 && host.split('.').all(is_label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (given, origin, authority) in [
            ("https://console.example.org", "https://console.example.org", "console.example.org"),
            ("HTTPS://Console.Example.org:443/", "https://console.example.org", "console.example.org"),
            ("https://10.0.0.7:8443", "https://10.0.0.7:8443", "10.0.0.7:8443"),
            ("https://[2001:db8::1]:444", "https://[2001:db8::1]:444", "[2001:db8::1]:444"),
            ("https://xn--mller-kva.example", "https://xn--mller-kva.example", "xn--mller-kva.example"),
            ("http://127.0.0.1:4100", "http://127.0.0.1:4100", "127.0.0.1:4100"),
            ("http://[::1]:4100", "http://[::1]:4100", "[::1]:4100"),
            ("http://localhost:80", "http://localhost", "localhost"),
        ] {
            let read: Origin = given.parse().unwrap();
            assert_eq!((read.to_string().as_str(), read.authority()), (origin, authority), "{given}");
        }
        let secure: Origin = "https://a.example:1".parse().unwrap();
        assert_eq!(secure.websocket(), "wss://a.example:1");
        assert_eq!(Origin::loopback("localhost", 4100).websocket(), "ws://localhost:4100");
    }

    #[test]
    fn other_addresses_are_refused_with_the_reason() {
        use OriginError::{Host, Insecure, Path, Port, Scheme, UserInfo};
        for (bad, why) in [
            ("", Scheme),
            ("console.example.org", Scheme),
            ("ftp://a.example", Scheme),
            ("null", Scheme),
            ("http://a.example", Insecure),
            ("http://10.0.0.7:4100", Insecure),
            ("http://127.0.0.1.a.example:4100", Insecure),
            ("https://user@a.example", UserInfo),
            ("https://user:password@a.example:1", UserInfo),
            ("https://a.example/console", Path),
            ("https://a.example//", Path),
            ("https://a.example?x", Path),
            ("https://a.example#x", Path),
            ("https://a.example\\x", Path),
            ("https://a.example:", Port),
            ("https://a.example:0", Port),
            ("https://a.example:+1", Port),
            ("https://a.example:080", Port),
            ("https://a.example:65536", Port),
            ("https://a.example:1:2", Port),
            ("https://a.example:https", Port),
            ("https://", Host),
            ("https:///", Host),
            ("https://:443", Host),
            ("https://*.example.org", Host),
            ("https://a b.example", Host),
            ("https://[::1", Host),
            ("https://[zz]", Host),
            ("https://[0:0::1]", Host),
            ("https://-a.example", Host),
            ("https://a..example", Host),
            ("https://1.2.3", Host),
            ("https://0x7f.1", Host),
            ("https://müller.example", Host),
            ("https://a.example\r\nx", Host),
        ] {
            assert_eq!(bad.parse::<Origin>(), Err(why), "{bad}");
        }
    }
}
