//! A library of games: read from files, found again by everything that is known of them.

use games::{AnyPosition, GIPF, REVERSI, Recorded};
use tournament::Store;
use tournament::store::{LibraryFound, LibraryQuery};

/// A WTHOR file: `long` entries are games, `short` ones names.
fn wthor(long: usize, short: usize, year: u16, entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 1, 1];
    bytes.extend((long as u32).to_le_bytes());
    bytes.extend((short as u16).to_le_bytes());
    bytes.extend(year.to_le_bytes());
    bytes.extend([8, 0, 0, 0]);
    bytes.extend(entries.iter().flatten());
    bytes
}

fn names(size: usize, list: &[&str]) -> Vec<u8> {
    let padded = |name: &&str| {
        let mut bytes = name.as_bytes().to_vec();
        bytes.resize(size, 0);
        bytes
    };
    wthor(
        0,
        list.len(),
        0,
        &list.iter().map(padded).collect::<Vec<_>>(),
    )
}

/// Event, Black, White, Black's discs, moves.
fn games(year: u16, list: &[(u16, u16, u16, u8, &str)]) -> Vec<u8> {
    let entry = |&(event, black, white, score, moves): &(u16, u16, u16, u8, &str)| {
        let mut bytes = Vec::new();
        for number in [event, black, white] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([score, score]);
        let codes = moves.as_bytes().chunks(2);
        bytes.extend(codes.map(|c| (c[1] - b'0') * 10 + (c[0] - b'a') + 1));
        bytes.resize(68, 0);
        bytes
    };
    wthor(
        list.len(),
        0,
        year,
        &list.iter().map(entry).collect::<Vec<_>>(),
    )
}

fn files() -> Vec<Vec<u8>> {
    vec![
        names(20, &["Archer Ann", "Baker Bob", "Cook Cid"]),
        names(26, &["Spring Open", "Autumn Cup"]),
        games(
            1998,
            &[(0, 0, 1, 40, "f5d6c3d3c4"), (1, 1, 2, 20, "f5f6e6f4e3")],
        ),
        games(2009, &[(1, 2, 0, 32, "d3c5f6f5e6e3")]),
    ]
}

async fn library() -> Store {
    let store = Store::in_memory().await.unwrap();
    let games = REVERSI.read_library(&files()).unwrap();
    let added = store.add_to_library(REVERSI, "wthor", games).await;
    assert_eq!(added.unwrap(), 3);
    store
}

async fn find(store: &Store, query: LibraryQuery) -> LibraryFound {
    store.library(query).await.unwrap()
}

fn titles(found: &LibraryFound) -> Vec<String> {
    found.games.iter().map(|(_, game)| game.title()).collect()
}

const ANN_BOB: &str = "Archer Ann – Baker Bob, Spring Open, 1998";
const BOB_CID: &str = "Baker Bob – Cook Cid, Autumn Cup, 1998";
const CID_ANN: &str = "Cook Cid – Archer Ann, Autumn Cup, 2009";

#[tokio::test]
async fn games_are_found_by_who_played_where_and_when() {
    let store = library().await;
    let all = LibraryQuery::new(REVERSI);
    let found = find(&store, all.clone()).await;
    assert_eq!((found.count, found.wdl), (3, [1, 1, 1]));
    assert_eq!(titles(&found), [CID_ANN, BOB_CID, ANN_BOB]);
    assert_eq!(found.games[2].1.score, "40–24");
    let with = |change: &dyn Fn(&mut LibraryQuery)| {
        let mut query = all.clone();
        change(&mut query);
        query
    };
    for (query, expected) in [
        (
            with(&|q| q.player = "archer".into()),
            vec![CID_ANN, ANN_BOB],
        ),
        (
            with(&|q| {
                q.player = "Ann".into();
                q.opponent = "bob".into();
            }),
            vec![ANN_BOB],
        ),
        (with(&|q| q.event = "cup".into()), vec![CID_ANN, BOB_CID]),
        (with(&|q| q.from = Some(2000)), vec![CID_ANN]),
        (with(&|q| q.to = Some(2000)), vec![BOB_CID, ANN_BOB]),
        (with(&|q| q.player = "nobody".into()), vec![]),
        (
            with(&|q| {
                q.limit = 1;
                q.offset = 1;
            }),
            vec![BOB_CID],
        ),
    ] {
        assert_eq!(
            titles(&find(&store, query.clone()).await),
            expected,
            "{query:?}"
        );
    }
}

