//! Archives as people make them, and those that are refused.

use handin::{ArchiveLimits, Upload, read, unpack};
use referee::Size;

use crate::bytes::{Entry, gzip, tar, zip};

fn upload(name: &str, bytes: impl Into<Vec<u8>>) -> Upload {
    Upload {
        name: name.into(),
        bytes: bytes.into(),
    }
}

/// What is in uploads, or why they are refused.
fn found(uploads: &[Upload]) -> String {
    let limits = ArchiveLimits {
        entries: 100,
        ..ArchiveLimits::default()
    };
    match read(uploads, &limits) {
        Ok(found) => {
            let mut names: Vec<String> = found.files.into_iter().map(|(path, _)| path).collect();
            names.extend(found.skipped.iter().map(|name| format!("-{name}")));
            names.join(" ")
        }
        Err(refusal) => {
            let text = refusal.to_string();
            assert_eq!(text.lines().count(), 1, "{text:?}");
            assert!(!refusal.machine);
            text
        }
    }
}

#[track_caller]
fn check(uploads: &[Upload], expected: &str) {
    assert_eq!(found(uploads), expected);
}

fn file(name: &str) -> Entry {
    Entry::new(name, "int main(void) {}\n")
}

#[test]
fn files_and_archives_are_read() {
    check(&[upload("bot.c", "x")], "bot.c");
    check(&[upload("b.h", "x"), upload("a.c", "x")], "a.c b.h");
    check(&[upload("src/bot.c", "x")], "src/bot.c");
    check(&[upload("bot.zip", zip(&[file("bot.c")]))], "bot.c");
    let two = zip(&[file("anna/bot.c"), file("anna/lib/util.c")]);
    check(&[upload("Bot.ZIP", two)], "bot.c lib/util.c");
    let two = zip(&[file("a/bot.c"), file("b/util.c")]);
    check(&[upload("x.zip", two)], "a/bot.c b/util.c");
    let mac = [
        Entry {
            mode: 0o40_755,
            method: 0,
            ..Entry::new("bot/", "")
        },
        file("bot/bot.c"),
        file("__MACOSX/bot/._bot.c"),
        file("bot/.DS_Store"),
    ];
    check(
        &[upload("bot.zip", zip(&mac))],
        "bot.c -__MACOSX/bot/._bot.c -bot/.DS_Store",
    );
    let posix = tar(&[
        (b"pax_global_header", b'g', b"20 comment=abcdefghi\n"),
        (b"./", b'5', b""),
        (b"./bot.c", b'0', b"x"),
        (b"./book.txt", b'0', b"y"),
    ]);
    check(&[upload("bot.tar.gz", gzip(&posix))], "book.txt bot.c");
    check(&[upload("bot.tgz", gzip(&posix))], "book.txt bot.c");
    check(&[upload("bot.tar", posix)], "book.txt bot.c");
    // A gzip file of two parts is one file.
    let parts = tar(&[(b"bot.c", b'0', &[b'x'; 3000])]);
    let both = [gzip(&parts[..1000]), gzip(&parts[1000..])].concat();
    check(&[upload("bot.tgz", both)], "bot.c");
    // Only what is called an archive is one.
    check(&[upload("lib.jar", zip(&[file("x")]))], "lib.jar");
}

/// Names that are handed in one way and written another.
#[test]
fn accents_are_written_in_one_way() {
    check(
        &[upload("a.zip", zip(&[file("zo\u{308}e.c")]))],
        "z\u{f6}e.c",
    );
    let two = [file("zo\u{308}e.c"), file("z\u{f6}e.c")];
    check(
        &[upload("a.zip", zip(&two))],
        "z\u{f6}e.c: there are two of it",
    );
}

