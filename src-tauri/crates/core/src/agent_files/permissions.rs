//! Rules in `permissions.allow` of claude's settings, which let claude run harmless commands of this program
//! and of the tracker without asking.
//!
//! All other keys, their order and formatting stay unchanged.

use super::{
    Content, Refusal, State,
    json::{self, Formatting, Item},
    section::line_end,
};
use serde_json::Value;
use std::ops::Range;

const PERMISSIONS: &str = "permissions";
const ALLOW: &str = "allow";

/// Commands that an agent may run exactly as listed (`whole`), or with any text after `--` (`before_texts`),
/// where no option is recognized. All other options are excluded, because some options of these programs read
/// or write files or open another project (`--from`, `--project`, `--body-file`, `--directory`,
/// `--mem-profile`).
struct Harmless {
    program: &'static str,
    whole: &'static [&'static str],
    before_texts: &'static [&'static str],
}

const OURS: Harmless = Harmless {
    program: "beads-console",
    whole: &[
        "prime",
        "recovery",
        "memories",
        "memories --json",
        "bead list",
        "bead list --json",
        "bead ready",
        "bead ready --json",
        "bead blocked",
        "bead blocked --json",
        "bead ready --explain",
        "bead next",
        "bead next --json",
        "bead stale",
        "bead stale --json",
        "bead label list",
        "bead label list --json",
        "bead graph",
        "bead graph --json",
    ],
    before_texts: &[
        "bead list",
        "bead list --json",
        "bead dep tree",
        "bead audit",
        "bead audit --json",
        "remember",
        "remember --type learning",
        "remember --type decision",
        "remember --type pattern",
        "remember --type context",
        "remember --type artifact",
        "remember --type conversation",
        "memories",
        "memories --json",
        "recall",
        "recall --json",
        "forget",
        "bead show",
        "bead show --json",
        "bead create",
        "bead create --type bug",
        "bead create --type feature",
        "bead create --type task",
        "bead create --type epic",
        "bead create --type chore",
        "bead claim",
        "bead comment",
        "bead submit",
        "bead close",
    ],
};

/// The harmless commands of bd: none that pushes, deletes or sets up. `bd prime` is excluded because it
/// prints a file that the repository can contain; `beads-console prime` prints the same content safely.
const BD: Harmless = Harmless {
    program: "bd",
    whole: &["ready", "ready --json", "list", "list --json"],
    before_texts: &["show", "show --json", "create", "create --json", "update --claim", "comment", "close"],
};
const BR: Harmless = Harmless {
    program: "br",
    whole: &["ready", "ready --json", "list", "list --json"],
    before_texts: &[
        "show",
        "show --json",
        "create",
        "create --json",
        "update --claim",
        "comments add",
        "close",
    ],
};

/// The commands in the rules of earlier versions, which allowed any option.
const WIDER: [(&str, &[&str]); 3] = [
    ("beads-console", &["prime", "remember", "memories", "recall", "forget", "recovery", "bead"]),
    ("bd", &["ready", "list", "show", "create", "update", "comment", "close", "prime"]),
    ("br", &["ready", "list", "show", "create", "update", "comments add", "close"]),
];

/// The rules for a project whose tracker program is `bd`, `br`, or neither (`None`).
pub fn rules(tracker: Option<&str>) -> Vec<String> {
    let own = match tracker {
        Some("bd") => Some(BD),
        Some("br") => Some(BR),
        _ => None,
    };
    [OURS].into_iter().chain(own).flat_map(Harmless::rules).collect()
}

impl Harmless {
    fn rules(self) -> impl Iterator<Item = String> {
        let whole = self.whole.iter().map(move |words| format!("Bash({} {words})", self.program));
        let texts = self.before_texts.iter().map(move |words| format!("Bash({} {words} -- *)", self.program));
        whole.chain(texts)
    }
}

/// The rules of earlier versions, which let an agent read any file without asking.
fn wider() -> Vec<String> {
    let of = |(program, words): &(&str, &'static [&str])| {
        let program = (*program).to_owned();
        words.iter().map(move |words| format!("Bash({program} {words}:*)"))
    };
    WIDER.iter().flat_map(of).collect()
}

/// The rules of earlier versions that are in a settings file. They let an agent read any file without asking.
/// Empty if the file cannot be parsed.
pub fn wider_rules(settings: &[u8]) -> Vec<String> {
    let Ok(settings) = Settings::read(settings) else { return Vec::new() };
    let wider = wider();
    settings.rules().into_iter().filter(|rule| wider.contains(rule)).collect()
}

