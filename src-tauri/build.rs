//! Lists the commands that exist for the window. The window can call only those that its capability also
//! allows.

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
    "take_opened_folders",
    "notification_state",
    "notification_show",
    "notification_withdraw",
    "attention",
];

fn main() {
    tauri_build::try_build(Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS)))
        .expect("tauri.conf.json and the capabilities fit the commands");
}
