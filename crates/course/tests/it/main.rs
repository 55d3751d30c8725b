//! A course with real programs, from the invitation to the grades.

mod backups;
mod class;
mod drawn;
mod fixtures;
mod ladder;
mod passed;
mod people;
mod pipeline;
mod trouble;
mod waiting;
mod workers;

use std::path::Path;

use course::Course;

pub(crate) use class::{Class, ROSTER};
pub(crate) use fixtures::COURSE;

/// Every folder of examples is a course.
#[test]
fn examples_are_courses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/courses");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let course = Course::open(&entry.unwrap().path()).unwrap();
        assert!(course.assignments[0].most_points() > 0.0);
        count += 1;
    }
    assert_eq!(count, 5);
}
