//! The user's places, in `$XDG_CONFIG_HOME/beads-console/places.json`. They belong to the user and not to a project:
//! several projects can use the same machine.

use super::{container_settings, pod_settings};
use crate::{
    context::errors::file_error,
    settings::{json_file, preferences},
    ssh::MachineAddress,
};
use bc_core::{Extra, text::one_line};
use bc_wire::{
    ApiError, ErrorCode,
    place::{Place, PlaceKind, Places},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The version of the file that this build writes.
const VERSION: u32 = 1;
const PLACES: &str = "places";
/// The name that other settings use for this machine; a place cannot have it.
const LOCAL: &str = "local";
/// The maximum length of a name, in characters.
const NAME_MAX: usize = 64;
/// The maximum length of a path, in bytes.
const PATH_MAX: usize = 4096;

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    kind: PlaceKind,
    folder: String,
    program: String,
    #[serde(default)]
    capacity: Option<u32>,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    draining: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dolt_server: Option<String>,
}

/// All usable places, sorted by name, and warnings about unusable entries. Empty without a home folder.
pub fn list() -> Places {
    own_file().map_or_else(|_| Places { places: vec![], warnings: vec![] }, |file| list_in(&file))
}

/// The place with this name.
///
/// # Errors
/// There is no home folder or no place with this name, or the place's settings cannot be used.
pub fn get(name: &str) -> Result<Place, ApiError> {
    get_in(&own_file()?, name)
}

/// Adds a place, and returns all places.
///
/// # Errors
/// There is no home folder, a place with this name exists, a value is not valid, or the file cannot be
/// written.
pub fn add(place: &Place) -> Result<Places, ApiError> {
    add_in(&own_file()?, place)
}

/// Replaces the settings of the place with this name, and returns all places.
///
/// # Errors
/// There is no home folder or no place with this name, a value is not valid, or the file cannot be written.
pub fn change(place: &Place) -> Result<Places, ApiError> {
    change_in(&own_file()?, place)
}

/// Fails if the place is unknown, unusable or draining.
pub(crate) fn require_accepting(name: &str) -> Result<(), ApiError> {
    match get(name)?.draining {
        true => Err(ApiError::new(
            ErrorCode::SessionState,
            format!("the place {name} is being drained: no session starts at it"),
        )
        .hint(format!("end that with `beads-console places drain {name} --off`, or choose another place"))),
        false => Ok(()),
    }
}

/// Removes a place, and returns the remaining places. Nothing changes at the place itself.
///
/// # Errors
/// There is no home folder or no place with this name, or the file cannot be written.
pub fn remove(name: &str) -> Result<Places, ApiError> {
    remove_in(&own_file()?, name)
}

/// The path of the file that stores the places; `None` without a home folder.
pub fn file() -> Option<PathBuf> {
    Some(preferences::folder()?.join("places.json"))
}

fn own_file() -> Result<PathBuf, ApiError> {
    Ok(preferences::require_folder()?.join("places.json"))
}

fn list_in(file: &Path) -> Places {
    let (mut places, mut warnings) = (Vec::new(), Vec::new());
    for (name, value) in entries(&json_file::read(file)) {
        match readable(&name, value) {
            Ok(place) => places.push(place),
            Err(why) => warnings.push(format!("the place {:?} cannot be used: {why}", one_line(&name))),
        }
    }
    places.sort_by(|a: &Place, b| a.name.cmp(&b.name));
    Places { places, warnings }
}

fn get_in(file: &Path, name: &str) -> Result<Place, ApiError> {
    match entries(&json_file::read(file)).remove(name) {
        Some(value) => readable(name, value).map_err(|why| {
            ApiError::new(ErrorCode::Usage, format!("the place {name:?} cannot be used: {why}"))
                .hint(format!("remove it with `beads-console places remove {name}` and add it again"))
        }),
        None => Err(unknown(file, name)),
    }
}

fn add_in(file: &Path, place: &Place) -> Result<Places, ApiError> {
    valid(place).map_err(|why| ApiError::new(ErrorCode::Usage, why))?;
    let name = &place.name;
    let added = change_entries(file, |places| {
        let is_new = !places.contains_key(name);
        if is_new {
            places.insert(name.clone(), entry(place));
        }
        is_new
    })?;
    match added {
        true => Ok(list_in(file)),
        false => Err(ApiError::new(ErrorCode::Usage, format!("a place named {name:?} exists already"))
            .hint(format!("remove it first: `beads-console places remove {name}`"))),
    }
}

