//! Small documents of the site: games in progress and analyses, by kind and id.

use rusqlite::{OptionalExtension as _, params};

use super::{Store, StoreResult, now};

impl Store {
    /// Writes a document, over an older one with the same kind and id. Unlike games, which
    /// are never changed, a document is what it was last.
    pub async fn put_document(&self, kind: &str, id: &str, body: &str) -> StoreResult<()> {
        let (kind, id, body) = (kind.to_owned(), id.to_owned(), body.to_owned());
        let sql = "INSERT INTO documents (kind, id, body, changed) VALUES (?, ?, ?, ?)
             ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, changed = excluded.changed";
        self.run(move |db| {
            db.execute(sql, params![kind, id, body, now()])?;
            Ok(())
        })
        .await
    }

    /// A document, if there is one.
    pub async fn document(&self, kind: &str, id: &str) -> StoreResult<Option<String>> {
        let key = [kind.to_owned(), id.to_owned()];
        let sql = "SELECT body FROM documents WHERE kind = ? AND id = ?";
        self.run(move |db| Ok(db.query_row(sql, key, |row| row.get(0)).optional()?))
            .await
    }

    /// The documents of a kind, the last changed first.
    pub async fn documents(&self, kind: &str, limit: u32) -> StoreResult<Vec<String>> {
        self.documents_from(kind, 0, limit).await
    }

    /// The documents of a kind, the last changed first, without the first `skip`.
    pub async fn documents_from(
        &self,
        kind: &str,
        skip: u32,
        limit: u32,
    ) -> StoreResult<Vec<String>> {
        let kind = kind.to_owned();
        let sql = "SELECT body FROM documents WHERE kind = ?
             ORDER BY changed DESC, id LIMIT ? OFFSET ?";
        self.run(move |db| {
            let mut statement = db.prepare(sql)?;
            let bodies = statement.query_map(params![kind, limit, skip], |row| row.get(0))?;
            Ok(bodies.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Removes a document, if there is one.
    pub async fn delete_document(&self, kind: &str, id: &str) -> StoreResult<()> {
        let key = [kind.to_owned(), id.to_owned()];
        let sql = "DELETE FROM documents WHERE kind = ? AND id = ?";
        self.run(move |db| {
            db.execute(sql, key)?;
            Ok(())
        })
        .await
    }
}
