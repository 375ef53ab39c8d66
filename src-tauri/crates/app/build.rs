//! Embeds the licence texts that `cargo xtask licences` has written, if an environment variable names their
//! file. Otherwise, the program contains no licence texts.

use std::{env, fs, io, path::PathBuf};

/// The variable with the absolute path of the file.
const VARIABLE: &str = "BC_LICENCES";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let text = match env::var_os(VARIABLE).map(PathBuf::from) {
        Some(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            fs::read(&path)?
        }
        None => Vec::new(),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    // A plain write is enough: the folder belongs to Cargo, and an interrupted build script runs again.
    #[allow(clippy::disallowed_methods)]
    fs::write(out.join("licences.txt"), text)
}
