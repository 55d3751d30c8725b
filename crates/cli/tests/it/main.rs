//! The command line, typed as people and programs type it.

mod book;
mod check;
mod cluster;
mod cluster_recipes;
mod console;
mod course;
mod course_workers;
mod docs;
#[allow(dead_code)]
#[path = "../../../course/tests/it/fixtures.rs"]
mod fixtures;
mod hardship;
mod interrupt;
mod json;
mod pipes;
mod tables;
#[path = "../../../course/tests/it/waiting.rs"]
mod waiting;

/// One test per file of `tests/data`, so that a failure names it.
macro_rules! consoles {
    ($($name:ident),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                console::check(stringify!($name));
            }
        )+

        #[test]
        fn every_console_file_is_tested() {
            let mut files = console::files();
            files.sort();
            let mut tests = vec![$(stringify!($name).to_string()),+];
            tests.sort();
            assert_eq!(files, tests);
        }
    };
}

consoles!(
    book,
    usage,
    options,
    sources,
    moves,
    draw,
    perft,
    bench_othello,
    play_reversi,
    gipf_standard,
    gipf_standard_judged,
    gipf_standard_texts,
    play_gipf,
    play_mmpawns,
    solve_mmpawns,
    check,
    tester,
    play_match,
    replay,
    tournament,
    man,
    course,
    stores,
);
