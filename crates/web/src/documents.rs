//! Where the site keeps what must survive a restart: small JSON documents by kind and id.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tournament::Store;

use crate::fault::Fault;

/// Longer documents are read on a thread of their own, so that other requests go on meanwhile.
const LONG: usize = 1 << 18;

/// The documents of the site, in the store.
#[derive(Debug)]
pub(crate) struct Documents {
    store: Store,
}

impl Documents {
    /// The documents of a store.
    pub(crate) fn new(store: Store) -> Documents {
        Documents { store }
    }

    /// Writes a document, over an older one.
    pub(crate) async fn put(
        &self,
        kind: &str,
        id: &str,
        document: &impl Serialize,
    ) -> Result<(), Fault> {
        let text = serde_json::to_string(document).map_err(Fault::ours)?;
        let result = self.store.put_document(kind, id, &text).await;
        result.map_err(Fault::ours)
    }

    /// Reads a document.
    pub(crate) async fn get<T: DeserializeOwned + Send + 'static>(
        &self,
        kind: &str,
        id: &str,
    ) -> Result<Option<T>, Fault> {
        let text = self.store.document(kind, id).await.map_err(Fault::ours)?;
        let read = |text: String| serde_json::from_str(&text).map_err(Fault::ours);
        match text {
            None => Ok(None),
            Some(text) if text.len() < LONG => read(text).map(Some),
            Some(text) => {
                let reading = tokio::task::spawn_blocking(move || read(text));
                reading.await.map_err(Fault::ours)?.map(Some)
            }
        }
    }

    /// Removes a document, if there is one.
    pub(crate) async fn delete(&self, kind: &str, id: &str) -> Result<(), Fault> {
        let result = self.store.delete_document(kind, id).await;
        result.map_err(Fault::ours)
    }

    /// Some of the documents of a kind, the last changed first, without the first `skip`.
    pub(crate) async fn page<T: DeserializeOwned>(
        &self,
        kind: &str,
        skip: u32,
        limit: u32,
    ) -> Result<Vec<T>, Fault> {
        let texts = self.store.documents_from(kind, skip, limit).await;
        let texts = texts.map_err(Fault::ours)?;
        texts
            .iter()
            .map(|text| serde_json::from_str(text).map_err(Fault::ours))
            .collect()
    }

    /// The latest documents of a kind.
    pub(crate) async fn latest<T: DeserializeOwned>(
        &self,
        kind: &str,
        limit: u32,
    ) -> Result<Vec<T>, Fault> {
        self.page(kind, 0, limit).await
    }
}