#[tokio::test]
async fn positions_are_found_in_every_orientation() {
    let store = library().await;
    let reached = |moves: &[&str]| {
        let mut position = AnyPosition::start(REVERSI);
        for mv in moves {
            position.play(mv).unwrap();
        }
        let mut query = LibraryQuery::new(REVERSI);
        query.position = Some(position);
        query
    };
    let start = find(&store, reached(&[])).await;
    assert_eq!(start.count, 3);
    // All first moves are the same one.
    assert_eq!(start.moves[0].moves.len(), 4);
    assert_eq!(start.moves[0].count, 3);
    // The tiger, as it was played and as its image.
    for tiger in [
        ["f5", "d6", "c3", "d3", "c4"],
        ["d3", "c5", "f6", "f5", "e6"],
    ] {
        let found = find(&store, reached(&tiger)).await;
        assert_eq!(titles(&found), [CID_ANN, ANN_BOB]);
        assert_eq!(found.wdl, [1, 1, 0]);
        assert_eq!((found.moves.len(), found.moves[0].count), (1, 1));
    }
    let mut named = reached(&["f5"]);
    named.player = "bob".into();
    assert_eq!(find(&store, named).await.count, 2);
    assert_eq!(find(&store, reached(&["f5", "f4"])).await.count, 0);
}

#[tokio::test]
async fn the_same_game_comes_once_and_goes_with_its_source() {
    let store = library().await;
    let again = REVERSI.read_library(&files()).unwrap();
    let added = store.add_to_library(REVERSI, "again", again).await.unwrap();
    assert_eq!(added, 0);
    let text = REVERSI.read_library(&[b"f5d6c3d3c4f4".to_vec()]).unwrap();
    store.add_to_library(REVERSI, "text", text).await.unwrap();
    let mut query = LibraryQuery::new(REVERSI);
    query.position = Some(AnyPosition::start(REVERSI));
    assert_eq!(find(&store, query.clone()).await.count, 4);
    assert_eq!(store.remove_from_library("wthor").await.unwrap(), 3);
    let found = find(&store, query.clone()).await;
    assert_eq!((found.count, found.games.len()), (1, 1));
    // What was removed can come again.
    let games = REVERSI.read_library(&files()).unwrap();
    assert_eq!(
        store.add_to_library(REVERSI, "wthor", games).await.unwrap(),
        3
    );
    assert_eq!(find(&store, query).await.count, 4);
}

/// One game is found under another event, or not at all, and the others as before.
#[tokio::test]
async fn single_games_are_tagged_and_removed() {
    let store = library().await;
    let all = LibraryQuery::new(REVERSI);
    let under = |event: &str| LibraryQuery {
        event: event.into(),
        ..LibraryQuery::new(REVERSI)
    };
    let before = find(&store, all.clone()).await;
    let (number, game) = before.games[1].clone();
    assert!(store.tag_library_game(number, "Mine").await.unwrap());
    let found = find(&store, under("mine")).await;
    assert_eq!((found.count, found.games[0].0), (1, number));
    assert_eq!(found.games[0].1.event, "Mine");
    assert_eq!(find(&store, all.clone()).await.count, before.count);
    // It does not come twice under one event.
    let same = REVERSI.read_library(&files()).unwrap();
    let mut same = same.into_iter();
    let game = same.find(|other| other.moves == game.moves).unwrap();
    let mut again = game.clone();
    again.event = "Mine".into();
    let added = store.add_to_library(REVERSI, "x", vec![again]).await;
    assert_eq!(added.unwrap(), 0);
    let added = store.add_to_library(REVERSI, "x", vec![game]).await;
    assert_eq!(added.unwrap(), 1);
    let other = find(&store, all.clone()).await;
    let other = other.games.iter().find(|(n, _)| *n > number + 1).unwrap().0;
    assert!(!store.tag_library_game(other, "Mine").await.unwrap());
    assert!(!store.tag_library_game(999, "Mine").await.unwrap());
    assert_eq!(find(&store, under("mine")).await.count, 1);
    // Removed, it is not there by anything.
    assert!(store.remove_library_game(number).await.unwrap());
    assert!(!store.remove_library_game(number).await.unwrap());
    assert_eq!(store.library_game(number).await.unwrap(), None);
    assert_eq!(find(&store, under("mine")).await.count, 0);
    let mut query = all;
    query.position = Some(AnyPosition::start(REVERSI));
    assert_eq!(find(&store, query).await.count, before.count);
}

