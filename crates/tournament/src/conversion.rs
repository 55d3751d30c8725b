//! What the players of a tournament made of won positions, as far as it is proven.

use games::GameName;
use review::{Conversion, Mistake, Review, Reviewed, Suite};
use rules::{Outcome, Side};
use serde::Serialize;

use crate::store::{GameFilter, GameRow, Store, StoreResult, TournamentRow};

/// What the reviews of a tournament show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Conversions {
    /// Games with a review.
    pub reviewed: usize,
    /// Games that were won after a proven mistake of the loser, or drawn after one of either.
    pub decided: usize,
    /// The id of the most instructive game: the one in which the result changed most often.
    pub instructive: Option<String>,
    /// The players in the order of the list.
    pub players: Vec<Conversion>,
}

impl Conversions {
    /// Sums up the reviews of games of a tournament.
    #[must_use]
    pub fn new(tournament: &TournamentRow, reviews: &[(GameRow, Review)]) -> Conversions {
        let changes = |review: &Review| {
            let mistakes = review.mistakes.iter();
            mistakes
                .filter(|mistake| mistake.kind.changes_result())
                .count()
        };
        let instructive = reviews
            .iter()
            .filter(|(_, review)| changes(review) > 0)
            // Of those with as many changes, the one of which most is known.
            .max_by_key(|(_, review)| (changes(review), review.coverage.proven));
        let players = tournament.players.iter().map(|player| {
            let own = |(game, review): &'_ (GameRow, Review)| {
                let seat = game.seat(player.number)?;
                Some((game.id.clone(), seat, game.score, review.clone()))
            };
            let games: Vec<_> = reviews.iter().filter_map(own).collect();
            let games: Vec<Reviewed<'_>> = games
                .iter()
                .map(|(id, seat, score, review)| Reviewed {
                    id,
                    side: Side::from(*seat),
                    outcome: score.outcome(),
                    review,
                })
                .collect();
            Conversion::new(&player.name, &games)
        });
        Conversions {
            reviewed: reviews.len(),
            decided: reviews
                .iter()
                .filter(|(game, review)| is_decided(game, review))
                .count(),
            instructive: instructive.map(|(game, _)| game.id.clone()),
            players: players.collect(),
        }
    }

    /// What is known in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        let instructive = match &self.instructive {
            Some(id) => format!("; the most instructive is {id}"),
            None => String::new(),
        };
        format!("{}{instructive}", self.counts())
    }

    /// How many games are reviewed, and how many of them were decided by a proven mistake.
    #[must_use]
    pub fn counts(&self) -> String {
        let games = match self.reviewed {
            1 => "1 game".to_string(),
            many => format!("{many} games"),
        };
        let decided = match self.decided {
            1 => "1 of them was".to_string(),
            many => format!("{many} of them were"),
        };
        format!("{games} reviewed, {decided} decided by a proven mistake")
    }
}

/// Whether the last proven mistake that changed the result led to the one that the game had.
pub(crate) fn is_decided(game: &GameRow, review: &Review) -> bool {
    let last = review
        .mistakes
        .iter()
        .rfind(|mistake| mistake.kind.changes_result());
    let (Some(last), Some(outcome)) = (last, game.score.outcome()) else {
        return false;
    };
    match outcome {
        Outcome::Draw => last.worth.value.sign() == 0,
        Outcome::Win(side) => side == !last.side() && last.worth.value.sign() < 0,
    }
}

/// The positions of mistakes of a player, or of all players, as tests; with `opponents` those of
/// the player's opponents as well.
#[must_use]
pub fn suite(
    game: GameName,
    reviews: &[(GameRow, Review)],
    player: Option<usize>,
    opponents: bool,
) -> Suite {
    let mistakes = reviews.iter().flat_map(|(game, review)| {
        let own = player.and_then(|number| game.seat(number));
        let is_wanted = move |mistake: &&Mistake| {
            player.is_none() || own.is_some_and(|seat| opponents || mistake.side == seat)
        };
        let mistakes = review.real_mistakes().filter(is_wanted);
        mistakes.map(move |mistake| (game.id.as_str(), mistake))
    });
    Suite::new(game, mistakes)
}

impl Store {
    /// The games of a tournament that have a review, in the order of the schedule.
    pub async fn reviews(&self, tournament: &str) -> StoreResult<Vec<(GameRow, Review)>> {
        let mut reviews = self.reviews_by_game(tournament).await?;
        let games = self.games(tournament, &GameFilter::default()).await?;
        let found = games
            .into_iter()
            .filter_map(|game| Some((reviews.remove(&game.id)?, game)));
        Ok(found.map(|(review, game)| (game, review)).collect())
    }

    /// What the reviews of a tournament show.
    pub async fn conversions(&self, tournament: &str) -> StoreResult<Conversions> {
        let row = self.tournament(tournament).await?;
        Ok(Conversions::new(&row, &self.reviews(tournament).await?))
    }
}
