//! The tabs that have access, kept across restarts of the server.
//!
//! A tab's token is `ID.SECRET`. The server keeps the id and the secret's SHA-256, the *verifier*: in memory,
//! and in a file of this user (0600), one for each port. The file lets a restarted server recognise its tabs and
//! prove its identity to them; it contains no token. Unused access expires after [`UNUSED_MAX`].

use crate::secret;
use bc_store::file;
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// How long an unused tab keeps its access.
const UNUSED_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The precision of the last use in the file.
const USED_WITHIN: Duration = Duration::from_secs(60 * 60);

/// The maximum number of tabs; beyond it, the least recently used ones lose their access.
const TABS_MAX: usize = 64;

/// The version of the file.
const VERSION: u32 = 1;

/// The length of a nonce, in hexadecimal digits.
const NONCE: usize = 64;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Tab {
    id: String,
    verifier: String,
    /// In seconds since 1970.
    used: u64,
}

#[derive(Serialize, Deserialize)]
struct TabsFile {
    version: u32,
    tabs: Vec<Tab>,
}

/// The tabs that have access to this server.
pub(crate) struct Tabs {
    file: Option<PathBuf>,
    tabs: Mutex<Vec<Tab>>,
}

impl Tabs {
    /// The tabs with access to the last server of this file; none if it is missing or unreadable.
    pub(crate) fn kept_in(file: Option<PathBuf>) -> Tabs {
        let read = || serde_json::from_slice::<TabsFile>(&file::read(file.as_deref()?).ok()??).ok();
        let mut tabs =
            read().filter(|file| file.version == VERSION).map(|file| file.tabs).unwrap_or_default();
        let now = seconds();
        tabs.retain(|tab| now.saturating_sub(tab.used) <= UNUSED_MAX.as_secs());
        tabs.truncate(TABS_MAX);
        Tabs { file, tabs: Mutex::new(tabs) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Tab>> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The token of a new tab. Blocks until it is on disk.
    pub(crate) fn grant(&self) -> Result<String, getrandom::Error> {
        let (id, secret) = (secret::random()?.split_off(48), secret::random()?);
        let mut tabs = self.lock();
        tabs.sort_by_key(|tab| std::cmp::Reverse(tab.used));
        tabs.truncate(TABS_MAX - 1);
        tabs.push(Tab { id: id.clone(), verifier: secret::digest(&secret), used: seconds() });
        self.save(&tabs);
        Ok(format!("{id}.{secret}"))
    }

    /// Whether this token is valid. Blocks at most once an hour for each tab, to record its use.
    pub(crate) fn has(&self, token: &str) -> bool {
        let Some((id, given)) = token.split_once('.') else { return false };
        let verifier = secret::digest(given);
        let mut tabs = self.lock();
        let Some(tab) = tabs.iter_mut().find(|tab| tab.id == id && secret::same(&tab.verifier, &verifier))
        else {
            return false;
        };
        let now = seconds();
        if now.saturating_sub(tab.used) > USED_WITHIN.as_secs() {
            tab.used = now;
            self.save(&tabs);
        }
        true
    }

    /// Proves to the tab with this id that this server knows its verifier: the digest of `VERIFIER.NONCE`, which
    /// reveals neither. `None` for a tab without access and for an invalid nonce.
    pub(crate) fn proof(&self, id: &str, nonce: &str) -> Option<String> {
        let is_nonce = nonce.len() == NONCE && nonce.bytes().all(|byte| byte.is_ascii_hexdigit());
        let tabs = self.lock();
        let tab = tabs.iter().find(|tab| tab.id == id).filter(|_| is_nonce)?;
        Some(secret::digest(&format!("{}.{nonce}", tab.verifier)))
    }

    fn save(&self, tabs: &[Tab]) {
        let Some(path) = &self.file else { return };
        let kept = TabsFile { version: VERSION, tabs: tabs.to_vec() };
        let text = serde_json::to_vec(&kept).expect("it has only text keys");
        let written =
            path.parent().map_or(Ok(()), file::create_dir).and_then(|()| file::replace(path, &text));
        if let Err(error) = written {
            // The tabs work until this server ends.
            eprintln!(
                "beads-console: after a restart of this server, its open tabs need a new link: {error}"
            );
        }
    }
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(folder: &tempfile::TempDir) -> Tabs {
        Tabs::kept_in(Some(folder.path().join("server/tabs-4100.json")))
    }

    #[test]
    fn a_tab_keeps_its_access_across_a_restart_and_the_file_contains_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let before = in_folder(&folder);
        let (one, other) = (before.grant().unwrap(), before.grant().unwrap());
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
        // The file contains no token.
        let verifier = secret::digest(one.split_once('.').unwrap().1);
        assert!(file.contains(&verifier) && !after.has(&format!("{}.{verifier}", &one[..16])));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        in_folder(&folder).grant().unwrap();
        let file = folder.path().join("server/tabs-4100.json");
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_server_proves_itself_only_to_known_tabs() {
        let tabs = Tabs::kept_in(None);
        let token = tabs.grant().unwrap();
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
        let token = in_folder(&folder).grant().unwrap();
        let path = folder.path().join("server/tabs-4100.json");
        let mut kept: TabsFile = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        kept.tabs[0].used -= UNUSED_MAX.as_secs() - 10;
        file::replace(&path, &serde_json::to_vec(&kept).unwrap()).unwrap();
        // Its use is recorded, so that it does not expire as unused.
        assert!(in_folder(&folder).has(&token));
        let renewed: TabsFile = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert!(renewed.tabs[0].used > kept.tabs[0].used);
        kept.tabs[0].used -= 20;
        file::replace(&path, &serde_json::to_vec(&kept).unwrap()).unwrap();
        assert!(!in_folder(&folder).has(&token));
        for damaged in [&b""[..], b"{", b"[]", b"{\"version\":2,\"tabs\":[]}"] {
            file::replace(&path, damaged).unwrap();
            assert!(!in_folder(&folder).has(&token));
        }
    }

    #[test]
    fn over_the_limit_least_recently_used_tabs_lose_access() {
        let tabs = Tabs::kept_in(None);
        let first = tabs.grant().unwrap();
        tabs.lock()[0].used -= 10;
        let second = tabs.grant().unwrap();
        for _ in 0..TABS_MAX - 1 {
            tabs.grant().unwrap();
        }
        assert!(!tabs.has(&first) && tabs.has(&second));
        assert_eq!(tabs.lock().len(), TABS_MAX);
    }
}
