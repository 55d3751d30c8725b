//! The programs that the owner of the server has registered in a file.

use std::path::{Path, PathBuf};

use referee::PlayerSpec;
use serde::Deserialize;
use thiserror::Error;

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
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    program: Vec<PlayerSpec>,
}

/// Reads a TOML file with a `[[program]]` for each: `name`, `kind`, `command`, and if need
/// be `folder` and `limits`. Requests name programs by their place in this list, so no
/// command ever comes from outside.
pub fn read_programs(path: &Path) -> Result<Vec<PlayerSpec>, ProgramsError> {
    let text = std::fs::read_to_string(path).map_err(|source| ProgramsError::Read {
        path: path.into(),
        source,
    })?;
    parse(&text).map_err(|message| ProgramsError::Content {
        path: path.into(),
        message,
    })
}

fn parse(text: &str) -> Result<Vec<PlayerSpec>, String> {
    let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
    let programs: Vec<PlayerSpec> = file.program.into_iter().map(PlayerSpec::named).collect();
    for (number, program) in programs.iter().enumerate() {
        if !program.kind.is_program() || program.command.0.is_empty() {
            return Err(format!("program {:?} has no command", program.name));
        }
        if programs[..number].iter().any(|p| p.name == program.name) {
            return Err(format!("two programs are called {:?}", program.name));
        }
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
        assert!(parse(&text.repeat(2)).unwrap_err().contains("two programs"));
        assert!(parse("[[program]]\nkind = \"bot\"\nbot = \"random\"").is_err());
        assert!(parse("[[programme]]").unwrap_err().contains("programme"));
    }
}
