//! The ladder, challenges, finals and grades, with real programs.

use std::time::Duration;

use course::store::State;
use course::time::{HOUR, now};
use course::{OpenCourse, Side, exports};

use crate::fixtures::upload;
use crate::waiting::wait_until;
use crate::{COURSE, Class};

/// The course of the tests with a deadline so many milliseconds from now.
pub(crate) fn with_deadline(after: i64) -> String {
    let deadline = tournament::store::Moment(now() + after);
    let deadline = deadline.to_string().replace(' ', "T");
    COURSE.replace(
        "hand-ins-per-day",
        &format!("deadline = {deadline}Z\nhand-ins-per-day"),
    )
}

/// Nobody has an extension any more.
pub(crate) fn end_extensions(class: &Class) {
    let roster = course::roster::read("name,id,extension\nDan,d,\n").unwrap();
    class.open_course.store.add(&roster).unwrap();
}

fn ended(open_course: &OpenCourse) -> bool {
    let assignment = &open_course.course.assignments[0];
    let table = open_course.fresh_table(assignment).unwrap();
    open_course.queue().unwrap() == 0
        && table.players[table.references..]
            .iter()
            .all(|player| player.results.games() >= 8)
}

#[test]
fn from_versions_to_grades() {
    let class = Class::new();
    let good = class.hand_in("a", "good.c").unwrap();
    let other = class.hand_in("b", "other.c").unwrap();
    class.hand_in("d", "wrong.c").unwrap();
    class.work_until("rated", ended);
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    assert_eq!(class.state(&good), State::Passed);
    let table = open_course.fresh_table(assignment).unwrap();
    assert_eq!(table.players.len(), 4);
    let games: u32 = table
        .players
        .iter()
        .map(|player| player.results.games())
        .sum();
    assert_eq!(games % 4, 0, "games come in pairs");

    // A challenge is played at once and not rated.
    let anna = class.person("a");
    let opponent = Side::Version(other.id);
    let id = open_course.challenge(&anna, assignment, &opponent).unwrap();
    class.work_until("challenged", |open_course| {
        open_course.store.open_challenges().unwrap().is_empty()
    });
    let challenge = open_course
        .store
        .challenges_of(anna.team, "othello")
        .unwrap()
        .remove(0);
    assert_eq!(challenge.id, id);
    let game = open_course
        .store
        .game(challenge.game.unwrap())
        .unwrap()
        .unwrap();
    assert_eq!(game.purpose, "challenge");
    let again = open_course.fresh_table(assignment).unwrap();
    let again: u32 = again
        .players
        .iter()
        .map(|player| player.results.games())
        .sum();
    assert!(again >= games);
    let own = open_course
        .challenge(&anna, assignment, &Side::Version(good.id))
        .unwrap_err();
    assert_eq!(own.to_string(), "this is your own version");
    let dan = open_course
        .challenge(&class.person("d"), assignment, &opponent)
        .unwrap_err();
    assert_eq!(dan.to_string(), "none of your versions has passed yet");
    for _ in 0..5 {
        open_course.challenge(&anna, assignment, &opponent).unwrap();
    }
    assert!(open_course.challenge(&anna, assignment, &opponent).is_err());

    // A final by hand, since there is no deadline; then another one, before the first is over.
    for number in 1..=2 {
        assert_eq!(
            open_course.freeze(assignment, Some(anna.id)).unwrap(),
            number
        );
    }
    class.work_until("over", |_| {
        let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
        finals.iter().all(|one| one.finished)
    });
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    assert_eq!(finals.len(), 2);
    assert_eq!(finals[0].list.len(), 2);
    assert!(finals[0].list.iter().any(|row| row.hash == good.hash));
    assert_eq!(finals[0].standings.as_ref().unwrap().played, 2);

    let grades = class.block_on(open_course.grades(assignment)).unwrap();
    let grade = &grades[&anna.team];
    assert_eq!(grade.lines[0].points, 50.0, "{grade:?}");
    assert_eq!(grade.lines.len(), 4);
    let dan = &grades[&class.person("d").team];
    assert!(dan.points() < grade.points() && dan.version.is_some());
    let people = open_course.store.people().unwrap();
    assert!(finals[0].absent.contains(&dan.team));
    assert_eq!(dan.lines[3].points, 0.0);
    assert_eq!(
        dan.lines[3].why,
        "the last place in the final: no version of the team was there"
    );
    let csv = exports::csv(assignment, &people, &grades).unwrap();
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(
        csv.starts_with("id,name,e-mail,team,version,hash,points,of,cases,stronger than random")
    );
    let json = exports::results_json(grade);
    assert_eq!(json["tests"].as_array().unwrap().len(), 4);
    assert!(
        json["tests"]
            .as_array()
            .unwrap()
            .iter()
            .all(|test| test["score"].as_f64() <= test["max_score"].as_f64())
    );
    let junit = exports::junit(assignment, &people, &grades).unwrap();
    assert!(junit.contains("testsuite name=\"a\""), "{junit}");
    let sources = open_course.sources(assignment).unwrap();
    assert!(sources.metadata().unwrap().len() > 0);
}

