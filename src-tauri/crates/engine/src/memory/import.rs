//! Imports memories from a Markdown file, such as claude's `MEMORY.md`, with a preview.

use super::{
    asker::{Asker, known_keys, provider_error, provider_of},
    write::{refuse_secrets, secrets},
};
use crate::context::{Context, count, errors::file_error};
use bc_core::{
    memory::{self, Item, MemoryType, NewMemory},
    text::{cut, one_line},
};
use bc_store::{
    FileError,
    file::Refusal,
    repository::{self, Repository, limits},
};
use bc_wire::{ApiError, ErrorCode, memory::*};
use serde_json::json;
use std::{collections::HashSet, io, path::Path};

/// The maximum length of a tag made from a heading, in characters. Longer headings are cut.
const TAG_MAX: usize = 60;

/// Imports the bullets and paragraphs of a Markdown file as memories. Items that are already stored or were
/// forgotten are skipped, so importing a file twice changes nothing.
pub(crate) fn import(ctx: &Context, params: &MemoryImportParams) -> Result<MemoryImported, ApiError> {
    let name = params.path.as_deref().unwrap_or("MEMORY.md");
    let text = read(ctx, name)?;
    let asker = Asker::of_command(ctx, None);
    let provider = provider_of(ctx, asker.caller);
    let mut keys = known_keys(&provider)?;
    let points: Vec<ImportPoint> =
        memory::from_markdown(&text).into_iter().map(|item| point(item, &mut keys)).collect();
    let known = count(points.iter().filter(|point| point.known).count());
    let mut imported = MemoryImported { keys: Vec::new(), known, points: Vec::new(), warnings: Vec::new() };
    if params.preview {
        return Ok(MemoryImported { points, ..imported });
    }
    let is_chosen = |point: &&ImportPoint| {
        !point.known && params.only.as_ref().is_none_or(|only| only.contains(&point.key))
    };
    if !params.anyway {
        points.iter().filter(is_chosen).try_for_each(|point| refuse_secrets(&point.text))?;
    }
    for point in points.iter().filter(is_chosen) {
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

/// Reads a file in the project's working tree or one of its worktrees. Other files are refused, because every
/// agent gets the memories.
fn read(ctx: &Context, name: &str) -> Result<String, ApiError> {
    let path = ctx.project.root.join(name);
    let missing = || ApiError::new(ErrorCode::Usage, format!("{} does not exist", path.display()));
    let failed = |source: io::Error| match Refusal::of(&source) {
        _ if source.kind() == io::ErrorKind::NotFound => missing(),
        Some(Refusal::Outside { target }) => outside(&path, target),
        _ => file_error(FileError::Read { path: path.clone(), source }),
    };
    let real = repository::resolve(&path).map_err(failed)?;
    if !is_of_project(&ctx.project.root, &real) {
        return Err(outside(&path, &real));
    }
    let bytes = match repository::read(&real, limits::TEXT) {
        Ok(bytes) => bytes.ok_or_else(missing)?,
        Err(error) => {
            let large = matches!(Refusal::of(error.io()), Some(Refusal::TooLarge { .. }));
            let error = file_error(error);
            return Err(if large { ApiError { code: ErrorCode::TextTooLarge, ..error } } else { error });
        }
    };
    String::from_utf8(bytes)
        .map_err(|_| ApiError::new(ErrorCode::Usage, format!("{} is not UTF-8 text", path.display())))
}

/// Whether a file is in the project's folder or in a worktree of its repository.
fn is_of_project(root: &Path, file: &Path) -> bool {
    let project = Repository::around(root);
    let holds = |repository: &Repository| repository.holds(file);
    if file.starts_with(root) {
        return project.as_ref().is_none_or(holds);
    }
    let around = file.parent().and_then(Repository::around);
    around
        .filter(Repository::is_linked)
        .filter(holds)
        .zip(project)
        .is_some_and(|(one, other)| one.is_same(&other))
}

fn outside(path: &Path, target: &Path) -> ApiError {
    let text = match path == target {
        true => format!("{} is not in this project", path.display()),
        false => format!("{} leads out of this project, to {}", path.display(), target.display()),
    };
    ApiError::new(ErrorCode::FileRefused, text)
        .hint("copy the file into the project first, if all agents may read it")
}

/// The preview of an item. A second item with the same key counts as known.
fn point(item: Item, known_keys: &mut HashSet<String>) -> ImportPoint {
    let key = memory::derived_key(&item.text);
    ImportPoint {
        known: !known_keys.insert(key.clone()),
        secrets: secrets(&item.text),
        key,
        text: item.text,
        section: item.section,
    }
}

/// The heading as a tag. Spaces replace commas, which separate labels, and colons, which end reserved
/// prefixes.
fn tag_of(section: &str) -> String {
    let tag: String = section.chars().map(|c| if c == ',' || c == ':' { ' ' } else { c }).collect();
    cut(&one_line(&tag), TAG_MAX)
}
