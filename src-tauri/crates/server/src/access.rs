//! Decides who may access the server. Checks a request's host, the origin of the requesting page, and the
//! token.
//!
//! The link's token works once. The page exchanges it for its tab's token, which it stores for its own origin
//! (including the port) and sends with its requests: in `Authorization`, or in a WebSocket's subprotocols. A
//! browser adds neither automatically, so pages from other ports and other programs have no access. The
//! server does not use cookies for access, because cookies are shared between ports.
//!
//! A server behind a reverse proxy or tunnel has a public origin. It then answers only requests for that
//! origin, and its tokens are valid only for that origin. The proxy must forward `Host` and `Origin`
//! unchanged. `X-Forwarded-Host` and similar headers are ignored, because any client can send them.

use crate::{
    origin::Origin,
    people::{Holder, WhoseLink},
    secret,
    tabs::{PeopleError, Tabs},
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// The subprotocol of this program's WebSockets. A page offers it together with its token, and the server
/// selects it.
pub(crate) const SUBPROTOCOL: &str = "beads-console";

/// The prefix of the token among a WebSocket's subprotocols.
const TOKEN_SUBPROTOCOL: &str = "access.";

/// The reason that a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The request does not name this server as its host, for example after DNS rebinding or behind a proxy
    /// that changes `Host`.
    Host,
    /// The request comes from a page of another origin, or lacks a required `Origin` header.
    Origin,
    /// The request's token is missing, wrong or expired, or the person's access was revoked.
    Token,
    /// Too many authenticated connections are open.
    Busy,
}

pub(crate) struct Access {
    /// The server's addresses. Links use the first one.
    origins: Vec<Origin>,
    /// The name of the cookie that earlier versions set. The server only removes this cookie.
    old_cookie: String,
    tabs: Tabs,
    link: Mutex<Option<String>>,
}

impl Access {
    /// Creates the access control of a server on this port. `public` is the origin of a reverse proxy or
    /// tunnel. The tabs' access is saved in the folder `state`; without it, tabs need a new link after a
    /// restart.
    pub(crate) fn new(port: u16, public: Option<Origin>, state: Option<PathBuf>) -> Access {
        let name = match &public {
            // The file is named after the origin, because a server behind a proxy may use another port after
            // a restart.
            Some(origin) => format!("tabs-{}.json", &secret::digest(&origin.to_string())[..16]),
            None => format!("tabs-{port}.json"),
        };
        let file = state.map(|folder| folder.join("server").join(name));
        let loopback = || ["127.0.0.1", "localhost"].map(|host| Origin::loopback(host, port)).to_vec();
        Access {
            origins: public.map_or_else(loopback, |origin| vec![origin]),
            old_cookie: format!("beads_console_{port}"),
            tabs: Tabs::kept_in(file),
            link: Mutex::new(None),
        }
    }

    /// The server's addresses. Links use the first one.
    pub(crate) fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// Creates a link for the user of this machine, which replaces an unused one. The token is in the link's
    /// fragment (`#`), which browsers do not send to servers.
    pub(crate) fn new_link(&self) -> Result<String, getrandom::Error> {
        let secret = secret::random()?;
        let url = self.url(&secret);
        *self.link.lock().unwrap_or_else(PoisonError::into_inner) = Some(secret);
        Ok(url)
    }

    /// Creates a person's link and returns it with the person's name; see [`Tabs::link_for`]. Blocks.
    pub(crate) fn new_link_for(&self, whose: WhoseLink<'_>) -> Result<(String, String), PeopleError> {
        let (name, secret) = self.tabs.link_for(whose)?;
        Ok((name, self.url(&secret)))
    }

    fn url(&self, secret: &str) -> String {
        format!("{}/open#token={secret}", self.origins[0])
    }

    pub(crate) fn tabs(&self) -> &Tabs {
        &self.tabs
    }

