//! Fuzzing on stable Rust: inputs are mutated from seeds, and an input that gets a new kind
//! of answer becomes a seed, too.
//!
//! A target is a function that takes bytes, panics if something is wrong, and otherwise says
//! what came of them: `ok`, or the message of an error. Messages that differ only in numbers
//! and quoted values are of one kind. In the place of coverage, this guides the search, and
//! needs no instrumented build.
//!
//! ```
//! let target = |bytes: &[u8]| match std::str::from_utf8(bytes) {
//!     Ok(_) => "ok".to_owned(),
//!     Err(error) => error.to_string(),
//! };
//! fuzz::fuzz("text", &["plain", "é"], 100, target);
//! ```
//!
//! `cargo test -p fuzz` tries a fixed number of inputs from a fixed seed.
//! `cargo xtask fuzz TARGET --seconds N` goes on from another seed; these variables say how:
//! `LUDEX_FUZZ_SECONDS`, `LUDEX_FUZZ_SEED`, and `LUDEX_FUZZ_INPUT`, a file to try instead.

mod mutate;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mutate::Mutator;

/// The most seeds that are kept.
const MOST_SEEDS: usize = 2000;

/// Tries a target on its seeds and on so many inputs made from them, or for as long as the
/// environment says.
///
/// # Panics
///
/// If the target does; the input is kept in a file, and the panic names it.
pub fn fuzz<S: AsRef<[u8]>>(
    name: &str,
    seeds: &[S],
    inputs: usize,
    target: impl Fn(&[u8]) -> String,
) {
    if let Some(path) = std::env::var_os("LUDEX_FUZZ_INPUT") {
        let input = std::fs::read(&path).expect("LUDEX_FUZZ_INPUT can be read");
        target(&input);
        return;
    }
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let until =
        number("LUDEX_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut mutator = Mutator::new(number("LUDEX_FUZZ_SEED").unwrap_or(0));
    let mut corpus: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.as_ref().to_vec()).collect();
    let mut kinds: HashSet<String> = corpus
        .iter()
        .map(|seed| kind(&tried(name, seed, &target)))
        .collect();
    let mut count = 0;
    while until.map_or(count < inputs, |until| Instant::now() < until) {
        let input = mutator.input(&corpus);
        let kind = kind(&tried(name, &input, &target));
        if corpus.len() < MOST_SEEDS && kinds.insert(kind) {
            corpus.push(input);
        }
        count += 1;
    }
    println!("{name}: {count} inputs, {} kinds of answers", kinds.len());
}

/// The answer of a target; the input is kept if the target panics.
fn tried(name: &str, input: &[u8], target: &impl Fn(&[u8]) -> String) -> String {
    catch_unwind(AssertUnwindSafe(|| target(input))).unwrap_or_else(|panic| {
        let path = failure(name);
        match std::fs::write(&path, input) {
            Ok(()) => eprintln!(
                "the input is kept; again with: cargo xtask fuzz {name} --input {}",
                path.display()
            ),
            Err(why) => eprintln!("{}: {why}; the input was {input:?}", path.display()),
        }
        resume_unwind(panic)
    })
}

/// Where the input that a target failed on is kept.
fn failure(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("ludex-fuzz-{name}"))
}

/// An answer without numbers and quoted values.
fn kind(answer: &str) -> String {
    let outside = |(index, part): (usize, &str)| (index % 2 == 0).then(|| part.to_owned());
    let mut kind: String = answer.split('"').enumerate().filter_map(outside).collect();
    kind.retain(|c| !c.is_numeric());
    kind.truncate(
        kind.char_indices()
            .nth(200)
            .map_or(kind.len(), |(at, _)| at),
    );
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_leave_values_out() {
        assert_eq!(
            kind("line 3: \"x\" is no move"),
            kind("line 14: \"yy\" is no move")
        );
        assert_ne!(
            kind("line 3: \"x\" is no move"),
            kind("line 3: \"x\" is no board")
        );
    }

    /// A fault three steps away from the seed is found because each step is answered
    /// differently.
    #[test]
    fn faults_are_found_step_by_step() {
        let target = |bytes: &[u8]| {
            let depth = b"(;;".iter().zip(bytes).take_while(|(a, b)| a == b).count();
            assert!(depth < 3, "the fault");
            "abc"[..depth].to_owned()
        };
        let found = catch_unwind(|| fuzz("own-test", &["GM[Othello]", "(x"], 1_000_000, target));
        assert!(found.is_err());
        let kept = std::fs::read(failure("own-test")).unwrap();
        assert!(kept.starts_with(b"(;;"));
    }

    #[test]
    fn equal_seeds_try_equal_inputs() {
        let tried = std::cell::RefCell::new([Vec::new(), Vec::new()]);
        for round in 0..2 {
            fuzz("own-test", &["some text", "other"], 200, |bytes| {
                tried.borrow_mut()[round].push(bytes.to_vec());
                bytes.len().min(3).to_string()
            });
        }
        let [first, second] = tried.into_inner();
        assert_eq!(first, second);
        assert!(first.iter().collect::<HashSet<_>>().len() > 150);
    }
}
