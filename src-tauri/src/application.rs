//! Determines the project that the window opens with.

use bc_app::App;
use bc_bridge::Backend;
use bc_engine::Programs;
use bc_wire::ApiError;
use std::{ffi::OsString, sync::Arc};

/// Opens the application with the project of `--project DIR`, with a sample project for `--sample`, or else with the
/// most recently opened project. Without a recent project, it also opens the sample project.
pub(crate) fn open(mut words: impl Iterator<Item = OsString>) -> Result<Arc<dyn Backend>, ApiError> {
    let app = App::new(Programs::beside_current_exe()?);
    let last = || app.last_opened().filter(|folder| folder.is_dir());
    let folder = match words.find(|word| word == "--sample" || word == "--project") {
        Some(word) if word == "--sample" => None,
        Some(_) => words.next().map(Into::into).or_else(last),
        None => last(),
    };
    match folder {
        Some(folder) => app.open_ahead(&folder)?,
        None => app.open_sample()?,
    };
    Ok(Arc::new(app))
}
