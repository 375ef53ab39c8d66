//! What a program prints, through the server into a browser: the real UI with its real terminal, once on
//! our server and once with its terminal's WebSocket led to the bare one.

use super::flood::rate;
use crate::{
    bare::BareSocket,
    chromium::Chromium,
    error::BenchError,
    place::Bench,
    rounds::{Pair, rounds},
    samples::Samples,
    serving::Serving,
};
use serde_json::json;
use std::time::Duration;

/// Stands in front of the page's own WebSocket: leads the terminal's elsewhere where that is wanted, and
/// sees what was acknowledged, which is what was drawn.
const WATCH: &str = r#"(() => {
  const Real = window.WebSocket;
  const seen = (window.__bench = { socket: null, drawn: 0, wanted: Infinity, done: null });
  window.WebSocket = class extends Real {
    constructor(url, protocols) {
      const terminal = String(url).includes("/terminal/");
      super(terminal && INSTEAD ? INSTEAD : url, protocols);
      if (terminal) { seen.socket = this; seen.drawn = 0; }
    }
    send(data) {
      super.send(data);
      if (this !== seen.socket || typeof data !== "string") return;
      const said = JSON.parse(data);
      if (said.type !== "ack") return;
      seen.drawn = said.offset;
      if (seen.drawn >= seen.wanted) { seen.wanted = Infinity; seen.done(performance.now()); }
    }
  };
})()"#;

/// Asks for a flood and answers with the milliseconds until its last byte was drawn.
const FLOOD: &str = r#"new Promise((done) => {
  const seen = window.__bench;
  const begun = performance.now();
  seen.wanted = seen.drawn + BYTES;
  seen.done = (ended) => done(ended - begun);
  seen.socket.send(new TextEncoder().encode("\x06" + BYTES + "\n"));
})"#;

struct Pages {
    _serving: Serving,
    _socket: BareSocket,
    ours: Chromium,
    bare: Chromium,
    bytes: u64,
}

fn flood(page: &mut Chromium, bytes: u64) -> Result<f64, BenchError> {
    let took = page.value(&FLOOD.replace("BYTES", &bytes.to_string()))?;
    let ms = took.as_f64().ok_or_else(|| BenchError::said("the page", format!("answered {took}")))?;
    Ok(rate(bytes, Duration::from_secs_f64(ms / 1e3)))
}

impl Pair for Pages {
    fn ours(&mut self) -> Result<f64, BenchError> {
        flood(&mut self.ours, self.bytes)
    }

    fn beside(&mut self) -> Result<f64, BenchError> {
        flood(&mut self.bare, self.bytes)
    }
}

/// Opens the UI at the session's terminal.
fn open(serving: &Serving, title: &str, instead: Option<String>) -> Result<Chromium, BenchError> {
    let mut page = Chromium::start()?;
    let (name, value) = serving.cookie.split_once('=').unwrap_or_default();
    let address = format!("http://127.0.0.1:{}/", serving.port);
    page.call("Network.setCookie", json!({"name": name, "value": value, "url": address}))?;
    // The bare server is another origin, to which the page may not speak otherwise.
    page.call("Page.setBypassCSP", json!({"enabled": true}))?;
    let source = WATCH.replace("INSTEAD", &json!(instead).to_string());
    page.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": source}))?;
    page.call("Page.navigate", json!({"url": address}))?;
    let press = |what: &str, text: &str| {
        format!(
            "(() => {{ const found = [...document.querySelectorAll('{what}')].find((e) => e.textContent.includes('{text}')); \
             found?.click(); return Boolean(found); }})()"
        )
    };
    page.until(&press("button", title))?;
    page.until(&press("[role=tab]", "Terminal"))?;
    page.until("Boolean(window.__bench.socket?.readyState === 1 && document.querySelector('.xterm'))")?;
    Ok(page)
}

/// The row.
pub(crate) fn browser(bench: &Bench) -> Result<Samples, BenchError> {
    let bytes = if bench.quick { 10_000_000 } else { 200_000_000 };
    let sandbox = bench.project(1)?;
    let folder = bench.with_agent(&sandbox)?;
    let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
    let project = serving.project()?;
    serving.session(&project)?;
    let socket = BareSocket::start(bench, &sandbox)?;
    let ours = open(&serving, crate::serving::TITLE, None)?;
    let bare = open(&serving, crate::serving::TITLE, Some(format!("ws://127.0.0.1:{}/", socket.port)))?;
    let mut pages = Pages { _serving: serving, _socket: socket, ours, bare, bytes };
    let samples = rounds(bench.rounds(5), &mut pages)?;
    Ok(samples.note(format!(
        "{} MB into the UI's own terminal in Chromium, until all of it is drawn; beside: the same page with its terminal's \
         WebSocket led to the bare server",
        bytes / 1_000_000
    )))
}
