//! Grades: points by the rule of an assignment, each with its reason.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee::check::WEIGHTS;
use tournament::{Standing, StoreError};

use crate::config::Assignment;
use crate::finals::Final;
use crate::judge::{Cases, Detail};
use crate::ladder::{Contender, Table};
use crate::open_course::OpenCourse;
use crate::store::{Person, Role, Side, Step, StepName, VersionRow};

/// The grade of a team.
#[derive(Clone, PartialEq, Debug)]
pub struct Grade {
    /// Whose it is.
    pub team: i64,
    /// The version that counts; nothing if none was graded.
    pub version: Option<VersionRow>,
    /// What it is made of.
    pub lines: Vec<GradeLine>,
    /// How the cases went.
    pub cases: Option<Cases>,
}

/// A part of a grade.
#[derive(Clone, PartialEq, Debug)]
pub struct GradeLine {
    /// For what.
    pub what: String,
    /// How many points.
    pub points: f64,
    /// Of how many.
    pub most: f64,
    /// Why.
    pub why: String,
}

impl Grade {
    /// All points together.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.lines.iter().map(|line| line.points).sum()
    }
}

/// The detail of a step.
#[must_use]
pub fn detail(step: &Step) -> Detail {
    serde_json::from_str(&step.detail).unwrap_or_default()
}

/// What decides the grades of an assignment beside the versions of a team.
struct Basis {
    /// The finals that count, the newest first.
    finals: Vec<Final>,
    /// The ladder, if programs play.
    table: Option<Arc<Table>>,
    /// Where every team of students stands, the best lowest.
    places: BTreeMap<i64, i64>,
    /// Where that is.
    place_in: &'static str,
    /// The teams of students of which no version played there, if that was a final: they are last.
    absent: Vec<i64>,
}

impl OpenCourse {
    /// The grades of all teams with students in an assignment, by number of the team.
    pub async fn grades(
        &self,
        assignment: &Assignment,
    ) -> Result<BTreeMap<i64, Grade>, StoreError> {
        let basis = self.basis(assignment).await?;
        let active = self.store.active(&assignment.id)?;
        let active: BTreeMap<i64, VersionRow> =
            active.into_iter().map(|row| (row.team, row)).collect();
        let mut grades = BTreeMap::new();
        for person in self.store.people()? {
            if person.role == Role::Student && !grades.contains_key(&person.team) {
                let playing = active.get(&person.team).cloned();
                let grade = self.grade_of(assignment, person.team, playing, &basis)?;
                grades.insert(person.team, grade);
            }
        }
        Ok(grades)
    }

    /// The grade of somebody's team.
    pub async fn grade(
        &self,
        assignment: &Assignment,
        person: &Person,
    ) -> Result<Grade, StoreError> {
        let basis = self.basis(assignment).await?;
        let playing = self.store.active_of(person.team, &assignment.id)?;
        self.grade_of(assignment, person.team, playing, &basis)
    }

    async fn basis(&self, assignment: &Assignment) -> Result<Basis, StoreError> {
        let mut finals = self.finals_of(assignment).await?;
        finals.retain(|finale| finale.counts);
        let table = match assignment.play {
            Some(_) => Some(self.table(assignment)?),
            None => None,
        };
        let (mut places, place_in, absent) = places(&finals, table.as_deref());
        let students = self.store.teams_of_students()?;
        places.retain(|team, _| students.contains(team));
        Ok(Basis {
            finals,
            table,
            places,
            place_in,
            absent,
        })
    }

    fn grade_of(
        &self,
        assignment: &Assignment,
        team: i64,
        playing: Option<VersionRow>,
        basis: &Basis,
    ) -> Result<Grade, StoreError> {
        let (version, cases) = match self.counting(assignment, team, playing, &basis.finals)? {
            Some((version, cases)) => (Some(version), Some(cases)),
            None => (None, None),
        };
        let mut lines = vec![cases_line(assignment, version.as_ref(), cases.as_ref())];
        if let Some(table) = &basis.table {
            // The ladder knows the version that plays, whichever a final has frozen.
            let mut players = table.players.iter();
            let number = players.position(|player| player.team == Some(team));
            for (index, reference) in assignment.references.iter().enumerate() {
                let (points, why) = match number {
                    Some(number) => {
                        let difference = table.difference(number, index);
                        let version = table.players[number].number.unwrap_or_default();
                        let why = format!(
                            "version {version}: {difference:.0} Elo against it on the ladder"
                        );
                        match table.beats(number, index) {
                            true => (reference.points, why),
                            false => (
                                0.0,
                                format!("{why}: the interval does not say that it is stronger"),
                            ),
                        }
                    }
                    None => (0.0, "no version plays on the ladder".into()),
                };
                lines.push(GradeLine {
                    what: format!("stronger than {}", reference.name()),
                    points,
                    most: reference.points,
                    why,
                });
            }
            if assignment.grade.rank_bonus > 0.0 {
                lines.push(rank_line(assignment, team, basis));
            }
        }
        Ok(Grade {
            team,
            version,
            lines,
            cases,
        })
    }