#[test]
fn the_final_begins_by_itself_and_goes_on_after_a_restart() {
    let class = Class::new();
    for (login, file) in [("a", "good.c"), ("b", "other.c")] {
        class.hand_in(login, file).unwrap();
    }
    class.judge();
    // The deadline comes right after the hand-ins; nobody has an extension any more.
    end_extensions(&class);
    let class = class.described(&with_deadline(1000));
    class.work_until("frozen", |open_course| {
        !open_course.store.finals("othello").unwrap().is_empty()
    });
    let class = class.restarted();
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    class.work_until("over", |_| {
        let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
        finals[0].finished
    });
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    assert_eq!((finals.len(), finals[0].list.len()), (1, 2));
}

#[test]
fn what_began_to_arrive_in_time_is_taken_and_the_final_waits_for_it() {
    let class = Class::with(&with_deadline(4000));
    end_extensions(&class);
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    let arriving = open_course.arriving();
    let deadline = assignment.deadline.unwrap().at;
    wait_until("the deadline", || now() > deadline);
    let late = class.hand_in("b", "good.c").unwrap_err();
    assert!(late.starts_with("the deadline was"), "{late}");
    // Long enough for a final to begin.
    class.work_until("looked", |_| {
        std::thread::sleep(Duration::from_millis(2500));
        true
    });
    assert_eq!(open_course.store.finals("othello").unwrap(), []);
    let anna = class.person("a");
    let version = open_course.hand_in(&anna, assignment, &[upload("good.c")], &arriving);
    let version = version.unwrap();
    assert!(version.received <= deadline);
    drop(arriving);
    class.work_until("frozen", |open_course| {
        !open_course.store.finals("othello").unwrap().is_empty()
    });
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    let list: Vec<i64> = finals[0].list.iter().map(|row| row.version).collect();
    assert_eq!(list, [version.id]);
}

/// The course of the tests without a ladder, and with a deadline so many milliseconds from now.
fn without_ladder(after: i64) -> String {
    with_deadline(after).replace("[assignment.ladder]", "[assignment.ladder]\non = false")
}

#[test]
fn a_final_before_the_deadline_is_a_trial() {
    let class = Class::with(&without_ladder(HOUR));
    end_extensions(&class);
    class.passed("a", "good.c");
    class.passed("b", "other.c");
    let assignment = |class: &Class| class.open_course.course.assignments[0].clone();
    let frozen = class.open_course.freeze(&assignment(&class), None);
    assert_eq!(frozen.unwrap(), 1);
    let latest = class.passed("a", "other.c");
    let finals = |class: &Class| {
        let assignment = assignment(class);
        let finals = class.open_course.finals_of(&assignment);
        class.block_on(finals).unwrap()
    };
    let counting = |class: &Class| {
        let (assignment, anna) = (assignment(class), class.person("a"));
        let grade = class.open_course.grade(&assignment, &anna);
        class.block_on(grade).unwrap().version.unwrap().id
    };
    assert!(!finals(&class)[0].counts);
    assert_eq!(counting(&class), latest.id);
    let class = class.described(&without_ladder(1000));
    class.work_until("the final", |open_course| {
        open_course.store.finals("othello").unwrap().len() == 2
    });
    let finals = finals(&class);
    assert!(finals[0].counts && !finals[1].counts);
    assert!(finals[0].list.iter().any(|row| row.version == latest.id));
    assert_eq!(counting(&class), latest.id);
}

