//! Handing in: by form, and by token.

use std::sync::Arc;

use axum::extract::multipart::MultipartError;
use axum::extract::{Multipart, Path};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use course::Arriving;
use course::store::VersionRow;
use handin::{ArchiveLimits, Upload};

use super::assignment;
use super::guard::Member;
use crate::fault::Fault;

/// The files of a form; their names count, too. Of more than may be handed in nothing is kept, but it
/// is read to its end (within the limit of the body): who is answered while still sending sees a broken
/// connection.
async fn files(mut form: Multipart) -> Result<Vec<Upload>, Fault> {
    let most = ArchiveLimits::default().upload;
    let mut size = 0;
    let mut uploads = Vec::new();
    while let Some(mut field) = form.next_field().await.map_err(too_much)? {
        let name = field.file_name().unwrap_or_default().to_string();
        size += name.len() as u64;
        let mut bytes = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(too_much)? {
            size += chunk.len() as u64;
            match size > most.0 {
                true => bytes = Vec::new(),
                false => bytes.extend(chunk),
            }
        }
        if size > most.0 {
            uploads.clear();
        } else if !name.is_empty() {
            // A browser sends a file without a name where none was chosen.
            uploads.push(Upload { name, bytes });
        }
    }
    match uploads.is_empty() {
        _ if size > most.0 => Err(larger()),
        true => Err(Fault::refused("no file was chosen")),
        false => Ok(uploads),
    }
}

fn larger() -> Fault {
    let most = ArchiveLimits::default().upload;
    let message = format!("the files are larger than {most} together");
    Fault::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// More than is even read, or what did not arrive.
fn too_much(error: MultipartError) -> Fault {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => larger(),
        _ => Fault::upload(error),
    }
}

/// Takes what is sent. Nothing that others need is held while it arrives: how fast it does is up to
/// whoever sends it. Unpacking goes on when they have gone, and keeps its seats until it is done.
async fn take(
    member: Member,
    arriving: Arc<Arriving>,
    id: String,
    form: Multipart,
) -> Result<VersionRow, Fault> {
    let site = Arc::clone(&member.site);
    assignment::find(&site.open_course, &id)?;
    let receiving = site.receiving.take(member.person.id);
    let receiving = receiving.map_err(|full| full.fault("by you"))?;
    let key = member.person.id.to_string();
    site.uploads.take(&key, "files sent")?;
    let address = member.visitor.address.to_string();
    site.uploads_from
        .take(&address, "files sent from your address")?;
    let uploads = files(form).await?;
    let unpacking = Arc::clone(&site.unpacking).acquire_owned().await;
    let unpacking = unpacking.map_err(Fault::ours)?;
    member
        .aside(move |open_course, person| {
            let _seats = (receiving, unpacking);
            let assignment = assignment::find(open_course, &id)?;
            Ok(open_course.hand_in(person, assignment, &uploads, &arriving)?)
        })
        .await
}

/// `POST /a/{id}`
pub(super) async fn form(
    member: Member,
    Extension(arriving): Extension<Arc<Arriving>>,
    Path(id): Path<String>,
    form: Multipart,
) -> Result<Response, Fault> {
    match take(member.clone(), arriving, id.clone(), form).await {
        Ok(version) => Ok(Redirect::to(&format!("/v/{}", version.id)).into_response()),
        // Whoever hands in stays on the page, with the reason.
        Err(fault) if matches!(fault.status.as_u16(), 413 | 422 | 429) => {
            let status = fault.status;
            let page = member
                .aside(move |open_course, person| {
                    assignment::page(open_course, person, &id, Some(&fault.message))
                })
                .await?;
            Ok((status, page).into_response())
        }
        Err(fault) => Err(fault),
    }
}

/// `POST /api/a/{id}/hand-ins`
pub(super) async fn api(
    member: Member,
    Extension(arriving): Extension<Arc<Arriving>>,
    Path(id): Path<String>,
    form: Multipart,
) -> Result<Response, Fault> {
    let site = Arc::clone(&member.site);
    let version = take(member, arriving, id, form).await?;
    let url = site.open_course.course.url.trim_end_matches('/');
    let answer = serde_json::json!({
        "version": version.id,
        "number": version.number,
        "hash": version.hash,
        "language": version.language,
        "page": format!("{url}/v/{}", version.id),
    });
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}
