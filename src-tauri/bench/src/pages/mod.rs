//! Terminals in a browser page: ours and gotty's, both measured with the same script.

mod gotty;

use crate::{chromium::Chromium, error::BenchError, serving::Serving};
use bc_bench::output::Flood;
use serde_json::json;
use std::{thread, time::Duration};

pub(crate) use gotty::Gotty;

/// The script in the page that finds the terminal and measures it.
const SCRIPT: &str = include_str!("terminal.js");

/// The pause between keys. It is not a multiple of a frame's duration, so that keys arrive at different
/// points of a frame.
const PAUSE: Duration = Duration::from_millis(37);

const TIMEOUT: Duration = Duration::from_secs(600);

/// A browser page with one terminal, which has the focus.
pub(crate) struct TerminalPage(Chromium);

impl TerminalPage {
    /// Opens our page at the session with this title.
    pub(crate) fn ours(serving: &Serving, title: &str, webgl: bool) -> Result<TerminalPage, BenchError> {
        let mut page = Chromium::start(webgl)?;
        page.before_scripts(SCRIPT)?;
        open_session(&mut page, serving, title)?;
        TerminalPage::ready(page)
    }

    pub(crate) fn gotty(gotty: &Gotty, webgl: bool) -> Result<TerminalPage, BenchError> {
        let mut page = Chromium::start(webgl)?;
        page.before_scripts(SCRIPT)?;
        page.call("Page.navigate", json!({"url": format!("http://127.0.0.1:{}/", gotty.port)}))?;
        TerminalPage::ready(page)
    }

    fn ready(mut page: Chromium) -> Result<TerminalPage, BenchError> {
        page.call("Emulation.setFocusEmulationEnabled", json!({"enabled": true}))?;
        let ready = "[...Array(3).keys()].some((y) => \
                     window.__bench.terminal?.buffer.active.getLine(y)?.translateToString().startsWith('ready'))";
        page.until(ready)?;
        page.value("window.__bench.terminal.focus()")?;
        Ok(TerminalPage(page))
    }

    /// Presses `count` keys one after another. Returns the milliseconds from each press to the drawn
    /// character.
    pub(crate) fn keys(&mut self, count: usize) -> Result<Vec<f64>, BenchError> {
        let page = &mut self.0;
        page.value("void (window.__bench.took = [])")?;
        for n in 0..count {
            let letter = char::from(b'a' + (n % 26) as u8);
            let code = format!("Key{}", letter.to_ascii_uppercase());
            let mut event = json!({
                "type": "keyDown", "key": letter, "text": letter, "code": code,
                "windowsVirtualKeyCode": u32::from(letter.to_ascii_uppercase()),
            });
            page.call("Input.dispatchKeyEvent", event.clone())?;
            event["type"] = json!("keyUp");
            page.call("Input.dispatchKeyEvent", event)?;
            thread::sleep(PAUSE);
            // Waits for the drawn character, so that a late one still counts for its own key.
            page.until(&format!("window.__bench.took.length === {}", n + 1))?;
        }
        let took = page.value("window.__bench.took")?;
        serde_json::from_value(took)
            .map_err(|error| BenchError::unexpected_output("the page", format!("returned no times: {error}")))
    }

    /// Requests a flood and returns the time until its last line was drawn.
    pub(crate) fn flood(&mut self, flood: &Flood) -> Result<Duration, BenchError> {
        let request = String::from_utf8(flood.request()).expect("a request is text");
        let took =
            self.0.value(&format!("window.__bench.flood({}, {})", json!(request), TIMEOUT.as_millis()))?;
        let what = || "the end of a flood in the page".to_owned();
        match took.as_f64() {
            Some(ms) => Ok(Duration::from_secs_f64(ms / 1e3)),
            None => Err(BenchError::TimedOut { what: what(), after: TIMEOUT }),
        }
    }
}

/// Opens the UI and, in it, the terminal of the session with this title.
pub(crate) fn open_session(page: &mut Chromium, serving: &Serving, title: &str) -> Result<(), BenchError> {
    // Stores the token as if the page had opened the link.
    page.before_scripts(&format!("sessionStorage.setItem('access', {})", json!(serving.token)))?;
    page.call("Page.navigate", json!({"url": format!("http://127.0.0.1:{}/", serving.port)}))?;
    let press = |what: &str, text: &str| {
        format!(
            "(() => {{ const found = [...document.querySelectorAll('{what}')].find((e) => e.textContent.includes('{text}')); \
             found?.click(); return Boolean(found); }})()"
        )
    };
    page.until(&press("button", title))?;
    page.until(&press("[role=tab]", "Terminal"))
}
