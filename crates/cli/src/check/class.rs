//! A whole class graded: several programs at once, grades as they come, and a page for
//! every student.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use referee::check::{CheckReport, Checker, RuleScore};
use referee::{Build, RefereeError, build_limits, cell};
use serde::{Deserialize, Serialize};

use super::roster::Student;
use super::{html, show};
use crate::error::bad_input;
use crate::input;

/// What is kept of a student's grade.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Grade {
    pub(super) student: String,
    pub(super) subject: String,
    pub(super) program: String,
    /// What was graded and how: as long as it stays, so does the grade.
    pub(super) fingerprint: String,
    pub(super) verdict: String,
    pub(super) points: f64,
    pub(super) passed: usize,
    pub(super) cases: usize,
    pub(super) rules: Vec<RuleScore>,
}

/// How a class is graded.
pub(super) struct Class<'a> {
    pub(super) checker: &'a Checker,
    pub(super) students: Vec<Student>,
    /// Where grades and pages go.
    pub(super) folder: &'a Path,
    pub(super) jobs: usize,
    pub(super) resume: bool,
    /// Everything that decides grades beside the programs.
    pub(super) options: String,
}

const GRADES: &str = "grades.csv";

impl Class<'_> {
    /// Grades everyone who has no grade yet.
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let grades = self.folder.join(GRADES);
        if grades.exists() && !self.resume {
            return Err(bad_input(format!(
                "{} is there already: --resume keeps it and goes on, another --out begins anew",
                grades.display()
            )));
        }
        input::make_private_folder(self.folder)?;
        let _claim = input::claim_folder(self.folder)?;
        let results = self.folder.join("results");
        input::make_folder(&results)?;
        input::check_writable(&grades)?;
        let files = self.files();
        let mut done: BTreeMap<usize, Grade> = BTreeMap::new();
        let mut left = Vec::new();
        for (number, student) in self.students.iter().enumerate() {
            let fingerprint = student.fingerprint(&self.options);
            match kept(
                &results.join(format!("{}.json", files[number])),
                &fingerprint,
            ) {
                Some(grade) if self.resume => {
                    done.insert(number, grade);
                }
                _ => left.push((number, fingerprint)),
            }
        }
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        // Without a handler an interrupt ends the process at once; grades are kept as they come.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
        let bar = progress(left.len() * self.checker.cases());
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((done, None));
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(left.len()) {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed)
                        && let Some((number, fingerprint)) =
                            left.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let student = &self.students[*number];
                        let graded = self.grade(student, fingerprint, &bar, &stop);
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let kept = graded.and_then(|graded| match graded {
                            Some(graded) => {
                                self.keep(&files[*number], &graded, &results)?;
                                self.say(&graded.grade, &bar);
                                shared.0.insert(*number, graded.grade);
                                write_grades(&grades, shared.0.values())
                            }
                            None => Ok(()),
                        });
                        if let Err(error) = kept {
                            stop.store(true, Ordering::Relaxed);
                            shared.1.get_or_insert(error);
                        }
                    }
                });
            }
        });
        bar.finish_and_clear();
        let (done, error) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Also where there was nothing left to do.
        write_grades(&grades, done.values())?;
        if let Some(error) = error {
            return Err(error);
        }
        let not_graded = |grade: &&Grade| grade.verdict.starts_with("not graded");
        let without = done.values().filter(not_graded).count();
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{} of {} students graded: {}",
            done.len() - without,
            self.students.len(),
            grades.display()
        )?;
        show::not_enforced(&mut out, self.checker.isolation())?;
        out.flush()?;
        if let Some(grade) = done.values().find(not_graded) {
            let student = referee::printable(&grade.student);
            bail!("{without} not graded; {student}: {}", &grade.verdict[12..]);
        }
        if done.len() < self.students.len() {
            bail!("stopped; the same command with --resume goes on");
        }
        Ok(())
    }

    /// The file names of all students, no two alike.
    fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for student in &self.students {
            let name = student.file_name();
            let mut file = name.clone();
            let mut number = 2;
            while files.contains(&file) || file.is_empty() {
                file = format!("{name}-{number}");
                number += 1;
            }
            files.push(file);
        }
        files
    }

    /// Builds and grades one program; nothing if it was stopped.
    fn grade(
        &self,
        student: &Student,
        fingerprint: &str,
        bar: &ProgressBar,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Graded>> {
        let candidate = &student.candidate;
        let mut grade = Grade {
            student: student.name.clone(),
            subject: self.checker.subject().to_string(),
            program: referee::CommandLine(candidate.command.clone()).to_string(),
            fingerprint: fingerprint.into(),
            cases: self.checker.cases(),
            ..Grade::default()
        };
        let mut errors = String::new();
        let mut built = None;
        if let (Some(command), Some(folder)) = (&student.build, &candidate.folder) {
            let build = Build {
                command: &command.0,
                folder,
                needs: &[],
                read: &[],
                limits: build_limits(),
                isolation: self.checker.isolation().mode,
            };
            let made = match build.run(stop) {
                Ok(made) => made,
                Err(error) => return Ok(Some(self.not_graded(grade, &error, bar))),
            };
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some(what) = made.failure() {
                bar.inc(self.checker.cases() as u64);
                grade.verdict = format!("build failed: {what}");
                let report = None;
                errors = made.said();
                return Ok(Some(Graded {
                    grade,
                    report,
                    errors,
                }));
            }
            built = Some(made);
        }
        let before = bar.position();
        let mut observe = |_: &_| bar.inc(1);
        let report = match &built {
            Some(built) => self
                .checker
                .check_built(candidate, built, &mut observe, stop),
            None => self.checker.check(candidate, &mut observe, stop),
        };
        if stop.load(Ordering::Relaxed) {
            bar.set_position(before);
            return Ok(None);
        }
        let report = match report {
            Ok(report) => report,
            Err(error) => {
                bar.set_position(before);
                return Ok(Some(self.not_graded(grade, &error, bar)));
            }
        };
        bar.inc(self.checker.cases().saturating_sub(report.cases.len()) as u64);
        grade.passed = report.passed();
        grade.rules = report.rules();
        // Whoever was not tried on all cases has no points for the others.
        grade.points = report.points() * report.cases.len() as f64 / grade.cases.max(1) as f64;
        grade.verdict = match report.all_passed() && report.cases.len() == grade.cases {
            true => "pass".into(),
            false => "fail".into(),
        };
        let report = Some(report);
        Ok(Some(Graded {
            grade,
            report,
            errors,
        }))
    }

    /// What one student's program cannot be graded for must not keep the others from their
    /// grades. It says nothing about the program, so that is tried again.
    fn not_graded(&self, mut grade: Grade, error: &RefereeError, bar: &ProgressBar) -> Graded {
        bar.inc(self.checker.cases() as u64);
        grade.verdict = format!("not graded: {error}");
        grade.fingerprint.clear();
        Graded {
            grade,
            report: None,
            errors: String::new(),
        }
    }

    fn keep(&self, file: &str, graded: &Graded, results: &Path) -> anyhow::Result<()> {
        let page = html::page(&graded.grade, graded.report.as_ref(), &graded.errors);
        input::write_file(&self.folder.join(format!("{file}.html")), page)?;
        let json = serde_json::to_string_pretty(&graded.grade)?;
        // Last: whoever has a result has a page.
        input::write_file(&results.join(format!("{file}.json")), json)
    }

    fn say(&self, grade: &Grade, bar: &ProgressBar) {
        bar.suspend(|| {
            // A reader who has gone away shows at the last write.
            let _ = writeln!(
                std::io::stdout(),
                "{:>5.1} points, {:>4} of {} cases: {}",
                grade.points,
                grade.passed,
                grade.cases,
                referee::printable(&grade.student)
            );
        });
    }
}

