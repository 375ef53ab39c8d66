//! Parses the rules at build time, because parsing takes longer than scanning most strings, and would be
//! repeated by every short-lived command.

use serde::Deserialize;
use std::{env, error::Error, fmt::Write, fs, path::Path};

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    allowlist: Option<Allowed>,
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
    #[serde(default)]
    regex: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    entropy: Option<f64>,
    #[serde(default, rename = "secretGroup")]
    secret_group: Option<usize>,
    #[serde(default)]
    allowlists: Vec<Allowed>,
}

#[derive(Default, Deserialize)]
struct Allowed {
    #[serde(default, rename = "regexTarget")]
    target: Option<String>,
    /// `AND` combines the list with paths, which the scanned strings do not have. Such a list never applies.
    #[serde(default)]
    condition: Option<String>,
    #[serde(default)]
    regexes: Vec<String>,
    #[serde(default)]
    stopwords: Vec<String>,
}

#[allow(clippy::disallowed_methods, reason = "a build's own output")]
fn main() -> Result<(), Box<dyn Error>> {
    let read = |path: &str| -> Result<File, Box<dyn Error>> {
        println!("cargo::rerun-if-changed={path}");
        Ok(toml::from_str(&fs::read_to_string(path)?)?)
    };
    println!("cargo::rerun-if-changed=build.rs");
    let (theirs, ours) = (read("gitleaks/gitleaks.toml")?, read("src/ours.toml")?);
    let mut text = String::new();
    let everywhere = theirs.allowlist.unwrap_or_default();
    writeln!(text, "pub(super) static EVERYWHERE: AllowedData = {};", allowed(&everywhere))?;
    writeln!(text, "pub(super) static RULES: &[RuleData] = &[")?;
    let mut words: Vec<(String, Vec<usize>)> = Vec::new();
    let mut number = 0;
    for rule in theirs.rules.iter().chain(&ours.rules) {
        // A rule without an expression only checks a file's name.
        let Some(source) = &rule.regex else { continue };
        for word in rule.keywords.iter().map(|word| word.to_lowercase()) {
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, owners)) => owners.push(number),
                None => words.push((word, vec![number])),
            }
        }
        let of_rule = rule.allowlists.iter().filter(|list| list.condition.as_deref() != Some("AND"));
        let of_rule: Vec<String> = of_rule.map(allowed).collect();
        writeln!(
            text,
            "RuleData {{ id: {:?}, source: {source:?}, group: {:?}, entropy: {:?}, allowed: &[{}] }},",
            rule.id,
            rule.secret_group,
            rule.entropy,
            of_rule.join(", ")
        )?;
        number += 1;
    }
    writeln!(text, "];")?;
    writeln!(text, "/// Every keyword in lower case, with the numbers of its rules.")?;
    writeln!(text, "pub(super) static WORDS: &[(&str, &[usize])] = &[")?;
    for (word, owners) in &words {
        writeln!(text, "({word:?}, &{owners:?}),")?;
    }
    writeln!(text, "];")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("table.rs"), text)?;
    Ok(())
}

fn allowed(list: &Allowed) -> String {
    let target = match list.target.as_deref() {
        Some("match") => "Match",
        Some("line") => "Line",
        _ => "Secret",
    };
    format!(
        "AllowedData {{ target: Target::{target}, expressions: &{:?}, stopwords: &{:?} }}",
        list.regexes, list.stopwords
    )
}
