//! The programs that the owner of the server has registered in a file.

use std::path::{Path, PathBuf};

use referee::PlayerSpec;
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

/// Why a file of programs cannot be used.
#[derive(Debug, Error)]
pub enum ProgramsError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{}:{line}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// In which line, counted from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// More bytes than any list of programs has.
const LONGEST: u64 = 16 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    program: Vec<Spanned<PlayerSpec>>,
}

/// Reads a TOML file with a `[[program]]` for each: `name`, `kind`, `command`, and if need
/// be `folder` and `limits`. Requests name programs by their place in this list, so no
/// command ever comes from outside.
pub fn read_programs(path: &Path) -> Result<Vec<PlayerSpec>, ProgramsError> {
    let text = files::read_text(path, LONGEST).map_err(|source| ProgramsError::Read {
        path: path.into(),
        source,
    })?;
    parse(&text).map_err(|(line, message)| ProgramsError::Content {
        path: path.into(),
        line,
        message,
    })
}

/// The programs, or what is wrong in which line.
fn parse(text: &str) -> Result<Vec<PlayerSpec>, (usize, String)> {
    let line_of = |place: usize| 1 + text[..place].matches('\n').count();
    let file: File = toml::from_str(text).map_err(|error| {
        let place = error.span().map_or(0, |span| span.start);
        (line_of(place), error.message().to_owned())
    })?;
    let mut programs: Vec<PlayerSpec> = Vec::new();
    for entry in file.program {
        let line = line_of(entry.span().start);
        let program = entry.into_inner().named();
        if !program.kind.is_program() || program.command.0.is_empty() {
            return Err((line, format!("program {:?} has no command", program.name)));
        }
        referee::name(&program.name, tournament::LONGEST_NAME).map_err(|what| (line, what))?;
        let looks = |program: &PlayerSpec| referee::without_joiners(&program.name).into_owned();
        if programs.iter().any(|p| looks(p) == looks(&program)) {
            return Err((line, format!("two programs are called {:?}", program.name)));
        }
        programs.push(program);
    }
    Ok(programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_and_checked() {
        let text = "[[program]]\nname = \"mine\"\nkind = \"argv\"\ncommand = \"./mine --fast\"\n";
        assert_eq!(parse(text).unwrap()[0].command.0, ["./mine", "--fast"]);
        assert_eq!(parse("").unwrap(), []);
        let twice = parse(&text.repeat(2)).unwrap_err();
        assert_eq!(twice, (5, "two programs are called \"mine\"".into()));
        // Nobody sees the joiner after a letter that does not join the next one.
        let [plain, parted] = ["داد", "دا\u{200c}د"].map(|name| text.replace("mine", name));
        assert!(parse(&parted).is_ok());
        let (line, twice) = parse(&format!("{plain}{parted}")).unwrap_err();
        assert_eq!(line, 5);
        assert!(twice.starts_with("two programs are called"), "{twice}");
        assert!(parse("[[program]]\nkind = \"bot\"\nbot = \"random\"").is_err());
        let hidden = text.replace("mine\"\nkind", "mi\u{202e}ne\"\nkind");
        let (line, what) = parse(&hidden).unwrap_err();
        assert!(
            line == 1 && what.contains("cannot be shown"),
            "{line}: {what}"
        );
        assert!(parse("[[programme]]").unwrap_err().1.contains("programme"));
        let (line, what) = parse("[[program]]\nname = \"x\"\nkind = \"odd\"\n").unwrap_err();
        assert!(line == 3 && !what.contains('\n'), "{line}: {what}");
    }
}
