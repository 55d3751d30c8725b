//! What players may use beside their own code: folders with tables.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What players may use beside their own code, passed down from the command line. Clones
/// share what has been opened; the default has no folder and opens nothing.
#[derive(Clone, Default)]
pub struct Resources {
    folders: Arc<[PathBuf]>,
    opened: Arc<Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>,
}

impl Resources {
    /// Tables are looked for in these folders.
    pub fn new<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Resources {
        Resources {
            folders: folders
                .into_iter()
                .map(|folder| folder.as_ref().to_path_buf())
                .collect(),
            opened: Arc::default(),
        }
    }

    /// What `open` makes of the folders: made once, then shared by all who ask for this type.
    pub fn open<T: Send + Sync + 'static>(&self, open: impl FnOnce(&[PathBuf]) -> T) -> Arc<T> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = opened
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(open(&self.folders)))
            .clone();
        drop(opened);
        shared
            .downcast()
            .expect("entries have the type of their key")
    }
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resources")
            .field("folders", &self.folders)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_is_shared() {
        let resources = Resources::new(["a", "b"]);
        let first = resources.open(|folders| folders.len());
        let second = resources.clone().open(|_| -> usize { unreachable!() });
        assert_eq!((*first, *second), (2, 2));
        assert_eq!(
            *resources.open(|folders| folders[0].clone()),
            Path::new("a")
        );
    }
}
