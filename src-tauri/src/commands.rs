//! The Tauri commands of the page.
//!
//! The page refers to its event feeds and terminals by number. An unknown number is not an error, because a
//! feed or terminal can end before the page's request arrives.

use crate::{
    clients::Clients,
    deferred_show::{DeferredShow, Page},
};
use base64::Engine as _;
use bc_bridge::{Outgoing, Terminal, TerminalMessage};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode};
use serde_json::Value;
use std::{path::PathBuf, thread};
use tauri::{
    AppHandle, Manager, State,
    async_runtime::spawn_blocking,
    ipc::{Channel, InvokeBody, InvokeResponseBody, Request, Response},
};

/// The header with the number of the terminal to which an input goes.
const TERMINAL: &str = "terminal";

/// Calls a command of the contract and returns its result.
#[tauri::command]
pub(crate) async fn rpc(
    clients: State<'_, Clients>,
    method: String,
    project: Option<String>,
    params: Value,
) -> Result<Response, ApiError> {
    let backend = clients.backend();
    let called = spawn_blocking(move || backend.answer(None, &method, project.as_deref(), params)).await;
    // The text is already JSON, so it is not serialized again.
    let called = called.map(|answer| answer.map(|text| Response::new(InvokeResponseBody::Json(text))));
    called.unwrap_or_else(|_| {
        let error = ApiError::new(ErrorCode::Internal, "the command ended without an answer");
        Err(error.hint("see the program's output for the cause; the command may have taken effect"))
    })
}

/// Sends the events after `since` to the channel, or only new events if `since` is `None`. Returns the feed's
/// number.
#[tauri::command]
pub(crate) fn events_open(
    clients: State<'_, Clients>,
    since: Option<u64>,
    channel: Channel<InvokeResponseBody>,
) -> u32 {
    clients.follow(since, move |event| channel.send(InvokeResponseBody::Json(event.to_owned())).is_ok())
}

/// Acknowledges events; `count` is the number of events that the page has handled since the feed was opened.
#[tauri::command]
pub(crate) fn events_ack(clients: State<'_, Clients>, id: u32, count: u64) {
    clients.taken(id, count);
}

#[tauri::command]
pub(crate) fn events_close(clients: State<'_, Clients>, id: u32) {
    clients.unfollow(id);
}

/// Sends a terminal's messages to the channel: frames as bytes, events as strings, and `null` at the end.
/// Returns the terminal's number.
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
                // The text becomes a JSON string, so that the page reads it as from a WebSocket.
                Outgoing::Text(text) => InvokeResponseBody::Json(Value::String(text).to_string()),
            };
            if channel.send(message).is_err() {
                return;
            }
        }
        // An error means that the page has been closed.
        let _ = channel.send(InvokeResponseBody::Json("null".to_owned()));
    });
    id
}

/// Sends the user's input, which is the raw body of the request. Returns once the input is written, so that
/// the page can keep the order.
#[tauri::command]
pub(crate) async fn terminal_input(
    clients: State<'_, Clients>,
    request: Request<'_>,
) -> Result<(), ApiError> {
    let id = request.headers().get(TERMINAL).and_then(|id| id.to_str().ok()?.parse().ok());
    let (Some(id), InvokeBody::Raw(bytes)) = (id, request.body()) else {
        return Err(ApiError::new(
            ErrorCode::Usage,
            "an input must be bytes, with the terminal's number in a header",
        ));
    };
    let bytes = bytes.clone();
    act(&clients, id, move |terminal| terminal.input(&bytes)).await;
    Ok(())
}

/// Handles a message from the page about a terminal, other than input.
#[tauri::command]
pub(crate) async fn terminal_say(
    clients: State<'_, Clients>,
    id: u32,
    message: TerminalMessage,
) -> Result<(), ApiError> {
    act(&clients, id, move |terminal| terminal.control(message)).await;
    Ok(())
}

/// Detaches from a terminal; the session continues.
#[tauri::command]
pub(crate) fn terminal_close(clients: State<'_, Clients>, id: u32) {
    clients.detach(id);
}

/// Saves a document in the downloads folder and returns its path.
#[tauri::command]
pub(crate) async fn save_file(app: AppHandle, name: String, text: String) -> Result<PathBuf, ApiError> {
    save(app, name, text.into_bytes()).await
}

/// Like [`save_file`], but for an archive, which the page sends in base64.
#[tauri::command]
pub(crate) async fn save_archive(app: AppHandle, name: String, archive: String) -> Result<PathBuf, ApiError> {
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(archive)
        .map_err(|_| ApiError::new(ErrorCode::Usage, "the archive is not valid base64"))?;
    save(app, name, bytes).await
}

async fn save(app: AppHandle, name: String, bytes: Vec<u8>) -> Result<PathBuf, ApiError> {
    let folder =
        app.path().download_dir().or_else(|_| app.path().home_dir().map(|home| home.join("Downloads")));
    let folder = folder.map_err(|_| {
        let error = ApiError::new(ErrorCode::Io, "there is no folder for downloads");
        error.hint("set HOME, or a folder for downloads")
    })?;
    let saved = spawn_blocking(move || bc_app::save_download(&folder, &name, &bytes)).await;
    saved.unwrap_or_else(|_| Err(ApiError::new(ErrorCode::Internal, "the file was not saved")))
}

/// Records that the page has drawn its first content.
#[tauri::command]
pub(crate) fn page_draws(deferred_show: State<'_, DeferredShow>) {
    deferred_show.report(Page::Draws);
}

/// Calls `act` on a blocking thread, because a program that does not read its input blocks the write. Does
/// nothing if the terminal does not exist.
async fn act(clients: &Clients, id: u32, act: impl FnOnce(&Terminal) + Send + 'static) {
    let Some(terminal) = clients.terminal(id) else { return };
    // An error means a panic in `act`, which has been printed.
    let _ = spawn_blocking(move || act(&terminal)).await;
}
