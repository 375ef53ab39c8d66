//! The system's notifications, and the count in the dock and the title.
//!
//! Uses notify-rust directly and not Tauri's plugin around it, because the plugin can neither withdraw a
//! notification nor report that the system refused it (`docs/decisions/0204-notifications.md`). Notifications
//! can be withdrawn on Linux only.

use bc_wire::{ApiError, ErrorCode};
use notify_rust::{Notification, NotificationHandle};
use serde::Deserialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tauri::{AppHandle, Manager, State, async_runtime::spawn_blocking, ipc::Channel};

/// A notification, as the page describes it.
#[derive(Debug, Deserialize)]
pub(crate) struct Note {
    id: String,
    title: String,
    body: String,
    sound: bool,
}

/// The notifications that are shown now, by the page's id.
#[derive(Clone, Default)]
pub(crate) struct Notifications {
    shown: Arc<Mutex<HashMap<String, NotificationHandle>>>,
}

impl Notifications {
    fn shown(&self) -> MutexGuard<'_, HashMap<String, NotificationHandle>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the system shows notifications: `allowed` or `unavailable`.
#[tauri::command]
pub(crate) async fn notification_state() -> &'static str {
    spawn_blocking(state).await.unwrap_or("unavailable")
}

#[cfg(target_os = "linux")]
fn state() -> &'static str {
    if notify_rust::get_server_information().is_ok() { "allowed" } else { "unavailable" }
}

#[cfg(not(target_os = "linux"))]
fn state() -> &'static str {
    "allowed"
}

/// Shows a notification. On Linux, `opened` gets a message when the user clicks the notification.
#[tauri::command]
pub(crate) async fn notification_show(
    app: AppHandle,
    notifications: State<'_, Notifications>,
    note: Note,
    opened: Channel<()>,
) -> Result<(), ApiError> {
    let notifications = notifications.inner().clone();
    let shown = spawn_blocking(move || show(&app, &notifications, note, opened)).await;
    shown.unwrap_or_else(|_| Err(ApiError::new(ErrorCode::Internal, "the notification was not shown")))
}

fn show(
    app: &AppHandle,
    notifications: &Notifications,
    note: Note,
    opened: Channel<()>,
) -> Result<(), ApiError> {
    let mut notification = Notification::new();
    notification.appname("Beads Console").summary(&one_line(&note.title)).body(&text_for_server(&note.body));
    #[cfg(target_os = "linux")]
    {
        use notify_rust::Hint;
        notification.icon("beads-console-desktop").action("default", "Open");
        notification.hint(Hint::DesktopEntry("Beads Console".to_owned()));
        notification.hint(Hint::SuppressSound(!note.sound));
    }
    if note.sound {
        notification.sound_name(SOUND);
    }
    let refused = |error: notify_rust::error::Error| {
        tracing::info!(%error, "the system refused a notification");
        ApiError::new(ErrorCode::Io, "the system does not show notifications")
    };
    let handle = notification.show().map_err(refused)?;
    #[cfg(target_os = "linux")]
    follow(app.clone(), notifications.clone(), note.id.clone(), handle.id(), opened);
    #[cfg(not(target_os = "linux"))]
    let _ = (app, opened);
    notifications.shown().insert(note.id, handle);
    Ok(())
}

#[cfg(target_os = "macos")]
const SOUND: &str = "default";
#[cfg(not(target_os = "macos"))]
const SOUND: &str = "message-new-instant";

/// Waits on a separate thread until the user opens or closes the notification.
#[cfg(target_os = "linux")]
fn follow(app: AppHandle, notifications: Notifications, id: String, number: u32, opened: Channel<()>) {
    std::thread::spawn(move || {
        let pressed = |action: &notify_rust::ActionResponse<'_>| {
            if matches!(action, notify_rust::ActionResponse::Custom(_)) {
                raise(&app);
                // An error means that the page has been closed.
                let _ = opened.send(());
            }
        };
        // Without the message bus, the user cannot click a notification.
        let _ = notify_rust::handle_action(number, pressed);
        notifications.shown().remove(&id);
    });
}

#[cfg(target_os = "linux")]
fn raise(app: &AppHandle) {
    if let Some(window) = app.get_webview_window("main") {
        // The desktop may refuse to focus the window.
        let _ = window.unminimize();
        let _ = window.set_focus();
    }
}

/// Withdraws a notification on Linux, if it is still shown. On other systems, notifications cannot be
/// withdrawn.
#[tauri::command]
pub(crate) async fn notification_withdraw(
    notifications: State<'_, Notifications>,
    id: String,
) -> Result<(), ApiError> {
    let handle = notifications.shown().remove(&id);
    #[cfg(target_os = "linux")]
    if let Some(handle) = handle {
        // On a separate thread, because it waits for the message bus.
        std::thread::spawn(move || handle.close());
    }
    #[cfg(not(target_os = "linux"))]
    drop(handle);
    Ok(())
}

/// Shows the number of needs in the dock, or no number if it is 0, and sets the window's title.
#[tauri::command]
pub(crate) fn attention(app: AppHandle, count: i64, title: String) {
    if let Some(window) = app.get_webview_window("main") {
        // Some desktops have no dock, or show no counts in it.
        let _ = window.set_badge_count((count > 0).then_some(count));
        let _ = window.set_title(&one_line(&title));
    }
}

fn one_line(text: &str) -> String {
    bc_core::text::cut(&bc_core::text::one_line(text), 200)
}

/// Escapes the text, because notification servers on Linux read the body as markup.
fn text_for_server(body: &str) -> String {
    let text = bc_core::text::cut(&bc_core::text::plain(body), 600);
    match cfg!(target_os = "linux") {
        true => text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_neither_markup_nor_control_characters() {
        assert_eq!(one_line("a\u{202e}\n\u{1b}[2Jb"), "a b");
        if cfg!(target_os = "linux") {
            assert_eq!(text_for_server("<b>&\u{1b}[2Jx\ny"), "&lt;b&gt;&amp;x\ny");
        }
    }
}
