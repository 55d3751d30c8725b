//! Tables that lie about, for players and solvers to use.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use gipf::{Move, Position, Variant};

use super::table::{Table, Value};

/// The variable that says where tables are: folders, separated as in `PATH`. Without it
/// they are looked for in the current folder.
pub const TABLES_VARIABLE: &str = "LUDEX_TABLES";

/// Where tables are looked for: in the folders that the variable lists, or in the current one.
#[must_use]
pub fn usual_folders(variable: Option<&OsStr>) -> Vec<PathBuf> {
    match variable {
        Some(folders) => std::env::split_paths(folders).collect(),
        None => vec![PathBuf::from(".")],
    }
}

/// What the folder of a variant's table is called.
#[must_use]
pub fn folder_name(variant: Variant) -> String {
    format!("gipf-{}.table", variant.to_string().replace(' ', "-"))
}

/// The variant that a folder's name stands for.
fn variant_of(name: &OsStr) -> Option<Variant> {
    let name = name.to_str()?.strip_prefix("gipf-")?;
    let variant = name.strip_suffix(".table")?.replace('-', " ");
    variant.parse().ok()
}

/// Finished tables of small variants. They are opened when they are first asked, and those
/// that cannot be opened are as good as missing: a game goes on without them. The default
/// has none; tables that are made later can be added, and all who share the library have them.
#[derive(Default)]
pub struct Library {
    tables: RwLock<Vec<(Variant, LazyTable)>>,
}

type Opened = Option<Arc<Table>>;
type LazyTable = Arc<LazyLock<Opened, Box<dyn FnOnce() -> Opened + Send>>>;

impl Library {
    /// The tables in these folders, under their usual names.
    pub fn new<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Library {
        let mut found: Vec<(Variant, PathBuf)> = folders
            .into_iter()
            .filter_map(|folder| folder.as_ref().read_dir().ok())
            .flat_map(|entries| entries.flatten())
            .filter_map(|entry| Some((variant_of(&entry.file_name())?, entry.path())))
            .collect();
        // The same answers whatever the order on the disk.
        found.sort_by_key(|(variant, path)| (variant.to_string(), path.clone()));
        let tables = found
            .into_iter()
            .map(|(variant, path)| (variant, lazy(move || Table::open(&path).ok().map(Arc::new))))
            .collect();
        Library {
            tables: RwLock::new(tables),
        }
    }

    /// Adds a table, for all who share this library.
    pub fn add(&self, table: Arc<Table>) {
        let variant = table.variant();
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let known = |(known, lazy): &(Variant, LazyTable)| *known == variant && lazy.is_some();
        if !tables.iter().any(known) {
            tables.push((variant, lazy(move || Some(table))));
        }
    }

    /// Every move with its value for the player who makes it, the best first, if some table
    /// has the position and the game is not over.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Option<Vec<(Move, Value)>> {
        self.with_rules_of(position)
            .into_iter()
            .filter(|table| table.value(position).is_some())
            .map(|table| table.moves(position))
            .find(|moves| !moves.is_empty())
    }

    /// The value of a position, if some table has it.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.with_rules_of(position)
            .iter()
            .find_map(|table| table.value(position))
    }

    /// The tables for a position's board and run length.
    fn with_rules_of(&self, position: &Position) -> Vec<Arc<Table>> {
        let rules = |variant: Variant| (variant.size(), variant.run());
        let wanted = rules(position.variant());
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let mut fitting = tables.clone();
        drop(tables);
        fitting.retain(|(variant, _)| rules(*variant) == wanted);
        fitting
            .iter()
            .filter_map(|(_, table)| (**table).clone())
            .collect()
    }
}

fn lazy(open: impl FnOnce() -> Opened + Send + 'static) -> LazyTable {
    Arc::new(LazyLock::new(Box::new(open)))
}
