//! Checks for a display before the toolkit starts, which panics without one.

/// There is no display, or it denies access.
#[derive(Debug, thiserror::Error)]
#[error("no display is available; `beads-console serve` provides the UI in a browser")]
pub struct NoDisplay;

/// Connects to the display. Call this function on the main thread, once, before the window is created.
#[cfg(target_os = "linux")]
pub fn open_display() -> Result<(), NoDisplay> {
    gtk::init().map_err(|_| NoDisplay)
}

/// Does nothing: other systems always have a display.
#[cfg(not(target_os = "linux"))]
pub fn open_display() -> Result<(), NoDisplay> {
    Ok(())
}
