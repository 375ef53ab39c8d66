//! A session's conversation: its messages, and its export as a document.

use crate::context::{
    Context,
    errors::{chain, store_error},
    now, secret_redaction,
};
use bc_core::{
    export::{self, MarkdownOptions, SessionDocument},
    ids::SessionId,
    session::Meta,
};
use bc_wire::{ApiError, ErrorCode, session::*};

pub(crate) fn transcript(ctx: &Context, id: SessionId) -> Result<Transcript, ApiError> {
    let meta = ctx.store.session(id).meta().map_err(store_error)?;
    let read = ctx.store.session(id).transcript().map_err(store_error)?;
    let mut warnings: Vec<String> = read.problems.iter().map(|p| chain(p)).collect();
    if meta.unknown_transcript_lines > 0 {
        let (lines, kinds) = (meta.unknown_transcript_lines, meta.unknown_in_words());
        warnings.push(format!("{lines} lines of claude's transcript are of unknown kinds: {kinds}"));
    }
    Ok(Transcript { messages: read.messages, warnings })
}

pub(crate) fn export(ctx: &Context, params: &SessionExportParams) -> Result<Exported, ApiError> {
    let dir = ctx.store.session(params.id);
    let mut meta = dir.meta().map_err(store_error)?;
    let mut messages = transcript(ctx, params.id)?.messages;
    if params.no_tool_output && params.format == ExportFormat::Json {
        let calls = messages.iter_mut().flat_map(|message| message.tool_calls.iter_mut().flatten());
        calls.for_each(|call| call.output = None);
    }
    let mut secrets_removed = 0;
    if !params.keep_secrets {
        secrets_removed += secret_redaction::redact(&mut meta)?;
    }
    let stem = file_stem(&meta);
    let (text, extension) = match params.format {
        ExportFormat::Md => {
            if !params.keep_secrets {
                secrets_removed += secret_redaction::redact_all(&mut messages)?;
            }
            let options = MarkdownOptions { tool_output: !params.no_tool_output };
            (export::markdown(&meta, &messages, now(), options), "md")
        }
        ExportFormat::Json => {
            let mut context_pack = dir.context().map_err(store_error)?;
            if !params.keep_secrets {
                secrets_removed += secret_redaction::redact(&mut context_pack)?;
            }
            let (parts, count) =
                secret_redaction::serialize_all(messages, SessionDocument::BETWEEN, params.keep_secrets)?;
            secrets_removed += count;
            let document = SessionDocument { meta: &meta, context_pack: context_pack.as_ref() };
            (document.to_json(&parts).map_err(no_json)?, "json")
        }
    };
    Ok(Exported { file_name: format!("{stem}.{extension}"), text, secrets_removed })
}

fn no_json(error: serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::Internal, format!("the session is not JSON: {error}"))
}

/// `2026-01-19-BC-001-implement-login`: sorted by date, descriptive.
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
