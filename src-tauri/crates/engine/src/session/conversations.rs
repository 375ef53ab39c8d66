//! Lists claude's conversations in the project that do not belong to a session, and decodes transcript files.

use super::agent::claude_folders;
use crate::context::{
    Context,
    errors::{chain, git_error},
};
use bc_claude::{
    conversations::{ConversationFile, RunningClaude, conversations as files},
    transcript::Decoded,
};
use bc_core::ids::{ConversationId, SessionId};
use bc_wire::{ApiError, ErrorCode, session::*};
use grep_regex::RegexMatcherBuilder;
use grep_searcher::{Searcher, SearcherBuilder, sinks::Bytes};
use serde_json::Value;
use std::{collections::HashMap, io, path::Path, path::PathBuf};

/// The maximum number of matches that are reported per conversation.
const PLACES: usize = 3;
/// The number of characters shown before and after a match.
const AROUND: usize = 60;
/// The maximum length of the text to search for, in characters.
const TEXT: usize = 1_000;

/// The project's conversations that do not belong to a session.
pub(crate) fn conversations(ctx: &Context, params: ConversationsParams) -> Result<Conversations, ApiError> {
    let text = params.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if text.is_some_and(|text| text.chars().count() > TEXT) {
        return Err(ApiError::new(ErrorCode::TextTooLarge, "the searched text is too long")
            .hint(format!("use at most {TEXT} characters")));
    }
    let (files, mut warnings) = find_files(ctx)?;
    let owners = owners(ctx)?;
    let running = RunningClaude::all();
    let mut listed = Vec::new();
    for file in files.into_iter().filter(|file| !owners.contains_key(&file.id)) {
        let places = match text {
            None => Vec::new(),
            Some(text) => match search(&file.path, text) {
                Ok(places) if places.is_empty() && !contains(&file.title, text) => continue,
                Ok(places) => places,
                Err(error) => {
                    warnings.push(format!("{} was not searched: {error}", file.path.display()));
                    continue;
                }
            },
        };
        let in_use = running.iter().any(|claude| claude.writes(&file));
        listed.push(view(&file, in_use, places));
    }
    Ok(Conversations { conversations: listed, warnings })
}

/// Finds the files of claude's conversations in the project's folder and in its worktrees.
fn find_files(ctx: &Context) -> Result<(Vec<ConversationFile>, Vec<String>), ApiError> {
    let Some(places) = claude_folders(ctx, false) else { return Ok((Vec::new(), Vec::new())) };
    let mut folders = vec![ctx.project.root.clone()];
    // A project without a repository has no worktrees.
    if let Ok(repo) = ctx.project.repo() {
        let trees = repo.worktree_list().map_err(git_error)?;
        folders.extend(trees.into_iter().map(|tree| tree.path));
    }
    folders.dedup();
    Ok(files(&places, &folders))
}

/// Maps conversations to the sessions that own them.
fn owners(ctx: &Context) -> Result<HashMap<ConversationId, SessionId>, ApiError> {
    let metas = ctx.metas()?;
    let of = |meta: bc_core::session::Meta| {
        let id = meta.id;
        meta.claude_sessions.into_iter().map(move |conversation| (conversation.id, id))
    };
    Ok(metas.into_iter().flat_map(of).collect())
}

/// The conversation with this id. Fails if a session owns it, or if a running claude appears to be writing it
/// and `anyway` is not set.
pub(super) fn adoptable(
    ctx: &Context,
    id: ConversationId,
    anyway: bool,
) -> Result<ConversationFile, ApiError> {
    refuse_owned(ctx, id)?;
    let (files, _) = find_files(ctx)?;
    let Some(file) = files.into_iter().find(|file| file.id == id) else {
        let text = format!("claude has no conversation {id} of this project");
        return Err(ApiError::new(ErrorCode::SessionNotFound, text)
            .hint("`beads-console session conversations` lists them"));
    };
    if !anyway && RunningClaude::all().iter().any(|claude| claude.writes(&file)) {
        let text = format!("a running claude seems to write the conversation {id}");
        return Err(ApiError::new(ErrorCode::ConfirmationNeeded, text)
            .hint("exit that claude first, or adopt the conversation anyway with --anyway"));
    }
    Ok(file)
}

pub(super) fn refuse_owned(ctx: &Context, id: ConversationId) -> Result<(), ApiError> {
    match owners(ctx)?.get(&id) {
        None => Ok(()),
        Some(session) => {
            let short = session.short();
            let text = format!("the conversation {id} belongs to session {short}");
            Err(ApiError::new(ErrorCode::SessionState, text)
                .hint(format!("`beads-console session resume {short}` continues it")))
        }
    }
}

