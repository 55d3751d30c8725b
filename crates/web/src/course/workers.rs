//! The workers that play and grade for a course.

use axum::response::{Html, Redirect};

use super::guard::Staff;
use super::view;
use crate::cluster;
use crate::fault::Fault;

/// `GET /cluster`
pub(super) async fn show(Staff(member): Staff) -> Result<Html<String>, Fault> {
    let body = cluster::known(member.site.cluster.as_ref()).await?;
    let person = Some(&member.person);
    Ok(view::page(
        &member.site.open_course,
        person,
        "Workers",
        "/staff",
        body,
    ))
}

/// `POST /cluster/retry`
pub(super) async fn retry(Staff(member): Staff) -> Result<Redirect, Fault> {
    cluster::play_again(member.site.cluster.as_ref()).await
}
