//! The games of finals: who played, and what went wrong.

use referee::GameRecord;
use tournament::{GameFilter, GameOrder, GameRow, StoreError};

use crate::open_course::OpenCourse;
use crate::store::Side;

/// A game of a final.
#[derive(Clone, Debug)]
pub struct FinalGame {
    /// For which assignment.
    pub assignment: String,
    /// The number of the final among those of the assignment.
    pub number: u32,
    /// Who moved first, and who second.
    pub players: [Side; 2],
    /// All but its moves.
    pub row: GameRow,
}

/// Which games of a final are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Those of this version.
    pub of: Option<i64>,
    /// Those in which somebody made a fault.
    pub faults_only: bool,
    /// At most so many.
    pub most: u32,
    /// Without the latest so many.
    pub skip: u32,
}

impl OpenCourse {
    /// Games of a final, the latest first.
    pub async fn final_games(
        &self,
        tournament: &str,
        wanted: &Wanted,
    ) -> Result<Vec<FinalGame>, StoreError> {
        let Some((assignment, number)) = self.store.final_of(tournament)? else {
            return Ok(Vec::new());
        };
        let row = match self.finals.tournament(tournament).await {
            Ok(row) => row,
            // It has not begun.
            Err(StoreError::NoTournament(_)) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut player = None;
        if let Some(version) = wanted.of {
            let name = Side::Version(version).key();
            match row.players.iter().find(|player| player.name == name) {
                Some(found) => player = Some(found.number),
                None => return Ok(Vec::new()),
            }
        }
        let filter = GameFilter {
            player,
            faults_only: wanted.faults_only,
            order: GameOrder::Latest,
            limit: Some(wanted.most),
            offset: wanted.skip,
            ..GameFilter::default()
        };
        let side = |number: usize| Side::of_player(&row.players[number].name);
        let games = self.finals.games(tournament, &filter).await?;
        let games = games.into_iter().map(|game| FinalGame {
            assignment: assignment.clone(),
            number,
            players: [side(game.first), side(game.second)],
            row: game,
        });
        Ok(games.collect())
    }

    /// The games of finals in which a version made a fault, the latest first.
    pub async fn final_faults(
        &self,
        version: i64,
        most: u32,
    ) -> Result<Vec<FinalGame>, StoreError> {
        let me = Side::Version(version);
        let wanted = Wanted {
            of: Some(version),
            faults_only: true,
            most: u32::MAX,
            skip: 0,
        };
        let mut found = Vec::new();
        for tournament in self.store.finals_with(version)? {
            let games = self.final_games(&tournament, &wanted).await?;
            found.extend(games.into_iter().filter(|game| {
                let own = |seat: usize| game.players[seat] == me && game.row.faults[seat] > 0;
                own(0) || own(1)
            }));
        }
        found.truncate(most as usize);
        Ok(found)
    }

    /// A game of a final with its record; a game that nobody played has none.
    pub async fn final_game(
        &self,
        id: &str,
    ) -> Result<Option<(FinalGame, Option<GameRecord>)>, StoreError> {
        let row = match self.finals.game(id).await {
            Ok(row) => row,
            Err(StoreError::NoGame(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let tournament = self.finals.tournament_of(id).await?;
        let Some((assignment, number)) = self.store.final_of(&tournament)? else {
            return Ok(None);
        };
        let players = self.finals.tournament(&tournament).await?.players;
        let side = |number: usize| Side::of_player(&players[number].name);
        let game = FinalGame {
            assignment,
            number,
            players: [side(row.first), side(row.second)],
            row,
        };
        Ok(Some((game, self.finals.record(id).await?)))
    }
}