fn view(file: &ConversationFile, in_use: bool, found: Vec<String>) -> Conversation {
    Conversation {
        id: file.id,
        title: file.title.clone(),
        cwd: file.cwd.display().to_string(),
        branch: file.branch.clone(),
        started_at: file.started_at,
        last_at: chrono::DateTime::<chrono::Utc>::from(file.written_at).fixed_offset(),
        bytes: file.bytes,
        version: file.version.clone(),
        in_use,
        found,
    }
}

/// The first matches of the text in the messages of the user and of claude, each with the text around it.
fn search(path: &Path, text: &str) -> io::Result<Vec<String>> {
    // The file contains the text with JSON string escapes.
    let written = Value::from(text).to_string();
    let written = &written[1..written.len() - 1];
    let matcher = RegexMatcherBuilder::new().case_insensitive(true).fixed_strings(true).build(written);
    let matcher = matcher.map_err(|error| io::Error::other(error.to_string()))?;
    let mut places = Vec::new();
    let mut searcher: Searcher = SearcherBuilder::new().heap_limit(Some(128 << 20)).build();
    let sink = Bytes(|_, line| {
        if let Ok(entry) = serde_json::from_slice::<Value>(line) {
            for shown in visible_text(&entry) {
                places.extend(excerpt(&shown, text));
            }
        }
        Ok(places.len() < PLACES)
    });
    searcher.search_path(&matcher, path, sink)?;
    places.truncate(PLACES);
    Ok(places)
}

/// The parts of a transcript line's text that are part of the visible conversation.
fn visible_text(entry: &Value) -> Vec<String> {
    if !matches!(entry["type"].as_str(), Some("user" | "assistant")) || entry["isMeta"] == true {
        return Vec::new();
    }
    match &entry["message"]["content"] {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block["text"].as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

/// The first match of the text, with the characters around it.
fn excerpt(whole: &str, text: &str) -> Option<String> {
    let lower: Vec<char> = whole.chars().flat_map(|c| c.to_lowercase().next()).collect();
    let part: Vec<char> = text.chars().flat_map(|c| c.to_lowercase().next()).collect();
    let at = lower.windows(part.len()).position(|window| window == part)?;
    let from = at.saturating_sub(AROUND);
    let to = (at + part.len() + AROUND).min(lower.len());
    let inner: String = whole.chars().skip(from).take(to - from).collect();
    let dots = |cut: bool| if cut { "…" } else { "" };
    Some(format!("{}{}{}", dots(from > 0), bc_core::text::one_line(inner.trim()), dots(to < lower.len())))
}

/// Decodes one of claude's transcript files, for the command `transcript decode`. Fails if the file cannot be
/// read.
pub fn decode_transcript(path: &Path) -> Result<TranscriptDecoded, ApiError> {
    let cwd = std::path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_owned));
    let decoded = Decoded::of_file(path, &cwd.unwrap_or_else(|| PathBuf::from("/")));
    let decoded = decoded.map_err(|error| {
        ApiError::new(ErrorCode::Io, format!("{} cannot be read: {}", path.display(), chain(&error.source)))
            .hint("name a transcript of Claude Code, such as ~/.claude/projects/FOLDER/ID.jsonl")
    })?;
    Ok(TranscriptDecoded {
        messages: decoded.messages,
        tokens: DecodedTokens {
            input: decoded.tokens.input,
            output: decoded.tokens.output,
            cache_read: decoded.tokens.cache_read,
            cache_creation: decoded.tokens.cache_creation,
        },
        unknown: decoded.unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_shown_with_the_words_around_it() {
        assert_eq!(
            excerpt("The Composer loses text", "composer").as_deref(),
            Some("The Composer loses text")
        );
        let long = format!("{} needle\n{}", "a".repeat(200), "b".repeat(200));
        let shown = excerpt(&long, "NEEDLE").unwrap();
        assert!(shown.starts_with("…a") && shown.contains(" needle b") && shown.ends_with("b…"), "{shown}");
        assert_eq!(excerpt("nothing", "needle"), None);
    }

    #[test]
    // The store's rules for writing apply to the product; a fixture writes files as claude would.
    #[allow(clippy::disallowed_methods)]
    fn only_what_was_said_is_searched_and_quotes_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let line = |kind: &str, text: &str| {
            serde_json::json!({"type":kind,"message":{"content":text}}).to_string() + "\n"
        };
        let text =
            line("user", "say \"Größe\"\nplease") + &line("progress", "größe") + &line("assistant", "none");
        std::fs::write(&path, text).unwrap();
        assert_eq!(search(&path, "\"größe\"").unwrap(), ["say \"Größe\" please"]);
        assert_eq!(search(&path, "größe").unwrap().len(), 1);
        assert_eq!(search(&path, "message").unwrap(), [] as [String; 0]);
    }
}
