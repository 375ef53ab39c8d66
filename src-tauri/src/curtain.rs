//! The window is shown once there is something to see in it.
//!
//! A window without a picture asks WebKit for one each time that it is drawn, and stands still until it has
//! it or half a second is over. The process that would draw it is being started then, and to get anywhere it
//! needs us. So the page is loaded behind the curtain, at the size that the window will have, and the first
//! thing that anybody sees is what the page has drawn.

use std::{
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
    time::Duration,
};
use tauri::WebviewWindow;

/// A page that has not even been loaded by then is not going to be.
const LOADING: Duration = Duration::from_secs(5);
/// What a page may take that was loaded: one that has nothing to say of itself is seen then.
const DRAWING: Duration = Duration::from_millis(500);

/// What a page says of itself before the curtain is up, and more.
const SAID: usize = 4;

/// What is known of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// It is there with all that it names.
    Loaded,
    /// It draws what is to be seen first.
    Draws,
}

/// Hides the window until it is raised, or has been down long enough.
pub(crate) struct Curtain {
    told: SyncSender<Page>,
}

impl Curtain {
    /// In front of a window that is not shown yet.
    pub(crate) fn before(window: WebviewWindow) -> tauri::Result<Curtain> {
        lay_out(&window)?;
        let (told, page) = sync_channel(SAID);
        thread::spawn(move || {
            wait(&page);
            // A window that is gone does not have to be shown.
            let _ = window.show();
        });
        Ok(Curtain { told })
    }

    /// Tells it of the page; once it is up nobody listens any more.
    pub(crate) fn tell(&self, page: Page) {
        let _ = self.told.try_send(page);
    }
}

/// Returns when the window is to be shown.
fn wait(page: &Receiver<Page>) {
    if page.recv_timeout(LOADING) == Ok(Page::Loaded) {
        // Whatever comes, it is time.
        let _ = page.recv_timeout(DRAWING);
    }
}

/// Gives the page the room that it will have: one without any draws nothing that fits. Only where WebKit draws by
/// itself: with a card it would wait for a picture that a hidden window never shows, and draws soon enough after.
#[cfg(target_os = "linux")]
fn lay_out(window: &WebviewWindow) -> tauri::Result<()> {
    use gtk::prelude::{GtkWindowExt, WidgetExt};

    if !crate::drawing::is_without_card() {
        return Ok(());
    }
    // What is in a hidden window has no room as long as it is hidden itself.
    window.default_vbox()?.show();
    let window = window.gtk_window()?;
    let (width, height) = window.size();
    window.realize();
    window.size_allocate(&gtk::Allocation::new(0, 0, width, height));
    Ok(())
}

/// Elsewhere a window that is not shown has its size.
#[cfg(not(target_os = "linux"))]
fn lay_out(_window: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_up_when_the_page_draws_and_does_not_wait_for_more() {
        let (told, page) = sync_channel(SAID);
        told.send(Page::Draws).unwrap();
        wait(&page);
        told.send(Page::Loaded).unwrap();
        told.send(Page::Draws).unwrap();
        wait(&page);
        assert!(page.try_recv().is_err(), "both were taken");
    }

    #[test]
    fn a_page_that_says_nothing_and_one_that_is_gone_are_seen_too() {
        let (told, page) = sync_channel(SAID);
        told.send(Page::Loaded).unwrap();
        wait(&page);
        drop(told);
        wait(&page);
    }
}
