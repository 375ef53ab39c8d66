//! `access`: the people who may use the running server. The server keeps the list and carries out the changes.

use crate::{
    args::{AccessArgs, AccessCommand},
    failure::Failure,
    io::Io,
    serve,
};
use bc_server::{AccessAnswer, AccessRequest};
use bc_wire::app::PersonAccess;
use serde_json::json;

/// Sends the request to the running server and prints the answer.
pub(crate) fn run(args: AccessArgs, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    let request = match args.command {
        AccessCommand::Add { name } => AccessRequest::Add(name),
        AccessCommand::List => AccessRequest::List,
        AccessCommand::Revoke { name } => AccessRequest::Revoke(name),
    };
    let port = (args.port != 0).then_some(args.port);
    let answer = bc_server::ask_access(port, &request).map_err(|error| serve::no_answer(&error))?;
    let (value, text) = match answer {
        AccessAnswer::Added { name, url } => {
            let text = format!(
                "Give this link to {name}. It works once, and replaces any unused link of {name}:\n\n  {url}\n\n\
                 The first browser that opens it has access as {name}. `beads-console access revoke` ends it.\n"
            );
            (json!({ "name": name, "url": url }), text)
        }
        AccessAnswer::People(people) => (json!({ "people": shown(&people) }), table(&people)),
        AccessAnswer::Revoked(name) => {
            let text = format!("{name} no longer has access. Open connections of {name} are closed.\n");
            (json!({ "revoked": name }), text)
        }
        AccessAnswer::Refused(error) => return Err(error.into()),
    };
    let text = if json { format!("{value}\n") } else { text };
    Ok(io.out().write_all(text.as_bytes())?)
}

fn shown(people: &[PersonAccess]) -> Vec<serde_json::Value> {
    let person = |person: &PersonAccess| json!({ "name": person.name, "tabs": person.tabs, "unused_link": person.unused_link });
    people.iter().map(person).collect()
}

fn table(people: &[PersonAccess]) -> String {
    if people.is_empty() {
        return "Only you have access. Next: beads-console access add NAME\n".to_owned();
    }
    let line = |person: &PersonAccess| {
        let state = match (person.tabs, person.unused_link) {
            (0, true) => "link not used".to_owned(),
            (0, false) => "not connected".to_owned(),
            (1, _) => "connected".to_owned(),
            (tabs, _) => format!("connected in {tabs} tabs"),
        };
        format!("{}  {state}\n", person.name)
    };
    people.iter().map(line).collect()
}
