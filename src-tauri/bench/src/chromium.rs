//! Debian's Chromium in headless mode, controlled through its debugging protocol.

use crate::error::BenchError;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

const TIMEOUT: Duration = Duration::from_secs(60);

/// Arguments as in the journeys (`tests/e2e`), and those for the debugging port and the window's size.
const ARGS: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "--window-size=1280,800",
    "about:blank",
];

/// Like a machine without a graphics processor: WebGL exists and is drawn in software.
const WITH_WEBGL: &[&str] = &["--disable-gpu", "--enable-unsafe-swiftshader"];

const WITHOUT_WEBGL: &[&str] = &["--disable-gpu", "--disable-3d-apis"];

/// A browser with one page.
pub(crate) struct Chromium {
    child: Child,
    socket: WebSocket<TcpStream>,
    page: String,
    calls: u64,
    _profile: TempDir,
}

impl Chromium {
    /// Starts a browser with a new profile.
    pub(crate) fn start(webgl: bool) -> Result<Chromium, BenchError> {
        let profile = tempfile::tempdir().map_err(BenchError::io("a folder for the browser"))?;
        // The lint is meant for programs that the product starts; Chromium is only a measuring tool.
        #[allow(clippy::disallowed_methods)]
        let mut command = Command::new("chromium");
        command.args(if webgl { WITH_WEBGL } else { WITHOUT_WEBGL });
        command.args(ARGS).arg(format!("--user-data-dir={}", profile.path().display()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|_| BenchError::Missing {
            what: "chromium".to_owned(),
            hint: "install Debian's package chromium; the rows of the browser need it",
        })?;
        let mut lines = BufReader::new(child.stderr.take().expect("it was piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
        // The rest of the error output is read and ignored, because the browser would block on a full pipe.
        thread::spawn(move || lines.for_each(drop));
        let address = address.ok_or_else(|| {
            BenchError::unexpected_output("chromium", "ended before it printed its address")
        })?;
        let authority = address.trim_start_matches("ws://").split('/').next().unwrap_or_default();
        let stream = TcpStream::connect(authority).map_err(BenchError::io("the browser's debugging port"))?;
        let (socket, _) = tungstenite::client(address.as_str(), stream).map_err(|error| {
            BenchError::unexpected_output("chromium", format!("refused its debugging port: {error}"))
        })?;
        let page = String::new();
        let mut chromium = Chromium { child, socket, page, calls: 0, _profile: profile };
        let targets = chromium.call("Target.getTargets", json!({}))?;
        let first = targets["targetInfos"].as_array().into_iter().flatten().find(|t| t["type"] == "page");
        let id = first.map(|target| target["targetId"].clone()).unwrap_or_default();
        let attached = chromium.call("Target.attachToTarget", json!({"targetId": id, "flatten": true}))?;
        chromium.page = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        chromium.call("Page.enable", json!({}))?;
        Ok(chromium)
    }

    /// Runs a command of the debugging protocol and returns its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Result<Value, BenchError> {
        self.calls += 1;
        let id = self.calls;
        let mut request = json!({"id": id, "method": method, "params": params});
        if !self.page.is_empty() {
            request["sessionId"] = json!(self.page);
        }
        self.socket.send(Message::text(request.to_string())).map_err(BenchError::socket("chromium"))?;
        loop {
            let Message::Text(text) = self.socket.read().map_err(BenchError::socket("chromium"))? else {
                continue;
            };
            let answer: Value = serde_json::from_str(&text).unwrap_or_default();
            if answer["id"] != id {
                continue;
            }
            return match answer.get("error") {
                Some(error) => {
                    Err(BenchError::unexpected_output("chromium", format!("refused {method}: {error}")))
                }
                None => Ok(answer["result"].clone()),
            };
        }
    }

    /// Makes every page that is loaded from now on run this script before its own scripts.
    pub(crate) fn before_scripts(&mut self, source: &str) -> Result<(), BenchError> {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": source})).map(drop)
    }

    /// The value of an expression in the page; if it is a promise, its result.
    pub(crate) fn value(&mut self, expression: &str) -> Result<Value, BenchError> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let result = self.call("Runtime.evaluate", params)?;
        match result.get("exceptionDetails") {
            Some(thrown) => Err(BenchError::unexpected_output("the page", format!("threw {thrown}"))),
            None => Ok(result["result"]["value"].clone()),
        }
    }

    /// Waits until an expression is true in the page. Fails after [`TIMEOUT`].
    pub(crate) fn until(&mut self, expression: &str) -> Result<(), BenchError> {
        let started = Instant::now();
        while self.value(expression).ok() != Some(Value::Bool(true)) {
            if started.elapsed() > TIMEOUT {
                let what = format!("{expression} in the page");
                return Err(BenchError::TimedOut { what, after: TIMEOUT });
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The browser's child processes exit with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