#[test]
fn the_final_after_the_last_extension_brings_what_is_new() {
    let class = Class::with(&without_ladder(HOUR));
    class.passed("a", "good.c");
    class.passed("b", "other.c");
    let class = class.described(&without_ladder(1000));
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    let deadline = assignment.deadline.unwrap().at;
    wait_until("the deadline", || now() > deadline);
    open_course.freeze(assignment, None).unwrap();
    let late = class.passed("d", "good.c");
    // Dan's extension ends a moment after a given one.
    let end_after = |at: i64| {
        let roster = format!("name,id,extension\nDan,d,{}ms\n", at + 1 - deadline);
        let roster = course::roster::read(&roster).unwrap();
        open_course.store.add(&roster).unwrap();
    };
    end_after(late.received);
    class.work_until("the final", |open_course| {
        open_course.store.finals("othello").unwrap().len() == 2
    });
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    assert!(finals[0].counts && finals[1].counts);
    assert_eq!((finals[0].list.len(), finals[1].list.len()), (3, 2));
    // A longer extension that nobody uses brings no other final.
    end_after(open_course.store.finals("othello").unwrap()[0].at);
    class.work_until("looked", |_| {
        std::thread::sleep(Duration::from_millis(2500));
        true
    });
    assert_eq!(open_course.store.finals("othello").unwrap().len(), 2);
}

#[test]
fn points_for_references_are_those_of_the_version_that_plays() {
    let class = Class::new();
    let frozen = class.passed("a", "good.c");
    class.passed("b", "other.c");
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    open_course.freeze(assignment, None).unwrap();
    class.passed("a", "other.c");
    open_course.fresh_table(assignment).unwrap();
    let grade = class.block_on(open_course.grade(assignment, &class.person("a")));
    let grade = grade.unwrap();
    assert_eq!(grade.version.unwrap().id, frozen.id);
    let why = &grade.lines[1].why;
    assert!(why.starts_with("version 2: "), "{why}");
}

#[test]
fn only_teams_with_students_play_finals_and_take_places() {
    let class = Class::new();
    let staff = course::roster::read("name,id,role\nSteffi,s,staff\n").unwrap();
    class.open_course.store.add(&staff).unwrap();
    for login in ["a", "b", "d", "s"] {
        class.passed(login, "good.c");
    }
    // Nobody is left in the team that Dan was alone.
    let moved = course::roster::read("name,id,team\nDan,d,red\n").unwrap();
    class.open_course.store.add(&moved).unwrap();
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    let table = open_course.fresh_table(assignment).unwrap();
    assert_eq!(table.players.len() - table.references, 4);
    // References and what staff try out stand between the places and take none.
    let students = open_course.store.teams_of_students().unwrap();
    let mut placed = Vec::new();
    for (number, place) in table.places(&students) {
        let team = table.players[number].team;
        assert_eq!(
            place.is_some(),
            ["a", "b"]
                .map(|login| Some(class.person(login).team))
                .contains(&team)
        );
        placed.extend(place);
    }
    assert_eq!(placed, [1, 1], "they have not met");
    let place = |login: &str| {
        let grade = class.block_on(open_course.grade(assignment, &class.person(login)));
        grade.unwrap().lines[3].why.clone()
    };
    assert_eq!(
        place("a"),
        "place 1 of 2, shared by 2, on the ladder so far"
    );
    assert_eq!(place("s"), "no place on the ladder so far");
    open_course.freeze(assignment, None).unwrap();
    let finals = class.block_on(open_course.finals_of(assignment)).unwrap();
    let mut teams: Vec<i64> = finals[0].list.iter().map(|row| row.team).collect();
    teams.sort_unstable();
    let mut expected = ["a", "b"].map(|login| class.person(login).team);
    expected.sort_unstable();
    assert_eq!(teams, expected);
}
