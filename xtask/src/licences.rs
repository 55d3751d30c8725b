//! What may come into the house: permissive licences, from one registry alone.
//!
//! `deny.toml` is the list, and `cargo deny check` reads the same. That tool takes minutes to
//! build, so the test command checks what needs no network by itself.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};

use crate::packages::{self, Package};
use crate::step::{note, root, say};

#[derive(Deserialize)]
struct Policy {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    /// For packages that are used by tests alone.
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

/// Checks every package that the workspace may need.
pub(crate) fn check() -> Result<()> {
    note("\n== licences");
    let policy = fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
    let policy: Policy = toml::from_str(&policy).context("deny.toml")?;
    let allowed = licensees(&policy.licenses.allow)?;
    let packages = packages::all()?;
    let shipped = packages::shipped(&["cli", "programs"])?;
    let mut problems = problems(&shipped, &allowed);
    for package in packages.iter().filter(|one| !contains(&shipped, one)) {
        let exceptions = policy.licenses.exceptions.iter();
        let mut allowed = allowed.clone();
        for exception in exceptions.filter(|exception| exception.name == package.name) {
            allowed.extend(licensees(&exception.allow)?);
        }
        problems.extend(self::problems(std::slice::from_ref(package), &allowed));
    }
    problems.extend(several_sources(&packages));
    for problem in &problems {
        say(problem);
    }
    ensure!(
        problems.is_empty(),
        "{} packages may not come in",
        problems.len()
    );
    note(format_args!(
        "== licences: {} packages passed",
        packages.len()
    ));
    Ok(())
}

fn licensees(names: &[String]) -> Result<Vec<Licensee>> {
    let parse =
        |name: &String| Licensee::parse(name).with_context(|| format!("deny.toml: {name:?}"));
    names.iter().map(parse).collect()
}

/// That packages come from more than one place, if they do.
fn several_sources(packages: &[Package]) -> Option<String> {
    let sources = packages.iter().filter_map(|one| one.source.as_deref());
    let sources: BTreeSet<&str> = sources.collect();
    (sources.len() > 1).then(|| format!("more than one source of packages: {sources:?}"))
}

fn contains(packages: &[Package], wanted: &Package) -> bool {
    packages
        .iter()
        .any(|one| one.name == wanted.name && one.version == wanted.version)
}

/// What is wrong with the packages, one line each.
fn problems(packages: &[Package], allowed: &[Licensee]) -> Vec<String> {
    let mut problems = Vec::new();
    for package in packages {
        let Package { name, version, .. } = package;
        match package.source.as_deref() {
            Some(source) if !source.starts_with("registry+") && !source.starts_with("sparse+") => {
                problems.push(format!("{name} {version}: comes from {source}"));
            }
            Some(_) => {}
            None => problems.extend(
                package
                    .dependencies
                    .iter()
                    .filter(|wanted| wanted.req == "*" && wanted.path.is_none())
                    .map(|wanted| format!("{name}: asks for any version of {}", wanted.name)),
            ),
        }
        let licence = package.license.as_deref().unwrap_or_default();
        let permitted = Expression::parse_mode(licence, ParseMode::LAX).is_ok_and(|expression| {
            expression.evaluate(|wanted| allowed.iter().any(|one| one.satisfies(wanted)))
        });
        if !permitted {
            problems.push(format!(
                "{name} {version}: licence {licence:?} is not allowed"
            ));
        }
    }
    problems
}

/// One text with the licences of packages of others, for an archive of builds.
pub(crate) fn texts(packages: &[Package]) -> Result<String> {
    let mut text = String::from("Ludex contains the following packages of others.\n");
    for package in packages.iter().filter(|package| package.source.is_some()) {
        let licence = package.license.as_deref().unwrap_or("see below");
        write!(
            text,
            "\n{0}\n{1} {2}: {licence}\n",
            "=".repeat(80),
            package.name,
            package.version
        )?;
        let mut files: Vec<_> = fs::read_dir(package.folder())?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_>>()?;
        files.retain(|path| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .to_uppercase();
            let starts = ["LICEN", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];
            path.is_file() && starts.iter().any(|start| name.starts_with(start))
        });
        files.sort();
        for path in files {
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            write!(text, "\n{}\n", String::from_utf8_lossy(&bytes).trim_end())?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of what is shipped are there, and nothing of what only tests use.
    #[test]
    fn the_licences_of_what_is_shipped_are_told() {
        let shipped = packages::shipped(&["cli", "programs"]).unwrap();
        let text = texts(&shipped).unwrap();
        for part in [
            "\nrusqlite 0",
            "\nserde 1",
            "Permission is hereby granted",
            "Apache License",
        ] {
            assert!(text.contains(part), "{part:?} is missing");
        }
        assert!(!text.contains("\nproptest "));
    }

    /// A package from the registry, with changes.
    fn package(changes: serde_json::Value) -> Package {
        let mut package = serde_json::json!({
            "name": "some", "version": "1.0.0", "id": "some", "license": "MIT",
            "source": "registry+here", "manifest_path": "/some/Cargo.toml", "dependencies": [],
        });
        for (key, value) in changes.as_object().unwrap() {
            package[key] = value.clone();
        }
        serde_json::from_value(package).unwrap()
    }

    #[track_caller]
    fn check(changes: serde_json::Value, expected: &[&str]) {
        let allowed =
            ["MIT", "Apache-2.0", "Unicode-3.0"].map(|name| Licensee::parse(name).unwrap());
        let packages = [package(serde_json::json!({})), package(changes)];
        let several = several_sources(&packages).into_iter();
        let found: Vec<_> = several.chain(problems(&packages, &allowed)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn packages_that_may_not_come_in_are_named() {
        use serde_json::json;
        check(json!({}), &[]);
        check(json!({ "license": "GPL-3.0 OR MIT" }), &[]);
        check(json!({ "license": "MIT/Apache-2.0" }), &[]);
        check(
            json!({ "license": "(MIT OR Apache-2.0) AND Unicode-3.0" }),
            &[],
        );
        check(
            json!({ "license": "MIT AND GPL-3.0" }),
            &[r#"some 1.0.0: licence "MIT AND GPL-3.0" is not allowed"#],
        );
        check(
            json!({ "license": null }),
            &[r#"some 1.0.0: licence "" is not allowed"#],
        );
        check(
            json!({ "source": "git+there" }),
            &[
                r#"more than one source of packages: {"git+there", "registry+here"}"#,
                "some 1.0.0: comes from git+there",
            ],
        );
        check(
            json!({ "source": null, "dependencies": [
                { "name": "wide", "req": "*", "path": null },
                { "name": "own", "req": "*", "path": "/own" },
                { "name": "narrow", "req": "^1", "path": null },
            ] }),
            &["some: asks for any version of wide"],
        );
    }
}
