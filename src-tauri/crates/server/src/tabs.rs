//! The tabs and people with access. Both are saved across server restarts.
//!
//! A tab's token is `ID.SECRET`. The server stores the id and the secret's SHA-256 hash, the *verifier*, in
//! memory and in a file (mode 0600) for each port or public origin. The file contains no token. With the
//! file, a restarted server recognizes its tabs and proves its identity to them. A starting server drops
//! tabs that were unused for more than [`UNUSED_MAX`].
//!
//! A tab belongs to the user of this machine or to a named person. For a person's unused link, the file
//! contains only the verifier.

use crate::{
    people::{Holder, NameError, WhoseLink, check_name},
    secret,
};
use bc_store::{FileError, file};
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::sync::watch;

/// The time after which an unused tab loses its access; checked when a server starts.
const UNUSED_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How far the saved time of the last use may lag behind, so that not every request writes the file.
const LAST_USE_LAG: Duration = Duration::from_secs(60 * 60);

/// The maximum number of tabs for the user, and for each person. If it is exceeded, the least recently used
/// tabs lose their access.
const TABS_MAX: usize = 64;

/// The maximum number of people with access.
const PEOPLE_MAX: usize = 64;

/// The file's version. It differs from the version without people, so that an older program rejects the file.
/// Otherwise, that program would treat a person's tab as the user's own.
const VERSION: u32 = 2;

/// The version without people, which can still be read.
const VERSION_OF_ONE_USER: u32 = 1;

/// The length of a nonce, in hexadecimal digits.
const NONCE: usize = 64;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Tab {
    id: String,
    verifier: String,
    /// The time of the last use, in seconds since the Unix epoch.
    used: u64,
    /// The person; `None` for the user of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    person: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Person {
    name: String,
    /// The verifier of the unused link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
}

#[derive(Default, Serialize, Deserialize)]
struct TabsFile {
    version: u32,
    tabs: Vec<Tab>,
    #[serde(default)]
    people: Vec<Person>,
}

/// A person with access, and the signal that closes their connections.
struct Member {
    person: Person,
    revoked: watch::Sender<bool>,
}

