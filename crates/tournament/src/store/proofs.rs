//! What has been proven of positions, and the reviews of games.

use std::collections::HashMap;

use games::{GameName, Proof, Value};
use review::{Knowledge, Played, Review};
use rusqlite::{OptionalExtension as _, params};

use super::{Store, StoreError, StoreResult};

/// The kind of document that a review is.
const REVIEW: &str = "review";

impl Store {
    /// Keeps proofs under their positions. What was known of a position stays.
    pub async fn add_proofs(
        &self,
        game: GameName,
        proofs: Vec<(String, Proof)>,
    ) -> StoreResult<()> {
        let sql = "INSERT INTO proofs (game, position, value, margin, distance)
             VALUES (?, ?, ?, ?, ?) ON CONFLICT (game, position) DO UPDATE
             SET margin = coalesce(margin, excluded.margin),
                distance = coalesce(distance, excluded.distance)
             WHERE value = excluded.value";
        self.run(move |db| {
            let change = db.transaction()?;
            {
                let mut insert = change.prepare(sql)?;
                for (position, proof) in proofs {
                    let Proof {
                        value,
                        margin,
                        distance,
                    } = proof;
                    let name = game.name();
                    insert.execute(params![name, position, value.sign(), margin, distance])?;
                }
            }
            change.commit()?;
            Ok(())
        })
        .await
    }

    /// The proofs that are kept of these positions.
    pub async fn proofs(
        &self,
        game: GameName,
        positions: Vec<String>,
    ) -> StoreResult<Vec<(String, Proof)>> {
        let sql = "SELECT value, margin, distance FROM proofs WHERE game = ? AND position = ?";
        self.run(move |db| {
            let mut select = db.prepare(sql)?;
            let mut found = Vec::new();
            for position in positions {
                let proof = select
                    .query_row(params![game.name(), position], |row| {
                        Ok(Proof {
                            value: Value::of(row.get(0)?),
                            margin: row.get(1)?,
                            distance: row.get(2)?,
                        })
                    })
                    .optional()?;
                found.extend(proof.map(|proof| (position, proof)));
            }
            Ok(found)
        })
        .await
    }

    /// What is known of the positions of a game and of those one move away.
    pub async fn knowledge(&self, played: &Played) -> StoreResult<Knowledge> {
        let proofs = self.proofs(played.game, played.keys()).await?;
        Ok(Knowledge::new(proofs))
    }

    /// Keeps the review of a game of a tournament.
    pub async fn put_review(&self, game: &str, review: &Review) -> StoreResult<()> {
        let body = serde_json::to_string(review).map_err(|source| content(game, source))?;
        self.put_document(REVIEW, game, &body).await
    }

    /// The review of a game of a tournament, if there is one.
    pub async fn review(&self, game: &str) -> StoreResult<Option<Review>> {
        let body = self.document(REVIEW, game).await?;
        body.map(|body| serde_json::from_str(&body))
            .transpose()
            .map_err(|source| content(game, source))
    }

    /// All reviews of a tournament, by the ids of their games.
    pub(crate) async fn reviews_by_game(
        &self,
        tournament: &str,
    ) -> StoreResult<HashMap<String, Review>> {
        let tournament = tournament.to_owned();
        let sql = "SELECT d.id, d.body FROM games g JOIN documents d ON d.kind = ? AND d.id = g.id
             WHERE g.tournament = ?";
        self.run(move |db| {
            let mut select = db.prepare(sql)?;
            let mut rows = select.query(params![REVIEW, tournament])?;
            let mut reviews = HashMap::new();
            while let Some(row) = rows.next()? {
                let (id, body): (String, String) = (row.get(0)?, row.get(1)?);
                let review = serde_json::from_str(&body).map_err(|source| content(&id, source))?;
                reviews.insert(id, review);
            }
            Ok(reviews)
        })
        .await
    }
}

fn content(game: &str, source: serde_json::Error) -> StoreError {
    StoreError::Content {
        what: format!("the review of {game}"),
        source,
    }
}
