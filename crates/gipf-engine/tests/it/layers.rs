//! The modules of the solver depend on each other in one direction only.

use std::fs;
use std::path::Path;

/// Modules on a layer know those below, and nothing beside or above them.
const LAYERS: [&[&str]; 6] = [
    &["tuning"],
    &["rules", "defender"],
    &["bounded", "proof_number", "fixed_point"],
    &["portfolio"],
    &["series"],
    &["training", "node_counts"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Every source file below a folder, with the module of `solve` that it belongs to.
fn files(folder: &Path, module: Option<&str>, visit: &mut impl FnMut(&str, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let module = module.or((name != "mod").then_some(name.as_str()));
        if path.is_dir() {
            files(&path, module, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(module) = module
        {
            visit(module, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn imports_go_downwards() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/solve");
    let mut imports = 0;
    files(&folder, None, &mut |module, text| {
        let own = layer(module).unwrap_or_else(|| panic!("{module} has no layer"));
        // Tests may look at anything.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for (other, name) in LAYERS
                .iter()
                .enumerate()
                .flat_map(|(at, names)| names.iter().map(move |name| (at, *name)))
            {
                let paths = [format!("solve::{name}"), format!("super::{name}")];
                if name != module && paths.iter().any(|path| line.contains(path.as_str())) {
                    assert!(other < own, "{module} imports {name}: {line}");
                    imports += 1;
                }
            }
        }
    });
    assert!(imports > 15, "{imports}");
}
