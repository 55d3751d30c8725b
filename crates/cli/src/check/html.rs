//! The report of one student as a page of its own: no script, nothing from elsewhere.

use maud::{DOCTYPE, Markup, html};
use referee::check::{CheckReport, Failure, Group, WEIGHTS};

use super::class::Grade;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;\
padding:0 1rem;color:#1b1b1b;background:#fff}table{border-collapse:collapse}td,th{padding:.2rem .8rem;\
border-bottom:1px solid #ccc;text-align:left}td.number,th.number{text-align:right}pre{background:#f4f4f4;\
padding:.6rem;overflow-x:auto}.fail{border-left:.3rem solid #b00020;padding-left:1rem;margin:2rem 0}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}pre{background:#2a2a2a}}";

/// The page of a student; `report` is missing where nothing could be tried.
pub(super) fn page(grade: &Grade, report: Option<&CheckReport>, errors: &str) -> String {
    let title = format!("{}: {}", grade.student, grade.subject);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { (title) }
                style { (maud::PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p {
                    strong { (format!("{:.1} of 100 points", grade.points)) }
                    ": " (grade.passed) " of " (grade.cases) " cases passed; " (grade.verdict) "."
                }
                p { "Program: " code { (grade.program) } }
                (rules(grade))
                @if !errors.is_empty() {
                    h2 { "What was said" }
                    pre { (errors) }
                }
                @if let Some(report) = report {
                    @for group in report.groups() { (failures(&group)) }
                }
            }
        }
    };
    page.into_string()
}

fn rules(grade: &Grade) -> Markup {
    html! {
        @if !grade.rules.is_empty() {
            table {
                tr { th { "rule" } th.number { "passed" } th.number { "cases" } th.number { "points" } }
                @for rule in &grade.rules {
                    tr {
                        td { (rule.rule) }
                        td.number { (rule.passed) }
                        td.number { (rule.cases) }
                        td.number { (format!("{:.2}", rule.points())) }
                    }
                }
            }
            p { "The points of a rule are the share of its cases that passed; " (WEIGHTS) "." }
        }
    }
}

fn failures(group: &Group) -> Markup {
    let Some((case, failure)) = group
        .cases
        .first()
        .and_then(|c| Some((c, c.failure.as_ref()?)))
    else {
        return html! {};
    };
    let count = match group.cases.len() {
        1 => "One case".to_string(),
        many => format!("{many} cases"),
    };
    let others: Vec<&str> = group.cases.iter().map(|case| case.name.as_str()).collect();
    html! {
        section.fail {
            h2 { (count) ": " (group.cause) }
            p { strong { (case.name) } ": " (failure.what) }
            p { "Rule: " (case.rule) }
            (details(failure))
            p { "Run it again:" }
            pre { (shortened(&case.reproduce)) }
            @if others.len() > 1 {
                details { summary { "All cases of this cause" } p { (others.join(", ")) } }
            }
        }
    }
}

fn details(failure: &Failure) -> Markup {
    let shown = |line: &Option<String>| line.clone().unwrap_or_else(|| "(end)".into());
    html! {
        @if let Some(command) = &failure.command { p { "Answer to: " code { (command) } } }
        @if let Some(board) = &failure.board { pre { (board) } }
        @if let Some(difference) = &failure.difference {
            table {
                tr { th { "line " (difference.line) } th { "text" } }
                tr { td { "expected" } td { code { (shown(&difference.expected)) } } }
                tr { td { "actual" } td { code { (shown(&difference.actual)) } } }
            }
        }
        @if let Some(reason) = &failure.reason { p { "Why: " (reason) "." } }
        @if !failure.stderr.is_empty() {
            p { "The end of standard error:" }
            pre { (failure.stderr) }
        }
    }
}

/// Longer commands are cut: the input is long, and its beginning says enough.
fn shortened(command: &str) -> String {
    const LONGEST: usize = 1000;
    match command.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &command[..cut]),
        None => command.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_change_the_page() {
        let grade = Grade {
            student: "<script>alert(1)</script>".into(),
            verdict: "\"&<".into(),
            ..Grade::default()
        };
        let page = page(&grade, None, "<b>");
        assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }
}
