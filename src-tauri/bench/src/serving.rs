//! A client of our server, which starts the server, opens its link, calls commands and opens terminals.

use crate::{error::BenchError, http::Connection};
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
};
use tungstenite::{WebSocket, client::IntoClientRequest, http::HeaderValue};

pub(crate) const TITLE: &str = "Measured session";

/// A running server, and a client with the access that a browser would have.
pub(crate) struct Serving {
    child: Child,
    pub(crate) port: u16,
    pub(crate) link: String,
    /// The token of a tab that opened the link.
    pub(crate) token: String,
    connection: Connection,
}

impl Serving {
    /// Starts the server and opens its link. When this returns, a page could request its board.
    pub(crate) fn start(sandbox: &Sandbox, program: &Path) -> Result<Serving, BenchError> {
        let mut serving = Serving::announced(sandbox, program)?;
        let secret = serving.link.rsplit_once('=').map(|(_, secret)| secret.to_owned()).unwrap_or_default();
        let body = json!({"token": secret}).to_string();
        let opened = serving.connection.request("POST", "/open", "", &body)?;
        let answer: Value = serde_json::from_slice(&opened.body).unwrap_or_default();
        serving.token = match answer["access"].as_str() {
            Some(token) => token.to_owned(),
            None => {
                return Err(BenchError::unexpected_output("the server's link", "returned no access token"));
            }
        };
        Ok(serving)
    }

    /// Starts the server and leaves its link unused, for a browser.
    pub(crate) fn announced(sandbox: &Sandbox, program: &Path) -> Result<Serving, BenchError> {
        let mut command = sandbox.command(program);
        command.arg("--project").arg(sandbox.project()).arg("serve");
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|source| BenchError::Start { program: program.to_owned(), source })?;
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut line).map_err(BenchError::io("the server's line"))?;
        let announced: Value = serde_json::from_str(&line).unwrap_or_default();
        let (Some(link), Some(port)) = (announced["url"].as_str(), announced["port"].as_u64()) else {
            return Err(BenchError::unexpected_output("the server", format!("printed {line:?}")));
        };
        let port = u16::try_from(port).expect("a port has 16 bits");
        let connection = Connection::open(port)?;
        Ok(Serving { child, port, link: link.to_owned(), token: String::new(), connection })
    }

    /// Calls a command and returns the answer's JSON text.
    pub(crate) fn call_raw(
        &mut self,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<Vec<u8>, BenchError> {
        let body = json!({"project": project, "params": params}).to_string();
        let token = self.token.clone();
        let answer = self.connection.request("POST", &format!("/rpc/{method}"), &token, &body)?;
        match answer.status {
            200 => Ok(answer.body),
            status => {
                let text = String::from_utf8_lossy(&answer.body).into_owned();
                Err(BenchError::unexpected_output(method, format!("was answered with {status}: {text}")))
            }
        }
    }

    /// Calls a command and returns the answer as a JSON value.
    pub(crate) fn call(
        &mut self,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<Value, BenchError> {
        let body = self.call_raw(method, project, params)?;
        serde_json::from_slice(&body).map_err(|error| {
            BenchError::unexpected_output(method, format!("was answered with no JSON: {error}"))
        })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The key of the only open project, for other commands.
    pub(crate) fn project(&mut self) -> Result<String, BenchError> {
        let projects = self.call("app.projects", None, json!({}))?;
        let key = projects["projects"][0]["key"].as_str();
        key.map(str::to_owned)
            .ok_or_else(|| BenchError::unexpected_output("app.projects", format!("answered {projects}")))
    }

    /// Starts a session with the agent that is in the same folder as the program. Returns the session's id.
    pub(crate) fn session(&mut self, project: &str) -> Result<String, BenchError> {
        let params = json!({"simulated": true, "title": TITLE, "prompt": "", "size": [80, 24], "folder": "repository"});
        let started = self.call("session.start", Some(project), params)?;
        let id = started["session"]["id"].as_str();
        id.map(str::to_owned)
            .ok_or_else(|| BenchError::unexpected_output("session.start", format!("answered {started}")))
    }

    /// Opens a session's terminal as the UI does.
    pub(crate) fn terminal(&self, project: &str, session: &str) -> Result<WebSocket<TcpStream>, BenchError> {
        let path = format!("/terminal/{project}/{session}");
        open_socket(self.port, &path, &self.token)
    }
}

/// Opens a WebSocket as the server's page does.
pub(crate) fn open_socket(port: u16, path: &str, token: &str) -> Result<WebSocket<TcpStream>, BenchError> {
    let address = format!("ws://127.0.0.1:{port}{path}");
    let lost = |source: tungstenite::Error| BenchError::socket(&address)(source);
    let mut request = address.as_str().into_client_request().map_err(lost)?;
    let header = |text: &str| HeaderValue::from_str(text).expect("an address and a token are headers");
    request.headers_mut().insert("origin", header(&format!("http://127.0.0.1:{port}")));
    request.headers_mut().insert("sec-websocket-protocol", header(&format!("beads-console, access.{token}")));
    let stream = TcpStream::connect(("127.0.0.1", port)).map_err(BenchError::io("connecting"))?;
    stream.set_nodelay(true).map_err(BenchError::io("connecting"))?;
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(error) => Err(BenchError::unexpected_output(address.clone(), format!("refused: {error}"))),
    }
}

impl Serving {
    /// Kills the server. The hosts and links keep running until the sandbox is dropped.
    pub(crate) fn stop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop();
    }
}
