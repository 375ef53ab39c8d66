//! Our server as a client has it: started, its link opened, asked, and its terminals followed.

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

/// What a session of the measurements is called.
pub(crate) const TITLE: &str = "Measured session";

/// A server that runs, and what a browser has of it.
pub(crate) struct Serving {
    child: Child,
    pub(crate) port: u16,
    pub(crate) link: String,
    pub(crate) cookie: String,
    connection: Connection,
}

impl Serving {
    /// Starts it and opens its link. When this returns a page could ask for its board.
    pub(crate) fn start(sandbox: &Sandbox, program: &Path) -> Result<Serving, BenchError> {
        let mut serving = Serving::announced(sandbox, program)?;
        let path = serving.link.split_once(&format!(":{}", serving.port)).map(|(_, path)| path.to_owned());
        let opened = serving.connection.ask("GET", &path.unwrap_or_default(), "", "")?;
        serving.cookie =
            opened.cookie.ok_or_else(|| BenchError::said("the server's link", "gave no cookie"))?;
        Ok(serving)
    }

    /// Starts it; its link is left for a browser.
    pub(crate) fn announced(sandbox: &Sandbox, program: &Path) -> Result<Serving, BenchError> {
        let mut command = sandbox.command(program);
        command.arg("--project").arg(sandbox.project()).arg("serve");
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|source| BenchError::Start { program: program.to_owned(), source })?;
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut line).map_err(BenchError::io("the server's line"))?;
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let (Some(link), Some(port)) = (said["url"].as_str(), said["port"].as_u64()) else {
            return Err(BenchError::said("the server", format!("printed {line:?}")));
        };
        let port = u16::try_from(port).expect("a port has 16 bits");
        let connection = Connection::open(port)?;
        Ok(Serving { child, port, link: link.to_owned(), cookie: String::new(), connection })
    }

    /// A command's answer as it came.
    pub(crate) fn call_raw(
        &mut self,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<Vec<u8>, BenchError> {
        let body = json!({"project": project, "params": params}).to_string();
        let cookie = self.cookie.clone();
        let answer = self.connection.ask("POST", &format!("/rpc/{method}"), &cookie, &body)?;
        match answer.status {
            200 => Ok(answer.body),
            status => {
                let said = String::from_utf8_lossy(&answer.body).into_owned();
                Err(BenchError::said(method, format!("was answered with {status}: {said}")))
            }
        }
    }

    /// The same, read.
    pub(crate) fn call(
        &mut self,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<Value, BenchError> {
        let body = self.call_raw(method, project, params)?;
        serde_json::from_slice(&body)
            .map_err(|error| BenchError::said(method, format!("was answered with no JSON: {error}")))
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The key of the one project that is open.
    pub(crate) fn project(&mut self) -> Result<String, BenchError> {
        let projects = self.call("app.projects", None, json!({}))?;
        let key = projects["projects"][0]["key"].as_str();
        key.map(str::to_owned).ok_or_else(|| BenchError::said("app.projects", format!("answered {projects}")))
    }

    /// Starts a session with the agent beside the program; its id.
    pub(crate) fn session(&mut self, project: &str) -> Result<String, BenchError> {
        let params = json!({"simulated": true, "title": TITLE, "prompt": "", "size": [80, 24], "folder": "repository"});
        let started = self.call("session.start", Some(project), params)?;
        let id = started["session"]["id"].as_str();
        id.map(str::to_owned).ok_or_else(|| BenchError::said("session.start", format!("answered {started}")))
    }

    /// A session's terminal as the UI opens it.
    pub(crate) fn terminal(&self, project: &str, session: &str) -> Result<WebSocket<TcpStream>, BenchError> {
        let path = format!("/terminal/{project}/{session}");
        open_socket(self.port, &path, &self.cookie)
    }
}

/// A WebSocket as a page of that server opens it.
pub(crate) fn open_socket(port: u16, path: &str, cookie: &str) -> Result<WebSocket<TcpStream>, BenchError> {
    let address = format!("ws://127.0.0.1:{port}{path}");
    let lost = |source: tungstenite::Error| BenchError::socket(&address)(source);
    let mut request = address.as_str().into_client_request().map_err(lost)?;
    let header = |text: &str| HeaderValue::from_str(text).expect("an address and a cookie are headers");
    request.headers_mut().insert("origin", header(&format!("http://127.0.0.1:{port}")));
    request.headers_mut().insert("cookie", header(cookie));
    let stream = TcpStream::connect(("127.0.0.1", port)).map_err(BenchError::io("connecting"))?;
    stream.set_nodelay(true).map_err(BenchError::io("connecting"))?;
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(error) => Err(BenchError::said(address.clone(), format!("refused: {error}"))),
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended by itself; hosts of sessions end with their sandbox.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
