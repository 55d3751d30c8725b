//! Has the linker pack the addresses that are adjusted when the program starts, two megabytes of
//! the binary, where the C library is new enough to unpack them.

use std::process::Command;

/// The first version of glibc that adjusts packed addresses.
const FIRST: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let here = std::env::var("HOST") == std::env::var("TARGET");
    if here && glibc().is_some_and(|version| version >= FIRST) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's glibc, if that is its C library.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let output = String::from_utf8(output.ok()?.stdout).ok()?;
    let (major, minor) = output.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
