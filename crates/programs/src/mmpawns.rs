//! The MMPawns program: reads `matrix.txt`, makes one move, rewrites the file.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use cpu_time::ProcessTime;
use mmpawns::matrix::{Mark, Matrix};
use mmpawns_engine::{Player, Sizes, budget};
use rules::Game;
use search::Limits;

/// The file that the programs of both players read and write.
pub const FILE: &str = "matrix.txt";

/// Why no move was made; the file is as it was.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read or written.
    File(io::Error),
    /// Something is wrong in this line of the file.
    Line(usize, String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(error) => write!(f, "{FILE}: {error}"),
            Error::Line(line, what) => write!(f, "{FILE}:{line}: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::File(error)
    }
}

/// Makes one move in the file of this folder.
pub fn run(folder: &Path) -> Result<(), Error> {
    // Opened for writing from the start: a move that cannot be written is not thought about.
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(folder.join(FILE))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let matrix = Matrix::read(&bytes).map_err(|e| Error::Line(e.line, e.what))?;
    check_open(&matrix)?;
    let position = &matrix.position;
    let left = matrix.accounts[position.side_to_move().index()].seconds;
    let time = budget(left, position.number());
    let limits = Limits::default().with_cpu(time);
    let report = Player::new(Sizes::for_time(time)).choose(position, &limits);
    let mv = report
        .best
        .unwrap_or_else(|| unreachable!("an open game has a move"));
    let used = ProcessTime::now().as_duration().as_secs_f64();
    rewrite(&mut file, &matrix.after(mv, used).write())?;
    Ok(())
}

/// The game must go on, by the file and by the rules.
fn check_open(matrix: &Matrix) -> Result<(), Error> {
    let by_rules = Mark::of(matrix.position.outcome());
    let over = if matrix.result == Mark::U {
        by_rules
    } else {
        matrix.result
    };
    let how = match over {
        Mark::U => return Ok(()),
        Mark::D => "drawn".to_owned(),
        mark => format!("won by {}", mark.letter()),
    };
    Err(Error::Line(1, format!("the game is over, {how}")))
}

/// Puts the bytes in place of the old ones: one write, then the right length.
fn rewrite(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}
