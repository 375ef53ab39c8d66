//! The author of a change to a bead, as trackers record it.

use bc_core::ids::{InvalidId, SessionId};
use std::{fmt, str::FromStr};

/// The actor's name in a tracker's records: `{user}`, or `{user}/{first 8 digits of the session's id}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Actor(String);

impl Actor {
    /// A session's actor. Characters that trackers cannot handle become `-`.
    pub fn for_session(user: &str, session: SessionId) -> Actor {
        Actor(format!("{}/{}", tame(user), session.short()))
    }

    /// A user's actor, outside any session. Characters that trackers cannot handle become `-`.
    pub fn for_user(user: &str) -> Actor {
        Actor(tame(user))
    }

    /// The name as trackers record it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The user: the name without its session.
    pub fn user(&self) -> &str {
        user_of(&self.0)
    }

    /// Whether the assignee is this user, in any session or outside one.
    pub fn is_person(&self, assignee: &str) -> bool {
        user_of(assignee) == self.user()
    }

    /// Whether this actor may take an open bead with this assignee: an unassigned one, or one of the same
    /// user.
    pub(crate) fn may_take_open(&self, assignee: Option<&str>) -> bool {
        assignee.is_none_or(|held| self.is_person(held))
    }

    /// Whether a bead in progress with this assignee belongs to this actor: its own, or one that the user
    /// claimed outside any session.
    pub(crate) fn may_take_started(&self, assignee: &str) -> bool {
        assignee == self.0 || assignee == self.user()
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Actor {
    type Err = InvalidId;
    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let why = if text.trim().is_empty() {
            "it is empty"
        } else if text.len() > 200 {
            "it is longer than 200 bytes"
        } else if text.starts_with('-') {
            "it must not start with -"
        } else if text.chars().any(char::is_control) {
            "it must not contain control characters"
        } else {
            return Ok(Actor(text.to_owned()));
        };
        Err(InvalidId::new("actor", text, why))
    }
}

fn user_of(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(user, _)| user)
}

fn tame(user: &str) -> String {
    let tamed: String = user
        .trim()
        .chars()
        .take(64)
        .map(|c| {
            if c.is_control() || c.is_whitespace() || matches!(c, '/' | '\\' | '"' | '\'') { '-' } else { c }
        })
        .collect();
    let tamed = tamed.trim_matches('-');
    if tamed.is_empty() { "user".to_owned() } else { tamed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sessions_actor_is_the_user_and_eight_digits() {
        let session = "0a1b2c3d-0000-4000-8000-000000000000".parse().unwrap();
        for (user, expect) in [
            ("alice", "alice/0a1b2c3d"),
            ("Älice Smith", "Älice-Smith/0a1b2c3d"),
            ("--rm -rf/", "rm--rf/0a1b2c3d"),
            ("", "user/0a1b2c3d"),
            ("a\n\u{1b}[31m", "a--[31m/0a1b2c3d"),
        ] {
            assert_eq!(Actor::for_session(user, session).as_str(), expect);
        }
    }

    #[test]
    fn a_person_is_the_same_in_every_session() {
        let actor: Actor = "alice/11111111".parse().unwrap();
        assert!(actor.is_person("alice") && actor.is_person("alice/22222222") && !actor.is_person("bob"));
        assert!(actor.may_take_started("alice") && !actor.may_take_started("alice/22222222"));
        assert!(actor.may_take_open(None) && !actor.may_take_open(Some("bob/11111111")));
    }

    #[test]
    fn an_actor_is_never_an_option() {
        for bad in ["", " ", "-a", "a\nb"] {
            assert!(bad.parse::<Actor>().is_err(), "{bad:?}");
        }
    }
}
