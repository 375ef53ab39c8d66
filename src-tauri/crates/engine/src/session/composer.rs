//! A session's composer: its unsent text, its attached files, and the conversation's images.
//!
//! Claude reads an attached file by its path, so the file is kept in the session's folder on this machine and, if the
//! agent works at a place, also there.

use super::place_files::{FileCommand, FilesAtPlace};
use crate::context::{Context, ViewedFiles, errors::store_error};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bc_core::ids::SessionId;
use bc_store::{SessionDir, session::SavedDraft};
use bc_wire::{ApiError, ErrorCode, session::*};
use sha2::{Digest as _, Sha256};

/// The maximum size of unsent text, in bytes. It exceeds the maximum size of a prompt, so that no typed
/// text is lost.
const DRAFT_MAX: usize = 4 << 20;

/// The maximum size of an attached file, in bytes.
const FILE_MAX: usize = 10 << 20;

pub(crate) fn draft(ctx: &Context, id: SessionId) -> Result<SessionDraft, ApiError> {
    let dir = ctx.store.session(id);
    dir.meta().map_err(store_error)?;
    Ok(SessionDraft { text: dir.draft().map_err(store_error)?.text })
}

pub(crate) fn set_draft(ctx: &Context, params: SetDraftParams) -> Result<SessionDraft, ApiError> {
    ctx.writable()?;
    let SetDraftParams { id, text } = params;
    if text.len() > DRAFT_MAX {
        let message = format!("an unsent text can have at most {} MiB", DRAFT_MAX >> 20);
        return Err(ApiError::new(ErrorCode::TextTooLarge, message));
    }
    let dir = ctx.store.session(id);
    dir.meta().map_err(store_error)?;
    replace(&ctx.viewed_lock(), &dir, text)
}

/// Saves the text if it changed. The lock on viewed files also guards the other files in the session's
/// `person` folder.
fn replace(_: &ViewedFiles, dir: &SessionDir, text: String) -> Result<SessionDraft, ApiError> {
    let mut draft = dir.draft().map_err(store_error)?;
    if draft.text != text {
        draft = SavedDraft { text, ..draft };
        dir.save_draft(&draft).map_err(store_error)?;
    }
    Ok(SessionDraft { text: draft.text })
}

pub(crate) fn attach(ctx: &Context, params: &AttachParams) -> Result<Attached, ApiError> {
    ctx.writable()?;
    let bytes = content(params)?;
    let dir = ctx.store.session(params.id);
    let meta = dir.meta().map_err(store_error)?;
    if let Some(runner) = meta.runner {
        let message = format!("files cannot be attached: claude runs through the runner {runner}");
        return Err(ApiError::new(ErrorCode::SessionState, message)
            .hint("mention a file that exists at the runner by its path"));
    }
    let local = save(&dir, &params.name, &bytes)?;
    match FilesAtPlace::of(ctx, &meta)? {
        Some(files) => {
            let saved: Attached = files.run(FileCommand::Attach(params.clone()))?;
            attached(&saved.path, bytes.len())
        }
        None => Ok(local),
    }
}

/// Attaches a file to a session at this place.
pub(super) fn attach_in(dir: &SessionDir, params: &AttachParams) -> Result<Attached, ApiError> {
    save(dir, &params.name, &content(params)?)
}

fn content(params: &AttachParams) -> Result<Vec<u8>, ApiError> {
    // Base64 encodes three bytes as four characters; padding characters have no content.
    let size = params.data.trim_end_matches('=').len() * 3 / 4;
    if size > FILE_MAX {
        return Err(too_large(size));
    }
    let bytes = STANDARD.decode(&params.data).map_err(|error| {
        ApiError::new(ErrorCode::Usage, format!("the file's bytes are not valid base64: {error}"))
    })?;
    if bytes.is_empty() {
        return Err(ApiError::new(ErrorCode::Usage, "the file is empty"));
    }
    Ok(bytes)
}

fn save(dir: &SessionDir, name: &str, bytes: &[u8]) -> Result<Attached, ApiError> {
    // The hash distinguishes files with the same name, and a file that is attached twice is stored once.
    let hash: String = Sha256::digest(bytes).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let path = dir.save_attachment(&format!("{hash}-{}", safe_name(name)), bytes).map_err(store_error)?;
    attached(&path.to_string_lossy(), bytes.len())
}

