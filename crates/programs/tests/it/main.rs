//! The programs run as processes, on data files and in dialogue.

mod cases;
#[allow(dead_code)]
#[path = "../../../course/tests/it/class.rs"]
mod class;
mod courses;
#[allow(dead_code)]
#[path = "../../../course/tests/it/fixtures.rs"]
mod fixtures;
mod gipf;
mod mmpawns;
mod othello;
mod pipes;
mod protocol;
mod reversi;
#[path = "../../../course/tests/it/waiting.rs"]
mod waiting;

use std::process::{Child, Output};
use std::sync::mpsc;

use crate::waiting::HANG;

/// What a program prints until its end, which must come.
#[track_caller]
fn output_of(child: Child) -> Output {
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    match ended.recv_timeout(HANG) {
        Ok(output) => output.unwrap(),
        Err(_) => panic!("no end after {HANG:?}"),
    }
}
