//! Who may ask: the host that is named, the page that asks, and the token.
//!
//! The link's token works once and is exchanged for another one in a cookie, so what stays behind in a
//! browser's history or a terminal's scrollback opens nothing. Cookies do not know ports: the cookie's
//! name has ours, so that two servers do not overwrite each other's.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use std::{
    fmt::Write,
    sync::{Mutex, PoisonError},
};

/// 256 random bits. Neither printed by `Debug` nor compared in a time that tells where they differ.
#[derive(Clone)]
pub(crate) struct Secret([u8; 32]);

impl Secret {
    pub(crate) fn random() -> Result<Secret, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Secret(bytes))
    }

    /// 64 hexadecimal digits.
    pub(crate) fn text(&self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a String takes everything");
            text
        })
    }

    fn is(&self, given: &str) -> bool {
        let own = self.text();
        let differing = own.bytes().zip(given.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
        own.len() == given.len() && differing == 0
    }
}

/// Why a request is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It names another host: a name that was made to point here, or a proxy.
    Host,
    /// It comes from a page of somebody else, or does not say from which.
    Origin,
    /// It has no token, or a wrong or old one.
    Token,
}

/// What this server asks of a request.
pub(crate) struct Access {
    hosts: [String; 2],
    cookie: String,
    token: Secret,
    link: Mutex<Option<Secret>>,
}

impl Access {
    pub(crate) fn new(port: u16) -> Result<Access, getrandom::Error> {
        Ok(Access {
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            cookie: format!("beads_console_{port}"),
            token: Secret::random()?,
            link: Mutex::new(None),
        })
    }

    /// The hosts that this server goes by, with the port.
    pub(crate) fn hosts(&self) -> &[String; 2] {
        &self.hosts
    }

    /// A new link, in the place of one that was not used.
    pub(crate) fn new_link(&self) -> Result<String, getrandom::Error> {
        let secret = Secret::random()?;
        let url = format!("http://{}/open?token={}", self.hosts[0], secret.text());
        *self.link.lock().unwrap_or_else(PoisonError::into_inner) = Some(secret);
        Ok(url)
    }

    /// Uses up the link. The cookie for it, if it is the one that was given out last.
    pub(crate) fn exchange(&self, given: &str) -> Option<HeaderValue> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        link.take_if(|secret| secret.is(given))?;
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.token.text());
        Some(HeaderValue::from_str(&cookie).expect("digits and letters are a header"))
    }

    /// Whether a request names this server, and comes from it where it could do something.
    pub(crate) fn check_source(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Refused> {
        let host = only(headers, &header::HOST).filter(|host| self.hosts.iter().any(|own| own == host));
        let host = host.ok_or(Refused::Host)?;
        if uri.authority().is_some_and(|authority| authority.as_str() != host) {
            return Err(Refused::Host);
        }
        let safe = matches!(*method, Method::GET | Method::HEAD) && !headers.contains_key(header::UPGRADE);
        let from_here = only(headers, &header::ORIGIN)
            .and_then(|origin| origin.strip_prefix("http://"))
            .is_some_and(|origin| origin == host);
        match from_here || (safe && !headers.contains_key(header::ORIGIN)) {
            true => Ok(()),
            false => Err(Refused::Origin),
        }
    }

    /// Whether a request has the token.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        match pairs.any(|(name, value)| name == self.cookie && self.token.is(value)) {
            true => Ok(()),
            false => Err(Refused::Token),
        }
    }
}

/// A header that is there exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let parsed =
            |(name, value): &(&'static str, &str)| (HeaderName::from_static(name), value.parse().unwrap());
        pairs.iter().map(parsed).collect()
    }

    fn check(method: Method, uri: &str, pairs: &[(&'static str, &str)], expected: Result<(), Refused>) {
        let access = Access::new(4100).unwrap();
        let found = access.check_source(&method, &uri.parse().unwrap(), &headers(pairs));
        assert_eq!(found, expected, "{method} {uri} {pairs:?}");
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4100");
    const ORIGIN: (&str, &str) = ("origin", "http://127.0.0.1:4100");
    const SOCKET: (&str, &str) = ("upgrade", "websocket");

    #[test]
    fn only_this_server_may_be_named_as_the_host() {
        for good in ["127.0.0.1:4100", "localhost:4100"] {
            check(Method::GET, "/", &[("host", good)], Ok(()));
        }
        let foreign = [
            "127.0.0.1",
            "127.0.0.1:4101",
            "evil.example:4100",
            "127.0.0.1:4100.evil.example",
            "",
            "[::1]:4100",
        ];
        for bad in foreign {
            check(Method::GET, "/", &[("host", bad)], Err(Refused::Host));
        }
        check(Method::GET, "/", &[], Err(Refused::Host));
        check(Method::GET, "/", &[HOST, ("host", "evil.example")], Err(Refused::Host));
        check(Method::GET, "http://evil.example/", &[HOST], Err(Refused::Host));
    }

    #[test]
    fn what_can_do_something_has_to_come_from_a_page_of_this_server() {
        check(Method::POST, "/", &[HOST, ORIGIN], Ok(()));
        check(Method::GET, "/", &[HOST, SOCKET, ORIGIN], Ok(()));
        for asked in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH] {
            check(asked, "/", &[HOST], Err(Refused::Origin));
        }
        check(Method::GET, "/", &[HOST, SOCKET], Err(Refused::Origin));
        let foreign = ["null", "http://evil.example", "https://127.0.0.1:4100", "http://127.0.0.1:4101", ""];
        for bad in foreign {
            check(Method::POST, "/", &[HOST, ("origin", bad)], Err(Refused::Origin));
            check(Method::GET, "/", &[HOST, SOCKET, ("origin", bad)], Err(Refused::Origin));
            check(Method::GET, "/", &[HOST, ("origin", bad)], Err(Refused::Origin));
        }
        check(Method::POST, "/", &[HOST, ORIGIN, ORIGIN], Err(Refused::Origin));
        check(Method::POST, "/", &[HOST, ("origin", "http://localhost:4100")], Err(Refused::Origin));
    }

    #[test]
    fn a_link_works_once_and_its_cookie_from_then_on() {
        let access = Access::new(4100).unwrap();
        let unused = access.new_link().unwrap();
        let link = access.new_link().unwrap();
        let token = |url: &str| url.rsplit_once('=').unwrap().1.to_owned();
        assert_eq!(token(&link).len(), 64);
        assert_eq!(access.exchange(&token(&unused)), None);
        assert_eq!(access.exchange(""), None);
        let cookie = access.exchange(&token(&link)).expect("the link is good");
        assert_eq!(access.exchange(&token(&link)), None);

        let cookie = cookie.to_str().unwrap();
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
        let pair = cookie.split(';').next().unwrap();
        assert!(!pair.contains(&token(&link)), "the link does not show the cookie");
        assert_eq!(access.check_token(&headers(&[("cookie", &format!("a=b; {pair}; c=d"))])), Ok(()));
        let name = pair.split('=').next().unwrap();
        let nearly = &pair[..pair.len() - 1];
        let wrong =
            ["", name, nearly, &format!("{pair}0"), &format!("{name}={}", token(&link)), &format!("x{pair}")];
        for bad in wrong {
            assert_eq!(access.check_token(&headers(&[("cookie", bad)])), Err(Refused::Token), "{bad}");
        }
        assert_eq!(access.check_token(&headers(&[])), Err(Refused::Token));
        let other = Access::new(4100).unwrap();
        assert_eq!(other.check_token(&headers(&[("cookie", pair)])), Err(Refused::Token));
    }
}