/// Every archive that nobody makes by accident.
#[test]
fn hostile_archives_are_refused() {
    let with = |name: &str, kind: u8| gzip(&tar(&[(name.as_bytes(), kind, b"")]));
    let zeros = vec![0; 40 << 20];
    let many: Vec<Entry> = (0..101).map(|n| file(&format!("{n}.c"))).collect();
    let names: Vec<String> = (0..101).map(|n| format!("{n}.c")).collect();
    let in_tar: Vec<(&[u8], u8, &[u8])> = names
        .iter()
        .map(|n| (n.as_bytes(), b'0', &b""[..]))
        .collect();
    let deep = "d/".repeat(20) + "bot.c";
    let long = "x".repeat(256);
    let cases: Vec<(&str, Vec<u8>, String)> = vec![
        // Out of the folder.
        (
            "a.zip",
            zip(&[file("../bot.c")]),
            "../bot.c: a path that leads out of the hand-in".into(),
        ),
        (
            "a.zip",
            zip(&[file("a/../../b.c")]),
            "a/../../b.c: a path that leads out of the hand-in".into(),
        ),
        (
            "a.zip",
            zip(&[file("/etc/cron.d/x")]),
            "/etc/cron.d/x: an absolute path".into(),
        ),
        (
            "a.zip",
            zip(&[file(r"C:\bot.c")]),
            r"C:\bot.c: an absolute path".into(),
        ),
        (
            "a.zip",
            zip(&[file(r"..\bot.c")]),
            r"..\bot.c: a path that leads out of the hand-in".into(),
        ),
        (
            "a.tgz",
            with("../bot.c", b'0'),
            "../bot.c: a path that leads out of the hand-in".into(),
        ),
        (
            "a.tgz",
            with("/etc/passwd", b'0'),
            "/etc/passwd: an absolute path".into(),
        ),
        (
            "../a.c",
            b"x".to_vec(),
            "../a.c: a path that leads out of the hand-in".into(),
        ),
        // What is no file.
        (
            "a.zip",
            zip(&[Entry {
                mode: 0o120_777,
                ..Entry::new("l", "/etc/passwd")
            }]),
            "a.zip: l: a link; hand in the file itself".into(),
        ),
        (
            "a.zip",
            zip(&[Entry {
                mode: 0o020_666,
                ..file("d")
            }]),
            "a.zip: d: neither a file nor a folder".into(),
        ),
        (
            "a.tgz",
            with("l", b'2'),
            "a.tgz: l: a link; hand in the file itself".into(),
        ),
        (
            "a.tgz",
            with("l", b'1'),
            "a.tgz: l: a link; hand in the file itself".into(),
        ),
        (
            "a.tgz",
            with("d", b'3'),
            "a.tgz: d: neither a file nor a folder".into(),
        ),
        (
            "a.tgz",
            with("d", b'4'),
            "a.tgz: d: neither a file nor a folder".into(),
        ),
        (
            "a.tgz",
            with("p", b'6'),
            "a.tgz: p: neither a file nor a folder".into(),
        ),
        ("a.tgz", with("s", b'S'), "a.tgz: not a tar archive".into()),
        // Names.
        (
            "a.zip",
            zip(&[Entry::new(b"b\xf6t.c", "x")]),
            "b\u{fffd}t.c: the name of the file is not in UTF-8; rename it to plain letters".into(),
        ),
        (
            "a.zip",
            zip(&[file("a\u{1b}[2J.c")]),
            "a\u{fffd}[2J.c: the name has characters that cannot be printed".into(),
        ),
        (
            "a.zip",
            zip(&[file("a\0.c")]),
            "a\u{fffd}.c: the name has characters that cannot be printed".into(),
        ),
        (
            "a.zip",
            zip(&[file("a\nb.c")]),
            "a\u{fffd}b.c: the name has characters that cannot be printed".into(),
        ),
        (
            "a.zip",
            zip(&[file(&long)]),
            format!("{}…: the name is longer than 255 bytes", &long[..160]),
        ),
        (
            "a.zip",
            zip(&[file("")]),
            "a.zip: : a file without a name".into(),
        ),
        (
            "a.zip",
            zip(&[file(&deep)]),
            format!("{deep}: folders are nested more than 16 deep"),
        ),
        (
            "a.zip",
            zip(&[file("a.c"), file("a.c")]),
            "a.zip: two files in it have the same name".into(),
        ),
        (
            "a.zip",
            zip(&[file("a.c"), file("./a.c")]),
            "a.c: there are two of it".into(),
        ),
        (
            "a.zip",
            zip(&[file("Bot.c"), file("bot.c")]),
            "Bot.c and bot.c differ only in upper and lower case".into(),
        ),
        (
            "a.zip",
            zip(&[file("a"), file("a/b")]),
            "a: a file and a folder".into(),
        ),
        (
            "a.tgz",
            gzip(&tar(&[(b"a", b'0', b"1"), (b"a", b'0', b"2")])),
            "a: there are two of it".into(),
        ),
        // Bombs.
        (
            "a.zip",
            zip(&[Entry::new("a", &zeros)]),
            "a.zip: unpacks to more than 200 times its size".into(),
        ),
        (
            "a.tgz",
            gzip(&tar(&[(b"a", b'0', &zeros)])),
            "a.tgz: unpacks to more than 200 times its size".into(),
        ),
        ("a.tgz", gzip(&zeros), "nothing was handed in".into()),
        (
            "a.tgz",
            gzip(&gzip(&zeros)),
            "a.tgz: not a tar archive".into(),
        ),
        (
            "a.zip",
            zip(&many),
            "a.zip: more than 100 files and folders".into(),
        ),
        (
            "a.tgz",
            gzip(&tar(&in_tar)),
            "a.tgz: more than 100 files and folders".into(),
        ),
        (
            "a.zip",
            zip(&[
                Entry {
                    method: 0,
                    ..Entry::new("a", "xxxx")
                },
                Entry {
                    method: 0,
                    at: Some(0),
                    ..Entry::new("b", "xxxx")
                },
            ]),
            "a.zip: files in it overlap".into(),
        ),
        (
            "a.c",
            vec![b'x'; 17 << 20],
            "17 MB handed in, 16 MB are the most".into(),
        ),
        // Not what they say.
        (
            "a.zip",
            b"int main".to_vec(),
            "a.zip: not a zip archive".into(),
        ),
        (
            "a.tgz",
            b"int main".to_vec(),
            "a.tgz: not a gzip archive".into(),
        ),
        (
            "a.7z",
            b"7z".to_vec(),
            "a.7z: archives are unpacked if they end in .zip or .tar.gz, not .7z".into(),
        ),
        (
            "a.zip",
            zip(&[Entry {
                flags: 1,
                ..file("a")
            }]),
            "a.zip: a: encrypted".into(),
        ),
        (
            "a.zip",
            zip(&[Entry {
                method: 93,
                ..file("a")
            }]),
            "a.zip: a: compressed in an unusual way; make the archive with deflate".into(),
        ),
        (
            "a.zip",
            zip(&[Entry {
                sum: Some(1),
                ..file("a")
            }]),
            "a.zip: the archive cannot be read: Invalid checksum".into(),
        ),
        (
            "a.zip",
            zip(&[file("a")])[..40].to_vec(),
            "a.zip: the archive cannot be read: its end is missing".into(),
        ),
        ("a.zip", zip(&[]), "nothing was handed in".into()),
        (
            "a.zip",
            zip(&[file(".DS_Store")]),
            ".DS_Store: nothing else was handed in".into(),
        ),
    ];
    assert!(cases.len() > 20);
    let mut wrong = Vec::new();
    for (name, bytes, expected) in cases {
        let got = found(&[upload(name, bytes)]);
        if got != expected {
            wrong.push(format!("{got:?}\n   not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An archive that is cut short anywhere is refused, and never read in part.
#[test]
fn archives_that_are_cut_short_are_refused() {
    let content = |n: u8| (0..200).map(|i| i ^ n).collect::<Vec<u8>>();
    let whole = zip(&[Entry::new("a", content(1)), Entry::new("b", content(2))]);
    for cut in 1..whole.len() {
        let got = found(&[upload("a.zip", &whole[..cut])]);
        assert!(got.starts_with("a.zip: "), "{cut}: {got}");
    }
    let whole = gzip(&tar(&[
        (b"a", b'0', &content(1)),
        (b"b", b'0', &content(2)),
    ]));
    for cut in 1..whole.len() - 9 {
        let got = found(&[upload("a.tgz", &whole[..cut])]);
        assert_ne!(got, "a", "{cut}");
    }
}

#[test]
fn limits_hold_for_all_uploads_together() {
    let limits = ArchiveLimits {
        size: Size(100),
        file: Size(80),
        entries: 3,
        ..ArchiveLimits::default()
    };
    let refused = |uploads: &[Upload]| {
        let refusal = read(uploads, &limits).unwrap_err();
        refusal.to_string()
    };
    let half = |name: &str| upload(name, vec![b'x'; 60]);
    assert_eq!(
        refused(&[half("a"), half("b")]),
        "b: more than 100 bytes when unpacked"
    );
    assert_eq!(
        refused(&[upload("a", vec![0; 90])]),
        "a: a: larger than 80 bytes"
    );
    let tiny: Vec<Upload> = (0..4).map(|n| upload(&n.to_string(), "")).collect();
    assert_eq!(refused(&tiny), "3: more than 3 files and folders");
}

#[test]
fn what_is_refused_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("hand-ins/1");
    let limits = ArchiveLimits::default();
    let bad = [upload("a.c", "x"), upload("a.zip", zip(&[file("../b")]))];
    assert!(unpack(&bad, &into, &limits).is_err());
    assert!(!folder.path().join("hand-ins").exists());
    let good = [
        upload("bot.c", "x"),
        upload("a.zip", zip(&[file("lib/b.c")])),
    ];
    let sources = unpack(&good, &into, &limits).unwrap();
    assert_eq!(std::fs::read(into.join("bot.c")).unwrap(), b"x");
    assert_eq!(sources.hash, handin::hash(&into).unwrap());
    assert_eq!(
        sources.hash,
        // printf x | sha256sum, and the same of the other file, and of these two lines.
        {
            let line = |content: &[u8], path| format!("{}  {path}\n", referee::hash(content));
            let list = line(b"int main(void) {}\n", "b.c") + &line(b"x", "bot.c");
            referee::hash(list.as_bytes())
        }
    );
    // What is there already is not touched.
    let again = unpack(&good, &into, &limits).unwrap_err();
    assert!(again.machine, "{again}");
    let names: Vec<_> = std::fs::read_dir(folder.path().join("hand-ins"))
        .unwrap()
        .collect();
    assert_eq!(names.len(), 1);
}
