//! The packages of the workspace and all that they depend on, as cargo knows them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::step::cargo;

/// One package.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    id: String,
    /// What it says about its licence, as an SPDX expression.
    pub(crate) license: Option<String>,
    /// Where it was taken from; nothing for packages of the workspace.
    pub(crate) source: Option<String>,
    manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
    #[cfg(test)]
    #[serde(default)]
    targets: Vec<Target>,
}

/// What is built from a package.
#[cfg(test)]
#[derive(Deserialize)]
struct Target {
    src_path: PathBuf,
    /// Whether its unit tests are built.
    test: bool,
}

impl Package {
    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(Path::new("/"))
    }
}

/// A package that another one asks for.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Which versions.
    pub(crate) req: String,
    /// The folder of one that is not in a registry.
    pub(crate) path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Deserialize)]
struct EdgeKind {
    kind: Option<String>,
}

/// All packages that the workspace may need, on whatever platform and with whatever feature.
pub(crate) fn all() -> Result<Vec<Package>> {
    Ok(metadata(&["--all-features"])?.packages)
}

/// The packages whose code is in the builds of these packages for this platform.
pub(crate) fn shipped(roots: &[&str]) -> Result<Vec<Package>> {
    let metadata = metadata(&["--filter-platform", &platform()?])?;
    let edges: BTreeMap<&str, &[Edge]> = metadata
        .resolve
        .nodes
        .iter()
        .map(|node| (node.id.as_str(), node.deps.as_slice()))
        .collect();
    let own =
        |package: &&Package| package.source.is_none() && roots.contains(&package.name.as_str());
    let mut reached = BTreeSet::new();
    let mut ahead: Vec<&str> = metadata
        .packages
        .iter()
        .filter(own)
        .map(|p| p.id.as_str())
        .collect();
    while let Some(id) = ahead.pop() {
        if reached.insert(id.to_owned()) {
            let linked = |edge: &&Edge| edge.dep_kinds.iter().any(|kind| kind.kind.is_none());
            let edges = edges.get(id).into_iter().flat_map(|edges| edges.iter());
            ahead.extend(edges.filter(linked).map(|edge| edge.pkg.as_str()));
        }
    }
    let mut packages = metadata.packages;
    packages.retain(|package| reached.contains(&package.id));
    Ok(packages)
}

/// The platform that cargo builds for, as `x86_64-unknown-linux-gnu`.
pub(crate) fn platform() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = crate::step::command(rustc, &["--version", "--verbose"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

fn metadata(args: &[&str]) -> Result<Metadata> {
    let output = cargo(&["metadata", "--format-version", "1", "--locked"])
        .args(args)
        .output()?;
    ensure!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr).trim_end()
    );
    serde_json::from_slice(&output.stdout).context("cargo metadata")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::root;

    /// Crates whose own speed nobody waits for.
    const COLD: [&str; 13] = [
        "cli",
        "cluster",
        "course",
        "draw",
        "examples",
        "files",
        "fuzz",
        "handin",
        "referee",
        "review",
        "tournament",
        "web",
        "xtask",
    ];

    /// A new crate is built fully optimised, or is known to be cold.
    #[test]
    fn hot_crates_are_named_in_the_release_profile() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let named = &manifest["profile"]["release"]["package"];
        let own = all()
            .unwrap()
            .into_iter()
            .filter(|package| package.source.is_none());
        for Package { name, .. } in own {
            let level = named
                .get(&name)
                .and_then(|settings| settings["opt-level"].as_integer());
            assert_eq!(level == Some(3), !COLD.contains(&name.as_str()), "{name}");
        }
    }

    /// Building for tests takes as long as building for use: what has no unit tests is not built
    /// for them, and gets none that would not be run.
    #[test]
    fn what_is_not_built_for_tests_has_none() {
        let own = all().unwrap().into_iter().filter(|p| p.source.is_none());
        let untested = own.flat_map(|p| p.targets).filter(|target| !target.test);
        for Target { src_path, .. } in untested {
            let is_library = src_path.ends_with("lib.rs");
            let files = match is_library {
                true => sources(src_path.parent().unwrap()),
                false => vec![src_path],
            };
            for file in files {
                let text = std::fs::read_to_string(&file).unwrap();
                assert!(!text.contains("#[test]"), "{}", file.display());
            }
        }
    }

    /// All files of Rust in a folder and in the folders in it.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let inside = paths.flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        });
        inside
            .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
            .collect()
    }
}
