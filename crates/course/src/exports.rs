//! What staff take out of a course: grades as CSV, for Gradescope and as JUnit, and all sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};
use referee::{cell, private_file};
use serde_json::{Value, json};

use crate::config::Assignment;
use crate::grades::Grade;
use crate::open_course::{INCOMING, OpenCourse, OpenCourseError};
use crate::secret;
use crate::store::{Person, Role};

/// The file in the archive of sources that says whose are missing.
const MISSING: &str = "MISSING.txt";

/// Grades as CSV, one line for every student.
pub fn csv(
    assignment: &Assignment,
    people: &[Person],
    grades: &BTreeMap<i64, Grade>,
) -> Result<String, csv::Error> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let usual = [
        "id", "name", "e-mail", "team", "version", "hash", "points", "of",
    ];
    let mut headings: Vec<String> = usual.map(String::from).into();
    let any = grades.values().next();
    let parts = any.map_or(&[][..], |grade| &grade.lines);
    headings.extend(parts.iter().map(|line| line.what.clone()));
    table.write_record(&headings)?;
    for person in people.iter().filter(|person| is_student(person)) {
        let Some(grade) = grades.get(&person.team) else {
            continue;
        };
        let version = grade.version.as_ref();
        let mut line = vec![
            cell(&person.login).to_string(),
            cell(&person.name).to_string(),
            cell(&person.email).to_string(),
            cell(&person.team_name).to_string(),
            version.map_or_else(String::new, |version| version.number.to_string()),
            version.map_or_else(String::new, |version| version.hash.clone()),
            format!("{:.2}", grade.points()),
            format!("{:.2}", assignment.most_points()),
        ];
        line.extend(grade.lines.iter().map(|line| format!("{:.2}", line.points)));
        table.write_record(&line)?;
    }
    let bytes = table.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn is_student(person: &Person) -> bool {
    person.role == Role::Student && !person.login.is_empty()
}

/// A grade as Gradescope reads it.
#[must_use]
pub fn results_json(grade: &Grade) -> Value {
    let tests: Vec<Value> = grade
        .lines
        .iter()
        .map(|line| {
            json!({
                "name": line.what,
                "score": line.points,
                "max_score": line.most,
                "output": line.why,
                "visibility": "visible",
            })
        })
        .collect();
    json!({
        "score": grade.points(),
        "output_format": "text",
        "visibility": "visible",
        "tests": tests,
    })
}

/// All grades as JUnit: a suite for every student, a test for every case.
pub fn junit(
    assignment: &Assignment,
    people: &[Person],
    grades: &BTreeMap<i64, Grade>,
) -> Result<String, SerializeError> {
    let mut report = Report::new(assignment.id.as_str());
    for person in people.iter().filter(|person| is_student(person)) {
        let mut suite = TestSuite::new(person.login.as_str());
        let cases = grades
            .get(&person.team)
            .and_then(|grade| grade.cases.as_ref());
        for (name, rule, passed) in cases.map_or(&[][..], |cases| &cases.all) {
            let status = match passed {
                true => TestCaseStatus::success(),
                false => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(rule.as_str());
                    status
                }
            };
            let mut test = TestCase::new(name.as_str(), status);
            test.set_classname(assignment.id.as_str());
            suite.add_test_case(test);
        }
        report.add_test_suite(suite);
    }
    report.to_string()
}

impl OpenCourse {
    /// The sources of the latest version of every team as one archive, a folder for each, as
    /// programs that look for plagiarism take them; a list says whose are not on the disk any more.
    /// It is a file without a name, to be read from its beginning: a whole class has no room in memory.
    pub fn sources(&self, assignment: &Assignment) -> Result<File, OpenCourseError> {
        let failed = |error: io::Error| OpenCourseError::Disk {
            path: self.course.folder.clone(),
            error,
        };
        let path = self.course.folder.join(INCOMING).join(secret::fresh());
        let mut file = private_file(&path).map_err(failed)?;
        fs::remove_file(&path).map_err(failed)?;
        let people = self.store.people()?;
        let packed = GzEncoder::new(BufWriter::new(&file), Compression::default());
        let mut archive = tar::Builder::new(packed);
        archive.follow_symlinks(false);
        let mut names = BTreeSet::from([MISSING.to_lowercase()]);
        let mut missing = String::new();
        for version in self.store.latest(&assignment.id)? {
            let members = people.iter().filter(|person| person.team == version.team);
            let logins: Vec<String> = members.map(|person| file_name(&person.login)).collect();
            let mut name = match logins.concat().is_empty() {
                true => format!("team-{}", version.team),
                false => logins.join("+"),
            };
            // Two ids may look alike as names of folders.
            while !names.insert(name.to_lowercase()) {
                name += &format!("-team-{}", version.team);
            }
            let folder = self.folder(&version).join("sources");
            if !folder.is_dir() {
                missing += &format!(
                    "{name}: version {} is not there any more: {}\n",
                    version.number, version.hash
                );
                continue;
            }
            archive
                .append_dir_all(format!("{}/{name}", assignment.id), &folder)
                .map_err(|error| OpenCourseError::Disk {
                    path: folder.clone(),
                    error,
                })?;
        }
        if !missing.is_empty() {
            let mut header = tar::Header::new_gnu();
            header.set_size(missing.len() as u64);
            header.set_mode(0o644);
            let path = format!("{}/{MISSING}", assignment.id);
            let added = archive.append_data(&mut header, path, missing.as_bytes());
            added.map_err(failed)?;
        }
        let packed = archive.into_inner().and_then(GzEncoder::finish);
        let written = packed.and_then(|mut packed| packed.flush());
        written.and_then(|()| file.rewind()).map_err(failed)?;
        Ok(file)
    }
}

/// An id as the name of a folder.
fn file_name(login: &str) -> String {
    let fits = |c: char| {
        if c.is_alphanumeric() || "-_.@".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = login.chars().map(fits).take(60).collect();
    name.trim_start_matches('.').to_string()
}
