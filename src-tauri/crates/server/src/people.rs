//! The people with access: their names, the holder of a token, and their open tabs.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};
use tokio::sync::watch;

/// The maximum length of a name, in characters.
const NAME_MAX: usize = 40;

/// The reason that a name is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    #[error("a name has 1 to {NAME_MAX} characters")]
    Length,
    #[error("a name cannot contain /, \\, quotation marks, control characters or start with -")]
    Character,
}

/// Returns the name without surrounding spaces, if it is allowed. The name is also used for the person's
/// actor in the tracker.
pub(crate) fn check_name(name: &str) -> Result<&str, NameError> {
    let name = name.trim();
    // Characters that have no width or change the text's direction.
    let is_hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | '"' | '\'') || is_hidden(c);
    match name.chars().count() {
        0 => Err(NameError::Length),
        length if length > NAME_MAX => Err(NameError::Length),
        _ if name.starts_with('-') || name.chars().any(forbidden) => Err(NameError::Character),
        _ => Ok(name),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhoseLink<'a> {
    /// A person who must already have access. A person's own request must not restore access that was revoked
    /// in the meantime.
    Known(&'a str),
    /// A person who has access, or who gets it with this link.
    KnownOrNew(&'a str),
}

/// The holder of a valid token.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    /// The person; `None` means the user of this machine.
    pub(crate) person: Option<String>,
    /// Becomes true when the person's access is revoked.
    pub(crate) signal: watch::Receiver<bool>,
}

impl Holder {
    /// Waits until the access is revoked.
    pub(crate) fn revoked(&self) -> impl Future<Output = ()> + use<> {
        let mut signal = self.signal.clone();
        async move {
            // An error means that the sender was dropped, after a revocation or at the end of the server.
            let _ = signal.wait_for(|revoked| *revoked).await;
        }
    }
}

/// Counts each person's open tabs. A tab is open while it receives events.
#[derive(Default)]
pub(crate) struct Presence {
    tabs: Mutex<BTreeMap<Option<String>, u32>>,
    changed: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

/// One open tab, which counts until this value is dropped.
pub(crate) struct Present {
    all: Arc<Presence>,
    person: Option<String>,
}

impl Presence {
    /// Sets the function that is called when a person's number of tabs changes from or to 0, and by
    /// [`Presence::tell`]. Only the first call to this method has an effect.
    pub(crate) fn on_change(&self, tell: impl Fn() + Send + Sync + 'static) {
        let _ = self.changed.set(Box::new(tell));
    }

    /// Reports that the list of people has changed.
    pub(crate) fn tell(&self) {
        if let Some(tell) = self.changed.get() {
            tell();
        }
    }

    /// Registers an open tab.
    pub(crate) fn enter(self: &Arc<Self>, person: Option<String>) -> Present {
        if self.count(person.clone(), |tabs| tabs + 1) == 1 {
            self.tell();
        }
        Present { all: Arc::clone(self), person }
    }

    /// The number of a person's open tabs.
    pub(crate) fn tabs(&self, person: Option<&String>) -> u32 {
        let tabs = self.tabs.lock().unwrap_or_else(PoisonError::into_inner);
        tabs.get(&person.cloned()).copied().unwrap_or_default()
    }

    fn count(&self, person: Option<String>, change: impl Fn(u32) -> u32) -> u32 {
        let mut tabs = self.tabs.lock().unwrap_or_else(PoisonError::into_inner);
        let count = tabs.entry(person.clone()).or_default();
        *count = change(*count);
        let now = *count;
        if now == 0 {
            tabs.remove(&person);
        }
        now
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        if self.all.count(self.person.take(), |tabs| tabs.saturating_sub(1)) == 0 {
            self.all.tell();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_name_is_short_and_has_no_hidden_or_special_characters() {
        for good in ["Ana", " Ana ", "Ana María Pérez", "李雷", "a", &"x".repeat(NAME_MAX)] {
            assert_eq!(check_name(good), Ok(good.trim()), "{good}");
        }
        for (bad, why) in [
            ("", NameError::Length),
            ("  ", NameError::Length),
            (&*"x".repeat(NAME_MAX + 1), NameError::Length),
            ("ana/3f25a1b2", NameError::Character),
            ("-ana", NameError::Character),
            ("a\u{1b}[2J", NameError::Character),
            ("a\nb", NameError::Character),
            ("a\u{202e}b", NameError::Character),
            ("\"a\"", NameError::Character),
        ] {
            assert_eq!(check_name(bad), Err(why), "{bad:?}");
        }
    }

    #[test]
    fn only_the_first_and_the_last_tab_of_a_person_are_changes() {
        let (all, changes) = (Arc::new(Presence::default()), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&changes);
        all.on_change(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        let ana = "Ana".to_owned();
        let (one, two, own) = (all.enter(Some(ana.clone())), all.enter(Some(ana.clone())), all.enter(None));
        assert_eq!((all.tabs(Some(&ana)), all.tabs(None), changes.load(Ordering::SeqCst)), (2, 1, 2));
        drop(one);
        assert_eq!((all.tabs(Some(&ana)), changes.load(Ordering::SeqCst)), (1, 2));
        drop((two, own));
        assert_eq!((all.tabs(Some(&ana)), all.tabs(None), changes.load(Ordering::SeqCst)), (0, 0, 4));
    }
}
