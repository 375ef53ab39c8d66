//! The server for browsers: its access links, public address and people with access, the data that it saves
//! for its next start, and incomplete requests.

use crate::console::Console;
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A running server, which is killed when this value is dropped.
pub(crate) struct RunningServer {
    pub(crate) child: Child,
    pub(crate) line: Value,
}

impl RunningServer {
    pub(crate) fn start(console: &Console) -> RunningServer {
        RunningServer::of(console.command(&["serve"]))
    }

    pub(crate) fn of(mut command: Command) -> RunningServer {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        RunningServer { line: serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}")), child }
    }

    fn port(&self) -> u16 {
        self.line["port"].as_u64().unwrap().try_into().unwrap()
    }

    fn end(&mut self) {
        let pid = self.child.id().to_string();
        #[allow(clippy::disallowed_methods, reason = "the test kills its own child")]
        let killed = Command::new("kill").arg(pid).status().unwrap();
        assert!(killed.success() && self.child.wait().unwrap().success());
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request. Returns the response's head, in lower case, and its body.
fn request(port: u16, text: &str) -> (String, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

/// Posts JSON as the server's page does. Returns the response's head, in lower case, and its body.
fn post_json(port: u16, path: &str, token: &str, body: &Value) -> (String, String) {
    let body = body.to_string();
    let host = format!("127.0.0.1:{port}");
    request(
        port,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ),
    )
}

/// Exchanges a link for an access token and returns it with the port; `None` if the link is invalid.
pub(crate) fn enter(url: &str) -> Option<(u16, String)> {
    let (origin, token) = url.split_once("/open#token=").unwrap();
    let port = origin.rsplit_once(':').unwrap().1.parse().unwrap();
    let (head, body) = post_json(port, "/open", "", &json!({ "token": token }));
    let access = || serde_json::from_str::<Value>(&body).unwrap()["access"].as_str().unwrap().to_owned();
    head.starts_with("http/1.1 200").then(|| (port, access()))
}

pub(crate) fn rpc(page: &(u16, String), method: &str, params: Value) -> Value {
    post(page, method, &json!({ "params": params }))
}

/// Calls a command. Returns whether it succeeded, and its result or error.
pub(crate) fn try_post((port, token): &(u16, String), method: &str, body: &Value) -> (bool, Value) {
    let (head, answer) = post_json(*port, &format!("/rpc/{method}"), token, body);
    let answer = serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{method}: {e}: {answer:?}"));
    (head.starts_with("http/1.1 200"), answer)
}

pub(crate) fn post((port, token): &(u16, String), method: &str, body: &Value) -> Value {
    let (head, answer) = post_json(*port, &format!("/rpc/{method}"), token, body);
    assert!(head.starts_with("http/1.1 200"), "{method}: {head}\n{answer}");
    serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{method}: {e}: {answer:?}"))
}

fn link(out: &str) -> Value {
    assert_eq!(out.lines().count(), 1, "{out:?}");
    serde_json::from_str(out).unwrap()
}

#[test]
fn a_running_server_gives_another_link_on_request() {
    let console = Console::new();
    let server = RunningServer::start(&console);
    let first = enter(server.line["url"].as_str().unwrap()).expect("the printed link is valid");

    let another = link(&console.ok(&["serve", "--link"]));
    assert_eq!(another["pid"], server.line["pid"]);
    let url = another["url"].as_str().unwrap();
    assert!(enter(url).is_some(), "{url}");
    assert!(enter(url).is_none(), "a link works only once");

    // A link can also be created in the browser.
    let requested = rpc(&first, "app.link", json!({}));
    assert!(rpc(&first, "app.info", json!({}))["serves_browsers"].as_bool().unwrap());
    assert!(enter(requested["url"].as_str().unwrap()).is_some());
}

#[test]
fn a_restarted_server_keeps_its_address_and_tabs() {
    let console = Console::new();
    let mut server = RunningServer::start(&console);
    let port = server.port();
    let tab = enter(server.line["url"].as_str().unwrap()).unwrap();
    server.end();

    let server = RunningServer::start(&console);
    assert_eq!(server.port(), port);
    assert_eq!(rpc(&tab, "app.projects", json!({}))["projects"].as_array().unwrap().len(), 1);

    // A second server does not accept the tokens of the first one's tabs.
    let other = RunningServer::start(&console);
    assert_ne!(other.port(), port);
    let (head, _) = post_json(other.port(), "/rpc/app.projects", &tab.1, &json!({}));
    assert!(head.starts_with("http/1.1 401"), "{head}");
}

#[cfg(target_os = "linux")]
#[test]
fn incomplete_requests_do_not_lock_the_user_out() {
    let console = Console::new();
    // The limit on open files applies only to the server, so that the test can open more connections.
    let serve = console.command(&["serve"]);
    let mut limited = console.sandbox.command("/usr/bin/prlimit");
    limited.arg("--nofile=128:128").arg(serve.get_program()).args(serve.get_args());
    limited.current_dir(serve.get_current_dir().unwrap());
    let server = RunningServer::of(limited);
    let port = server.port();
    let tab = enter(server.line["url"].as_str().unwrap()).unwrap();
    let incomplete = [
        format!("POST /rpc/app.info HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"),
        format!(
            "POST /open HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Length: 90\r\n\r\n{{"
        ),
        format!("GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"),
        "\u{16}\u{3}\u{1}".to_owned(),
        String::new(),
    ];
    let mut open = Vec::new();
    for n in 0..1100 {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        // The server may have closed the connection in favour of a newer connection.
        let _ = stream.write_all(incomplete[n % incomplete.len()].as_bytes());
        open.push(stream);
    }
    assert_eq!(rpc(&tab, "app.projects", json!({}))["projects"].as_array().unwrap().len(), 1);
    let another = link(&console.ok(&["serve", "--link"]));
    assert!(enter(another["url"].as_str().unwrap()).is_some());
    drop(open);
}

#[test]
fn a_server_behind_a_proxy_prints_and_accepts_its_public_address() {
    let console = Console::new();
    let origin = "https://console.example.org";
    let server =
        RunningServer::of(console.command(&["serve", "--origin", "HTTPS://Console.example.org:443/"]));
    assert_eq!(server.line["origin"], origin);
    let another = link(&console.ok(&["serve", "--link"]));
    for line in [&server.line, &another] {
        assert!(line["url"].as_str().unwrap().starts_with(&format!("{origin}/open#token=")), "{line}");
    }
    let get = |host: &str| {
        request(server.port(), &format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).0
    };
    assert!(get("console.example.org").starts_with("http/1.1 200"));
    assert!(get(&format!("127.0.0.1:{}", server.port())).starts_with("http/1.1 403"));

    for (bad, why) in [
        ("http://console.example.org", "use https://"),
        ("https://console.example.org/beads", "cannot contain a path"),
        ("https://ana:secret@console.example.org", "cannot contain a user name"),
        ("https://console.example.org:99999", "from 1 to 65535"),
        ("console.example.org", "must start with https://"),
    ] {
        let message = console.fails(&["serve", "--origin", bad], "usage", 2);
        assert!(message.contains(why) && message.contains("--origin"), "{bad}: {message}");
    }
}

#[test]
fn people_get_links_act_in_their_name_and_are_revoked() {
    let console = Console::new();
    let server = RunningServer::start(&console);
    assert!(console.ok(&["access", "list", "--json"]).contains("\"people\":[]"));
    let added: Value = serde_json::from_str(&console.ok(&["access", "add", "Ana", "--json"])).unwrap();
    assert_eq!(added["name"], "Ana");
    let ana = enter(added["url"].as_str().unwrap()).expect("Ana's link is valid");
    assert!(enter(added["url"].as_str().unwrap()).is_none(), "a link works only once");
    let owner = enter(server.line["url"].as_str().unwrap()).unwrap();

    // A link that Ana creates for another browser is also in her name. Ana cannot give access to other
    // people.
    assert_eq!(rpc(&ana, "app.info", json!({}))["display_name"], "Ana");
    let second = enter(rpc(&ana, "app.link", json!({}))["url"].as_str().unwrap()).unwrap();
    for (method, name) in [("app.add_person", "Ben"), ("app.revoke_person", "Ana")] {
        let (ok, refused) = try_post(&second, method, &json!({ "params": { "name": name } }));
        assert!(!ok && refused["message"].as_str().unwrap().contains("only the user"), "{refused}");
    }

    // Ana's changes are recorded in her name, and she cannot choose another name.
    let project = rpc(&owner, "app.projects", json!({}))["projects"][0]["key"].clone();
    let create = |page: &(u16, String), title: &str, actor: Value| {
        let params = json!({ "title": title, "actor": actor });
        post(page, "bead.create", &json!({ "project": project, "params": params }))["bead"]["id"].clone()
    };
    let by = |bead: &Value| {
        let audit = post(&owner, "bead.audit", &json!({ "project": project, "params": { "id": bead } }));
        audit["events"][0]["actor"].as_str().unwrap_or_else(|| panic!("{audit}")).to_owned()
    };
    assert_eq!(by(&create(&second, "Hers", Value::Null)), "Ana");
    assert_eq!(by(&create(&second, "Not the owner's", "tester".into())), "Ana");
    assert_ne!(by(&create(&owner, "The owner's", Value::Null)), "Ana");

    let state = &console.sandbox.env()[OsStr::new("XDG_STATE_HOME")];
    let file = Path::new(state).join(format!("beads-console/server/tabs-{}.json", server.port()));
    let saved = std::fs::read_to_string(file).unwrap();
    assert!(saved.contains("Ana") && !saved.contains(second.1.split_once('.').unwrap().1), "{saved}");

    assert!(console.ok(&["access", "revoke", "ana"]).contains("Ana"));
    let (head, _) = post_json(second.0, "/rpc/app.info", &second.1, &json!({}));
    assert!(head.starts_with("http/1.1 401"), "{head}");
    rpc(&owner, "app.info", json!({}));
    let message = console.fails(&["access", "revoke", "Ana"], "usage", 2);
    assert!(message.contains("no person with this name"), "{message}");
    console.fails(&["access", "add", "a/b"], "usage", 2);
}

#[test]
fn a_person_is_recorded_by_the_engine_of_another_process() {
    let console = Console::new();
    // The first server becomes the engine. The second server is its client and serves Ana.
    let first = RunningServer::start(&console);
    let owner = enter(first.line["url"].as_str().unwrap()).unwrap();
    rpc(&owner, "app.projects", json!({}));
    let project = rpc(&owner, "app.projects", json!({}))["projects"][0]["key"].clone();
    post(&owner, "session.list", &json!({ "project": project, "params": {} }));
    let second = RunningServer::start(&console);
    let port = second.port().to_string();
    let added: Value =
        serde_json::from_str(&console.ok(&["access", "add", "Ana", "--port", &port, "--json"])).unwrap();
    let ana = enter(added["url"].as_str().unwrap()).unwrap();
    let project_of_second = rpc(&ana, "app.projects", json!({}))["projects"][0]["key"].clone();
    let made = post(
        &ana,
        "bead.create",
        &json!({ "project": project_of_second, "params": { "title": "From afar" } }),
    );
    let params = json!({ "project": project, "params": { "id": made["bead"]["id"] } });
    assert_eq!(post(&owner, "bead.audit", &params)["events"][0]["actor"], "Ana");
}

#[test]
fn several_servers_need_an_explicit_choice_and_ended_ones_do_not_count() {
    let console = Console::new();
    let message = console.fails(&["serve", "--link"], "server_not_found", 3);
    assert!(message.contains("beads-console serve"), "{message}");

    let mut one = RunningServer::start(&console);
    let other = RunningServer::start(&console);
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
fn a_link_can_be_requested_without_a_project() {
    let console = Console::in_sandbox(Sandbox::without_git("empty"));
    console.fails(&["serve", "--link"], "server_not_found", 3);
    console.fails(&["serve", "--link", "--sample"], "usage", 2);
}

#[test]
fn the_layout_is_kept_at_another_address() {
    let console = Console::new();
    let mut server = RunningServer::start(&console);
    let page = enter(server.line["url"].as_str().unwrap()).unwrap();
    let key = rpc(&page, "app.projects", json!({}))["projects"][0]["key"].clone();
    let layout = json!({ "view": "history", "panelShare": 41.5 });
    rpc(&page, "app.keep_layout", json!({ "project": key, "layout": layout }));
    server.end();

    let server = RunningServer::start(&console);
    let page = enter(server.line["url"].as_str().unwrap()).unwrap();
    assert_eq!(rpc(&page, "app.projects", json!({}))["projects"][0]["layout"], layout);
}

#[test]
fn command_line_and_running_server_share_their_settings() {
    let console = Console::new();
    let server = RunningServer::start(&console);
    let page = enter(server.line["url"].as_str().unwrap()).unwrap();
    let key = rpc(&page, "app.projects", json!({}))["projects"][0]["key"].clone();
    console.ok(&["settings", "inactivity_minutes", "7"]);
    assert_eq!(rpc(&page, "app.settings", json!({}))["inactivity_minutes"], 7);
    rpc(&page, "app.set_settings", json!({ "theme": "dark" }));
    let printed = console.json(&["settings"]);
    assert_eq!((&printed["inactivity_minutes"], &printed["theme"]), (&json!(7), &json!("dark")));
    let set = json!({ "params": { "set": { "reviews": false } }, "project": key });
    let shown = post(&page, "project.set_settings", &set);
    assert_eq!(shown, console.json(&["settings", "--project-only"]));
    assert_eq!(
        (&shown["in_force"]["reviews"], &shown["in_force"]["inactivity_minutes"]),
        (&json!(false), &json!(7))
    );
}
