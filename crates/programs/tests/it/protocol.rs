//! GTP and NBoard, with a engine that takes the first move.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use programs::protocol::{ProtocolEngine, gtp, nboard};
use reversi::{Move, Position};
use rules::Game;
use search::{HeldTime, Limits, Report, Score, Time};

/// Plays the first legal move, expects nothing, and remembers how long it was given.
#[derive(Default)]
struct First {
    given: Vec<Option<Duration>>,
    /// What a move takes, on a clock that the test holds.
    takes: Option<(Duration, Arc<HeldTime>)>,
}

impl ProtocolEngine for First {
    fn think(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        self.given.push(limits.about.or(limits.wall));
        if let Some((time, clock)) = &self.takes {
            clock.advance(*time);
        }
        Report {
            depth: limits.depth.unwrap_or(1),
            confidence: 73,
            nodes: 7,
            score: Score::Estimate(150),
            ..Report::before_search(position)
        }
    }

    fn hints(
        &mut self,
        position: &Position,
        count: usize,
        limits: &Limits,
        tell: &mut dyn FnMut(&Report<Move>),
    ) {
        for mv in position.moves().into_iter().take(count) {
            tell(&Report {
                best: Some(mv),
                line: vec![mv],
                ..self.think(position, limits)
            });
        }
    }
}

fn gtp_answers(input: &str) -> (String, Vec<Option<Duration>>) {
    let mut engine = First::default();
    let mut output = Vec::new();
    gtp::run(
        input.as_bytes(),
        &mut output,
        &mut engine,
        Limits::default(),
    )
    .unwrap();
    (String::from_utf8(output).unwrap(), engine.given)
}

#[track_caller]
fn check_gtp(input: &str, expected: &str) {
    assert_eq!(gtp_answers(input).0, expected);
}

#[test]
fn gtp_administration() {
    check_gtp("1 protocol_version\n", "=1 2\n\n");
    check_gtp("name # a comment\n\n\n", "= Ludex\n\n");
    check_gtp("7 nonsense\n", "?7 unknown command\n\n");
    check_gtp(
        "known_command genmove\nknown_command x\n",
        "= true\n\n= false\n\n",
    );
    check_gtp(
        "boardsize 8\nboardsize 19\n",
        "=\n\n? unacceptable size\n\n",
    );
    check_gtp("play black\n", "? syntax error\n\n");
    check_gtp("quit\nname\n", "=\n\n");
    let (commands, _) = gtp_answers("list_commands\n");
    for command in commands.trim_start_matches("= ").trim_end().lines() {
        let (answer, _) = gtp_answers(&format!("{command}\n"));
        assert!(!answer.contains("unknown command"), "{command}: {answer}");
    }
}

#[test]
fn gtp_plays_by_the_rules() {
    check_gtp(
        "play black d3\nplay white d3\n",
        "=\n\n? illegal move d3 (the square is taken)\n\n",
    );
    check_gtp("play white c3\n", "? not the turn of white\n\n");
    check_gtp("play purple c3\n", "? \"purple\" is not a colour\n\n");
    check_gtp(
        "play b F5\ngenmove w\nundo\nundo\nundo\n",
        "=\n\n= f4\n\n=\n\n=\n\n? cannot undo\n\n",
    );
    check_gtp("reg_genmove black\ngenmove black\n", "= d3\n\n= d3\n\n");
    check_gtp("final_score\n", "? the game is not over\n\n");
    let (board, _) = gtp_answers("showboard\n");
    assert!(board.contains("\n4 . . . O X . . .\n"), "{board}");
    assert!(board.ends_with("Black to move\n\n"), "{board}");
}

#[test]
fn gtp_whole_game_has_a_score() {
    let turns = "genmove black\ngenmove white\n".repeat(64) + "final_score\n";
    let (answers, _) = gtp_answers(&turns);
    let score = answers.trim_end().rsplit('\n').next().unwrap();
    assert!(
        score.starts_with("= B+") || score.starts_with("= W+") || score == "= 0",
        "{score}"
    );
}

#[test]
fn gtp_clock_is_shared_out() {
    let given = |input: &str| gtp_answers(input).1[0];
    assert_eq!(given("genmove black\n"), None);
    let first = given("time_settings 300 0 0\ngenmove black\n").unwrap();
    assert!((3.0..=15.0).contains(&first.as_secs_f64()), "{first:?}");
    let overtime = given("time_settings 0 10 5\ngenmove black\n").unwrap();
    assert!(
        (1.5..=2.0).contains(&overtime.as_secs_f64()),
        "{overtime:?}"
    );
    let last = given("time_settings 300 0 0\ntime_left black 0.04 0\ngenmove black\n").unwrap();
    assert!(last < Duration::from_millis(10), "{last:?}");
    assert_eq!(given("time_settings 0 1 0\ngenmove black\n"), None);
}

/// What a player of GTP is given for its last move, in milliseconds, if each takes so many.
#[track_caller]
fn given_last(takes: u64, input: &str) -> u128 {
    let clock = HeldTime::new(Duration::ZERO);
    let limits = Limits {
        time: Time::held(&clock),
        ..Limits::default()
    };
    let mut engine = First {
        takes: Some((Duration::from_millis(takes), clock)),
        ..First::default()
    };
    gtp::run(input.as_bytes(), Vec::new(), &mut engine, limits).unwrap();
    engine.given.last().unwrap().unwrap().as_millis()
}

