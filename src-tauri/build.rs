//! Names the commands that the window may call: only these exist for it, and only what the capability
//! allows of them can be called.

use tauri_build::{AppManifest, Attributes};

const COMMANDS: &[&str] = &[
    "rpc",
    "events_open",
    "events_ack",
    "events_close",
    "terminal_open",
    "terminal_input",
    "terminal_say",
    "terminal_close",
    "save_archive",
    "save_file",
    "page_draws",
    "notification_state",
    "notification_show",
    "notification_withdraw",
    "attention",
];

fn main() {
    tauri_build::try_build(Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS)))
        .expect("tauri.conf.json and the capabilities fit the commands");
}