pub(super) fn state(now: Option<&[u8]>, rules: &[String]) -> Result<State, Refusal> {
    let Some(now) = now else { return Ok(State::Absent) };
    let present = Settings::read(now)?.rules();
    let count = rules.iter().filter(|rule| present.contains(rule)).count();
    let wider = wider();
    let has_wider = present.iter().any(|rule| wider.contains(rule));
    Ok(match count {
        _ if has_wider => State::Outdated,
        0 => State::Absent,
        n if n == rules.len() => State::Current,
        _ => State::Outdated,
    })
}

pub(super) fn install(now: Option<&[u8]>, rules: &[String]) -> Result<Vec<u8>, Refusal> {
    let Some(now) = now else { return install(Some(b"{}\n"), rules) };
    let settings = Settings::read(now)?;
    let formatting = settings.formatting();
    let present = settings.rules();
    let missing: Vec<_> = rules.iter().filter(|rule| !present.contains(rule)).collect();
    let mut text = settings.text.to_owned();
    if settings.permissions.is_none() && !missing.is_empty() {
        text = json::with(&text, &json::root(&text), "\"permissions\": {}", 1, &formatting);
    }
    if let (Some(permissions), None, false) = (parts(&text).0, parts(&text).1, missing.is_empty()) {
        text = json::with(&text, &permissions.value, "\"allow\": []", 2, &formatting);
    }
    for rule in missing {
        let Some(allow) = parts(&text).1 else { break };
        text = json::with(&text, &allow.value, &Value::from(rule.as_str()).to_string(), 3, &formatting);
    }
    // Old rules are removed after the new ones are added, so that the list never becomes empty and keeps its
    // position.
    text = without(text, &wider());
    Ok([settings.bom, text.as_bytes()].concat())
}

pub(super) fn remove(now: &[u8], rules: &[String]) -> Result<Content, Refusal> {
    let settings = Settings::read(now)?;
    let text = without(settings.text.to_owned(), &[rules, &wider()].concat());
    let removed = text.len() < settings.text.len();
    match removed && json::items(&text, &json::root(&text)).is_empty() {
        true => Ok(None),
        false => Ok(Some([settings.bom, text.as_bytes()].concat())),
    }
}

/// Removes all occurrences of these rules.
fn without(mut text: String, rules: &[String]) -> String {
    while let Some(shorter) = without_one(&text, rules) {
        text = shorter;
    }
    text
}

/// Removes one of the rules, and `allow` and `permissions` if they become empty. `None` if the text has none
/// of the rules.
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
        shape(value.is_object(), "the top-level value", "an object")?;
        let permissions = value.get(PERMISSIONS);
        shape(permissions.is_none_or(Value::is_object), "`permissions`", "an object")?;
        let allow = permissions.and_then(|permissions| permissions.get(ALLOW));
        shape(allow.is_none_or(Value::is_array), "`permissions.allow`", "a list")?;
        let (permissions, allow) = parts(text);
        Ok(Settings { bom, text, permissions, allow })
    }

    /// The rules in `permissions.allow`.
    fn rules(&self) -> Vec<String> {
        let allow = self.allow.iter().flat_map(|allow| allowed(self.text, &allow.value));
        allow.map(|(_, rule)| rule).collect()
    }

    /// Derives the indentation from the file's first member (by default two spaces), and the line ending from
    /// its first line.
    fn formatting(&self) -> Formatting {
        let first = json::items(self.text, &json::root(self.text)).into_iter().next();
        let indent = first.and_then(|item| {
            let line = self.text[..item.whole.start].rsplit_once('\n')?.1;
            (!line.is_empty() && line.trim().is_empty()).then(|| line.to_owned())
        });
        Formatting { indent: indent.unwrap_or_else(|| "  ".to_owned()), eol: line_end(self.text.as_bytes()) }
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The members `permissions` and `permissions.allow`, if present.
fn parts(text: &str) -> (Option<Item>, Option<Item>) {
    let permissions = json::member(text, &json::root(text), PERMISSIONS);
    let allow = permissions.as_ref().and_then(|item| json::member(text, &item.value, ALLOW));
    (permissions, allow)
}

/// The rules of a list with their positions; other values are skipped.
fn allowed(text: &str, list: &Range<usize>) -> Vec<(Item, String)> {
    let texts = json::items(text, list).into_iter();
    texts.filter_map(|item| Some((item.clone(), serde_json::from_str(&text[item.value]).ok()?))).collect()
}
