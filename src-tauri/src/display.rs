//! Whether there is anything to show a window on. Asked first, because the toolkit panics where there is not.

/// There is no display, or it does not let us.
#[derive(Debug, thiserror::Error)]
#[error("there is no display to show a window on; `beads-console serve` shows the same in a browser")]
pub struct NoDisplay;

/// Opens the display. On the main thread, once, before the window.
#[cfg(target_os = "linux")]
pub fn open_display() -> Result<(), NoDisplay> {
    gtk::init().map_err(|_| NoDisplay)
}

/// Opens the display: elsewhere there always is one.
#[cfg(not(target_os = "linux"))]
pub fn open_display() -> Result<(), NoDisplay> {
    Ok(())
}
