//! Files that only this program uses: `console/{name}.json`. If such a file is invalid, the next change renames it
//! with a warning and starts with the default value.

use crate::{FleetError, State, files::Kind};
use serde::{Serialize, de::DeserializeOwned};

impl State {
    /// Returns the value in the named file, or the default value if the file does not exist. An invalid file
    /// also yields the default value, with a warning.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn kept<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, FleetError> {
        Ok(self.read_at(self.path(Kind::Console, name))?.unwrap_or_default())
    }

    /// Changes the value in the named file, under the lock. An unchanged value is not written. `change` can
    /// run several times; its first run is always on the default value.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or the lock cannot be taken.
    pub fn keep<T>(&self, name: &str, mut change: impl FnMut(&mut T)) -> Result<T, FleetError>
    where
        T: Serialize + DeserializeOwned + Default + PartialEq,
    {
        let _lock = self.lock()?;
        let mut untouched = T::default();
        change(&mut untouched);
        if untouched == T::default() && !self.path(Kind::Console, name).exists() {
            return Ok(untouched);
        }
        self.change_or_restart(Kind::Console, name, &format!("console/{name}.json"), |kept: Option<T>| {
            let mut kept = kept.unwrap_or_default();
            change(&mut kept);
            Ok(kept)
        })
    }
}