#[tokio::test]
async fn files_without_games_are_refused_in_words() {
    let error = REVERSI.read_library(&files()[..2]).unwrap_err();
    assert_eq!(
        error,
        "these files hold names of players or tournaments, but no games"
    );
    // Without names, numbers are better than nothing.
    let games: Vec<Recorded> = REVERSI.read_library(&files()[2..3]).unwrap();
    assert_eq!(games[0].players, ["player 0", "player 1"]);
    // Other games have libraries too.
    let store = Store::in_memory().await.unwrap();
    let games = GIPF.read_library(&[b"3 3 6 6\na1-b2\n".to_vec()]).unwrap();
    store.add_to_library(GIPF, "x", games).await.unwrap();
    let mut query = LibraryQuery::new(GIPF);
    query.position = Some(AnyPosition::parse(GIPF, "3 3 6 6").unwrap());
    assert_eq!(store.library(query).await.unwrap().count, 1);
}

/// Games that come one by one share blocks, whatever comes and goes between them.
#[tokio::test]
async fn games_that_come_one_by_one_are_found() {
    let store = library().await;
    let mut alive: Vec<String> = [CID_ANN, BOB_CID, ANN_BOB].map(String::from).to_vec();
    let start = AnyPosition::start(REVERSI);
    for number in 0..600 {
        let source = format!("play {number}");
        let mut game = REVERSI.read_library(&[b"f5d6c3d3c4".to_vec()]).unwrap();
        game[0].players = [format!("Visitor {number}"), "greedy".into()];
        game[0].year = 2031;
        game[0].date = format!("2031-05-09 {number}");
        let title = game[0].title();
        let added = store.add_to_library(REVERSI, &source, game).await;
        assert_eq!(added.unwrap(), 1);
        alive.insert(0, title.clone());
        // The last number becomes free again; the others leave gaps.
        if number % 3 == 0 {
            store.remove_from_library(&source).await.unwrap();
            alive.remove(0);
        }
        if number % 7 == 0 {
            let source = format!("play {}", number / 2);
            let gone = store.remove_from_library(&source).await.unwrap();
            let visitor = format!("Visitor {} –", number / 2);
            let before = alive.len();
            alive.retain(|title| !title.starts_with(&visitor));
            assert_eq!(before - alive.len(), gone);
        }
        // Another game in between.
        if number % 5 == 0 {
            let other = GIPF.read_library(&[b"3 3 6 6\na1-b2\n".to_vec()]).unwrap();
            store
                .add_to_library(GIPF, &format!("gipf {number}"), other)
                .await
                .unwrap();
        }
    }
    let mut query = LibraryQuery::new(REVERSI);
    query.limit = 1000;
    let found = find(&store, query.clone()).await;
    assert_eq!(found.count, alive.len());
    assert_eq!(titles(&found), alive);
    query.position = Some(start);
    assert_eq!(find(&store, query.clone()).await.count, alive.len());
    query.position = None;
    query.player = "VISITOR 599".into();
    let found = find(&store, query).await;
    assert_eq!(titles(&found), ["Visitor 599 – greedy, 2031-05-09 599"]);
}
