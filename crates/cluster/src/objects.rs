//! The object store: whatever lies in it is called by its SHA-256.

use async_nats::jetstream::object_store::{GetErrorKind, InfoErrorKind, ObjectInfo};
use data_encoding::{BASE64URL, HEXLOWER};
use tokio::io::AsyncReadExt;

use crate::error::{ClusterError, Result, server};
use crate::link::Link;

/// No object is larger: the largest folder of a program, and its names.
const LARGEST: u64 = (1 << 30) + (64 << 20);

/// Puts content into a bucket, unless it is there; returns its SHA-256.
pub(crate) async fn put(link: &Link, bucket: &str, content: &[u8]) -> Result<String> {
    let name = referee::hash(content);
    let store = link.jetstream.get_object_store(bucket).await;
    let store = store.map_err(server("open the object store"))?;
    match store.info(&name).await {
        Ok(info) if !info.deleted && is_of(&info, &name, content) => return Ok(name),
        Err(error) if error.kind() != InfoErrorKind::NotFound => {
            return Err(server("look into the object store")(error));
        }
        _ => {}
    }
    let put = store.put(name.as_str(), &mut &*content).await;
    put.map_err(server("fill the object store"))?;
    Ok(name)
}

/// The content with this SHA-256; nothing if it is not there.
pub(crate) async fn get(link: &Link, bucket: &str, name: &str) -> Result<Option<Vec<u8>>> {
    let store = link.jetstream.get_object_store(bucket).await;
    let store = store.map_err(server("open the object store"))?;
    let object = match store.get(name).await {
        Ok(object) => object,
        Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(server("read the object store")(error)),
    };
    let mut content = Vec::new();
    let mut reader = object.take(LARGEST);
    let read = reader.read_to_end(&mut content).await;
    read.map_err(server("read the object store"))?;
    check(name, &content)?;
    Ok(Some(content))
}

/// Whether an object is this content, as far as the store knows: whatever else lies under its name
/// is replaced.
fn is_of(info: &ObjectInfo, name: &str, content: &[u8]) -> bool {
    info.size == content.len() && info.digest.is_some() && info.digest == digest(name)
}

/// A name as the store writes it.
fn digest(name: &str) -> Option<String> {
    let hash = HEXLOWER.decode(name.as_bytes()).ok()?;
    Some(format!("SHA-256={}", BASE64URL.encode(&hash)))
}

/// Removes content that nobody needs any more.
pub(crate) async fn remove(link: &Link, bucket: &str, name: &str) {
    if let Ok(store) = link.jetstream.get_object_store(bucket).await {
        // What stays is removed by its age.
        let _ = store.delete(name).await;
    }
}

/// Holds content against its name.
pub(crate) fn check(name: &str, content: &[u8]) -> Result<()> {
    let found = referee::hash(content);
    if found == name {
        return Ok(());
    }
    Err(ClusterError::Hash {
        wanted: name.into(),
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_names() {
        // The SHA-256 of nothing.
        let name = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let written = "SHA-256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=";
        assert_eq!(referee::hash(b""), name);
        assert_eq!(digest(name).as_deref(), Some(written));
    }
}
