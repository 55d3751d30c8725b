//! The grade as JUnit XML, which every CI system reads.

use std::fmt::Write;

use super::{CaseResult, CheckReport};

/// The reports as one JUnit document.
#[must_use]
pub fn junit(reports: &[CheckReport]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for report in reports {
        suite(&mut xml, report);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn suite(xml: &mut String, report: &CheckReport) {
    let time: f64 = report
        .cases
        .iter()
        .map(|case| case.wall.0.as_secs_f64())
        .sum();
    let name = escape(&format!("{} {}", report.subject, report.program));
    let (tests, failures) = (report.cases.len(), report.cases.len() - report.passed());
    // Writing to a string cannot fail.
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" time=\"{time:.3}\">"
    );
    for case in &report.cases {
        test(xml, report, case);
    }
    xml.push_str("  </testsuite>\n");
}

fn test(xml: &mut String, report: &CheckReport, case: &CaseResult) {
    let (name, time) = (escape(&case.name), case.wall.0.as_secs_f64());
    let class = report.subject;
    let _ = write!(
        xml,
        "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time:.3}\""
    );
    let Some(failure) = &case.failure else {
        xml.push_str("/>\n");
        return;
    };
    let mut text = format!("{}\n", case.rule);
    if let Some(difference) = &failure.difference {
        let shown = |line: &Option<String>| line.clone().unwrap_or_else(|| "(end)".into());
        let _ = write!(
            text,
            "line {}\n  expected: {}\n  actual:   {}\n",
            difference.line,
            shown(&difference.expected),
            shown(&difference.actual)
        );
    }
    let _ = writeln!(text, "reproduce: {}", case.reproduce);
    let (message, text) = (escape(&failure.what), escape(&text));
    let _ = write!(
        xml,
        ">\n      <failure message=\"{message}\">{text}</failure>\n"
    );
    if !failure.stderr.is_empty() {
        let errors = escape(&failure.stderr.to_string());
        let _ = writeln!(xml, "      <system-err>{errors}</system-err>");
    }
    xml.push_str("    </testcase>\n");
}

/// Text for XML: what is special is written out, what XML cannot hold is replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(
            escape("a<b & \"c\" \u{1}\n"),
            "a&lt;b &amp; &quot;c&quot; \u{fffd}\n"
        );
    }
}