fn change_in(file: &Path, place: &Place) -> Result<Places, ApiError> {
    valid(place).map_err(|why| ApiError::new(ErrorCode::Usage, why))?;
    let changed = change_entries(file, |places| {
        places.get_mut(&place.name).map(|known| *known = entry(place)).is_some()
    })?;
    match changed {
        true => Ok(list_in(file)),
        false => Err(unknown(file, &place.name)),
    }
}

fn entry(place: &Place) -> Value {
    let Place { name: _, kind, folder, program, capacity, labels, draining, dolt_server } = place.clone();
    let entry = Entry { kind, folder, program, capacity, labels, draining, dolt_server };
    serde_json::to_value(entry).expect("an entry has string keys")
}

fn remove_in(file: &Path, name: &str) -> Result<Places, ApiError> {
    // If the place is not in the file, do not write the file.
    if !entries(&json_file::read(file)).contains_key(name) {
        return Err(unknown(file, name));
    }
    change_entries(file, |places| places.remove(name))?;
    Ok(list_in(file))
}

fn change_entries<T>(file: &Path, change: impl FnOnce(&mut Map<String, Value>) -> T) -> Result<T, ApiError> {
    let changed = json_file::change(file, |whole| {
        let mut places = entries(whole);
        let made = change(&mut places);
        whole.insert("version".to_owned(), VERSION.into());
        whole.insert(PLACES.to_owned(), places.into());
        made
    });
    changed.map_err(file_error)
}

fn entries(file: &Extra) -> Map<String, Value> {
    match file.get(PLACES) {
        Some(Value::Object(places)) => places.clone(),
        _ => Map::new(),
    }
}

fn unknown(file: &Path, name: &str) -> ApiError {
    let known: Vec<String> = list_in(file).places.into_iter().map(|place| place.name).collect();
    let hint = match known.is_empty() {
        true => "add one: `beads-console places add NAME HOST`".to_owned(),
        false => format!("available: {}", known.join(", ")),
    };
    ApiError::new(ErrorCode::PlaceNotFound, format!("unknown place {name:?}")).hint(hint)
}

/// Parses an entry of the file. A user may have edited the file, so its entries are checked like new ones.
fn readable(name: &str, value: Value) -> Result<Place, String> {
    let Entry { kind, folder, program, capacity, labels, draining, dolt_server } =
        serde_json::from_value(value).map_err(|e| e.to_string())?;
    let place =
        Place { name: name.to_owned(), kind, folder, program, capacity, labels, draining, dolt_server };
    valid(&place).map(|()| place)
}

fn valid(place: &Place) -> Result<(), String> {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name = &place.name;
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric())
        || !name.chars().all(word)
        || name.len() > NAME_MAX
        || name == LOCAL
    {
        return Err(format!(
            "invalid name {name:?}: use up to {NAME_MAX} letters, digits, `-`, `_` and `.`, other than {LOCAL:?}"
        ));
    }
    match &place.kind {
        PlaceKind::Ssh { host } => {
            host.parse::<MachineAddress>().map_err(|bad| format!("invalid host {host:?}: {bad}"))?;
        }
        PlaceKind::Container(container) => container_settings::valid(container)?,
        PlaceKind::Kubernetes(pod) => pod_settings::valid(pod)?,
    }
    for (what, path) in [("folder", &place.folder), ("program", &place.program)] {
        if path.is_empty() || path.len() > PATH_MAX || path.chars().any(char::is_control) {
            return Err(format!("invalid {what} {path:?}: use a path without control characters"));
        }
    }
    if place.capacity == Some(0) {
        return Err("invalid capacity 0: use at least 1, or drain the place".to_owned());
    }
    if let Some(label) = place.labels.iter().find(|label| label.is_empty() || !label.chars().all(word)) {
        return Err(format!("invalid label {label:?}: use letters, digits, `-`, `_` and `.`"));
    }
    if let Some(server) = place.dolt_server.as_ref().filter(|server| dolt_server_address(server).is_none()) {
        return Err(format!("invalid Dolt server {server:?}: use HOST:PORT, as seen from the place"));
    }
    Ok(())
}

