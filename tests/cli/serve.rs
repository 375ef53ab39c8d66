//! The server for browsers: another way in while it runs, and what it remembers for the next one.

use crate::console::Console;
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A running server, ended in order when it is dropped.
pub(crate) struct Serving {
    pub(crate) child: Child,
    pub(crate) line: Value,
}

impl Serving {
    pub(crate) fn start(console: &Console) -> Serving {
        let mut child = console.command(&["serve"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Serving { line: serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}")), child }
    }

    fn port(&self) -> u16 {
        self.line["port"].as_u64().unwrap().try_into().unwrap()
    }

    fn end(&mut self) {
        let pid = self.child.id().to_string();
        #[allow(clippy::disallowed_methods, reason = "the test's own kill of its own child")]
        let killed = Command::new("kill").arg(pid).status().unwrap();
        assert!(killed.success() && self.child.wait().unwrap().success());
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer's head and body.
fn ask(port: u16, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

/// The cookie that a link is exchanged for; `None` if it is not good.
pub(crate) fn enter(url: &str) -> Option<(u16, String)> {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let port = host.rsplit_once(':').unwrap().1.parse().unwrap();
    let (head, _) = ask(port, &format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "))?;
    Some((port, cookie.split(';').next().unwrap().to_owned()))
}

pub(crate) fn rpc(page: &(u16, String), method: &str, params: Value) -> Value {
    post(page, method, &json!({ "params": params }))
}

pub(crate) fn post((port, cookie): &(u16, String), method: &str, body: &Value) -> Value {
    let body = body.to_string();
    let host = format!("127.0.0.1:{port}");
    let (head, answer) = ask(
        *port,
        &format!(
            "POST /rpc/{method} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ),
    );
    assert!(head.starts_with("http/1.1 200"), "{method}: {head}\n{answer}");
    serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{method}: {e}: {answer:?}"))
}

fn link(out: &str) -> Value {
    assert_eq!(out.lines().count(), 1, "{out:?}");
    serde_json::from_str(out).unwrap()
}

#[test]
fn a_running_server_is_asked_for_another_link() {
    let console = Console::new();
    let server = Serving::start(&console);
    let first = enter(server.line["url"].as_str().unwrap()).expect("the link that was printed is good");

    let another = link(&console.ok(&["serve", "--link"]));
    assert_eq!(another["pid"], server.line["pid"]);
    let url = another["url"].as_str().unwrap();
    assert!(enter(url).is_some(), "{url}");
    assert!(enter(url).is_none(), "it works once");

    // In the browser, too.
    let asked = rpc(&first, "app.link", json!({}));
    assert!(rpc(&first, "app.info", json!({}))["serves_browsers"].as_bool().unwrap());
    assert!(enter(asked["url"].as_str().unwrap()).is_some());
}

#[test]
fn which_server_is_meant_has_to_be_said_when_there_are_several_and_one_that_has_ended_is_none() {
    let console = Console::new();
    let message = console.fails(&["serve", "--link"], "server_not_found", 3);
    assert!(message.contains("beads-console serve"), "{message}");

    let mut one = Serving::start(&console);
    let other = Serving::start(&console);
    let message = console.fails(&["serve", "--link"], "usage", 2);
    for server in [&one, &other] {
        assert!(message.contains(&server.port().to_string()), "{message}");
    }
    let named = link(&console.ok(&["serve", "--link", "--port", &one.port().to_string()]));
    assert_eq!(named["port"], one.port());

    one.end();
    console.fails(&["serve", "--link", "--port", &one.port().to_string()], "server_not_found", 3);
    assert_eq!(link(&console.ok(&["serve", "--link"]))["port"], other.port());
}

#[test]
fn a_link_is_asked_for_without_a_project() {
    let console = Console::in_sandbox(Sandbox::without_git("empty"));
    console.fails(&["serve", "--link"], "server_not_found", 3);
    console.fails(&["serve", "--link", "--sample"], "usage", 2);
}

#[test]
fn a_window_is_laid_out_at_the_next_address_as_it_was_at_the_last() {
    let console = Console::new();
    let mut server = Serving::start(&console);
    let page = enter(server.line["url"].as_str().unwrap()).unwrap();
    let key = rpc(&page, "app.projects", json!({}))["projects"][0]["key"].clone();
    let layout = json!({ "view": "history", "panelShare": 41.5 });
    rpc(&page, "app.keep_layout", json!({ "project": key, "layout": layout }));
    server.end();

    let server = Serving::start(&console);
    let page = enter(server.line["url"].as_str().unwrap()).unwrap();
    assert_eq!(rpc(&page, "app.projects", json!({}))["projects"][0]["layout"], layout);
}

#[test]
fn settings_of_the_command_line_are_those_of_a_running_window_and_the_other_way_round() {
    let console = Console::new();
    let server = Serving::start(&console);
    let page = enter(server.line["url"].as_str().unwrap()).unwrap();
    let key = rpc(&page, "app.projects", json!({}))["projects"][0]["key"].clone();
    console.ok(&["settings", "inactivity_minutes", "7"]);
    assert_eq!(rpc(&page, "app.settings", json!({}))["inactivity_minutes"], 7);
    rpc(&page, "app.set_settings", json!({ "theme": "dark" }));
    let mine = console.json(&["settings"]);
    assert_eq!((&mine["inactivity_minutes"], &mine["theme"]), (&json!(7), &json!("dark")));
    let set = json!({ "params": { "set": { "reviews": false } }, "project": key });
    let shown = post(&page, "project.set_settings", &set);
    assert_eq!(shown, console.json(&["settings", "--project-only"]));
    assert_eq!(
        (&shown["in_force"]["reviews"], &shown["in_force"]["inactivity_minutes"]),
        (&json!(false), &json!(7))
    );
}
