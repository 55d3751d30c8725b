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
}
