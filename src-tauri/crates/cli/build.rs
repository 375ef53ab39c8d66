//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A program that may be loaded anywhere has some 30,000 pointers to mend and half a megabyte to write before its first
    // instruction, in each of its processes: docs/decisions/0080-where-the-program-is-loaded.md.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
