//! Determines the project that the window opens with.

use bc_app::App;
use bc_bridge::Backend;
use bc_engine::Programs;
use bc_wire::ApiError;
use std::{ffi::OsString, path::PathBuf, sync::Arc};

/// The project that the window opens at startup.
enum Begin {
    /// `--project DIR`.
    Project(PathBuf),
    /// `--sample`: a sample project in a temporary folder.
    Sample,
    /// No argument: the most recently opened project, or else the sample project.
    Last,
}

pub(crate) fn open(words: impl Iterator<Item = OsString>) -> Result<Arc<dyn Backend>, ApiError> {
    let app = App::new(Programs::beside_current_exe()?);
    match begin(words) {
        Begin::Project(folder) => app.open_ahead(&folder)?,
        Begin::Sample => app.open_sample()?,
        Begin::Last => match app.last_opened().filter(|folder| folder.is_dir()) {
            Some(folder) => app.open_ahead(&folder)?,
            None => app.open_sample()?,
        },
    };
    Ok(Arc::new(app))
}

fn begin(mut words: impl Iterator<Item = OsString>) -> Begin {
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--sample") => return Begin::Sample,
            Some("--project") => return words.next().map_or(Begin::Last, |dir| Begin::Project(dir.into())),
            _ => {}
        }
    }
    Begin::Last
}
