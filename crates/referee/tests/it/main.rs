//! Games with programs of every kind and with every fault.

mod check;
mod collection;
mod faults;
mod games;
mod hostile;
mod replay;
mod table;
#[path = "../../../course/tests/it/waiting.rs"]
mod waiting;
