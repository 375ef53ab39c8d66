//! The window layout of each project, in `$XDG_CONFIG_HOME/beads-console/layouts/`. All windows and browsers
//! share the layout. Only the UI interprets its content.

use crate::config;
use bc_wire::{ApiError, ErrorCode, app::ProjectKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The format version that this build writes.
const VERSION: u32 = 1;
/// The maximum size of a layout, in bytes of JSON. A layout usually has about two hundred bytes.
const LAYOUT_MAX: usize = 16 << 10;

#[derive(Serialize, Deserialize)]
struct LayoutFile {
    version: u32,
    layout: Value,
}

fn path(folder: &Path, key: &ProjectKey) -> PathBuf {
    folder.join("layouts").join(format!("{}.json", key.0))
}

/// The saved layout; `None` if no layout is saved or the file cannot be read. The key comes from
/// [`crate::project_key::of`].
pub(crate) fn read(folder: &Path, key: &ProjectKey) -> Option<Value> {
    config::read::<LayoutFile>(&path(folder, key)).map(|file| file.layout)
}

/// Saves a layout. Fails if the layout is not a JSON object, is too large or cannot be written.
pub(crate) fn save(folder: &Path, key: &ProjectKey, layout: &Value) -> Result<(), ApiError> {
    let size = layout.to_string().len();
    if !layout.is_object() || size > LAYOUT_MAX {
        let text = format!("a layout must be an object of at most {LAYOUT_MAX} bytes; this one has {size}");
        return Err(ApiError::new(ErrorCode::Usage, text));
    }
    let file = LayoutFile { version: VERSION, layout: layout.clone() };
    config::write(&path(folder, key), &file).map_err(|e| ApiError::new(ErrorCode::Io, e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_layout_is_restored_for_its_project_only() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (ProjectKey("1a".into()), ProjectKey("2b".into()));
        let layout = json!({"view": "history", "panelShare": 41.5, "later": [1]});
        save(dir.path(), &one, &layout).unwrap();
        assert_eq!(read(dir.path(), &one), Some(layout));
        assert_eq!(read(dir.path(), &other), None);
    }

    #[test]
    fn an_invalid_layout_is_refused_and_the_previous_one_stays() {
        let dir = tempfile::tempdir().unwrap();
        let key = ProjectKey("1a".into());
        save(dir.path(), &key, &json!({"view": "board"})).unwrap();
        for bad in [json!("board"), json!(null), json!({"view": "b".repeat(LAYOUT_MAX)})] {
            assert_eq!(save(dir.path(), &key, &bad).unwrap_err().code, ErrorCode::Usage);
        }
        assert_eq!(read(dir.path(), &key), Some(json!({"view": "board"})));
    }
}
