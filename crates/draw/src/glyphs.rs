//! Letters as lines, for painters that have no fonts.

use std::fmt::Write;

/// Half the height of a digit: glyphs are four wide and six high, counted from the top
/// left; small letters begin at 2, and some reach down to 8.
const MIDDLE: f64 = 3.0;

/// How far it is from one letter to the next.
const ADVANCE: f64 = 5.6;

/// The strokes of a character: points as two digits (across, down), strokes between bars.
fn strokes(c: char) -> &'static str {
    match c {
        '0' => "10 30 41 45 36 16 05 01 10",
        '1' => "11 20 26|16 36",
        '2' => "01 10 30 41 42 06 46",
        '3' => "00 40 22 32 43 45 36 16 05",
        '4' => "36 30 04 44",
        '5' => "40 00 02 32 43 45 36 16 05",
        '6' => "30 10 01 05 16 36 45 43 32 12 03",
        '7' => "00 40 16",
        '8' => "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
        '9' => "16 36 45 41 30 10 01 03 14 34 43",
        'a' => "43 32 12 03 05 16 36 45|42 46",
        'b' => "00 06|03 12 32 43 45 36 16 05",
        'c' => "43 32 12 03 05 16 36 45",
        'd' => "40 46|43 32 12 03 05 16 36 45",
        'e' => "04 44 43 32 12 03 05 16 36 45",
        'f' => "40 30 21 26|12 32",
        'g' => "42 47 38 18 07|43 32 12 03 05 16 36 45",
        'h' => "00 06|03 12 32 43 46",
        'i' => "22 26|20 20",
        'j' => "32 37 28 08|30 30",
        'k' => "00 06|42 04|23 46",
        'l' => "20 26",
        'm' => "02 06|03 12 23 26|23 32 43 46",
        'n' => "02 06|03 12 32 43 46",
        'o' => "12 32 43 45 36 16 05 03 12",
        't' => "20 25 36|12 32",
        'x' => "02 46|42 06",
        'B' => "00 06 36 45 44 33 03|33 42 41 30 00",
        'D' => "00 06 26 44 42 20 00",
        'L' => "00 06 46",
        'W' => "00 16 23 36 40",
        '+' => "21 25|03 43",
        '-' | '−' => "03 43",
        '=' => "02 42|04 44",
        '.' => "26 26",
        _ => "",
    }
}

/// A word as lines, centred on a point.
pub(crate) fn word(out: &mut String, (x, y): (f64, f64), text: &str, size: f64, ink: &str) {
    let unit = size * 0.12;
    let count = text.chars().count() as f64;
    let left = x - (count * ADVANCE - (ADVANCE - 4.0)) * unit / 2.0;
    let mut path = String::new();
    for (number, c) in text.chars().enumerate() {
        for stroke in strokes(c).split('|').filter(|stroke| !stroke.is_empty()) {
            for (i, point) in stroke.split(' ').enumerate() {
                let digit = |at: usize| f64::from(point.as_bytes()[at] - b'0');
                let letter = if i == 0 { 'M' } else { 'L' };
                let px = left + (number as f64 * ADVANCE + digit(0)) * unit;
                let py = y + (digit(1) - MIDDLE) * unit;
                let _ = write!(path, "{letter}{px:.1} {py:.1}");
            }
        }
    }
    let _ = write!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{:.1}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
        size * 0.13
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_and_value_can_be_written() {
        for c in "abcdefghijklmno0123456789+-−.=WLDBxhint".chars() {
            assert!(!strokes(c).is_empty(), "{c:?}");
            for point in strokes(c).split([' ', '|']) {
                let [across, down] = point.as_bytes() else {
                    panic!("{point:?} of {c:?}")
                };
                assert!(
                    (b'0'..=b'4').contains(across) && (b'0'..=b'8').contains(down),
                    "{point:?} of {c:?}"
                );
            }
        }
    }
}