/// The host and port of a Dolt server's address; `None` if it is not `HOST:PORT`. Brackets around an IPv6 address
/// are removed.
pub(crate) fn dolt_server_address(text: &str) -> Option<(String, u16)> {
    let (host, port) = text.rsplit_once(':')?;
    let is_number = port.bytes().all(|digit| digit.is_ascii_digit());
    let port = port.parse().ok().filter(|port| is_number && *port > 0)?;
    let v6 = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_valid = match v6 {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            host.starts_with(|c: char| c.is_ascii_alphanumeric()) && host.chars().all(is_host)
        }
    };
    is_valid.then(|| (v6.unwrap_or(host).to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_store::file;

    fn place(name: &str, host: &str) -> Place {
        Place {
            name: name.to_owned(),
            kind: PlaceKind::Ssh { host: host.to_owned() },
            folder: "beads-console".to_owned(),
            program: "beads-console".to_owned(),
            capacity: None,
            labels: Vec::new(),
            draining: false,
            dolt_server: None,
        }
    }

    #[test]
    fn places_are_kept_until_they_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("places.json");
        add_in(&file, &place("far", "ana@far.example")).unwrap();
        let both = add_in(&file, &place("build", "build-1")).unwrap();
        assert_eq!(both.places, [place("build", "build-1"), place("far", "ana@far.example")]);
        assert_eq!(add_in(&file, &place("far", "other")).unwrap_err().code, ErrorCode::Usage);
        assert_eq!(get_in(&file, "far").unwrap().kind.target(), "ana@far.example");
        assert_eq!(remove_in(&file, "far").unwrap().places, [place("build", "build-1")]);
        for gone in [get_in(&file, "far").map(drop), remove_in(&file, "far").map(drop)] {
            let error = gone.unwrap_err();
            assert_eq!(error.code, ErrorCode::PlaceNotFound);
            assert_eq!(error.hint.as_deref(), Some("available: build"));
        }
    }

    #[test]
    fn a_place_is_changed_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("places.json");
        add_in(&file, &place("far", "far")).unwrap();
        let labels = vec!["gpu".to_owned()];
        let dolt_server = Some("db.example:3307".to_owned());
        let changed = Place { capacity: Some(4), labels, draining: true, dolt_server, ..place("far", "far") };
        assert_eq!(change_in(&file, &changed).unwrap().places, [changed]);
        assert_eq!(change_in(&file, &place("other", "far")).unwrap_err().code, ErrorCode::PlaceNotFound);
        for bad in [
            Place { capacity: Some(0), ..place("far", "far") },
            Place { labels: vec!["a b".to_owned()], ..place("far", "far") },
            Place { dolt_server: Some("db".to_owned()), ..place("far", "far") },
        ] {
            assert_eq!(change_in(&file, &bad).unwrap_err().code, ErrorCode::Usage);
        }
    }

    #[test]
    fn the_address_of_a_dolt_server_is_a_host_and_a_port() {
        let of = |text| dolt_server_address(text);
        assert_eq!(of("db-1.example:3307"), Some(("db-1.example".to_owned(), 3307)));
        assert_eq!(of("[::1]:3307"), Some(("::1".to_owned(), 3307)));
        for bad in [
            "",
            "db",
            "db:",
            ":3307",
            "db:0",
            "db:+3307",
            "db:70000",
            "::1:3307",
            "[db]:1",
            "a b:1",
            "-x:1",
            "tcp://db:1",
        ] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_value_that_could_be_an_option_or_a_command_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("places.json");
        for host in ["-oProxyCommand=id", "a b", "far;id", "$(id)", ""] {
            let message = add_in(&file, &place("far", host)).unwrap_err().message;
            assert!(message.contains("invalid host"), "{message}");
        }
        for name in ["", "-x", "a/b", "..", "local", "a b", &"x".repeat(65)] {
            let message = add_in(&file, &place(name, "far")).unwrap_err().message;
            assert!(message.contains("invalid name"), "{message}");
        }
        let bad = Place { folder: "a\nb".to_owned(), ..place("far", "far") };
        assert!(add_in(&file, &bad).unwrap_err().message.contains("invalid folder"));
        assert!(!file.exists());
    }

    #[test]
    fn an_entry_that_cannot_be_used_is_named_and_does_not_affect_the_others() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("places.json");
        let text = br#"{"version":2,"later":1,"places":{
            "good":{"kind":"ssh","host":"far","folder":"beads-console","program":"beads-console"},
            "evil":{"kind":"ssh","host":"-oProxyCommand=id","folder":"a","program":"b"},
            "pod":{"kind":"of a later version","namespace":"shop"}}}"#;
        file::replace(&file, text).unwrap();
        let read = list_in(&file);
        assert_eq!(read.places, [place("good", "far")]);
        assert_eq!(read.warnings.len(), 2, "{:?}", read.warnings);
        assert_eq!(get_in(&file, "evil").unwrap_err().code, ErrorCode::Usage);
        add_in(&file, &place("more", "far")).unwrap();
        let saved = json_file::read(&file);
        assert_eq!((&saved["later"], &saved["places"]["pod"]["namespace"]), (&1.into(), &"shop".into()));
        remove_in(&file, "evil").unwrap();
    }
}