/// A student's grade, and what the page says beside it.
struct Graded {
    grade: Grade,
    report: Option<CheckReport>,
    errors: String,
}

fn progress(cases: usize) -> ProgressBar {
    let bar = ProgressBar::new(cases as u64);
    let template = "[{bar:30}] {human_pos}/{human_len} cases, {eta} to go";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// The grade that is kept, if it is of the same program.
fn kept(path: &Path, fingerprint: &str) -> Option<Grade> {
    let text = std::fs::read(path).ok()?;
    let grade: Grade = serde_json::from_slice(&text).ok()?;
    (grade.fingerprint == fingerprint).then_some(grade)
}

/// The grades in the order of the roster; every rule has a column.
fn write_grades<'a>(
    path: &Path,
    grades: impl Iterator<Item = &'a Grade> + Clone,
) -> anyhow::Result<()> {
    let mut rules: Vec<&str> = Vec::new();
    for rule in grades.clone().flat_map(|grade| &grade.rules) {
        if !rules.contains(&rule.rule.as_str()) {
            rules.push(&rule.rule);
        }
    }
    let mut table = csv::Writer::from_writer(Vec::new());
    let head = ["student", "program", "verdict", "points", "passed", "cases"];
    table.write_record(head.iter().copied().chain(rules.iter().copied()))?;
    for grade in grades {
        let mut line = vec![
            cell(&grade.student),
            cell(&grade.program),
            cell(&grade.verdict),
            format!("{:.1}", grade.points),
            grade.passed.to_string(),
            grade.cases.to_string(),
        ];
        line.extend(rules.iter().map(|rule| {
            let score = grade.rules.iter().find(|score| score.rule == *rule);
            format!("{:.2}", score.map_or(0.0, RuleScore::points))
        }));
        table.write_record(line)?;
    }
    input::write_file(path, table.into_inner()?)
}