    /// Exchanges the token of the user's latest link, or of a person's link, for a tab's token. Afterwards
    /// the link is invalid. Returns `None` if no unused link has this token. Blocks.
    pub(crate) fn exchange(&self, given: &str) -> Result<Option<String>, getrandom::Error> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = link.take_if(|secret| secret::same(secret, given));
        drop(link);
        match taken {
            Some(_) => self.tabs.grant(None).map(Some),
            None => self.tabs.exchange(given),
        }
    }

    /// Returns the header that removes an earlier version's cookie, or `None` if the browser did not send
    /// that cookie.
    pub(crate) fn clears_old_cookie(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut names =
            cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split('=').next());
        names.any(|name| name == self.old_cookie).then(|| {
            let gone = format!("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict", self.old_cookie);
            HeaderValue::from_str(&gone).expect("digits and letters are a header")
        })
    }

    /// Checks that a request names this server as its host and does not come from a page of another origin.
    /// A request that may have side effects must also have this server's `Origin`.
    pub(crate) fn check_source(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Refused> {
        let host = only(headers, &header::HOST).ok_or(Refused::Host)?;
        let own = self.origins.iter().find(|own| own.authority() == host).ok_or(Refused::Host)?;
        if uri.authority().is_some_and(|authority| authority.as_str() != host) {
            return Err(Refused::Host);
        }
        let safe = matches!(*method, Method::GET | Method::HEAD) && !headers.contains_key(header::UPGRADE);
        let from_own_page = only(headers, &header::ORIGIN).is_some_and(|origin| origin == own.to_string());
        let allowed = from_own_page || (safe && !headers.contains_key(header::ORIGIN));
        if allowed { Ok(()) } else { Err(Refused::Origin) }
    }

    /// Checks that a request has a tab's token, and returns the tab's holder.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<Holder, Refused> {
        let in_header = only(headers, &header::AUTHORIZATION).and_then(|given| given.strip_prefix("Bearer "));
        let in_subprotocol = only(headers, &header::SEC_WEBSOCKET_PROTOCOL).and_then(|offered| {
            offered.split(',').find_map(|name| name.trim().strip_prefix(TOKEN_SUBPROTOCOL))
        });
        in_header.or(in_subprotocol).and_then(|token| self.tabs.holder(token)).ok_or(Refused::Token)
    }
}

