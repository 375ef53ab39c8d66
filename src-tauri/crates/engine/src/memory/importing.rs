//! Memories from a Markdown file that was kept before: only when somebody asks, and after a look.

use super::{
    Asker, provider_error, provider_of,
    stored::{refuse_secrets, secrets},
};
use crate::engine::Engine;
use bc_core::{
    memory::{self, Filter, Item, MemoryType, NewMemory},
    text::{cut, one_line},
};
use bc_store::file;
use bc_wire::{ApiError, ErrorCode, memory::*};
use serde_json::json;
use std::collections::HashSet;

/// How much of a file is read.
const READ_MAX: usize = 4 << 20;
/// The longest heading that becomes a tag, in characters.
const TAG_MAX: usize = 60;

/// Every point of a Markdown file as a memory; one that is known already, or was forgotten, is left alone, so
/// that the same file twice changes nothing.
pub(crate) fn import(engine: &Engine, params: &MemoryImportParams) -> Result<MemoryImported, ApiError> {
    let name = params.path.as_deref().unwrap_or("MEMORY.md");
    let text = read(engine, name)?;
    let asker = Asker::named(&engine.project, None);
    let provider = provider_of(engine, asker.caller);
    let everything = Filter { forgotten: true, ..Filter::default() };
    let there = provider.retrieve_memories(&everything).map_err(provider_error)?;
    let mut there: HashSet<String> = there.memories.into_iter().map(|loaded| loaded.entry.key).collect();
    let points: Vec<ImportPoint> =
        memory::from_markdown(&text).into_iter().map(|item| point(item, &mut there)).collect();
    if params.preview {
        return Ok(MemoryImported { keys: Vec::new(), known: known(&points), points, warnings: Vec::new() });
    }
    let chosen = |point: &&ImportPoint| params.only.as_ref().is_none_or(|only| only.contains(&point.key));
    if !params.anyway {
        points
            .iter()
            .filter(|point| !point.known)
            .filter(chosen)
            .try_for_each(|p| refuse_secrets(&p.text))?;
    }
    let known = known(&points);
    let mut imported = MemoryImported { keys: Vec::new(), known, points: Vec::new(), warnings: Vec::new() };
    for point in points.iter().filter(|point| !point.known).filter(chosen) {
        let learned = NewMemory::learned(asker.agent.clone(), point.text.clone());
        let mut new = NewMemory { key: Some(point.key.clone()), ..learned };
        new.memory_type = Some(MemoryType::Context);
        new.tags = point.section.as_deref().map(tag_of).map(|tag| vec![tag]);
        new.metadata.insert("imported_from".to_owned(), json!(name));
        let stored = provider.store_memory(new).map_err(provider_error)?;
        imported.keys.push(stored.key);
        if let Some(warning) = stored.warning.filter(|warning| !imported.warnings.contains(warning)) {
            imported.warnings.push(warning);
        }
    }
    Ok(imported)
}

fn read(engine: &Engine, name: &str) -> Result<String, ApiError> {
    let path = engine.project.root.join(name);
    let bytes = file::read(&path)
        .map_err(crate::errors::file_error)?
        .ok_or_else(|| ApiError::new(ErrorCode::Usage, format!("there is no {}", path.display())))?;
    if bytes.len() > READ_MAX {
        let text = format!("{} has {} bytes, and at most {READ_MAX} are read", path.display(), bytes.len());
        return Err(ApiError::new(ErrorCode::TextTooLarge, text));
    }
    String::from_utf8(bytes).map_err(|_| {
        ApiError::new(ErrorCode::Usage, format!("{} is not text: UTF-8 is wanted", path.display()))
    })
}

/// A point as it would be remembered; the second one with its key is known.
fn point(item: Item, there: &mut HashSet<String>) -> ImportPoint {
    let key = memory::derived_key(&item.text);
    ImportPoint {
        known: !there.insert(key.clone()),
        secrets: secrets(&item.text),
        key,
        text: item.text,
        section: item.section,
    }
}

fn known(points: &[ImportPoint]) -> u32 {
    u32::try_from(points.iter().filter(|point| point.known).count()).unwrap_or(u32::MAX)
}

/// A heading as a tag: without what separates labels.
fn tag_of(section: &str) -> String {
    let tag: String = section.chars().map(|c| if c == ',' || c == ':' { ' ' } else { c }).collect();
    cut(&one_line(&tag), TAG_MAX)
}
