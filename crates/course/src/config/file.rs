//! Reading `course.toml`.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use bots::BotSpec;
use handin::Language;
use referee::Limits;
use referee::check::Subject;
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;
use tournament::FileError;
use tournament::config::FormatName;

use super::{Assignment, Check, Course, Finale, GradeRule, Ladder, Play, Reference};
use crate::time::Moment;

/// Where the description of a course stands in its folder.
const FILE: &str = "course.toml";

/// No final has more rounds, challengers or pairs: it would be longer than any tournament may be.
const MOST_IN_FINAL: u32 = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    name: Spanned<String>,
    url: Option<Spanned<String>>,
    #[serde(default, rename = "language")]
    languages: Vec<Spanned<Language>>,
    #[serde(default, rename = "assignment")]
    assignments: Vec<Spanned<FileAssignment>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileAssignment {
    id: Spanned<String>,
    title: Option<Spanned<String>>,
    program: Spanned<String>,
    opens: Option<Spanned<Datetime>>,
    deadline: Option<Spanned<Datetime>>,
    limits: Option<Spanned<Limits>>,
    hand_ins_per_day: Option<Spanned<u32>>,
    challenges_per_hour: Option<u32>,
    check: Option<Spanned<FileCheck>>,
    #[serde(default, rename = "reference")]
    references: Vec<Spanned<FileReference>>,
    ladder: Option<Spanned<FileLadder>>,
    #[serde(rename = "final")]
    finale: Option<Spanned<FileFinale>>,
    grade: Option<Spanned<FileGrade>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCheck {
    generated: Option<usize>,
    seed: Option<u64>,
    pass: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileReference {
    bot: String,
    #[serde(default)]
    points: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLadder {
    on: Option<bool>,
    games: Option<u32>,
    precision: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileFinale {
    #[serde(default)]
    format: FormatName,
    rounds: Option<u32>,
    challengers: Option<u32>,
    extra_pairs: Option<u32>,
    pairs: Option<u32>,
    #[serde(default)]
    references: bool,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileGrade {
    cases: Option<f64>,
    rank_bonus: Option<f64>,
}

impl Course {
    /// Reads the course in a folder.
    pub fn open(folder: &Path) -> Result<Course, FileError> {
        let path = folder.join(FILE);
        let text = files::read_text(&path, files::MOST).map_err(|source| FileError::Read {
            path: path.clone(),
            source,
        })?;
        Course::from_toml(&path, &text)
    }

    /// Reads a course from the text of the file at `path`.
    pub fn from_toml(path: &Path, text: &str) -> Result<Course, FileError> {
        let source = Source { path, text };
        let file: File = toml::from_str(text)
            .map_err(|error| source.error(error.span().unwrap_or_default(), error.message()))?;
        source.course(file)
    }
}

/// The text, for telling where in it something is wrong.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn error(&self, span: Range<usize>, message: impl ToString) -> FileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        FileError::Content {
            path: self.path.into(),
            line: 1 + before.matches('\n').count(),
            message: message.to_string(),
        }
    }

    fn course(&self, file: File) -> Result<Course, FileError> {
        self.text_of(&file.name, "the name of the course")?;
        let url = match &file.url {
            Some(url) => self.url(url)?,
            None => "http://127.0.0.1:7171".into(),
        };
        let mut languages = Vec::new();
        for language in file.languages {
            let span = language.span();
            let language = language.into_inner();
            language
                .check()
                .map_err(|message| self.error(span.clone(), message))?;
            let known = |other: &Language| other.name == language.name;
            if languages.iter().any(known) {
                let message = format!("two languages are called {:?}", language.name);
                return Err(self.error(span, message));
            }
            languages.push(language);
        }
        if languages.is_empty() {
            languages = Language::standard();
        }
        if file.assignments.is_empty() {
            return Err(self.error(file.name.span(), "the course has no [[assignment]]"));
        }
        let mut ids = BTreeSet::new();
        let mut assignments = Vec::new();
        for assignment in file.assignments {
            let assignment = self.assignment(assignment, &mut ids)?;
            assignments.push(assignment);
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        Ok(Course {
            name: file.name.into_inner(),
            url,
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.into()),
            languages,
            assignments,
        })
    }

    fn url(&self, url: &Spanned<String>) -> Result<String, FileError> {
        let text = url.as_ref();
        let rest = text
            .strip_prefix("http://")
            .or_else(|| text.strip_prefix("https://"));
        match rest {
            Some(rest) if !rest.is_empty() && !rest.contains(char::is_whitespace) => {
                Ok(text.clone())
            }
            _ => Err(self.error(
                url.span(),
                format!("url = {text:?} does not begin with http:// or https://"),
            )),
        }
    }

    /// A text that is shown in one line.
    fn text_of(&self, text: &Spanned<String>, what: &str) -> Result<(), FileError> {
        let content = text.as_ref().trim();
        let length = content.chars().count();
        if content.is_empty() || length > 100 || referee::hidden(content).next().is_some() {
            let message = format!("{what} is one line of 1 to 100 characters that can be seen");
            return Err(self.error(text.span(), message));
        }
        Ok(())
    }

    fn assignment(
        &self,
        written: Spanned<FileAssignment>,
        ids: &mut BTreeSet<String>,
    ) -> Result<Assignment, FileError> {
        let whole = written.span();
        let file = written.into_inner();
        let id = self.id(&file.id, ids)?;
        let subject: Subject = file.program.as_ref().parse().map_err(|error: String| {
            self.error(file.program.span(), format!("program: {error}"))
        })?;
        let play = subject.plays().map(|(game, kind)| Play { game, kind });
        let title = match &file.title {
            Some(title) => {
                self.text_of(title, "the title of an assignment")?;
                title.as_ref().clone()
            }
            None => id.clone(),
        };
        let opens = file.opens.as_ref().map(|at| self.moment(at)).transpose()?;
        let deadline = file
            .deadline
            .as_ref()
            .map(|at| self.moment(at))
            .transpose()?;
        if let (Some(opens), Some(deadline)) = (opens, deadline)
            && opens.at >= deadline.at
        {
            let message = format!("the deadline {deadline} is not after the opening {opens}");
            return Err(self.error(whole, message));
        }
        let limits = self.limits(file.limits)?;
        let hand_ins_per_day = self.hand_ins(file.hand_ins_per_day)?;
        let check = self.check(file.check)?;
        let players_only =
            |what: &str| format!("{what} needs programs that play: {subject} is only graded");
        let mut references = Vec::new();
        for reference in file.references {
            let span = reference.span();
            let Some(play) = play else {
                return Err(self.error(span, players_only("a [[assignment.reference]]")));
            };
            references.push(self.reference(reference, play, &references)?);
        }
        for (span, what) in [
            (
                file.ladder.as_ref().map(Spanned::span),
                "[assignment.ladder]",
            ),
            (
                file.finale.as_ref().map(Spanned::span),
                "[assignment.final]",
            ),
        ] {
            if let (None, Some(span)) = (play, span) {
                return Err(self.error(span, players_only(what)));
            }
        }
        let ladder = self.ladder(file.ladder, play.is_some())?;
        let finale = self.finale(file.finale)?;
        let grade = self.grade(file.grade)?;
        Ok(Assignment {
            id,
            title,
            subject,
            play,
            opens,
            deadline,
            limits,
            hand_ins_per_day,
            check,
            references,
            ladder,
            challenges_per_hour: file.challenges_per_hour.unwrap_or(6),
            finale,
            grade,
        })
    }

    fn id(&self, id: &Spanned<String>, ids: &mut BTreeSet<String>) -> Result<String, FileError> {
        let text = id.as_ref();
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if text.is_empty() || text.len() > 40 || !text.chars().all(fits) {
            let message = format!("id = {text:?} is not 1 to 40 small letters, digits and hyphens");
            return Err(self.error(id.span(), message));
        }
        if !ids.insert(text.clone()) {
            let message = format!("two assignments have the id {text:?}");
            return Err(self.error(id.span(), message));
        }
        Ok(text.clone())
    }

    fn moment(&self, at: &Spanned<Datetime>) -> Result<Moment, FileError> {
        Moment::try_from(at.as_ref()).map_err(|message| self.error(at.span(), message))
    }

    fn limits(&self, limits: Option<Spanned<Limits>>) -> Result<Limits, FileError> {
        let Some(limits) = limits else {
            return Ok(Limits::default());
        };
        limits
            .as_ref()
            .check()
            .map_err(|message| self.error(limits.span(), message))?;
        Ok(limits.into_inner())
    }

    fn hand_ins(&self, number: Option<Spanned<u32>>) -> Result<u32, FileError> {
        match number {
            Some(number) if *number.as_ref() == 0 => Err(self.error(
                number.span(),
                "hand-ins-per-day = 0 lets nobody hand in anything",
            )),
            Some(number) => Ok(number.into_inner()),
            None => Ok(20),
        }
    }

    fn check(&self, check: Option<Spanned<FileCheck>>) -> Result<Check, FileError> {
        let usual = Check {
            generated: 20,
            seed: 1,
            pass: 100.0,
        };
        let Some(check) = check else {
            return Ok(usual);
        };
        let span = check.span();
        let check = check.into_inner();
        let pass = check.pass.unwrap_or(usual.pass);
        if !(0.0..=100.0).contains(&pass) {
            return Err(self.error(span, format!("pass = {pass} is no percentage")));
        }
        let generated = check.generated.unwrap_or(usual.generated);
        if generated > 1000 {
            return Err(self.error(span, format!("generated = {generated} is more than 1000")));
        }
        Ok(Check {
            generated,
            seed: check.seed.unwrap_or(usual.seed),
            pass,
        })
    }

    fn reference(
        &self,
        reference: Spanned<FileReference>,
        play: Play,
        before: &[Reference],
    ) -> Result<Reference, FileError> {
        let span = reference.span();
        let written = reference.into_inner();
        let bot: BotSpec = written
            .bot
            .parse()
            .map_err(|error: bots::SpecError| self.error(span.clone(), error))?;
        let reference = Reference {
            bot,
            points: written.points,
        };
        reference
            .player()
            .check(play.game)
            .map_err(|error| self.error(span.clone(), error))?;
        self.points(&span, "points", reference.points)?;
        if before.iter().any(|other| other.name() == reference.name()) {
            let message = format!("two references are {}", reference.name());
            return Err(self.error(span, message));
        }
        Ok(reference)
    }

    fn ladder(
        &self,
        ladder: Option<Spanned<FileLadder>>,
        plays: bool,
    ) -> Result<Ladder, FileError> {
        let usual = Ladder {
            on: plays,
            games: 60,
            precision: 60.0,
        };
        let Some(ladder) = ladder else {
            return Ok(usual);
        };
        let span = ladder.span();
        let ladder = ladder.into_inner();
        let precision = ladder.precision.unwrap_or(usual.precision);
        if !(precision.is_finite() && precision > 0.0) {
            return Err(self.error(span, format!("precision = {precision} is never reached")));
        }
        let games = ladder.games.unwrap_or(usual.games);
        if games < 2 {
            let problem = format!("games = {games} is less than a pair; on = false plays none");
            return Err(self.error(span, problem));
        }
        Ok(Ladder {
            on: plays && ladder.on.unwrap_or(true),
            games,
            precision,
        })
    }

    fn finale(&self, finale: Option<Spanned<FileFinale>>) -> Result<Finale, FileError> {
        let Some(finale) = finale else {
            return Ok(Finale {
                format: FormatName::RoundRobin,
                number: None,
                pairs: 1,
                references: false,
                seed: 1,
            });
        };
        let span = finale.span();
        let file = finale.into_inner();
        let numbers = [
            ("rounds", file.rounds),
            ("challengers", file.challengers),
            ("extra-pairs", file.extra_pairs),
        ];
        let mut number = None;
        for (key, value) in numbers {
            if value.is_some() {
                file.format
                    .check_key(key)
                    .map_err(|error| self.error(span.clone(), error))?;
                number = value;
            }
        }
        for (key, value) in numbers.into_iter().chain([("pairs", file.pairs)]) {
            if let Some(value) = value.filter(|&value| value > MOST_IN_FINAL) {
                let message = format!("{key} = {value} is more than {MOST_IN_FINAL}");
                return Err(self.error(span, message));
            }
        }
        file.format
            .with(number)
            .map_err(|error| self.error(span.clone(), error))?;
        let pairs = file.pairs.unwrap_or(1);
        if pairs == 0 {
            return Err(self.error(span, "pairs = 0 leaves nothing to play"));
        }
        Ok(Finale {
            format: file.format,
            number,
            pairs,
            references: file.references,
            seed: file.seed,
        })
    }

    fn grade(&self, grade: Option<Spanned<FileGrade>>) -> Result<GradeRule, FileError> {
        let Some(grade) = grade else {
            return Ok(GradeRule {
                cases: 100.0,
                rank_bonus: 0.0,
            });
        };
        let span = grade.span();
        let grade = grade.into_inner();
        let rule = GradeRule {
            cases: grade.cases.unwrap_or(0.0),
            rank_bonus: grade.rank_bonus.unwrap_or(0.0),
        };
        self.points(&span, "cases", rule.cases)?;
        self.points(&span, "rank-bonus", rule.rank_bonus)?;
        Ok(rule)
    }

    fn points(&self, span: &Range<usize>, what: &str, points: f64) -> Result<(), FileError> {
        if points.is_finite() && points >= 0.0 {
            return Ok(());
        }
        Err(self.error(
            span.clone(),
            format!("{what} = {points} is no number of points"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TEMPLATE;

    const GOOD: &str = r#"
name = "Games"

[[assignment]]
id = "othello"
program = "othello"
opens = 2026-10-01T00:00:00+02:00
deadline = 2026-12-01T23:59:00+01:00

[assignment.final]
format = "swiss"
rounds = 5

[[assignment.reference]]
bot = "random"
points = 10

[[assignment]]
id = "dialogue"
program = "reversi"
"#;

    fn read(text: &str) -> Result<Course, String> {
        Course::from_toml(Path::new("c/course.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_file_is_read() {
        let course = read(GOOD).unwrap();
        assert_eq!(course.assignments.len(), 2);
        let othello = course.assignment("othello").unwrap();
        assert!(othello.play.is_some() && othello.ladder.on);
        assert_eq!(othello.references[0].name(), "random");
        assert_eq!(othello.most_points(), 110.0);
        assert_eq!(
            othello.deadline.unwrap().to_string(),
            "2026-12-01 23:59 +01:00"
        );
        let dialogue = course.assignment("dialogue").unwrap();
        assert!(dialogue.play.is_none() && !dialogue.ladder.on);
        assert!(!course.languages.is_empty());
    }

    #[test]
    fn the_template_is_a_course() {
        let course = read(TEMPLATE).unwrap();
        assert!(!course.assignments.is_empty());
    }

    #[track_caller]
    fn check(from: &str, to: &str, expected: &str) {
        assert!(GOOD.contains(from), "{from}");
        assert_eq!(
            read(&GOOD.replacen(from, to, 1)).unwrap_err(),
            format!("c/course.toml:{expected}")
        );
    }

    #[test]
    fn mistakes_are_found_where_they_stand() {
        check(
            "\"Games\"",
            "\"\"",
            "2: the name of the course is one line of 1 to 100 characters that can be seen",
        );
        check(
            "name = \"Games\"",
            "name = \"Games\"\nurl = \"ftp://x\"",
            "3: url = \"ftp://x\" does not begin with http:// or https://",
        );
        check(
            "\"othello\"\nprogram",
            "\"Othello!\"\nprogram",
            "5: id = \"Othello!\" is not 1 to 40 small letters, digits and hyphens",
        );
        check(
            "\"dialogue\"",
            "\"othello\"",
            "19: two assignments have the id \"othello\"",
        );
        check(
            "program = \"othello\"",
            "program = \"chess\"",
            "6: program: \"chess\" is not reversi, othello, gipf, mmpawns or gipf-standard",
        );
        check(
            "2026-12-01T23:59:00+01:00",
            "2026-12-01",
            "8: 2026-12-01 is not a date, a time and a time zone, as in 2026-12-01T23:59:00+01:00",
        );
        check("rounds = 5\n", "", "10: a swiss needs the number of rounds");
        check(
            "rounds",
            "challengers",
            "10: challengers does not belong to this format",
        );
        check(
            "rounds = 5",
            "rounds = 1001",
            "10: rounds = 1001 is more than 1000",
        );
        check(
            "rounds = 5",
            "rounds = 5\npairs = 4000000",
            "10: pairs = 4000000 is more than 1000",
        );
        check(
            "points = 10",
            "points = -1",
            "14: points = -1 is no number of points",
        );
        check(
            "program = \"reversi\"",
            "program = \"reversi\"\n[assignment.ladder]",
            "21: [assignment.ladder] needs programs that play: reversi is only graded",
        );
    }
}
