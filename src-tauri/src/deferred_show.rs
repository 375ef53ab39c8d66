//! Shows the window once its page has content.
//!
//! Drawing a window without content blocks for up to half a second while WebKit's drawing process starts. The
//! drawing process cannot make progress while this process waits. The page is therefore loaded in a hidden
//! window of the final size, and the window is shown with the page's first content.

use std::{
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
    time::Duration,
};
use tauri::WebviewWindow;

/// The maximum time for which the window stays hidden while the page loads.
const LOAD_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum time for which the window stays hidden between the end of loading and the first content.
const DRAW_TIMEOUT: Duration = Duration::from_millis(500);

/// The channel has room for all messages that come before the window is shown.
const CHANNEL_CAPACITY: usize = 4;

/// The page's steps until the window is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Loaded,
    /// The page has drawn its first content.
    Draws,
}

/// Keeps a window hidden until its page has content, or until a timeout.
pub(crate) struct DeferredShow {
    sender: SyncSender<Page>,
}

impl DeferredShow {
    /// Sizes a hidden window, and starts a thread that shows it once the page has content.
    pub(crate) fn for_window(window: WebviewWindow) -> tauri::Result<DeferredShow> {
        lay_out(&window)?;
        let (sender, page) = sync_channel(CHANNEL_CAPACITY);
        thread::spawn(move || {
            wait(&page);
            // The window may be closed already.
            let _ = window.show();
        });
        Ok(DeferredShow { sender })
    }

    /// Reports the page's progress; ignored once the window is shown.
    pub(crate) fn report(&self, page: Page) {
        let _ = self.sender.try_send(page);
    }
}

/// Blocks until the window should be shown.
fn wait(page: &Receiver<Page>) {
    if page.recv_timeout(LOAD_TIMEOUT) == Ok(Page::Loaded) {
        // The window is shown in any case.
        let _ = page.recv_timeout(DRAW_TIMEOUT);
    }
}

/// Gives the hidden page its final size, but only if WebKit draws without a graphics card. With a card,
/// WebKit would wait for a frame that a hidden window never shows, and it draws fast enough once the window
/// is shown.
#[cfg(target_os = "linux")]
fn lay_out(window: &WebviewWindow) -> tauri::Result<()> {
    use gtk::prelude::{GtkWindowExt, WidgetExt};

    if !crate::drawing::is_without_card() {
        return Ok(());
    }
    // A hidden child widget would get no size.
    window.default_vbox()?.show();
    let window = window.gtk_window()?;
    let (width, height) = window.size();
    window.realize();
    window.size_allocate(&gtk::Allocation::new(0, 0, width, height));
    Ok(())
}

/// On other systems, a hidden window has its final size.
#[cfg(not(target_os = "linux"))]
fn lay_out(_window: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_shown_when_the_page_draws() {
        let (sender, page) = sync_channel(CHANNEL_CAPACITY);
        sender.send(Page::Draws).unwrap();
        wait(&page);
        sender.send(Page::Loaded).unwrap();
        sender.send(Page::Draws).unwrap();
        wait(&page);
        assert!(page.try_recv().is_err(), "both were taken");
    }

    #[test]
    fn a_silent_or_closed_page_is_shown_after_a_timeout() {
        let (sender, page) = sync_channel(CHANNEL_CAPACITY);
        sender.send(Page::Loaded).unwrap();
        wait(&page);
        drop(sender);
        wait(&page);
    }
}
