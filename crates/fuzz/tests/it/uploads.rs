//! Archives that are uploaded.

use fuzz::fuzz;
use handin::{ArchiveLimits, Language, Upload};
use referee::Size;

use crate::{INPUTS, answer};

/// Two files in a folder, as `zip -r` writes them.
const ZIP: &[u8] = include_bytes!("../data/two.zip");
/// The same, as `tar c` writes them; compressed, no mutation of it would be read.
const TAR: &[u8] = include_bytes!("../data/two.tar");

/// Whatever is read lies in the hand-in, within its bounds.
fn target(name: &'static str, seeds: &[&[u8]]) {
    let limits = ArchiveLimits {
        size: Size(20_000),
        file: Size(10_000),
        entries: 10,
        depth: 4,
        ..ArchiveLimits::default()
    };
    fuzz(name, seeds, INPUTS, |bytes| {
        let upload = Upload {
            name: format!("bot.{name}"),
            bytes: bytes.to_vec(),
        };
        let found = handin::read(&[upload], &limits);
        if let Ok(found) = &found {
            let mut sum = 0;
            for (path, content) in &found.files {
                let plain = |part: &str| !matches!(part, "" | "." | "..");
                assert!(path.split('/').all(plain), "{path:?}");
                assert!(!path.chars().any(char::is_control), "{path:?}");
                assert!(content.len() <= 10_000);
                sum += content.len();
            }
            assert!(found.files.len() <= 10 && sum <= 20_000);
        }
        answer(&found)
    });
}

#[test]
fn zip() {
    target("zip", &[ZIP]);
}

#[test]
fn tar() {
    target("tar", &[TAR]);
}

#[test]
fn tgz() {
    // A few bytes, of which mutations can be read: one file, stored and not compressed.
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    std::io::Write::write_all(&mut packer, TAR).unwrap();
    let stored = packer.finish().unwrap();
    target("tgz", &[&stored]);
}

#[test]
fn language_file() {
    let seeds = [
        "name = 'Pascal'\nextensions = ['pas', 'pp']\nbuild = 'fpc -oprogram {main}'\nrun = './program'\n",
        "name = 'X'\nfile = 'Makefile'\nbuild = \"sh -c 'make && mv a.out program'\"\nrun = './program {class}'\n\
         needs = ['make', 'cc']\nread = ['/opt']\n",
    ];
    fuzz("language_file", &seeds, INPUTS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let language =
            toml::from_str::<Language>(&text).map_err(|error| error.message().to_string());
        answer(&language.and_then(|language| language.check()))
    });
}