    /// The version that counts: the one of the latest final that does, or else the last that
    /// passed, or else the one with most points for its cases.
    fn counting(
        &self,
        assignment: &Assignment,
        team: i64,
        playing: Option<VersionRow>,
        finals: &[Final],
    ) -> Result<Option<(VersionRow, Cases)>, StoreError> {
        let frozen = finals
            .first()
            .and_then(|last| last.list.iter().find(|row| row.team == team));
        let chosen = match frozen {
            Some(row)
                if playing
                    .as_ref()
                    .is_none_or(|playing| playing.id != row.version) =>
            {
                self.store.version(row.version)?
            }
            _ => playing,
        };
        if let Some(version) = chosen
            && let Some(cases) = self.cases_of(&version)?
        {
            return Ok(Some((version, cases)));
        }
        let mut best: Option<(VersionRow, Cases)> = None;
        for version in self.store.versions(team, &assignment.id)? {
            let Some(cases) = self.cases_of(&version)? else {
                continue;
            };
            if best
                .as_ref()
                .is_none_or(|(_, most)| cases.points > most.points)
            {
                best = Some((version, cases));
            }
        }
        Ok(best)
    }

    /// How the cases went, if a version has come so far.
    fn cases_of(&self, version: &VersionRow) -> Result<Option<Cases>, StoreError> {
        let detail = self.store.step_detail(version.id, StepName::Graded)?;
        let detail = detail.map(|text| serde_json::from_str::<Detail>(&text).unwrap_or_default());
        Ok(detail.and_then(|detail| detail.cases))
    }
}

fn cases_line(
    assignment: &Assignment,
    version: Option<&VersionRow>,
    cases: Option<&Cases>,
) -> GradeLine {
    let most = assignment.grade.cases;
    let (points, why) = match (version, cases) {
        (Some(version), Some(cases)) => (
            most * cases.points / 100.0,
            format!(
                "version {}: {} of {} cases passed; {WEIGHTS}",
                version.number, cases.passed, cases.cases
            ),
        ),
        _ => (0.0, "no version has been graded".into()),
    };
    GradeLine {
        what: "cases".into(),
        points,
        most,
        why,
    }
}

/// Where every team stands, the best lowest: in the latest final that is over, or on the ladder
/// while there is none; which of them it is; and the teams that had no version in the final.
fn places(finals: &[Final], table: Option<&Table>) -> (BTreeMap<i64, i64>, &'static str, Vec<i64>) {
    let mut over = finals.iter().filter(|finale| finale.finished);
    let played = over.find_map(|finale| Some((finale, finale.standings.as_ref()?)));
    if let Some((finale, standings)) = played {
        let list = finale.list.iter();
        let teams: BTreeMap<i64, i64> = list.map(|row| (row.version, row.team)).collect();
        let place = |row: &Standing| match Side::of_player(&row.name) {
            Side::Version(version) => Some((*teams.get(&version)?, row.rank as i64)),
            Side::Reference(_) => None,
        };
        return (
            standings.rows.iter().filter_map(place).collect(),
            "in the final",
            finale.absent.clone(),
        );
    }
    let players = table.map_or(&[][..], |table| &table.players);
    let place = |player: &Contender| Some((player.team?, player.level()));
    (
        players.iter().filter_map(place).collect(),
        "on the ladder so far",
        Vec::new(),
    )
}

/// The bonus for the place in the final, or on the ladder while there is none.
fn rank_line(assignment: &Assignment, team: i64, basis: &Basis) -> GradeLine {
    let most = assignment.grade.rank_bonus;
    let levels: Vec<i64> = basis.places.values().copied().collect();
    let (points, why) = match basis.places.get(&team) {
        Some(own) => {
            let (share, place) = share(&levels, *own);
            (most * share, format!("{place} {}", basis.place_in))
        }
        None if basis.absent.contains(&team) => {
            let why = format!(
                "the last place {}: no version of the team was there",
                basis.place_in
            );
            (0.0, why)
        }
        None => (0.0, format!("no place {}", basis.place_in)),
    };
    GradeLine {
        what: "rank".into(),
        points,
        most,
        why,
    }
}

/// Which part of the bonus a place brings, and the place in words. It falls evenly from the first
/// to the last; who share a place share what the places that they take would bring.
fn share(levels: &[i64], own: i64) -> (f64, String) {
    let better = levels.iter().filter(|level| **level < own).count();
    let same = levels.iter().filter(|level| **level == own).count();
    let of = levels.len();
    let mut place = format!("place {} of {of}", better + 1);
    if same > 1 {
        place += &format!(", shared by {same},");
    }
    if of < 2 {
        return (1.0, place);
    }
    let before = better as f64 + (same as f64 - 1.0) / 2.0;
    (1.0 - before / (of - 1) as f64, place)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn places_bring_shares_that_ties_do_not_change() {
        let shares = |levels: &[i64]| -> Vec<f64> {
            levels.iter().map(|own| share(levels, *own).0).collect()
        };
        assert_eq!(shares(&[1, 2, 3]), [1.0, 0.5, 0.0]);
        assert_eq!(shares(&[7, 5, 5]), [0.0, 0.75, 0.75]);
        assert_eq!(shares(&[1, 2, 2]), [1.0, 0.25, 0.25]);
        assert_eq!(shares(&[4, 4]), [0.5, 0.5]);
        assert_eq!(shares(&[9]), [1.0]);
        assert_eq!(share(&[1, 2, 3], 2).1, "place 2 of 3");
        assert_eq!(share(&[1, 2, 2], 2).1, "place 2 of 3, shared by 2,");
    }
}
