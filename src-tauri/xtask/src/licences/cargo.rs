//! Finds the crates that the distributed programs contain on this platform.

use super::component::Component;
use crate::{command::Step, error::XtaskError, project::Project};
use cargo_metadata::{DependencyKind, MetadataCommand, Package, PackageId, Resolve};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// The workspace's packages with programs that are distributed.
const PACKAGED: &[&str] = &["bc-cli", "bc-sim", "beads-console-desktop"];

pub(super) fn components(project: &Project) -> Result<Vec<Component>, XtaskError> {
    let platform = Step::new("rustc").args(["--print", "host-tuple"]).read()?;
    let metadata = MetadataCommand::new()
        .manifest_path(project.root().join("Cargo.toml"))
        .other_options(["--filter-platform".to_owned(), platform.trim().to_owned()])
        .exec()
        .map_err(|source| XtaskError::Metadata { source: Box::new(source) })?;
    let packages: BTreeMap<&PackageId, &Package> =
        metadata.packages.iter().map(|package| (&package.id, package)).collect();
    let Some(resolve) = &metadata.resolve else { return Ok(Vec::new()) };
    let roots = metadata.packages.iter().filter(|package| PACKAGED.contains(&package.name.as_str()));
    let contained = contained(resolve, roots.map(|package| &package.id));
    let lock = project.root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|source| XtaskError::Read { path: lock, source })?;
    let checksums = checksums(&lock);
    let purl =
        |id: &PackageId| packages.get(id).map(|package| purl(&package.name, &package.version.to_string()));
    let mut components = Vec::new();
    for (id, dependencies) in &contained {
        // Packages without a source are our own.
        let Some(package) = packages.get(id).filter(|package| package.source.is_some()) else { continue };
        let version = package.version.to_string();
        let checksum = checksums.get(&(package.name.as_str(), version.as_str()));
        components.push(Component {
            name: package.name.to_string(),
            licence: package.license.clone(),
            address: package.repository.clone().or_else(|| package.homepage.clone()),
            purl: self::purl(&package.name, &version),
            hash: checksum.map(|checksum| ("SHA-256", (*checksum).to_owned())),
            folder: package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()),
            dependencies: dependencies.iter().filter_map(|id| purl(id)).collect(),
            version,
        });
    }
    Ok(components)
}

/// Returns the roots and all crates on which they depend, directly or indirectly, each with its direct
/// dependencies. Dependencies that are used only in build scripts or tests are excluded.
fn contained<'a>(
    resolve: &'a Resolve,
    roots: impl Iterator<Item = &'a PackageId>,
) -> BTreeMap<&'a PackageId, BTreeSet<&'a PackageId>> {
    let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut found = BTreeMap::new();
    let mut pending: Vec<&PackageId> = roots.collect();
    while let Some(id) = pending.pop() {
        if found.contains_key(id) {
            continue;
        }
        let needs = nodes.get(id).map(|node| node.deps.as_slice()).unwrap_or_default();
        let needs: BTreeSet<&PackageId> = needs
            .iter()
            .filter(|need| need.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal))
            .map(|need| &need.pkg)
            .collect();
        pending.extend(needs.iter().copied());
        found.insert(id, needs);
    }
    found
}

fn purl(name: &str, version: &str) -> String {
    // `+` separates build metadata, and is a reserved character in a package URL.
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

/// Returns the checksums in Cargo.lock, by name and version.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let value = |entry: &'_ str, key: &str| -> Option<(usize, usize)> {
        let at = entry.find(&format!("\n{key} = \""))? + key.len() + 5;
        Some((at, at + entry[at..].find('"')?))
    };
    let entries = lock.split("[[package]]").skip(1);
    let found = entries.filter_map(|entry| {
        let of = |key| value(entry, key).map(|(from, to)| &entry[from..to]);
        Some(((of("name")?, of("version")?), of("checksum")?))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_read_from_the_lock_file() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry\"\nchecksum = \"ab12\"\n\
                    \n[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([(("a", "1.0.0"), "ab12")]));
    }

    #[test]
    fn package_url_escapes_build_metadata() {
        assert_eq!(purl("zstd-sys", "2.0.16+zstd.1.5.7"), "pkg:cargo/zstd-sys@2.0.16%2Bzstd.1.5.7");
    }
}
