//! Small documents of the site: games in progress and analyses, by kind and id.

use sqlx::Row as _;

use super::{Store, StoreResult, now};

impl Store {
    /// Writes a document, over an older one with the same kind and id. Unlike games, which
    /// are never changed, a document is what it was last.
    pub async fn put_document(&self, kind: &str, id: &str, body: &str) -> StoreResult<()> {
        sqlx::query(
            "INSERT INTO documents (kind, id, body, changed) VALUES (?, ?, ?, ?)
             ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, changed = excluded.changed",
        )
        .bind(kind)
        .bind(id)
        .bind(body)
        .bind(now())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// A document, if there is one.
    pub async fn document(&self, kind: &str, id: &str) -> StoreResult<Option<String>> {
        let row = sqlx::query("SELECT body FROM documents WHERE kind = ? AND id = ?")
            .bind(kind)
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|row| row.try_get("body")).transpose()?)
    }

    /// The documents of a kind, the last changed first.
    pub async fn documents(&self, kind: &str, limit: u32) -> StoreResult<Vec<String>> {
        let rows = sqlx::query(
            "SELECT body FROM documents WHERE kind = ? ORDER BY changed DESC, id LIMIT ?",
        )
        .bind(kind)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok(row.try_get("body")?)).collect()
    }
}
