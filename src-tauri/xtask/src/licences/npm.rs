//! Finds the npm packages that the UI contains, using its lock file. Development dependencies are excluded.

use super::component::Component;
use crate::{error::XtaskError, project::Project};
use base64::Engine as _;
use serde_json::Value;
use std::{fs, path::Path};

pub(super) fn components(project: &Project) -> Result<Vec<Component>, XtaskError> {
    let ui = project.root().join("ui");
    let path = ui.join("package-lock.json");
    let text = fs::read_to_string(&path).map_err(|source| XtaskError::Read { path: path.clone(), source })?;
    let lock: Value = serde_json::from_str(&text)
        .map_err(|source| XtaskError::Read { path, source: std::io::Error::other(source) })?;
    Ok(in_lock(&lock, &ui))
}

fn in_lock(lock: &Value, ui: &Path) -> Vec<Component> {
    let Some(packages) = lock["packages"].as_object() else { return Vec::new() };
    let runtime = packages.iter().filter(|(key, entry)| !key.is_empty() && entry["dev"] != true);
    let mut components: Vec<Component> = runtime
        .filter_map(|(key, entry)| {
            let name = name_in(key);
            let folder = ui.join(key);
            let version = entry["version"].as_str()?;
            let needs = entry["dependencies"].as_object().into_iter().flatten();
            Some(Component {
                name: name.to_owned(),
                version: version.to_owned(),
                licence: entry["license"].as_str().map(str::to_owned).or_else(|| stated_in(&folder)),
                address: Some(format!("https://www.npmjs.com/package/{name}")),
                purl: purl(name, version),
                hash: entry["integrity"].as_str().and_then(hash),
                folder: Some(folder).filter(|folder| folder.is_dir()),
                dependencies: needs
                    .filter_map(|(need, _)| installed(packages, key, need))
                    .map(|(need, version)| purl(need, version))
                    .collect(),
            })
        })
        .collect();
    // The same version can be installed in several folders.
    components.sort_by(|a, b| a.purl.cmp(&b.purl));
    components.dedup_by(|a, b| a.purl == b.purl);
    components
}

/// Resolves a dependency of the package `of`: returns the package of that name in the innermost
/// `node_modules`.
fn installed<'a>(
    packages: &'a serde_json::Map<String, Value>,
    of: &str,
    need: &'a str,
) -> Option<(&'a str, &'a str)> {
    let mut base = Some(of);
    while let Some(folder) = base {
        let key = if folder.is_empty() {
            format!("node_modules/{need}")
        } else {
            format!("{folder}/node_modules/{need}")
        };
        if let Some(version) = packages.get(&key).and_then(|entry| entry["version"].as_str()) {
            return Some((need, version));
        }
        base = match folder {
            "" => None,
            folder => Some(folder.rsplit_once("/node_modules/").map_or("", |(outer, _)| outer)),
        };
    }
    None
}

/// Returns the package name in a path: `node_modules/a/node_modules/@b/c` is the package `@b/c`.
fn name_in(key: &str) -> &str {
    key.rsplit_once("node_modules/").map_or(key, |(_, name)| name)
}

fn purl(name: &str, version: &str) -> String {
    format!("pkg:npm/{}@{version}", name.replacen('@', "%40", 1))
}

/// Returns the licence in a package.json. Older packages do not have their licence in the lock file.
fn stated_in(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("package.json")).ok()?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    manifest["license"].as_str().map(str::to_owned)
}

/// Converts an integrity value, `sha512-BASE64`, to a hash in hex digits.
fn hash(integrity: &str) -> Option<(&'static str, String)> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(integrity.strip_prefix("sha512-")?).ok()?;
    Some(("SHA-512", bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn development_packages_are_left_out_and_nested_versions_are_resolved() {
        let lock = json!({"packages": {
            "": {"name": "ui"},
            "node_modules/a": {"version": "1.0.0", "license": "MIT", "integrity": "sha512-AAE=", "dependencies": {"@s/b": "^2", "c": "*"}},
            "node_modules/a/node_modules/@s/b": {"version": "2.0.0", "license": "ISC"},
            "node_modules/@s/b": {"version": "1.0.0", "license": "ISC"},
            "node_modules/c": {"version": "3.0.0", "license": "MIT"},
            "node_modules/d": {"version": "1.0.0", "license": "MIT", "dev": true}
        }});
        let found = in_lock(&lock, Path::new("/nowhere"));
        let purls: Vec<&str> = found.iter().map(|component| component.purl.as_str()).collect();
        assert_eq!(
            purls,
            ["pkg:npm/%40s/b@1.0.0", "pkg:npm/%40s/b@2.0.0", "pkg:npm/a@1.0.0", "pkg:npm/c@3.0.0"]
        );
        assert_eq!(found[2].dependencies, ["pkg:npm/%40s/b@2.0.0", "pkg:npm/c@3.0.0"]);
        assert_eq!(found[2].hash, Some(("SHA-512", "0001".to_owned())));
    }
}
