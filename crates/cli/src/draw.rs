//! `ludex draw`: a board as a picture or as text.

use std::io::Write;
use std::path::PathBuf;

use ::draw::SvgStyle;
use games::GameName;

use crate::error::bad_input;
use crate::{board, input};

/// Draw a position, in the terminal or as an SVG picture
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex draw gipf start
  ludex draw reversi start --move d3 --svg board.svg
  ludex draw mmpawns start --svg - > board.svg")]
pub(crate) struct Args {
    #[arg(help = input::games())]
    game: GameName,
    /// The position in one line; `-` reads it from standard input [default: the start]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Play this move first and mark it; may be given several times
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    /// Mark the places where a move can begin
    #[arg(long)]
    legal: bool,
    /// Write an SVG picture to this file, or to standard output if it is `-`
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// A picture for dark pages
    #[arg(long, requires = "svg")]
    dark: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut position = input::position(args.game, args.position.as_deref())?;
    let mut scene = board::scene(&position);
    for mv in &args.moves {
        scene = board::scene_after(&position, mv);
        position
            .play(mv)
            .map_err(|error| bad_input(format!("--move: {error}")))?;
    }
    if !args.legal {
        scene.marks.legal.clear();
    }
    let mut out = std::io::stdout().lock();
    let Some(path) = &args.svg else {
        out.write_all(::draw::text(&scene, board::text_style()).as_bytes())?;
        return Ok(());
    };
    let style = SvgStyle {
        dark: args.dark,
        title: format!("{} position {position}", args.game),
        ..SvgStyle::default()
    };
    let picture = ::draw::svg(&scene, &style);
    if path.as_os_str() == "-" {
        out.write_all(picture.as_bytes())?;
    } else {
        input::write_file(path, picture)?;
    }
    Ok(())
}
