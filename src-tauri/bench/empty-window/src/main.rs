//! A window with a blank page in a distinct colour, so that its first paint can be detected: the baseline of
//! the real window.

fn main() -> tauri::Result<()> {
    tauri::Builder::default().run(tauri::generate_context!())
}
