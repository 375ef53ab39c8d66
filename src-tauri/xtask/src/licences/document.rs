//! Creates a document with all licence texts: a list of the components, then each text once, with the
//! components that it covers.

use super::{component::Component, policy};
use crate::error::XtaskError;
use std::{collections::BTreeMap, fs, path::Path};

/// The beginnings of licence file names, in lower case.
const NAMES: &[&str] = &["license", "licence", "copying", "copyright", "notice", "unlicense", "ofl"];

/// Files with these extensions are not licence texts.
const OTHER: &[&str] = &["rs", "js", "ts", "html", "toml", "json", "png", "sh", "py"];

/// The maximum size of a licence file, in bytes. Larger files are not licence texts.
const MAX_SIZE: u64 = 256 << 10;

pub(super) fn text(components: &[Component], version: &str) -> Result<String, XtaskError> {
    let mut text = format!(
        "Beads Console {version}\n\nBeads Console is available under the MIT licence or the Apache licence 2.0, at your \
         choice.\nIt contains the following parts. Their licence texts follow the list. The source of a part under the \
         MPL-2.0\nis available, unchanged, at the address in the list.\n\n"
    );
    for component in components {
        let licence = policy::stated(component).unwrap_or("unknown");
        text.push_str(&format!("{} {}: {licence}\n", component.name, component.version));
        if let Some(address) = &component.address {
            text.push_str(&format!("    {address}\n"));
        }
    }
    // The key omits line breaks, because the same licence text is wrapped in different ways.
    let mut texts: BTreeMap<String, (String, Vec<&Component>)> = BTreeMap::new();
    for component in components {
        for found in texts_of(component)? {
            let key = found.split_whitespace().collect::<Vec<_>>().join(" ");
            texts.entry(key).or_insert_with(|| (found, Vec::new())).1.push(component);
        }
    }
    // Sort the texts by the first component that each text covers.
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by(|(_, a), (_, b)| (&a[0].name, &a[0].version).cmp(&(&b[0].name, &b[0].version)));
    for (found, users) in texts {
        let users: Vec<String> = users.iter().map(|user| format!("{} {}", user.name, user.version)).collect();
        text.push_str(&format!("\n{}\n{}\n\n{}\n", "=".repeat(80), users.join(", "), found.trim_end()));
    }
    Ok(text)
}

/// Returns the texts in a component's own files, or else the standard texts of its licences.
fn texts_of(component: &Component) -> Result<Vec<String>, XtaskError> {
    let mut texts = match &component.folder {
        Some(folder) => files_in(folder)?,
        None => Vec::new(),
    };
    if texts.is_empty() {
        let standard = |name: &&str| spdx::license_id(name).map(|id| id.text().to_owned());
        texts = policy::used(component).iter().filter_map(standard).collect();
    }
    Ok(texts)
}

fn files_in(folder: &Path) -> Result<Vec<String>, XtaskError> {
    let unread = |source| XtaskError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let size = fs::metadata(&path).map(|file| if file.is_file() { file.len() } else { u64::MAX });
        if NAMES.iter().any(|start| name.starts_with(start))
            && !OTHER.contains(&ending)
            && size.is_ok_and(|size| size <= MAX_SIZE)
        {
            files.push(path);
        }
    }
    files.sort();
    let text = |path: &std::path::PathBuf| {
        let bytes = fs::read(path).map_err(|source| XtaskError::Read { path: path.clone(), source })?;
        Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
    };
    files.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::component::component, *};

    #[test]
    fn a_text_appears_once_with_every_component_that_has_it() {
        let dir = tempfile::tempdir().unwrap();
        let part = |name: &str, text: &str| {
            let folder = dir.path().join(name);
            fs::create_dir(&folder).unwrap();
            crate::files::save(&folder.join("LICENSE-MIT"), text).unwrap();
            crate::files::save(&folder.join("license.rs"), "no licence").unwrap();
            Component { folder: Some(folder), ..component(name, Some("MIT")) }
        };
        let parts =
            [part("a", "Copyright A\r\nfree"), part("b", "Copyright A free\n"), part("c", "Copyright C")];
        let text = text(&parts, "0.1.0").unwrap();
        assert!(text.contains("\na 1.0.0, b 1.0.0\n\nCopyright A\nfree\n"), "{text}");
        assert!(text.contains("\nc 1.0.0\n\nCopyright C\n") && !text.contains("no licence"), "{text}");
    }

    #[test]
    fn part_without_a_file_gets_the_standard_text() {
        let text = text(&[component("bare", Some("Zlib OR GPL-3.0-only"))], "0.1.0").unwrap();
        assert!(text.contains("provided 'as-is'") && !text.contains("GNU GENERAL PUBLIC"), "{text}");
    }
}
