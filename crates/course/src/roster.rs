//! Rosters: who takes part, as a CSV file with a line of headings.

use std::collections::{BTreeMap, BTreeSet};

use crate::store::Role;
use crate::time::Millis;

/// One line of a roster. What it does not say stays as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// How they are called.
    pub name: String,
    /// The id by which they log in.
    pub id: String,
    /// Where to write to; may be empty.
    pub email: Option<String>,
    /// The name of the team; empty for a team of one.
    pub team: Option<String>,
    /// How much longer than others, in milliseconds.
    pub extension: Option<Millis>,
    /// What they may do.
    pub role: Option<Role>,
}

impl Entry {
    /// Somebody of the staff.
    #[must_use]
    pub fn staff(name: &str, id: &str) -> Entry {
        Entry {
            name: name.into(),
            id: id.into(),
            email: None,
            team: None,
            extension: None,
            role: Some(Role::Staff),
        }
    }
}

const COLUMNS: [&str; 6] = ["name", "id", "e-mail", "team", "extension", "role"];

/// Reads a roster: columns `name` and `id`, and if wanted `e-mail`, `team`, `extension` (`2d 12h`)
/// and `role` (`student` or `staff`), in any order. An empty field says something, a column that is
/// not there does not. Errors begin with the number of the line.
pub fn read(text: &str) -> Result<Vec<Entry>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let headings = reader.headers().map_err(|error| format!("1: {error}"))?;
    let mut places = BTreeMap::new();
    for (place, heading) in headings.iter().enumerate() {
        let name = match heading.to_lowercase().as_str() {
            "email" | "mail" => "e-mail".into(),
            other => other.to_string(),
        };
        let Some(column) = COLUMNS.into_iter().find(|column| *column == name) else {
            let known = COLUMNS.join(", ");
            return Err(format!("1: there is no column {heading:?}, only {known}"));
        };
        if places.insert(column, place).is_some() {
            return Err(format!("1: two columns are called {column}"));
        }
    }
    for needed in ["name", "id"] {
        if !places.contains_key(needed) {
            return Err(format!("1: the column {needed} is missing"));
        }
    }
    let mut ids = BTreeSet::new();
    let mut entries = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| match error.position() {
            Some(position) => format!("{}: {error}", position.line()),
            None => error.to_string(),
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let field = |column: &str| {
            let place = places.get(column).copied();
            place.and_then(|place| record.get(place))
        };
        if record.iter().all(str::is_empty) {
            continue;
        }
        let entry = entry(&field).map_err(|message| format!("{line}: {message}"))?;
        if !ids.insert(entry.id.clone()) {
            return Err(format!("{line}: the id {:?} is given twice", entry.id));
        }
        entries.push(entry);
    }
    match entries.is_empty() {
        true => Err("1: the roster names nobody".into()),
        false => Ok(entries),
    }
}

fn entry<'a>(field: &dyn Fn(&str) -> Option<&'a str>) -> Result<Entry, String> {
    let [name, id] = ["name", "id"].map(|column| field(column).unwrap_or_default());
    let [email, team] = ["e-mail", "team"].map(field);
    for (what, text) in [
        ("name", name),
        ("id", id),
        ("e-mail", email.unwrap_or_default()),
        ("team", team.unwrap_or_default()),
    ] {
        // Names are spelled with joiners; by the others people and teams are told apart.
        let hides = match what {
            "name" => referee::hidden(text).next().is_some(),
            _ => text.contains(referee::is_hidden),
        };
        if hides || text.chars().count() > 100 {
            return Err(format!(
                "the {what} is not one line of up to 100 characters that can be seen"
            ));
        }
    }
    if name.is_empty() || id.is_empty() {
        let what = if name.is_empty() { "name" } else { "id" };
        return Err(format!("the {what} is missing"));
    }
    let extension = match field("extension") {
        None => None,
        Some("" | "0") => Some(0),
        Some(text) => {
            let time = humantime::parse_duration(text)
                .map_err(|error| format!("extension {text:?}: {error}; write it as 2d 12h"))?;
            Some(Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX / 4))
        }
    };
    let role = match field("role") {
        None => None,
        Some("" | "student") => Some(Role::Student),
        Some("staff") => Some(Role::Staff),
        Some(other) => return Err(format!("the role {other:?} is not student or staff")),
    };
    Ok(Entry {
        name: name.into(),
        id: id.into(),
        email: email.map(String::from),
        team: team.map(String::from),
        extension,
        role,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::HOUR;

    #[test]
    fn a_roster_is_read() {
        let text =
            "\u{feff}id,Name,Email,team,extension\n17,Anna Ek,a@x.se,red,2d 12h\n18, Bo ,,,\n\n";
        let entries = read(text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].name, "Anna Ek");
        assert_eq!(entries[0].extension, Some(60 * HOUR));
        assert_eq!(entries[1].name, "Bo");
        assert_eq!(entries[1].team.as_deref(), Some(""));
        assert_eq!(entries[1].role, None);
        let entries = read("name,id\nنیک\u{200c}بین,1\n").unwrap();
        assert_eq!(entries[0].name, "نیک\u{200c}بین");
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err(), expected);
    }

    #[test]
    fn mistakes_are_found_where_they_stand() {
        check("name\nAnna\n", "1: the column id is missing");
        check(
            "name,id,age\n",
            "1: there is no column \"age\", only name, id, e-mail, team, extension, role",
        );
        check("name,id\nAnna,1\nBo,1\n", "3: the id \"1\" is given twice");
        check("name,id\n,1\n", "2: the name is missing");
        check(
            "name,id\nAn\u{202e}na,1\n",
            "2: the name is not one line of up to 100 characters that can be seen",
        );
        check(
            "name,id\nA,نیک\u{200c}بین\n",
            "2: the id is not one line of up to 100 characters that can be seen",
        );
        check(
            "name,id,role\nA,1,boss\n",
            "2: the role \"boss\" is not student or staff",
        );
        check("name,id\n", "1: the roster names nobody");
    }
}
