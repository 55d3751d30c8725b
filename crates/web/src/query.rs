//! Texts in addresses.

/// `?a=1&b=2` of those values that are not empty.
pub(crate) fn query(pairs: &[(&str, &str)]) -> String {
    let given: Vec<_> = pairs
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .collect();
    match serde_urlencoded::to_string(&given) {
        Ok(pairs) if !pairs.is_empty() => format!("?{pairs}"),
        _ => String::new(),
    }
}

/// Texts as one, joined by commas; commas of their own, as in some moves, become full stops.
pub(crate) fn joined(texts: &[impl AsRef<str>]) -> String {
    let one = |text: &dyn AsRef<str>| text.as_ref().replace(',', ".");
    let texts: Vec<String> = texts.iter().map(|text| one(text)).collect();
    texts.join(",")
}

/// The texts that [`joined`] has joined.
pub(crate) fn parted(text: &str) -> Vec<String> {
    let parts = text.split(',').map(str::trim);
    let given = parts.filter(|part| !part.is_empty());
    given.map(|part| part.replace('.', ",")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_escaped() {
        assert_eq!(
            query(&[("a", "x y"), ("b", ""), ("c", "d/é&")]),
            "?a=x+y&c=d%2F%C3%A9%26"
        );
        assert_eq!(query(&[]), "");
    }

    #[test]
    fn texts_with_commas_are_joined_and_parted() {
        let moves = ["e1-e2", "a1-b2;xb2,c3,=Gd4", "a1-b2 w: b2 d4"];
        assert_eq!(joined(&moves), "e1-e2,a1-b2;xb2.c3.=Gd4,a1-b2 w: b2 d4");
        assert_eq!(parted(&joined(&moves)), moves);
        assert_eq!(parted(" f5, d6,,"), ["f5", "d6"]);
    }
}
