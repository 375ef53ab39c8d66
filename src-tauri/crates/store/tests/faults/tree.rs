//! A folder tree as a value, which can be read from and written to real folders.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An entry in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Thing {
    Folder,
    File(Arc<[u8]>),
}

/// All entries of a folder and its subfolders by relative path, parents first.
pub(crate) type Tree = BTreeMap<PathBuf, Thing>;

/// Reads a folder.
pub(crate) fn scan(root: &Path) -> Tree {
    let paths = inside(root).into_iter().filter(|path| path != root);
    paths
        .map(|path| {
            let thing =
                if path.is_dir() { Thing::Folder } else { Thing::File(fs::read(&path).unwrap().into()) };
            (path.strip_prefix(root).unwrap().to_owned(), thing)
        })
        .collect()
}

/// Writes a tree to a new folder.
pub(crate) fn lay_out(tree: &Tree, root: &Path) {
    fs::create_dir(root).unwrap();
    for (path, thing) in tree {
        let path = root.join(path);
        match thing {
            Thing::Folder => fs::create_dir(path).unwrap(),
            Thing::File(bytes) => {
                // The test prepares a disk, so it does not write through the store.
                #[allow(clippy::disallowed_methods)]
                fs::write(path, bytes).unwrap();
            }
        }
    }
}

/// Returns the paths of all files and folders in a folder, each folder after its contents, and last the
/// folder's own path. Returns nothing if the folder cannot be read.
pub(crate) fn inside(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return paths };
    for entry in entries {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            paths.extend(inside(&entry.path()));
        } else {
            paths.push(entry.path());
        }
    }
    paths.push(folder.to_owned());
    paths
}
