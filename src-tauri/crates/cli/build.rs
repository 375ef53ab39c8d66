//! Link options of the program.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A position-independent executable relocates some 30,000 pointers and writes half a megabyte before its first
    // instruction, in each process: docs/decisions/0080-where-the-program-is-loaded.md.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
