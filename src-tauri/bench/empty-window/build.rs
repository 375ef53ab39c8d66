//! What Tauri needs at build time.

fn main() {
    tauri_build::build();
}