/// Returns the value of a header that occurs exactly once.
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

    fn checked(access: &Access, headers: &HeaderMap) -> Result<(), Refused> {
        access.check_token(headers).map(drop)
    }

    fn check(method: Method, uri: &str, pairs: &[(&'static str, &str)], expected: Result<(), Refused>) {
        let access = Access::new(4100, None, None);
        let found = access.check_source(&method, &uri.parse().unwrap(), &headers(pairs));
        assert_eq!(found, expected, "{method} {uri} {pairs:?}");
    }

    #[test]
    fn behind_a_proxy_only_the_public_origin_is_accepted() {
        let access = Access::new(4100, Some("https://console.example.org".parse().unwrap()), None);
        let link = access.new_link().unwrap();
        assert!(link.starts_with("https://console.example.org/open#token="), "{link}");
        let found = |method: Method, pairs: &[(&'static str, &str)]| {
            access.check_source(&method, &"/".parse().unwrap(), &headers(pairs))
        };
        let host = ("host", "console.example.org");
        assert_eq!(found(Method::GET, &[host]), Ok(()));
        assert_eq!(found(Method::POST, &[host, ("origin", "https://console.example.org")]), Ok(()));
        for bad in ["127.0.0.1:4100", "localhost:4100", "console.example.org:443", "evil.example", ""] {
            assert_eq!(found(Method::GET, &[("host", bad)]), Err(Refused::Host), "{bad}");
        }
        let forwarded = [("host", "127.0.0.1:4100"), ("x-forwarded-host", "console.example.org")];
        assert_eq!(found(Method::GET, &forwarded), Err(Refused::Host));
        for bad in ["http://console.example.org", "https://evil.example", "http://127.0.0.1:4100", "null"] {
            assert_eq!(found(Method::POST, &[host, ("origin", bad)]), Err(Refused::Origin), "{bad}");
            let socket = [host, SOCKET, ("origin", bad)];
            assert_eq!(found(Method::GET, &socket), Err(Refused::Origin), "{bad}");
        }
        assert_eq!(found(Method::POST, &[host]), Err(Refused::Origin));
    }

    #[test]
    fn the_token_of_one_origin_is_void_at_another() {
        let state = tempfile::tempdir().unwrap();
        let at = |origin: Option<&str>| {
            Access::new(4100, origin.map(|text| text.parse().unwrap()), Some(state.path().to_owned()))
        };
        let access = at(Some("https://a.example"));
        let link = access.new_link().unwrap();
        let tab = access.exchange(link.rsplit_once('=').unwrap().1).unwrap().unwrap();
        let bearer = headers(&[("authorization", &format!("Bearer {tab}"))]);
        assert_eq!(checked(&at(Some("https://a.example")), &bearer), Ok(()));
        for other in [None, Some("https://b.example"), Some("https://a.example:8443")] {
            assert_eq!(checked(&at(other), &bearer), Err(Refused::Token), "{other:?}");
        }
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4100");
    const ORIGIN: (&str, &str) = ("origin", "http://127.0.0.1:4100");
    const SOCKET: (&str, &str) = ("upgrade", "websocket");

    #[test]
    fn only_this_servers_host_names_are_accepted() {
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
    fn requests_with_effects_must_come_from_this_servers_pages() {
        check(Method::POST, "/", &[HOST, ORIGIN], Ok(()));
        check(Method::GET, "/", &[HOST, SOCKET, ORIGIN], Ok(()));
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH] {
            check(method, "/", &[HOST], Err(Refused::Origin));
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
    fn a_link_works_once_and_the_token_of_its_tab_from_then_on() {
        let access = Access::new(4100, None, None);
        let token = |url: &str| url.rsplit_once("/open#token=").unwrap().1.to_owned();
        let unused = token(&access.new_link().unwrap());
        let link = token(&access.new_link().unwrap());
        assert_eq!(link.len(), 64);
        assert_eq!(access.exchange(&unused).unwrap(), None);
        assert_eq!(access.exchange("").unwrap(), None);
        let tab = access.exchange(&link).unwrap().expect("the link is good");
        assert_eq!(access.exchange(&link).unwrap(), None);

        assert!(!tab.contains(&link), "the link does not show the token");
        let bearer = format!("Bearer {tab}");
        let offered = format!("beads-console, access.{tab}");
        for (name, value) in [("authorization", &bearer), ("sec-websocket-protocol", &offered)] {
            assert_eq!(checked(&access, &headers(&[(name, value)])), Ok(()), "{name}");
            for bad in ["", "Bearer", "Bearer ", &tab, &value[..value.len() - 1], &format!("{value}0")] {
                let found = checked(&access, &headers(&[(name, bad)]));
                assert_eq!(found, Err(Refused::Token), "{name}: {bad}");
            }
        }
        let twice = headers(&[("authorization", &bearer), ("authorization", &bearer)]);
        assert_eq!(checked(&access, &twice), Err(Refused::Token));
        assert_eq!(checked(&access, &headers(&[])), Err(Refused::Token));
        let other = Access::new(4100, None, None);
        assert_eq!(checked(&other, &headers(&[("authorization", &bearer)])), Err(Refused::Token));
    }

    #[test]
    fn no_cookie_is_accepted_and_the_one_of_earlier_versions_is_removed() {
        let access = Access::new(4100, None, None);
        let link = access.new_link().unwrap();
        let tab = access.exchange(link.rsplit_once('=').unwrap().1).unwrap().unwrap();
        for name in ["beads_console_4100", "authorization", "access"] {
            let cookie = headers(&[("cookie", &format!("a=b; {name}={tab}"))]);
            assert_eq!(checked(&access, &cookie), Err(Refused::Token), "{name}");
        }
        let old = headers(&[("cookie", "a=b; beads_console_4100=00; beads_console_4101=11")]);
        let gone = access.clears_old_cookie(&old).unwrap();
        assert_eq!(gone, "beads_console_4100=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
        for other in ["beads_console_4101=11", "a=b", "xbeads_console_4100=1", ""] {
            assert_eq!(access.clears_old_cookie(&headers(&[("cookie", other)])), None, "{other}");
        }
    }
}
