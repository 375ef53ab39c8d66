//! Writes the contract as TypeScript: `codegen FILE`; `codegen --check FILE` only checks whether the file is current.
//! The output depends on the contract alone.
//!
//! A field that clients may omit and the engine always sends makes two types of one: the engine's type keeps the
//! name; the clients' type has it too, or is `…Input` if both are used.

use bc_wire::{ApiError, Signature, api, app, event::EventEnvelope};
use specta::{
    Format, Type, Types,
    datatype::{DataType, Reference},
};
use specta_serde::{Phase, PhasesFormat, select_phase_datatype};
use specta_typescript::{Typescript, primitives};
use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    process::ExitCode,
};

const HEADER: &str =
    "// The contract, written by `cargo xtask codegen` from src-tauri/crates/wire. Not edited by hand.\n";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--check", file] => check(file),
        [file] if !file.starts_with('-') => write(file),
        _ => Err("usage: codegen [--check] FILE".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("codegen: {error}");
            ExitCode::FAILURE
        }
    }
}

fn check(file: &str) -> Result<(), Box<dyn Error>> {
    let found = std::fs::read_to_string(file).map_err(|e| format!("{file} cannot be read: {e}"))?;
    if found == typescript()? {
        return Ok(());
    }
    Err(format!("{file} is not what the contract says. Run `cargo xtask codegen` and commit it.").into())
}

fn write(file: &str) -> Result<(), Box<dyn Error>> {
    // A generated source file in a working tree: losing it in a crash costs one more run.
    #[allow(clippy::disallowed_methods)]
    std::fs::write(file, typescript()?).map_err(|e| format!("{file} cannot be written: {e}").into())
}

/// The complete generated file.
fn typescript() -> Result<String, Box<dyn Error>> {
    let mut types = Types::default();
    let mut signatures = app::signatures(&mut types);
    signatures.extend(api::signatures(&mut types));
    let unasked = [EventEnvelope::definition(&mut types), ApiError::definition(&mut types)];
    let types = PhasesFormat.map_types(&types).map_err(|e| e as Box<dyn Error>)?.into_owned();

    let exporter = Typescript::default();
    let mut texts = BTreeMap::new();
    for ndt in types.into_sorted_iter() {
        let text = match ndt.module_path.as_ref() {
            // Any JSON: its numbers could be too large for specta, which then refuses all of it.
            "serde_json" => format!("/** Any JSON. */\nexport type {} = unknown;", ndt.name),
            _ => primitives::export(&exporter, &types, [ndt].into_iter(), "")?,
        };
        texts.insert(ndt.name.to_string(), text);
    }

    let mut methods = String::new();
    let (mut sent, mut received) = (BTreeSet::new(), BTreeSet::new());
    for Signature { method, params, result } in &signatures {
        let params = name_of(&types, params, Phase::Deserialize)?;
        let result = name_of(&types, result, Phase::Serialize)?;
        methods.push_str(&format!("\t\"{method}\": {{ params: {params}; result: {result} }};\n"));
        reach(&texts, &result, &mut sent);
        reach(&texts, &params, &mut received);
    }
    for ty in &unasked {
        reach(&texts, &name_of(&types, ty, Phase::Serialize)?, &mut sent);
    }

    let names = names(&sent, &received);
    let mut bodies: Vec<_> =
        names.iter().map(|(found, name)| (name, renamed(&names, &texts[found]))).collect();
    bodies.sort();
    let mut out = String::from(HEADER);
    for (_, text) in bodies {
        out.push('\n');
        for line in text.trim().lines() {
            out.push_str(line.replace("/**  ", "/** ").replace(" *  ", " * ").trim_end());
            out.push('\n');
        }
    }
    out.push_str("\n/** Every method with what goes in and what comes out. */\nexport type Api = {\n");
    out.push_str(&renamed(&names, &methods));
    out.push_str("};\n");
    Ok(out)
}

/// The name under which specta exports a method's type.
fn name_of(types: &Types, ty: &DataType, phase: Phase) -> Result<String, Box<dyn Error>> {
    let DataType::Reference(Reference::Named(reference)) = select_phase_datatype(ty, types, phase) else {
        return Err("a method's parameters and its result have to be named types".into());
    };
    let ndt = types.get(&reference).ok_or("a method's type is not registered")?;
    Ok(ndt.name.to_string())
}

/// All exported types that this one refers to, including itself.
fn reach(texts: &BTreeMap<String, String>, name: &str, found: &mut BTreeSet<String>) {
    let Some(text) = texts.get(name) else { return };
    if found.insert(name.to_owned()) {
        let code = text.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
        code.flat_map(words).for_each(|word| reach(texts, word, found));
    }
}

/// The name in the generated file for each of specta's names.
fn names(sent: &BTreeSet<String>, received: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut names: BTreeMap<String, String> =
        sent.iter().map(|found| (found.clone(), found.trim_end_matches("_Serialize").to_owned())).collect();
    let taken: BTreeSet<String> = names.values().cloned().collect();
    for found in received {
        let plain = found.trim_end_matches("_Deserialize");
        let both = found != plain && taken.contains(plain);
        names.insert(found.clone(), if both { format!("{plain}Input") } else { plain.to_owned() });
    }
    names
}

fn renamed(names: &BTreeMap<String, String>, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(word) = words(rest).next() {
        let at = word.as_ptr() as usize - rest.as_ptr() as usize;
        out.push_str(&rest[..at]);
        out.push_str(names.get(word).map_or(word, String::as_str));
        rest = &rest[at + word.len()..];
    }
    out + rest
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
