//! The announcement of a running server: one line of JSON for programs, or text for users.

use crate::{error::ServeError, links::Links};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The address of a running server, and a new link to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The link for a browser, which works once.
    pub url: String,
    pub port: u16,
    /// The server's process id.
    pub pid: u32,
    /// The address at which browsers reach the server. It is empty in the answer from an older server.
    #[serde(default)]
    pub origin: String,
}

/// The output format of an [`Announcement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    Json,
    Words,
}

impl Announcement {
    /// Describes the server of this process and creates a new link to it.
    pub(crate) fn of(links: &Links, port: u16) -> Result<Announcement, ServeError> {
        Ok(Announcement { url: links.fresh()?, port, pid: std::process::id(), origin: links.origin() })
    }

    /// A phrase that describes where the link can be opened.
    fn place(&self) -> &'static str {
        // A public address, such as a tunnel's address, is also opened on other machines.
        let local = self.origin.is_empty() || self.origin == format!("http://127.0.0.1:{}", self.port);
        if local { "in a browser on this machine" } else { "in a browser" }
    }

    /// Prints the address and the link when the server has started.
    pub fn print_start(&self, printed: Printed, out: &mut dyn Write) -> io::Result<()> {
        let words = format!(
            "Beads Console runs at {}\n\nOpen this link {}. It works once:\n\n  \
             {}\n\nPress Ctrl+C to stop the server; sessions keep running.\nFor another link, run `beads-console serve --link`.\n",
            self.origin,
            self.place(),
            self.url
        );
        self.print(printed, &words, out)
    }

    /// Prints another link to a running server.
    pub fn print_link(&self, printed: Printed, out: &mut dyn Write) -> io::Result<()> {
        let (place, url) = (self.place(), &self.url);
        let words =
            format!("Open this link {place}. It works once, and replaces any unused link:\n\n  {url}\n");
        self.print(printed, &words, out)
    }

    fn print(&self, printed: Printed, words: &str, out: &mut dyn Write) -> io::Result<()> {
        match printed {
            Printed::Json => {
                writeln!(out, "{}", serde_json::to_string(self).expect("it has only text keys"))?;
            }
            Printed::Words => out.write_all(words.as_bytes())?,
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(print: impl Fn(&Announcement, &mut dyn Write) -> io::Result<()>) -> String {
        printed_at("http://127.0.0.1:4100", print)
    }

    fn printed_at(origin: &str, print: impl Fn(&Announcement, &mut dyn Write) -> io::Result<()>) -> String {
        let url = format!("{origin}/open#token=0f");
        let mut out = Vec::new();
        print(&Announcement { url, port: 4100, pid: 7, origin: origin.to_owned() }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn programs_get_one_line_and_users_the_link_and_how_to_stop() {
        let json = "{\"url\":\"http://127.0.0.1:4100/open#token=0f\",\"port\":4100,\"pid\":7,\
                    \"origin\":\"http://127.0.0.1:4100\"}\n";
        assert_eq!(printed(|announcement, out| announcement.print_start(Printed::Json, out)), json);
        assert_eq!(printed(|announcement, out| announcement.print_link(Printed::Json, out)), json);
        let words = printed(|announcement, out| announcement.print_start(Printed::Words, out));
        for part in ["on this machine", "\n  http://127.0.0.1:4100/open#token=0f\n", "Ctrl+C", "serve --link"]
        {
            assert!(words.contains(part), "{words}");
        }
        let words = printed(|announcement, out| announcement.print_link(Printed::Words, out));
        assert!(
            words.contains("\n  http://127.0.0.1:4100/open#token=0f\n") && !words.contains('{'),
            "{words}"
        );
    }

    #[test]
    fn behind_a_proxy_the_public_address_is_announced() {
        let words = printed_at("https://a.example", |announcement, out| {
            announcement.print_start(Printed::Words, out)
        });
        assert!(words.contains("runs at https://a.example\n"), "{words}");
        assert!(words.contains("\n  https://a.example/open#token=0f\n"), "{words}");
        assert!(!words.contains("on this machine") && !words.contains("4100"), "{words}");
        let words = printed_at("http://localhost:9000", |announcement, out| {
            announcement.print_link(Printed::Words, out)
        });
        assert!(!words.contains("on this machine"), "{words}");
    }
}
