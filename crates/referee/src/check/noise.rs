//! Lines of the Reversi dialogue that look like commands and are none: one byte, or one
//! character, more or other than a command has.

/// A name for a group of lines, and the lines.
pub(super) type Group = (&'static str, Vec<Vec<u8>>);

/// Characters that some reader of text takes for a blank, for a line end or for nothing.
const INVISIBLE: [&str; 16] = [
    "\u{85}", "\u{a0}", "\u{ad}", "\u{1680}", "\u{2003}", "\u{200b}", "\u{200d}", "\u{200e}",
    "\u{2028}", "\u{2029}", "\u{202f}", "\u{205f}", "\u{2060}", "\u{3000}", "\u{feff}", "\u{301}",
];

/// Bytes that are no text: pieces of characters, and bytes that no encoding of text has.
const BROKEN: [&[u8]; 8] = [
    b"\xff",
    b"\xfe",
    b"\xc3",
    b"\xe2\x80",
    b"\xf0\x9f\x98",
    b"\x80",
    b"\xc0\x80",
    b"\xed\xa0\x80",
];

/// Commands in other letters and digits.
const ALIKE: [&str; 12] = [
    "ｅ６",
    "е6",
    "e\u{666}",
    "e\u{6f6}",
    "e\u{96c}",
    "e\u{ff16}",
    "e\u{2076}",
    "e\u{2465}",
    "＝",
    "\u{feff}=",
    "ℯ6",
    "é6",
];

/// Words and forms that other programs understand: none is a command here.
pub(super) const WORDS: [&str; 80] = [
    "pass",
    "PASS",
    "Pass",
    "pas",
    "pa",
    "ps",
    "PA",
    "p",
    "P",
    "--",
    "@@",
    "skip",
    "none",
    "null",
    "no",
    "yes",
    "quit",
    "QUIT",
    "Quit",
    "exit",
    "EXIT",
    "q",
    "Q",
    ":q",
    "x",
    "bye",
    "end",
    "END",
    "stop",
    "eof",
    "EOF",
    "^D",
    "done",
    "over",
    "resign",
    "draw",
    "help",
    "HELP",
    "h",
    "hint",
    "undo",
    "back",
    "redo",
    "new",
    "reset",
    "restart",
    "start",
    "clear",
    "board",
    "print",
    "show",
    "moves",
    "score",
    "save",
    "load",
    "version",
    "name",
    "black",
    "white",
    "e6e6",
    "C e6",
    "B e6",
    "b e6",
    "play b e6",
    "genmove w",
    "move e6",
    "1. e6",
    "e6!",
    "e,6",
    "e-6",
    "(e,6)",
    "4,5",
    "5 4",
    "-1",
    "-1,-1",
    "00",
    "44",
    "45",
    "# e6",
    "\"e6\"",
];

/// All groups. None of the lines is `=` or a square.
pub(super) fn groups() -> Vec<Group> {
    let bytes = || (0..=255).filter(|byte| *byte != b'\n');
    let all = |make: &dyn Fn(u8) -> Vec<u8>| bytes().map(make).collect::<Vec<_>>();
    let around = |noise: &[u8]| {
        [
            [b"e6", noise].concat(),
            [noise, b"e6"].concat(),
            [b"e", noise, b"6"].concat(),
            [b"=", noise].concat(),
            [noise, b"="].concat(),
        ]
    };
    let is_square = |line: &[u8]| matches!(line, [b'a'..=b'h', b'1'..=b'8']);
    let squares = all(&|byte| vec![b'e', byte])
        .into_iter()
        .chain(all(&|byte| vec![byte, b'6']))
        .filter(|line| !is_square(line));
    let mut alone = all(&|byte| vec![byte]);
    alone.retain(|line| line != b"=");
    vec![
        ("byte-after", all(&|byte| vec![b'e', b'6', byte])),
        ("byte-before", all(&|byte| vec![byte, b'e', b'6'])),
        ("byte-inside", all(&|byte| vec![b'e', byte, b'6'])),
        ("byte-after-pass", all(&|byte| vec![b'=', byte])),
        ("byte-before-pass", all(&|byte| vec![byte, b'='])),
        ("byte-for-another", squares.collect()),
        ("byte-alone", alone),
        (
            "invisible-character",
            INVISIBLE
                .iter()
                .flat_map(|noise| around(noise.as_bytes()))
                .collect(),
        ),
        (
            "broken-character",
            BROKEN.iter().flat_map(|noise| around(noise)).collect(),
        ),
        (
            "words",
            WORDS.iter().map(|line| line.as_bytes().to_vec()).collect(),
        ),
        (
            "other-letters",
            ALIKE.iter().map(|line| line.as_bytes().to_vec()).collect(),
        ),
    ]
}