/// The reason that a person cannot get a link.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PeopleError {
    #[error("{0}")]
    Name(#[from] NameError),
    #[error("{PEOPLE_MAX} people have access already: revoke the access of one first")]
    Full,
    #[error("no person with this name has access")]
    Unknown,
    #[error("the change could not be saved: {0}")]
    File(#[source] FileError),
    #[error("the system provided no random numbers for the link: {0}")]
    Random(getrandom::Error),
}

pub(crate) struct Tabs {
    file: Option<PathBuf>,
    state: Mutex<State>,
    /// The source of receivers for the user's tabs. It never sends, because the access of this machine's user
    /// is never revoked.
    own: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    tabs: Vec<Tab>,
    members: Vec<Member>,
}

impl State {
    fn member(&mut self, name: &str) -> Option<&mut Member> {
        // Names are compared case-insensitively, because names that differ only in case are easily confused.
        let name = name.to_lowercase();
        self.members.iter_mut().find(|member| member.person.name.to_lowercase() == name)
    }
}

impl Tabs {
    /// Reads an earlier server's tabs and people from this file. A missing or unreadable file counts as
    /// empty.
    pub(crate) fn kept_in(file: Option<PathBuf>) -> Tabs {
        let read = || serde_json::from_slice::<TabsFile>(&file::read(file.as_deref()?).ok()??).ok();
        let kept = read().filter(|file| matches!(file.version, VERSION | VERSION_OF_ONE_USER));
        let TabsFile { mut tabs, people, .. } = kept.unwrap_or_default();
        let now = seconds();
        tabs.retain(|tab| {
            let has_access = |name: &String| people.iter().any(|person| person.name == *name);
            let is_recent = now.saturating_sub(tab.used) <= UNUSED_MAX.as_secs();
            is_recent && tab.person.as_ref().is_none_or(has_access)
        });
        let members = people.into_iter().map(|person| Member { person, revoked: watch::Sender::new(false) });
        let state = State { tabs, members: members.collect() };
        Tabs { file, state: Mutex::new(state), own: watch::Sender::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a tab for the user or for a person. Returns the tab's token. Blocks while it saves the tab; if
    /// that fails, the tab has access only until the server exits.
    pub(crate) fn grant(&self, person: Option<String>) -> Result<String, getrandom::Error> {
        self.grant_in(&mut self.lock(), person)
    }

    fn grant_in(&self, state: &mut State, person: Option<String>) -> Result<String, getrandom::Error> {
        let (id, secret) = (secret::random()?.split_off(48), secret::random()?);
        state.tabs.sort_by_key(|tab| std::cmp::Reverse(tab.used));
        let mut of_person = 0;
        state.tabs.retain(|tab| {
            of_person += usize::from(tab.person == person);
            tab.person != person || of_person < TABS_MAX
        });
        state.tabs.push(Tab { id: id.clone(), verifier: secret::digest(&secret), used: seconds(), person });
        self.save_or_warn(state);
        Ok(format!("{id}.{secret}"))
    }

    /// Returns the holder of this token, or `None` if the token is invalid. Blocks at most once per hour and
    /// tab, to record the tab's use.
    pub(crate) fn holder(&self, token: &str) -> Option<Holder> {
        let (id, given) = token.split_once('.')?;
        let verifier = secret::digest(given);
        let mut state = self.lock();
        let tab = state.tabs.iter_mut().find(|tab| tab.id == id && secret::same(&tab.verifier, &verifier))?;
        let (now, person) = (seconds(), tab.person.clone());
        if now.saturating_sub(tab.used) > LAST_USE_LAG.as_secs() {
            tab.used = now;
            self.save_or_warn(&state);
        }
        let signal = match &person {
            Some(name) => state.member(name)?.revoked.subscribe(),
            None => self.own.subscribe(),
        };
        Some(Holder { person, signal })
    }

    /// Proves to the tab with this id that this server has its verifier. The proof is the digest of
    /// `VERIFIER.NONCE`, which does not reveal the verifier. Returns `None` for a tab without access or an
    /// invalid nonce.
    pub(crate) fn proof(&self, id: &str, nonce: &str) -> Option<String> {
        let is_nonce = nonce.len() == NONCE && nonce.bytes().all(|byte| byte.is_ascii_hexdigit());
        let state = self.lock();
        let tab = state.tabs.iter().find(|tab| tab.id == id).filter(|_| is_nonce)?;
        Some(secret::digest(&format!("{}.{nonce}", tab.verifier)))
    }

    /// Creates a new link for a person, which replaces the person's unused link. Returns the name in its
    /// original spelling, and the link's secret. Blocks until the change is on disk.
    pub(crate) fn link_for(&self, whose: WhoseLink<'_>) -> Result<(String, String), PeopleError> {
        let (WhoseLink::Known(name) | WhoseLink::KnownOrNew(name)) = whose;
        let name = check_name(name)?;
        let secret = secret::random().map_err(PeopleError::Random)?;
        let mut state = self.lock();
        if state.member(name).is_none() {
            if matches!(whose, WhoseLink::Known(_)) {
                return Err(PeopleError::Unknown);
            }
            if state.members.len() >= PEOPLE_MAX {
                return Err(PeopleError::Full);
            }
            let person = Person { name: name.into(), link: None };
            state.members.push(Member { person, revoked: watch::Sender::new(false) });
        }
        let member = state.member(name).expect("it was added if it was missing");
        member.person.link = Some(secret::digest(&secret));
        let name = member.person.name.clone();
        self.save(&state).map_err(PeopleError::File)?;
        Ok((name, secret))
    }

    /// Exchanges the secret of a person's unused link for a new tab's token. Afterwards the link is invalid.
    /// Returns `None` if no link has this secret. Blocks while it saves the change.
    pub(crate) fn exchange(&self, given: &str) -> Result<Option<String>, getrandom::Error> {
        let verifier = secret::digest(given);
        let mut state = self.lock();
        let used = state.members.iter_mut().find_map(|Member { person, .. }| {
            person.link.take_if(|link| secret::same(link, &verifier)).map(|_| person.name.clone())
        });
        used.map(|name| self.grant_in(&mut state, Some(name))).transpose()
    }

    /// The people's names, and whether each person has an unused link.
    pub(crate) fn people(&self) -> Vec<(String, bool)> {
        let members = &self.lock().members;
        members.iter().map(|Member { person, .. }| (person.name.clone(), person.link.is_some())).collect()
    }

    /// Revokes the access of a person's tabs, link and open connections. Returns the person's name, or `None`
    /// if there is no person with this name. Blocks until the change is on disk.
    ///
    /// # Errors
    /// The change cannot be saved. The access is revoked until the server exits.
    pub(crate) fn revoke(&self, name: &str) -> Result<Option<String>, FileError> {
        let mut state = self.lock();
        let Some(name) = state.member(name.trim()).map(|member| member.person.name.clone()) else {
            return Ok(None);
        };
        state.tabs.retain(|tab| tab.person.as_ref() != Some(&name));
        let at = state.members.iter().position(|member| member.person.name == name);
        let member = state.members.remove(at.expect("it was found above"));
        // The access is revoked in this process even if the change cannot be saved.
        member.revoked.send_replace(true);
        self.save(&state)?;
        Ok(Some(name))
    }

    fn save_or_warn(&self, state: &State) {
        if let Err(error) = self.save(state) {
            // The tabs keep their access until this server exits.
            eprintln!(
                "beads-console: after a restart of this server, its open tabs need a new link: {error}"
            );
        }
    }

    fn save(&self, state: &State) -> Result<(), FileError> {
        let Some(path) = &self.file else { return Ok(()) };
        let people = state.members.iter().map(|member| member.person.clone()).collect();
        let kept = TabsFile { version: VERSION, tabs: state.tabs.clone(), people };
        let text = serde_json::to_vec(&kept).expect("it has only text keys");
        path.parent().map_or(Ok(()), file::create_dir)?;
        file::replace(path, &text)
    }
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Tabs {
        fn has(&self, token: &str) -> bool {
            self.holder(token).is_some()
        }
    }

    fn in_folder(folder: &tempfile::TempDir) -> Tabs {
        Tabs::kept_in(Some(folder.path().join("server/tabs-4100.json")))
    }

    #[test]
    fn a_tab_keeps_its_access_across_a_restart_and_the_file_contains_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let before = in_folder(&folder);
        let (one, other) = (before.grant(None).unwrap(), before.grant(None).unwrap());
        let after = in_folder(&folder);
        assert!(after.has(&one) && after.has(&other));
        let file = std::fs::read_to_string(folder.path().join("server/tabs-4100.json")).unwrap();
        for token in [&one, &other] {
            let (id, secret) = token.split_once('.').unwrap();
            assert!(file.contains(id) && !file.contains(secret));
            let (cut, longer) = (&token[..token.len() - 1], format!("{token}0"));
            for wrong in [cut, &longer, id, secret, &format!("{id}."), &format!(".{secret}"), "", "."] {
                assert!(!after.has(wrong), "{wrong:?}");
            }
        }
        let mixed = format!("{}.{}", &one[..16], other.split_once('.').unwrap().1);
        assert!(!after.has(&mixed));
        // The verifier in the file is not accepted as a secret.
        let verifier = secret::digest(one.split_once('.').unwrap().1);
        assert!(file.contains(&verifier) && !after.has(&format!("{}.{verifier}", &one[..16])));
    }

    #[cfg(unix)]
    #[test]
    fn only_this_user_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        in_folder(&folder).grant(None).unwrap();
        let file = folder.path().join("server/tabs-4100.json");
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_server_proves_itself_only_to_known_tabs() {
        let tabs = Tabs::kept_in(None);
        let token = tabs.grant(None).unwrap();
        let (id, secret) = token.split_once('.').unwrap();
        let nonce = "0f".repeat(32);
        let expected = secret::digest(&format!("{}.{nonce}", secret::digest(secret)));
        assert_eq!(tabs.proof(id, &nonce), Some(expected));
        for (id, nonce) in [("", nonce.as_str()), ("0123456789abcdef", &nonce), (id, ""), (id, &nonce[1..])] {
            assert_eq!(tabs.proof(id, nonce), None, "{id} {nonce}");
        }
        assert_eq!(Tabs::kept_in(None).proof(id, &nonce), None);
    }

    #[test]
    fn unused_access_expires_and_damaged_files_grant_none() {
        let folder = tempfile::tempdir().unwrap();
        let token = in_folder(&folder).grant(None).unwrap();
        let path = folder.path().join("server/tabs-4100.json");
        let mut kept: TabsFile = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        kept.tabs[0].used -= UNUSED_MAX.as_secs() - 10;
        file::replace(&path, &serde_json::to_vec(&kept).unwrap()).unwrap();
        // Ten seconds before the access expires, it is still valid, and its use is recorded.
        assert!(in_folder(&folder).has(&token));
        let renewed: TabsFile = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert!(renewed.tabs[0].used > kept.tabs[0].used);
        kept.tabs[0].used -= 20;
        file::replace(&path, &serde_json::to_vec(&kept).unwrap()).unwrap();
        assert!(!in_folder(&folder).has(&token));
        for damaged in [&b""[..], b"{", b"[]", b"{\"version\":3,\"tabs\":[]}"] {
            file::replace(&path, damaged).unwrap();
            assert!(!in_folder(&folder).has(&token));
        }
    }

    #[test]
    fn over_the_limit_least_recently_used_tabs_lose_access() {
        let tabs = Tabs::kept_in(None);
        let first = tabs.grant(None).unwrap();
        tabs.lock().tabs[0].used -= 10;
        let second = tabs.grant(None).unwrap();
        for _ in 0..TABS_MAX - 1 {
            tabs.grant(None).unwrap();
        }
        assert!(!tabs.has(&first) && tabs.has(&second));
        assert_eq!(tabs.lock().tabs.len(), TABS_MAX);
    }

    #[test]
    fn a_persons_link_works_once_and_their_tabs_until_revocation() {
        let folder = tempfile::tempdir().unwrap();
        let tabs = in_folder(&folder);
        let own = tabs.grant(None).unwrap();
        let (name, replaced) = tabs.link_for(WhoseLink::KnownOrNew(" Ana ")).unwrap();
        let (same, link) = tabs.link_for(WhoseLink::KnownOrNew("ANA")).unwrap();
        assert_eq!((&*name, &*same), ("Ana", "Ana"));
        let (_, of_ben) = tabs.link_for(WhoseLink::KnownOrNew("Ben")).unwrap();
        // Links survive a restart, because their hashes are in the file.
        let tabs = in_folder(&folder);
        let file = std::fs::read_to_string(folder.path().join("server/tabs-4100.json")).unwrap();
        assert!(file.contains("Ana") && !file.contains(&link) && file.contains(&secret::digest(&link)));
        assert_eq!(tabs.exchange(&replaced).unwrap(), None);
        assert_eq!(tabs.exchange("").unwrap(), None);
        assert_eq!(tabs.exchange(&secret::digest(&link)).unwrap(), None);
        let tab = tabs.exchange(&link).unwrap().expect("it is her newest link");
        assert_eq!(tabs.exchange(&link).unwrap(), None);
        let ben = tabs.exchange(&of_ben).unwrap().unwrap();
        let holder = tabs.holder(&tab).unwrap();
        assert_eq!(holder.person.as_deref(), Some("Ana"));
        assert_eq!(tabs.holder(&own).unwrap().person, None);

        let (_, unused) = tabs.link_for(WhoseLink::KnownOrNew("Ana")).unwrap();
        assert_eq!(tabs.people(), [("Ana".into(), true), ("Ben".into(), false)]);
        assert_eq!(tabs.revoke("ana").unwrap().as_deref(), Some("Ana"));
        assert!(*holder.signal.borrow());
        assert_eq!(tabs.revoke("Ana").unwrap(), None);
        for tabs in [tabs, in_folder(&folder)] {
            assert!(!tabs.has(&tab) && tabs.has(&own) && tabs.has(&ben));
            assert_eq!(tabs.exchange(&unused).unwrap(), None);
        }
        // A link that Ana requests for herself does not restore her access.
        let tabs = in_folder(&folder);
        assert!(matches!(tabs.link_for(WhoseLink::Known("Ana")), Err(PeopleError::Unknown)));
        // A new person with the same name does not get the previous person's tabs.
        let tabs = in_folder(&folder);
        tabs.link_for(WhoseLink::KnownOrNew("Ana")).unwrap();
        assert!(!tabs.has(&tab) && !in_folder(&folder).has(&tab));
    }

    #[test]
    fn tabs_in_the_previous_versions_file_keep_their_access() {
        let folder = tempfile::tempdir().unwrap();
        let token = in_folder(&folder).grant(None).unwrap();
        let path = folder.path().join("server/tabs-4100.json");
        let mut kept: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        kept["version"] = 1.into();
        kept.as_object_mut().unwrap().remove("people");
        file::replace(&path, kept.to_string().as_bytes()).unwrap();
        assert!(in_folder(&folder).has(&token));
    }

    #[test]
    fn a_persons_many_tabs_do_not_displace_others() {
        let tabs = Tabs::kept_in(None);
        let own = tabs.grant(None).unwrap();
        tabs.link_for(WhoseLink::KnownOrNew("Ana")).unwrap();
        for _ in 0..=TABS_MAX {
            tabs.grant(Some("Ana".into())).unwrap();
        }
        assert!(tabs.has(&own));
        assert_eq!(tabs.lock().tabs.len(), TABS_MAX + 1);
    }

    #[test]
    fn a_revocation_that_cannot_be_saved_is_an_error_and_still_ends_access() {
        let folder = tempfile::tempdir().unwrap();
        let tabs = in_folder(&folder);
        let (_, link) = tabs.link_for(WhoseLink::KnownOrNew("Ana")).unwrap();
        let tab = tabs.exchange(&link).unwrap().unwrap();
        // A folder at the file's path makes saving fail.
        let path = folder.path().join("server/tabs-4100.json");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir_all(path.join("x")).unwrap();
        assert!(tabs.revoke("Ana").is_err());
        assert!(!tabs.has(&tab));
    }
}
