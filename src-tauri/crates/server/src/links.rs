//! Links for further browsers and for other people, and the list of people with access.

use crate::{
    access::Access,
    error::ServeError,
    people::{Presence, WhoseLink},
    tabs::PeopleError,
};
use bc_bridge::BrowserAccess;
use bc_wire::{ApiError, ErrorCode, app::PersonAccess};
use std::sync::Arc;

/// Creates links while the server runs, and manages the people with access. Clones share their state.
#[derive(Clone)]
pub struct Links {
    access: Arc<Access>,
    presence: Arc<Presence>,
}

impl Links {
    pub(crate) fn new(access: Arc<Access>, presence: Arc<Presence>) -> Links {
        Links { access, presence }
    }

    /// Creates a link that works once. The link replaces an unused one.
    pub fn fresh(&self) -> Result<String, ServeError> {
        self.access.new_link().map_err(|source| ServeError::Random { source })
    }

    /// The address at which browsers reach the server.
    pub(crate) fn origin(&self) -> String {
        self.access.origins()[0].to_string()
    }

    /// Creates a one-time link for a person, which replaces the person's unused link. Gives a new person
    /// access if `whose` allows it. Returns the name and the link. Blocks until the change is on disk.
    pub(crate) fn for_person(&self, whose: WhoseLink<'_>) -> Result<(String, String), ApiError> {
        let (name, url) = self.access.new_link_for(whose).map_err(|error| {
            let code = match error {
                PeopleError::Name(_) | PeopleError::Full | PeopleError::Unknown => ErrorCode::Usage,
                PeopleError::File(_) | PeopleError::Random(_) => ErrorCode::Io,
            };
            ApiError::new(code, error.to_string())
        })?;
        self.presence.tell();
        Ok((name, url))
    }

    /// Immediately revokes a person's access: tabs, the unused link, and open connections. Returns the
    /// person's name. Blocks until the change is on disk.
    pub(crate) fn revoke_person(&self, name: &str) -> Result<String, ApiError> {
        let revoked = self.access.tabs().revoke(name);
        self.presence.tell();
        let revoked = revoked.map_err(|error| {
            ApiError::new(ErrorCode::Io, format!("the revocation could not be saved: {error}"))
                .hint("their connections are closed, but they have access again after a restart: make room on the disk, give them access and revoke it again")
        })?;
        revoked.ok_or_else(|| {
            ApiError::new(ErrorCode::Usage, PeopleError::Unknown.to_string())
                .hint("`beads-console access list` shows the names")
        })
    }
}

impl BrowserAccess for Links {
    fn link(&self, person: Option<&str>) -> Result<String, ApiError> {
        match person {
            Some(name) => self.for_person(WhoseLink::Known(name)).map(|(_, url)| url),
            None => self.fresh().map_err(|error| ApiError::new(ErrorCode::Io, error.to_string())),
        }
    }

    fn people(&self) -> Vec<PersonAccess> {
        let people = self.access.tabs().people().into_iter();
        let mut people: Vec<PersonAccess> = people
            .map(|(name, unused_link)| PersonAccess {
                tabs: self.presence.tabs(Some(&name)),
                name,
                unused_link,
                ..PersonAccess::default()
            })
            .collect();
        people.sort_by_key(|person| person.name.to_lowercase());
        let owner = PersonAccess { tabs: self.presence.tabs(None), owner: true, ..PersonAccess::default() };
        people.insert(0, owner);
        people
    }

    fn add(&self, name: &str) -> Result<String, ApiError> {
        self.for_person(WhoseLink::KnownOrNew(name)).map(|(_, url)| url)
    }

    fn revoke(&self, name: &str) -> Result<(), ApiError> {
        self.revoke_person(name).map(drop)
    }
}
