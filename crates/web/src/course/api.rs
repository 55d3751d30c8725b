//! What programs read: assignments, and how far a version is.

use axum::Json;
use axum::extract::Path;
use course::store::{State as VersionState, VersionRow};
use course::time::now;
use serde_json::{Value, json};

use super::guard::Member;
use super::version;
use crate::fault::Fault;

/// `GET /api/assignments`
pub(super) async fn assignments(member: Member) -> Result<Json<Value>, Fault> {
    member
        .aside(move |open_course, person| {
            let extension = open_course.store.extension(person.team)?;
            let list: Vec<Value> = open_course
                .course
                .assignments
                .iter()
                .map(|assignment| {
                    let deadline = assignment.deadline_with(extension);
                    json!({
                        "id": assignment.id,
                        "title": assignment.title,
                        "deadline": deadline.map(|deadline| deadline.to_string()),
                        "open": open_course.check_open(person, assignment, now()).is_ok(),
                    })
                })
                .collect();
            Ok(Json(
                json!({ "course": open_course.course.name, "assignments": list }),
            ))
        })
        .await
}

/// A state as programs read it.
fn word(version: &VersionRow) -> &'static str {
    match version.state {
        VersionState::Before(_) => "waiting",
        VersionState::Failed(_) => "failed",
        VersionState::Passed => "passed",
    }
}

/// `GET /api/v/{id}`
pub(super) async fn version(member: Member, Path(id): Path<i64>) -> Result<Json<Value>, Fault> {
    member
        .aside(move |open_course, person| {
            let version = version::find(open_course, person, id)?;
            let (before, doing) = open_course.place(&version)?;
            let steps: Vec<Value> = open_course
                .store
                .steps(id)?
                .iter()
                .map(|step| {
                    let detail: Value = serde_json::from_str(&step.detail).unwrap_or_default();
                    json!({
                        "step": step.name.name(),
                        "ok": step.ok,
                        "seconds": step.seconds,
                        "summary": step.summary,
                        "detail": detail,
                    })
                })
                .collect();
            Ok(Json(json!({
                "version": version.id,
                "number": version.number,
                "assignment": version.assignment,
                "hash": version.hash,
                "state": word(&version),
                "waiting_before": (!version.state.is_final()).then_some(before),
                "doing": doing,
                "steps": steps,
            })))
        })
        .await
}
