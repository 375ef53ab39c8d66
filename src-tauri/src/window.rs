//! Creates the window, and keeps it on its own page.

use crate::{
    clients::Clients,
    commands,
    deferred_show::{DeferredShow, Page},
    drawing,
    ending::end_on_signal,
    notifications::{self, Notifications},
    opened_folders::{self, OpenedFolders},
};
use bc_bridge::Backend;
use std::sync::Arc;
use tauri::{
    App, Assets, Manager, Url, Webview, WebviewWindowBuilder, Wry,
    webview::{NewWindowResponse, PageLoadEvent, PageLoadPayload},
};
use tauri_plugin_opener::OpenerExt;
use tauri_plugin_window_state::StateFlags;

/// The window's label, as in tauri.conf.json.
const LABEL: &str = "main";
/// The event that notifies the page that no program could open an address.
const UNOPENED: &str = "beads-console:unopened";

/// Shows the page in the window, and returns when the window is closed. `page` is [`crate::Embedded`] except
/// in tests.
pub fn run(backend: Arc<dyn Backend>, page: Box<dyn Assets<Wry>>) -> tauri::Result<()> {
    let mut context = tauri::generate_context!();
    context.set_assets(page);
    let kept = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN;
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_window_state::Builder::default().with_state_flags(kept).build())
        .plugin(tauri_plugin_opener::Builder::default().open_js_links_on_click(false).build())
        .manage(Clients::new(backend))
        .manage(Notifications::default())
        .manage(OpenedFolders::default())
        .invoke_handler(tauri::generate_handler![
            commands::rpc,
            commands::events_open,
            commands::events_ack,
            commands::events_close,
            commands::terminal_open,
            commands::terminal_input,
            commands::terminal_say,
            commands::terminal_close,
            commands::save_archive,
            commands::save_file,
            commands::page_draws,
            notifications::notification_state,
            notifications::notification_show,
            notifications::notification_withdraw,
            notifications::attention,
            opened_folders::take_opened_folders,
        ])
        .on_page_load(follow_the_page)
        .setup(|app| {
            end_on_signal(app.handle().clone())?;
            Ok(open(app)?)
        });
    #[cfg(target_os = "macos")]
    builder.build(context)?.run(opened_folders::on_event);
    #[cfg(not(target_os = "macos"))]
    builder.run(context)?;
    Ok(())
}

fn open(app: &App) -> tauri::Result<()> {
    let config = app.config().app.windows.first().expect("tauri.conf.json has one window");
    let (navigating, opening) = (app.handle().clone(), app.handle().clone());
    let window = WebviewWindowBuilder::from_config(app, config)?
        .on_navigation(move |url| {
            let own = is_own(url);
            if !own {
                open_outside(&navigating, url);
            }
            own
        })
        .on_new_window(move |url, _| {
            open_outside(&opening, &url);
            NewWindowResponse::Deny
        })
        .on_document_title_changed(|window, title| {
            // If this fails, the previous title is kept.
            let _ = window.set_title(&title);
        })
        .build()?;
    drawing::apply_to(&window)?;
    app.manage(DeferredShow::for_window(window)?);
    Ok(())
}

/// Follows the loading of the page. At its start, closes all feeds and terminals, because a new page does not
/// have their numbers. At its end, the window can be shown.
fn follow_the_page(webview: &Webview, page: &PageLoadPayload<'_>) {
    match page.event() {
        PageLoadEvent::Started => webview.state::<Clients>().forget(),
        PageLoadEvent::Finished => webview.state::<DeferredShow>().report(Page::Loaded),
    }
}

fn is_own(url: &Url) -> bool {
    let custom = url.scheme() == "tauri" && url.host_str() == Some("localhost");
    // Windows uses this address instead of the custom scheme.
    custom || (cfg!(windows) && url.host_str() == Some("tauri.localhost"))
}

/// Opens web addresses in the browser and mail addresses in the mail program; ignores other schemes.
fn open_outside(app: &impl Manager<Wry>, url: &Url) {
    if !matches!(url.scheme(), "http" | "https" | "mailto") {
        return;
    }
    let opened = app.opener().open_url(url.as_str(), None::<&str>);
    if let (Err(_), Some(webview)) = (opened, app.get_webview_window(LABEL)) {
        let address = serde_json::Value::from(url.as_str());
        let script = format!("dispatchEvent(new CustomEvent({UNOPENED:?}, {{ detail: {address} }}))");
        // An error means that the page has been closed.
        let _ = webview.eval(script);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_addresses_do_not_open_in_the_window() {
        let own = |url: &str| is_own(&url.parse().expect("an address"));
        assert!(own("tauri://localhost/") && own("tauri://localhost/index.html"));
        for other in [
            "https://tauri.localhost.evil.example/",
            "tauri://evil/",
            "http://localhost/",
            "file:///etc/passwd",
        ] {
            assert!(!own(other), "{other}");
        }
    }
}
