//! Every parser of the workspace on inputs that nobody would write.
//!
//! A target panics if a parser does, if what was read is written and read again differently,
//! or if an error is not one line.

mod forms;
mod games;
mod settings;
mod uploads;

/// How many inputs the test command tries on each parser.
const INPUTS: usize = 3000;

/// The answer of a parser: `ok`, or the error, which must be one line.
fn answer<T>(result: &Result<T, impl std::fmt::Display>) -> String {
    match result {
        Ok(_) => "ok".into(),
        Err(error) => {
            let error = error.to_string();
            assert_eq!(error.lines().count(), 1, "{error:?} is not one line");
            error
        }
    }
}
