//! The course of the tests, and what is handed in. Crate `web` uses the same file.

use std::path::Path;

use handin::Upload;

/// A course with one assignment.
pub(crate) const COURSE: &str = include_str!("../data/course.toml");

/// A program of the tests: `good.c` plays Othello, `other.c` does so otherwise, `wrong.c` wrongly,
/// `broken.c` cannot be built; `reversi.c` speaks the dialogue of Reversi, `mmpawns.c` rewrites the
/// file of MMPawns.
pub(crate) fn program(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../course/tests/data");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    match name {
        "other.c" => {
            let (most, fewest) = ("((n) > (m))", "((n) < (m))");
            let good = read("good.c");
            assert!(good.contains(most));
            good.replace(most, fewest)
        }
        name => read(name),
    }
}

/// The same as it is handed in.
pub(crate) fn upload(name: &str) -> Upload {
    Upload {
        name: name.into(),
        bytes: program(name).into_bytes(),
    }
}