#[test]
fn gtp_counts_its_own_time() {
    let game = |moves, before_last: &str| {
        "genmove b\ngenmove w\n".repeat(moves) + before_last + "genmove b\n"
    };
    let main =
        |takes, game: String| given_last(takes, &("time_settings 100 0 0\n".to_owned() + &game));
    let left = |time| main(0, game(4, &format!("time_left b {time} 0\n")));
    assert_ne!(left("90"), left("90.2"));
    // Nobody says what is left.
    assert_eq!(main(2500, game(4, "")), left("90"));
    // What somebody says is rounded.
    assert_eq!(main(2450, game(4, "time_left b 90 0\n")), left("90.2"));
    assert_eq!(main(2450, game(4, "time_left b 91 0\n")), left("90.2"));
    // It is not, or the way of the answers took its time.
    assert_eq!(main(2450, game(4, "time_left b 90.5 0\n")), left("90.5"));
    assert_eq!(main(2450, game(4, "time_left b 89 0\n")), left("89"));
    // A new game has a new clock.
    assert_eq!(main(2500, game(4, "clear_board\n")), main(0, game(0, "")));
}

#[test]
fn gtp_overtime_follows_the_main_time() {
    let given = |moves| {
        let moves = "genmove b\ngenmove w\n".repeat(moves) + "genmove b\n";
        given_last(2500, &("time_settings 6 10 2\n".to_owned() + &moves))
    };
    // The third move takes a second and a half of the overtime; after the fourth it begins anew.
    assert_eq!(
        (3..=6).map(given).collect::<Vec<_>>(),
        [8450, 4990, 7450, 4990]
    );
    // A rounded main time says nothing about the overtime.
    let rounded = "time_settings 3 10 2\ngenmove b\ngenmove w\ntime_left b 0 0\n";
    let moves = "genmove b\ngenmove w\ngenmove b\n";
    assert_eq!(given_last(2500, &format!("{rounded}{moves}")), 7950);
}

#[track_caller]
fn check_nboard(input: &str, expected: &str) {
    let mut output = Vec::new();
    let limits = Limits::default();
    let input = std::io::Cursor::new(input.as_bytes().to_vec());
    nboard::run(input, &mut output, &mut First::default(), limits).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

const GAME: &str = "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)";

#[test]
fn nboard_session() {
    let version = env!("CARGO_PKG_VERSION");
    check_nboard(
        &format!("nboard 2\nset depth 6\nset game {GAME}\nping 3\n"),
        &format!("set myname Ludex {version}\npong 3\n"),
    );
    check_nboard(
        &format!("set game {GAME}\ngo\n"),
        "status Ludex is thinking\nnodestats 7 0.00\n=== D3/1.50/0.00\nstatus\n",
    );
    check_nboard(
        "set depth 4\nmove F5/0.5/2\nhint 2\n",
        "status Ludex is thinking\nsearch F4 1.50 0 4@73%\nsearch D6 1.50 0 4@73%\nnodestats 7 0.00\nstatus\n",
    );
    check_nboard("learn\n", "learned\nstatus\n");
    check_nboard(
        "move f5\nanalyze\n",
        "status Ludex is analysing\nanalysis 1 -1.50\nanalysis 0 1.50\nstatus\n",
    );
}

#[test]
fn nboard_bad_input_is_said_and_survived() {
    check_nboard(
        "frob\nping 1\n",
        "status error: unknown command \"frob\"\npong 1\n",
    );
    check_nboard(
        "move a1\n",
        "status error: illegal move a1 (not adjacent to a white disc)\n",
    );
    check_nboard("set depth x\n", "status error: \"x\" is not a depth\n");
    check_nboard(
        "set game (;\n",
        "status error: ggf: the game does not end in ;)\n",
    );
    check_nboard("quit\nping 1\n", "");
}

/// Notes whether it is to stop each time that it is asked, once all that comes at once was read.
struct Watcher {
    all_read: Arc<AtomicBool>,
    stopped: Vec<bool>,
}

impl ProtocolEngine for Watcher {
    fn think(&mut self, position: &Position, _limits: &Limits) -> Report<Move> {
        Report::before_search(position)
    }

    fn hints(
        &mut self,
        _position: &Position,
        _count: usize,
        limits: &Limits,
        _tell: &mut dyn FnMut(&Report<Move>),
    ) {
        wait_for(&self.all_read);
        let stop = limits.stop.as_ref().unwrap();
        self.stopped.push(stop.load(Ordering::Relaxed));
    }
}

/// Waits as long as only a hang can last.
#[track_caller]
fn wait_for(flag: &AtomicBool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !flag.load(Ordering::Relaxed) {
        assert!(Instant::now() < until, "nothing happens");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Input that comes at once, and notes that all of it was read. Its end stops nothing.
struct Pending {
    text: &'static [u8],
    all_read: Arc<AtomicBool>,
}

impl Read for Pending {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(buffer)?;
        if count == 0 {
            self.all_read.store(true, Ordering::Relaxed);
        }
        Ok(count)
    }
}

/// A ping stops what comes before it, also if an earlier one is answered meanwhile; what only looks
/// like one does not.
#[test]
fn nboard_pings_are_not_lost() {
    let all_read = Arc::new(AtomicBool::new(false));
    let text = "hint 1\nping 1\nhint 1\nping 2\npingx\nhint 1\nquit\n";
    let input = Pending {
        text: text.as_bytes(),
        all_read: all_read.clone(),
    };
    let mut engine = Watcher {
        all_read,
        stopped: Vec::new(),
    };
    let input = BufReader::new(input);
    nboard::run(input, Vec::new(), &mut engine, Limits::default()).unwrap();
    assert_eq!(engine.stopped, [true, true, false]);
}