/// The attached file at this path, which may come from a place.
fn attached(path: &str, bytes: usize) -> Result<Attached, ApiError> {
    if path.contains(|c: char| c == '"' || c == char::REPLACEMENT_CHARACTER || c.is_control()) {
        return Err(ApiError::new(
            ErrorCode::Usage,
            "claude cannot read attached files: the project's path has characters that no mention can contain",
        ));
    }
    let path = path.to_owned();
    let mention = match path.contains(char::is_whitespace) {
        true => format!("@\"{path}\""),
        false => format!("@{path}"),
    };
    Ok(Attached { mention, path, bytes: bytes as u64 })
}

/// The tail of the name, in which `-` replaces each character other than ASCII letters, digits, `-`, `_` and
/// `.`, so that it needs no quotes in a prompt; `file` if nothing remains.
fn safe_name(name: &str) -> String {
    const MOST: usize = 60;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let plain = plain.trim_matches(['-', '.']);
    match plain[plain.len().saturating_sub(MOST)..].trim_start_matches(['-', '.']) {
        "" => "file".to_owned(),
        short => short.to_owned(),
    }
}

fn too_large(bytes: usize) -> ApiError {
    let megabytes = |bytes: usize| bytes.div_ceil(1 << 20);
    let message =
        format!("the file has {} MiB; at most {} MiB can be attached", megabytes(bytes), megabytes(FILE_MAX));
    ApiError::new(ErrorCode::TextTooLarge, message).hint("copy it into the project and mention its path")
}

pub(crate) fn image(ctx: &Context, params: &ImageParams) -> Result<SessionImage, ApiError> {
    let missing = || ApiError::new(ErrorCode::Usage, "the session has no such image");
    let bytes = ctx.store.session(params.id).image(&params.name).map_err(store_error)?.ok_or_else(missing)?;
    let media = match params.name.rsplit('.').next() {
        Some("png") => "image/png",
        Some("jpg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("webp") => "image/webp",
        _ => return Err(missing()),
    };
    Ok(SessionImage { media: media.to_owned(), data: STANDARD.encode(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_wire::api::Api;

    fn attach(fixture: &Fixture, id: SessionId, name: &str, bytes: &[u8]) -> Result<Attached, ApiError> {
        let params = AttachParams { id, name: name.to_owned(), data: STANDARD.encode(bytes) };
        fixture.engine.session_attach(params)
    }

    #[test]
    fn a_draft_survives_a_restart_and_belongs_to_one_session() {
        let fixture = Fixture::new();
        let (id, other) = (fixture.paused(1, 2), fixture.paused(2, 2));
        let text = "x".repeat(1 << 20);
        fixture.engine.session_set_draft(SetDraftParams { id, text: text.clone() }).unwrap();
        let fixture = fixture.reopened();
        assert_eq!(fixture.engine.session_draft(SessionRef { id }).unwrap().text, text);
        assert_eq!(fixture.engine.session_draft(SessionRef { id: other }).unwrap().text, "");
        let error = fixture.engine.session_set_draft(SetDraftParams { id, text: "x".repeat(DRAFT_MAX + 1) });
        assert_eq!(error.unwrap_err().code, ErrorCode::TextTooLarge);
        assert_eq!(fixture.engine.session_draft(SessionRef { id }).unwrap().text, text);
    }

    #[test]
    fn an_attached_file_is_kept_under_a_safe_name_and_an_oversized_one_is_refused() {
        let fixture = Fixture::new();
        let id = fixture.paused(1, 2);
        for name in ["../../etc/passwd", "screen shot.png", "-rf", "", "a\u{202e}b\n.txt", "\u{1F600}.png"] {
            let attached = attach(&fixture, id, name, b"data").unwrap();
            let path = std::path::Path::new(&attached.path);
            assert_eq!(
                path.parent(),
                Some(&*fixture.ctx.store.session(id).path().join("person/attachments"))
            );
            assert_eq!(std::fs::read(path).unwrap(), b"data");
            let file = path.file_name().unwrap().to_str().unwrap();
            assert!(file.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b)), "{file}");
            assert!(attached.mention.starts_with('@'));
        }
        let error = attach(&fixture, id, "big.png", &vec![0; 50 << 20]).unwrap_err();
        assert_eq!(error.code, ErrorCode::TextTooLarge);
        assert!(error.message.contains("50 MiB"), "{}", error.message);
        assert!(attach(&fixture, id, "none", b"").is_err());
    }

    #[test]
    fn an_unknown_image_is_not_found() {
        let fixture = Fixture::new();
        let id = fixture.paused(1, 2);
        for name in ["../meta.json", "0123456789abcdef.png", ""] {
            let error = fixture.engine.session_image(ImageParams { id, name: name.to_owned() }).unwrap_err();
            assert_eq!(error.code, ErrorCode::Usage, "{name}");
        }
    }
}
