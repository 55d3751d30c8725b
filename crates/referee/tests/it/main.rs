//! Games with programs of every kind and with every fault.

mod check;
mod collection;
mod engines;
mod faults;
mod games;
mod hostile;
mod killed;
mod replay;
mod starts;
mod table;
#[path = "../../../course/tests/it/waiting.rs"]
mod waiting;
