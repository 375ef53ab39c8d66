//! A window with a blank page in a colour of its own, so that its first paint can be seen. Nothing else:
//! it is what the real window is measured beside.

fn main() -> tauri::Result<()> {
    tauri::Builder::default().run(tauri::generate_context!())
}
