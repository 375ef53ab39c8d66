//! Which files of a session's change somebody has looked at: kept with the session on this machine, whichever window or
//! browser it was marked in, and bound to what the file was.

use crate::{engine::Engine, errors::store_error};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode, session::*};

/// So many marks a session; of a change at most a tenth of it is ever shown.
const MOST: usize = 5_000;
/// In bytes, of a name and of what names a content.
const LONGEST: usize = 4 << 10;

pub(crate) fn viewed(engine: &Engine, id: SessionId) -> Result<SessionViewed, ApiError> {
    let dir = engine.store.session(id);
    dir.meta().map_err(store_error)?;
    Ok(SessionViewed { files: dir.viewed().map_err(store_error)?.files })
}

pub(crate) fn set_viewed(engine: &Engine, params: SetViewedParams) -> Result<SessionViewed, ApiError> {
    engine.writable()?;
    let SetViewedParams { id, path, content } = params;
    let sizes = [path.len(), content.as_ref().map_or(1, String::len)];
    if sizes.iter().any(|size| !(1..=LONGEST).contains(size)) {
        let text = format!("a file's name and content have 1 to {LONGEST} bytes");
        return Err(ApiError::new(ErrorCode::Usage, text));
    }
    let dir = engine.store.session(id);
    dir.meta().map_err(store_error)?;
    let _marking = engine.marking();
    let mut viewed = dir.viewed().map_err(store_error)?;
    // What is so already is not written again, and nobody is told.
    if viewed.files.get(&path) != content.as_ref() {
        match content {
            Some(content) => viewed.files.insert(path, content),
            None => viewed.files.remove(&path),
        };
        if viewed.files.len() > MOST {
            return Err(ApiError::new(ErrorCode::Usage, format!("no more than {MOST} files can be marked")));
        }
        dir.save_viewed(&viewed).map_err(store_error)?;
    }
    Ok(SessionViewed { files: viewed.files })
}
