//! The grade as JUnit XML, which every CI system reads.

use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};
use referee::check::{CaseResult, CheckReport, Failure};

/// The reports as one document.
pub(super) fn junit(reports: &[CheckReport]) -> Result<String, SerializeError> {
    let mut document = Report::new("ludex check");
    for report in reports {
        let mut suite = TestSuite::new(format!("{} {}", report.subject, report.program));
        suite.set_time(report.cases.iter().map(|case| case.wall.0).sum());
        suite.add_test_cases(report.cases.iter().map(|case| test(report, case)));
        document.add_test_suite(suite);
    }
    document.to_string()
}

fn test(report: &CheckReport, case: &CaseResult) -> TestCase {
    let status = match &case.failure {
        None => TestCaseStatus::success(),
        Some(failure) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(failure.what.as_str());
            status.set_type(failure.cause.as_str());
            status.set_description(description(case, failure));
            status
        }
    };
    let mut test = TestCase::new(case.name.as_str(), status);
    test.set_classname(report.subject.to_string());
    test.set_time(case.wall.0);
    if let Some(failure) = case.failure.as_ref().filter(|f| !f.stderr.is_empty()) {
        test.set_system_err(failure.stderr.as_str());
    }
    test
}

fn description(case: &CaseResult, failure: &Failure) -> String {
    let mut text = format!("{}\n", case.rule);
    if let Some(difference) = &failure.difference {
        let shown = |line: &Option<String>| line.clone().unwrap_or_else(|| "(end)".into());
        text += &format!(
            "line {}\n  expected: {}\n  actual:   {}\n",
            difference.line,
            shown(&difference.expected),
            shown(&difference.actual)
        );
    }
    for (name, value) in [("answer to", &failure.command), ("why", &failure.reason)] {
        if let Some(value) = value {
            text += &format!("{name}: {value}\n");
        }
    }
    if let Some(board) = &failure.board {
        text += board;
    }
    text + &format!("reproduce: {}\n", case.reproduce)
}

#[cfg(test)]
mod tests {
    use referee::check::{CheckOptions, Subject, check};

    use super::*;

    #[test]
    fn failures_are_told_and_nothing_breaks_the_form() {
        let options = CheckOptions {
            only: Some("one-move".into()),
            ..CheckOptions::default()
        };
        let command = ["sh".to_string(), "-c".into(), "echo '<&\u{1}>'".into()];
        let report = check(Subject::Reversi, &command, &options, &mut |_| ()).unwrap();
        let xml = junit(&[report]).unwrap();
        assert!(
            xml.contains("tests=\"1\"") && xml.contains("failures=\"1\""),
            "{xml}"
        );
        assert!(xml.contains("expected: --------1"), "{xml}");
        assert!(xml.contains("actual:   &lt;&amp;"), "{xml}");
        assert!(!xml.contains('\u{1}'));
    }
}
