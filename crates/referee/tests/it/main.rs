//! Games with programs of every kind and with every fault.

mod faults;
mod games;
mod table;
