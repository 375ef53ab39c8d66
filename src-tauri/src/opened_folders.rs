//! Folders that the user opens with this program in the Finder: by dropping them on its icon, or with **Open With**.
//!
//! macOS reports them as events, possibly before the page exists. The page takes the folders when it is ready and
//! after each report. On Windows, the menu entry of folders starts this program with `--project`.

use std::sync::{Mutex, PoisonError};
use tauri::State;

/// The folders that the page has not taken yet.
#[derive(Debug, Default)]
pub(crate) struct OpenedFolders(Mutex<Vec<String>>);

impl OpenedFolders {
    #[cfg(any(target_os = "macos", test))]
    fn add(&self, folder: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(folder);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the folders to open, each once.
#[tauri::command]
pub(crate) fn take_opened_folders(folders: State<'_, OpenedFolders>) -> Vec<String> {
    folders.take()
}

/// Stores the folders of an event, and notifies the page.
#[cfg(target_os = "macos")]
pub(crate) fn on_event(app: &tauri::AppHandle, event: tauri::RunEvent) {
    use tauri::Manager;
    let tauri::RunEvent::Opened { urls } = event else { return };
    let folders = app.state::<OpenedFolders>();
    for folder in urls.iter().filter_map(|url| url.to_file_path().ok()) {
        folders.add(folder.display().to_string());
    }
    for webview in app.webview_windows().values() {
        // A page that is not loaded yet takes the folders later.
        let _ = webview.eval("dispatchEvent(new CustomEvent('beads-console:opened'))");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_is_taken_once() {
        let folders = OpenedFolders::default();
        folders.add("/w/shop".to_owned());
        assert_eq!(folders.take(), ["/w/shop"]);
        assert!(folders.take().is_empty());
    }
}
