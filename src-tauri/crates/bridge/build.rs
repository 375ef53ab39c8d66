//! Embeds the built UI if it exists. Otherwise, the build succeeds without the UI and without Node, and the
//! program shows how to build the UI.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let dist = manifest.join("../../../ui/dist");
    // Cargo treats a missing folder as changed in every build, so create the folder; git ignores it. In a
    // read-only source tree, the folder cannot be created, and the build continues without it.
    let _ = fs::create_dir_all(&dist);
    println!("cargo::rerun-if-changed={}", dist.display());

    let mut names = Vec::new();
    if dist.join("index.html").is_file() {
        collect(&dist, &dist, &mut names)?;
    }
    names.sort();
    // Copy the files, because the UI may be rebuilt during this build.
    let copies = out.join("ui");
    if copies.is_dir() {
        fs::remove_dir_all(&copies)?;
    }
    fs::create_dir_all(&copies)?;
    let mut code = String::from("&[\n");
    for (number, name) in names.iter().enumerate() {
        let copy = copies.join(number.to_string());
        fs::copy(dist.join(name), &copy)?;
        code.push_str(&format!("    ({name:?}, include_bytes!({copy:?})),\n"));
    }
    code.push_str("]\n");
    // A plain write is enough: the folder belongs to Cargo, and an interrupted build script runs again.
    #[allow(clippy::disallowed_methods)]
    fs::write(out.join("files.rs"), code)
}

/// Collects the paths of all files below `root`, with `/` between folders.
fn collect(root: &Path, dir: &Path, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, names)?;
        } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str) {
            names.push(name.replace('\\', "/"));
        }
    }
    Ok(())
}
