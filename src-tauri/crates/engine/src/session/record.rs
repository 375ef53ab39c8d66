//! What is kept of a session: its conversation, as a list or a document.

use crate::{
    engine::{Engine, now},
    errors::{chain, store_error},
};
use bc_core::{
    export::{self, MarkdownOptions, SessionDocument},
    ids::SessionId,
    session::Meta,
};
use bc_wire::{ApiError, ErrorCode, session::*};

pub(crate) fn transcript(engine: &Engine, id: SessionId) -> Result<Transcript, ApiError> {
    engine.store.session(id).meta().map_err(store_error)?;
    let read = engine.store.session(id).transcript().map_err(store_error)?;
    Ok(Transcript { messages: read.messages, warnings: read.problems.iter().map(|p| chain(p)).collect() })
}

pub(crate) fn export(engine: &Engine, params: &SessionExportParams) -> Result<Exported, ApiError> {
    let meta = engine.store.session(params.id).meta().map_err(store_error)?;
    let messages = transcript(engine, params.id)?.messages;
    let stem = file_stem(&meta);
    let (text, extension) = match params.format {
        ExportFormat::Md => {
            let options = MarkdownOptions { tool_output: true };
            (export::markdown(&meta, &messages, now(), options), "md")
        }
        ExportFormat::Json => {
            let context_pack = engine.store.session(params.id).context().map_err(store_error)?;
            let document =
                SessionDocument { meta: &meta, context_pack: context_pack.as_ref(), messages: &messages };
            let text = serde_json::to_string_pretty(&document)
                .map_err(|e| ApiError::new(ErrorCode::Internal, format!("the session is not JSON: {e}")))?;
            (text + "\n", "json")
        }
    };
    Ok(Exported { file_name: format!("{stem}.{extension}"), text })
}

/// `2026-01-19-BC-001-implement-login`: sorts by date, says what it is.
fn file_stem(meta: &Meta) -> String {
    let mut stem = meta.created_at.format("%Y-%m-%d").to_string();
    let words = [meta.bead_id.as_ref().map(ToString::to_string), meta.title.clone()];
    for word in words.into_iter().flatten() {
        let tame: String = word.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let parts: Vec<_> = tame.split('-').filter(|p| !p.is_empty()).collect();
        if !parts.is_empty() {
            stem = format!("{stem}-{}", parts.join("-"));
        }
    }
    stem.chars().take(80).collect::<String>().trim_end_matches('-').to_owned()
}
