//! Rules in `permissions.allow` of claude's settings, so that it runs these commands unasked.
//!
//! Every other key, its order and its layout stay as they are.

use super::{
    Content, Refusal, State,
    json::{self, Item, Look},
    section::line_end,
};
use serde_json::Value;
use std::ops::Range;

const PERMISSIONS: &str = "permissions";
const ALLOW: &str = "allow";

/// The words of `beads-console` that agents need.
const OURS: [&str; 7] = ["prime", "remember", "memories", "recall", "forget", "recovery", "bead"];
/// What agents need of a tracker's own program: nothing that pushes, deletes or sets anything up.
const BD: [&str; 8] = ["ready", "list", "show", "create", "update", "comment", "close", "prime"];
const BR: [&str; 7] = ["ready", "list", "show", "create", "update", "comments add", "close"];

/// The rules for a project whose tracker is that program (`bd`, `br`), or none.
pub fn rules(tracker: Option<&str>) -> Vec<String> {
    let rule = |program: &str, words: &str| format!("Bash({program} {words}:*)");
    let mut rules: Vec<String> = OURS.iter().map(|words| rule("beads-console", words)).collect();
    match tracker {
        Some("bd") => rules.extend(BD.iter().map(|words| rule("bd", words))),
        Some("br") => rules.extend(BR.iter().map(|words| rule("br", words))),
        _ => {}
    }
    rules
}

pub(super) fn state(now: Option<&[u8]>, rules: &[String]) -> Result<State, Refusal> {
    let Some(now) = now else { return Ok(State::Absent) };
    let settings = Settings::read(now)?;
    let there = settings.allow.map(|allow| allowed(settings.text, &allow.value)).unwrap_or_default();
    let count = rules.iter().filter(|rule| there.iter().any(|(_, text)| text == *rule)).count();
    Ok(match count {
        0 => State::Absent,
        n if n == rules.len() => State::Current,
        _ => State::Outdated,
    })
}

pub(super) fn install(now: Option<&[u8]>, rules: &[String]) -> Result<Vec<u8>, Refusal> {
    let Some(now) = now else { return install(Some(b"{}\n"), rules) };
    let settings = Settings::read(now)?;
    let look = settings.look();
    let there = settings.allow.as_ref().map(|allow| allowed(settings.text, &allow.value)).unwrap_or_default();
    let missing: Vec<_> = rules.iter().filter(|rule| !there.iter().any(|(_, text)| text == *rule)).collect();
    if missing.is_empty() {
        return Ok(now.to_vec());
    }
    let mut text = settings.text.to_owned();
    if settings.permissions.is_none() {
        text = json::with(&text, &json::root(&text), "\"permissions\": {}", 1, &look);
    }
    if let (Some(permissions), None) = parts(&text) {
        text = json::with(&text, &permissions.value, "\"allow\": []", 2, &look);
    }
    for rule in missing {
        let Some(allow) = parts(&text).1 else { break };
        text = json::with(&text, &allow.value, &Value::from(rule.as_str()).to_string(), 3, &look);
    }
    Ok([settings.bom, text.as_bytes()].concat())
}

pub(super) fn remove(now: &[u8], rules: &[String]) -> Result<Content, Refusal> {
    let settings = Settings::read(now)?;
    let mut text = settings.text.to_owned();
    while let Some(shorter) = without_one(&text, rules) {
        text = shorter;
    }
    let removed = text.len() < settings.text.len();
    match removed && json::items(&text, &json::root(&text)).is_empty() {
        true => Ok(None),
        false => Ok(Some([settings.bom, text.as_bytes()].concat())),
    }
}

/// Without one of the rules; without the lists around it too where nothing else is in them.
fn without_one(text: &str, rules: &[String]) -> Option<String> {
    let (permissions, allow) = parts(text);
    let (permissions, allow) = (permissions?, allow?);
    let (item, _) = allowed(text, &allow.value).into_iter().find(|(_, rule)| rules.contains(rule))?;
    let last = |place: &Range<usize>| json::items(text, place).len() == 1;
    Some(match (last(&allow.value), last(&permissions.value)) {
        (false, _) => json::without(text, &allow.value, &item),
        (true, false) => json::without(text, &permissions.value, &allow),
        (true, true) => json::without(text, &json::root(text), &permissions),
    })
}

/// A settings file that was read.
struct Settings<'a> {
    bom: &'static [u8],
    text: &'a str,
    permissions: Option<Item>,
    allow: Option<Item>,
}

impl Settings<'_> {
    fn read(bytes: &[u8]) -> Result<Settings<'_>, Refusal> {
        let not_json = |reason: String| Refusal::NotJson { reason };
        let (bom, rest): (&'static [u8], _) = match bytes.strip_prefix(BOM) {
            Some(rest) => (BOM, rest),
            None => (b"", bytes),
        };
        let text = std::str::from_utf8(rest).map_err(|_| not_json("it is not UTF-8".to_owned()))?;
        let value: Value = serde_json::from_str(text).map_err(|error| not_json(error.to_string()))?;
        let shape =
            |fits: bool, what, wanted| if fits { Ok(()) } else { Err(Refusal::Shape { what, wanted }) };
        shape(value.is_object(), "what is", "an object")?;
        let permissions = value.get(PERMISSIONS);
        shape(permissions.is_none_or(Value::is_object), "`permissions`", "an object")?;
        let allow = permissions.and_then(|permissions| permissions.get(ALLOW));
        shape(allow.is_none_or(Value::is_array), "`permissions.allow`", "a list")?;
        let (permissions, allow) = parts(text);
        Ok(Settings { bom, text, permissions, allow })
    }

    /// Laid out as its first member is; two spaces where there is none.
    fn look(&self) -> Look {
        let first = json::items(self.text, &json::root(self.text)).into_iter().next();
        let indent = first.and_then(|item| {
            let line = self.text[..item.whole.start].rsplit_once('\n')?.1;
            (!line.is_empty() && line.trim().is_empty()).then(|| line.to_owned())
        });
        Look { indent: indent.unwrap_or_else(|| "  ".to_owned()), eol: line_end(self.text.as_bytes()) }
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// `permissions` and `permissions.allow`.
fn parts(text: &str) -> (Option<Item>, Option<Item>) {
    let permissions = json::member(text, &json::root(text), PERMISSIONS);
    let allow = permissions.as_ref().and_then(|item| json::member(text, &item.value, ALLOW));
    (permissions, allow)
}

/// The rules of a list, each with its place; what is no text is passed over.
fn allowed(text: &str, list: &Range<usize>) -> Vec<(Item, String)> {
    let texts = json::items(text, list).into_iter();
    texts.filter_map(|item| Some((item.clone(), serde_json::from_str(&text[item.value]).ok()?))).collect()
}
