//! Everything that the page can call.
//!
//! Numbers of what is open are only known to the page that opened it; one that is closed already is not
//! an error, for pages and terminals end on their own too.

use crate::{
    clients::Clients,
    curtain::{Curtain, Page},
};
use bc_bridge::{Outgoing, Terminal, TerminalMessage};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode};
use serde_json::Value;
use std::{path::PathBuf, sync::Arc, thread};
use tauri::{
    AppHandle, Manager, State,
    async_runtime::spawn_blocking,
    ipc::{Channel, InvokeBody, InvokeResponseBody, Request, Response},
};

/// The header that names the terminal of an input.
const TERMINAL: &str = "terminal";

/// One command of the contract.
#[tauri::command]
pub(crate) async fn rpc(
    clients: State<'_, Clients>,
    method: String,
    project: Option<String>,
    params: Value,
) -> Result<Response, ApiError> {
    let backend = clients.backend();
    let called = spawn_blocking(move || backend.answer(&method, project.as_deref(), params)).await;
    // The text goes to the page as it is.
    let called = called.map(|answer| answer.map(|text| Response::new(InvokeResponseBody::Json(text))));
    called.unwrap_or_else(|_| {
        let error = ApiError::new(ErrorCode::Internal, "the command ended without an answer");
        Err(error.hint("the program's output says why; the command may have been done"))
    })
}

/// Sends every event after `since`, or from now on, into the channel.
#[tauri::command]
pub(crate) fn events_open(
    clients: State<'_, Clients>,
    since: Option<u64>,
    channel: Channel<InvokeResponseBody>,
) -> u32 {
    clients.follow(since, move |event| channel.send(InvokeResponseBody::Json(event.to_owned())).is_ok())
}

/// The page has taken so many events in all.
#[tauri::command]
pub(crate) fn events_ack(clients: State<'_, Clients>, id: u32, count: u64) {
    clients.taken(id, count);
}

/// Ends following.
#[tauri::command]
pub(crate) fn events_close(clients: State<'_, Clients>, id: u32) {
    clients.unfollow(id);
}

/// Sends a terminal's messages into the channel: frames as bytes, texts as strings, and `null` when
/// nothing follows.
#[tauri::command]
pub(crate) fn terminal_open(
    clients: State<'_, Clients>,
    project: String,
    session: SessionId,
    channel: Channel<InvokeResponseBody>,
) -> u32 {
    let (id, terminal) = clients.attach(&project, session);
    thread::spawn(move || {
        while let Some(message) = terminal.recv() {
            let message = match message {
                Outgoing::Frame(bytes) => InvokeResponseBody::Raw(bytes),
                // A text stays a text: who reads it reads it as from a WebSocket.
                Outgoing::Text(text) => InvokeResponseBody::Json(Value::String(text).to_string()),
            };
            if channel.send(message).is_err() {
                return;
            }
        }
        // A page that is gone does not need to know.
        let _ = channel.send(InvokeResponseBody::Json("null".to_owned()));
    });
    id
}

/// What the user typed, as the raw body of the request. Answered once the program has it, so that the
/// page can keep the order.
#[tauri::command]
pub(crate) async fn terminal_input(
    clients: State<'_, Clients>,
    request: Request<'_>,
) -> Result<(), ApiError> {
    let id = request.headers().get(TERMINAL).and_then(|id| id.to_str().ok()?.parse().ok());
    let (Some(id), InvokeBody::Raw(bytes)) = (id, request.body()) else {
        return Err(ApiError::new(
            ErrorCode::Usage,
            "an input is bytes, with the terminal's number in a header",
        ));
    };
    let bytes = bytes.clone();
    act(&clients, id, move |terminal| terminal.input(&bytes)).await;
    Ok(())
}

/// What else the page says about a terminal.
#[tauri::command]
pub(crate) async fn terminal_say(
    clients: State<'_, Clients>,
    id: u32,
    message: TerminalMessage,
) -> Result<(), ApiError> {
    act(&clients, id, move |terminal| terminal.control(message)).await;
    Ok(())
}

/// Ends looking at a terminal.
#[tauri::command]
pub(crate) fn terminal_close(clients: State<'_, Clients>, id: u32) {
    clients.detach(id);
}

/// Gives a document to the person, in the folder for downloads; answers where it is.
#[tauri::command]
pub(crate) async fn save_file(app: AppHandle, name: String, text: String) -> Result<PathBuf, ApiError> {
    let folder =
        app.path().download_dir().or_else(|_| app.path().home_dir().map(|home| home.join("Downloads")));
    let folder = folder.map_err(|_| {
        let error = ApiError::new(ErrorCode::Io, "there is no folder to save it in");
        error.hint("set HOME, or a folder for downloads")
    })?;
    let saved = spawn_blocking(move || bc_app::save_download(&folder, &name, text.as_bytes())).await;
    saved.unwrap_or_else(|_| Err(ApiError::new(ErrorCode::Internal, "the file was not saved")))
}

/// The page draws what is to be seen first.
#[tauri::command]
pub(crate) fn page_draws(curtain: State<'_, Curtain>) {
    curtain.tell(Page::Draws);
}

/// Away from the threads that serve everybody: a program may not read what is typed.
async fn act(clients: &Clients, id: u32, act: impl FnOnce(&Terminal) + Send + 'static) {
    let Some(terminal) = clients.terminal(id) else { return };
    let terminal: Arc<Terminal> = terminal;
    // It cannot be cancelled, and a panic in it has been printed.
    let _ = spawn_blocking(move || act(&terminal)).await;
}
