//! What a position is worth, in words.

use rules::WIN;

/// Wins and losses by their distance, estimates as signed numbers.
pub(crate) fn text(value: i32) -> String {
    let distance = WIN - value.abs();
    match value.signum() {
        sign if distance < 5_000 => {
            let word = if sign > 0 { "wins" } else { "loses" };
            format!("{word} in {distance}")
        }
        _ => format!("{value:+}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_words() {
        assert_eq!(text(WIN - 3), "wins in 3");
        assert_eq!(text(12 - WIN), "loses in 12");
        assert_eq!(text(35), "+35");
        assert_eq!(text(-7), "-7");
        assert_eq!(text(0), "+0");
    }
}
