//! The throughput of a program's output to a browser. The page is the real UI, once with our server, and once
//! with the terminal's WebSocket redirected to the baseline.

use super::flood::rate;
use crate::{
    bare::BareSocket,
    chromium::Chromium,
    environment::Bench,
    error::BenchError,
    pages,
    rounds::{Pair, rounds},
    samples::{Samples, Unit},
    serving::Serving,
};
use bc_bench::output::Flood;
use serde_json::json;
use std::time::Duration;

/// Wraps the page's WebSocket, to count the received bytes and to redirect the terminal's connection if
/// requested.
const WATCH: &str = r#"(() => {
  const Real = window.WebSocket;
  const seen = (window.__bench = { socket: null, bytes: 0 });
  window.WebSocket = class extends Real {
    constructor(url, protocols) {
      const terminal = String(url).includes("/terminal/");
      super(terminal && INSTEAD ? INSTEAD : url, terminal && INSTEAD ? [] : protocols);
      if (!terminal) return;
      seen.socket = this;
      this.addEventListener("message", ({ data }) => { if (data.byteLength) seen.bytes += data.byteLength - 8; });
    }
  };
})()"#;

/// The time limit for a flood.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Requests a flood. When its last line is on the screen, returns the milliseconds and the number of received
/// bytes.
const FLOOD: &str = r#"new Promise((done) => {
  const { socket, bytes } = window.__bench;
  const rows = document.querySelector(".xterm-rows");
  const started = performance.now();
  let scrolled = false;
  const check = () => {
    const ended = rows.textContent.includes("end of the flood");
    // The last line of the previous flood is visible until it scrolls away.
    if (!ended) scrolled = true;
    const [took, received] = [performance.now() - started, window.__bench.bytes - bytes];
    if (ended && scrolled) return done([took, received]);
    if (took > TIMEOUT) return done({ state: socket.readyState, received, screen: rows.textContent.slice(-400) });
    requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
  socket.send(new Uint8Array(REQUEST));
})"#;

struct Pages {
    _serving: Serving,
    _socket: BareSocket,
    ours: Chromium,
    bare: Chromium,
    flood: Flood,
    /// The percentage of the bytes that the page received, from our server and from the baseline. A browser
    /// that is too slow gets a new screen instead of some bytes.
    received: [Vec<f64>; 2],
}

fn run(page: &mut Chromium, flood: &Flood, received: &mut Vec<f64>) -> Result<f64, BenchError> {
    let request = serde_json::to_string(&flood.request()).expect("bytes are numbers");
    let script = FLOOD.replace("REQUEST", &request).replace("TIMEOUT", &TIMEOUT.as_millis().to_string());
    let answer = page.value(&script)?;
    let (Some(ms), Some(bytes)) = (answer[0].as_f64(), answer[1].as_f64()) else {
        return Err(BenchError::unexpected_output("the page", format!("answered {answer}")));
    };
    received.push(bytes / flood.length() as f64 * 100.0);
    Ok(rate(flood, Duration::from_secs_f64(ms / 1e3)))
}

impl Pair for Pages {
    fn ours(&mut self) -> Result<f64, BenchError> {
        run(&mut self.ours, &self.flood, &mut self.received[0])
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        run(&mut self.bare, &self.flood, &mut self.received[1])
    }
}

/// Opens the UI at the session's terminal. If `instead` is given, the terminal's connection goes to that
/// address.
fn open(serving: &Serving, title: &str, instead: Option<String>) -> Result<Chromium, BenchError> {
    let mut page = Chromium::start(false)?;
    // The bare server has another origin, to which the page's content security policy forbids connections.
    page.call("Page.setBypassCSP", json!({"enabled": true}))?;
    page.before_scripts(&WATCH.replace("INSTEAD", &json!(instead).to_string()))?;
    pages::open_session(&mut page, serving, title)?;
    page.until("Boolean(window.__bench.socket?.readyState === 1 && document.querySelector('.xterm'))")?;
    Ok(page)
}

pub(crate) fn browser(bench: &Bench) -> Result<Samples, BenchError> {
    let bytes = if bench.quick { 10_000_000 } else { 200_000_000 };
    let sandbox = bench.project(1)?;
    let folder = bench.programs_with_bench_agent(&sandbox)?;
    let mut serving = Serving::start(&sandbox, &folder.join("beads-console"))?;
    let project = serving.project()?;
    serving.session(&project)?;
    let socket = BareSocket::start(bench, &sandbox)?;
    let ours = open(&serving, crate::serving::TITLE, None)?;
    let bare = open(&serving, crate::serving::TITLE, Some(format!("ws://127.0.0.1:{}/", socket.port)))?;
    let (flood, received) = (Flood::new(bytes), Default::default());
    let mut pages = Pages { _serving: serving, _socket: socket, ours, bare, flood, received };
    let samples = rounds(bench.rounds(5), &mut pages)?;
    let [ours, bare] = pages.received;
    Ok(samples
        .note(format!(
            "{} MB into the UI's own terminal in Chromium, until its last line is on the screen; baseline: the same page \
             with its terminal's WebSocket redirected to the bare server",
            bytes / 1_000_000
        ))
        .aside("bytes sent to the browser, ours", Unit::Percent, ours)
        .aside("bytes sent to the browser, bare", Unit::Percent, bare))
}
