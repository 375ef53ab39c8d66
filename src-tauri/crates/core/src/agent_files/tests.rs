//! A removal undoes an install exactly, and nothing else changes.

use super::*;
use proptest::prelude::*;

const BEGIN: &str = "<!-- beads-console:begin v1 -->";
const END: &str = "<!-- beads-console:end -->";

fn installed(part: Part<'_>, now: Option<&[u8]>) -> Vec<u8> {
    part.install(now).unwrap().expect("an install leaves a file")
}

/// Installs and removes a part, and checks that a second install changes nothing. Returns the installed
/// bytes.
#[track_caller]
fn round_trip(part: Part<'_>, now: Option<&[u8]>) -> Vec<u8> {
    let once = installed(part, now);
    assert_eq!(part.state(now), Ok(State::Absent));
    assert_eq!(part.state(Some(&once)), Ok(State::Current));
    assert_eq!(installed(part, Some(&once)), once, "a second install changes nothing");
    assert_eq!(part.remove(Some(&once)).unwrap().as_deref(), now, "a removal restores the file");
    once
}

#[test]
fn a_section_can_be_added_to_any_file_and_removed_without_a_trace() {
    let texts: [Option<&[u8]>; 12] = [
        None,
        Some(b""),
        Some(b"\n"),
        Some(b"\n\n"),
        Some(b"# Rules\n"),
        Some(b"# Rules\n\n\n"),
        Some(b"# Rules, and no line ending"),
        Some(b"# Rules\r\nsecond\r\n"),
        Some(b"# Rules\r\nno end"),
        Some(b"\xef\xbb\xbf# after a BOM\n"),
        Some(b"\xef\xbb\xbf"),
        Some(b"Latin-1: gr\xfc\xdfe\n"),
    ];
    for text in texts {
        let file = round_trip(SECTION, text);
        assert!(file.starts_with(text.unwrap_or_default()), "the existing text comes first");
        let crlf = text.is_some_and(|text| text.windows(2).any(|two| two == b"\r\n"));
        let lone = file
            .split_inclusive(|b| *b == b'\n')
            .any(|line| line.ends_with(b"\n") && !line.ends_with(b"\r\n"));
        assert_eq!(lone, !crlf, "all line endings are of one kind");
    }
}

#[test]
fn text_around_a_section_is_kept_byte_for_byte() {
    let file = installed(SECTION, Some(b"above\n"));
    let (head, tail) = (b"\xff written above\r\n".as_slice(), b"\nwritten below\r\n\tno end".as_slice());
    let edited = [head, &file, tail].concat();
    assert_eq!(
        SECTION.state(Some(&edited)).unwrap(),
        State::Outdated,
        "the section now has other line endings than the file"
    );
    let again = installed(SECTION, Some(&edited));
    assert!(again.starts_with(&[head, b"above\n\n"].concat()) && again.ends_with(&[b"\n", tail].concat()));
    assert_eq!(SECTION.remove(Some(&again)).unwrap().unwrap(), [head, b"above\n", tail].concat());
}

#[test]
fn older_text_between_the_markers_is_replaced_and_newer_text_kept() {
    let older = format!("mine\n\n<!-- beads-console:begin v0 -->\nold words\n{END}\nmine too");
    assert_eq!(SECTION.state(Some(older.as_bytes())).unwrap(), State::Outdated);
    let now = String::from_utf8(installed(SECTION, Some(older.as_bytes()))).unwrap();
    assert!(
        now.starts_with(&format!("mine\n\n{BEGIN}\n")) && now.ends_with(&format!("\n{END}\nmine too")),
        "{now}"
    );
    assert!(!now.contains("old words"));
    let newer = older.replace("v0", "v99");
    assert_eq!(SECTION.state(Some(newer.as_bytes())).unwrap(), State::Newer);
    assert_eq!(installed(SECTION, Some(newer.as_bytes())), newer.as_bytes());
}

#[test]
fn unbalanced_markers_are_refused_with_their_line() {
    let refused = |text: &str| SECTION.install(Some(text.as_bytes())).unwrap_err();
    assert_eq!(refused(&format!("a\n{BEGIN}\nb\n")), Refusal::HalfMarked { line: 2 });
    assert_eq!(refused(&format!("a\n{END}\n")), Refusal::HalfMarked { line: 2 });
    assert_eq!(refused(&format!("{BEGIN}\n{BEGIN}\n{END}\n")), Refusal::HalfMarked { line: 1 });
    assert_eq!(refused(&format!("{BEGIN}\n{END}\n\n{BEGIN}\n{END}\n")), Refusal::Twice { line: 4 });
    assert_eq!(SECTION.install(Some(b"\xff\xfea\0")), Err(Refusal::Utf16));
    // A marker mentioned within a line does not count.
    round_trip(SECTION, Some(format!("The marker `{BEGIN}` begins it.\n").as_bytes()));
}

#[test]
fn our_files_are_removed_except_for_the_users_text() {
    for (_, part) in SKILL.into_iter().chain([AGENT]) {
        let file = round_trip(part, None);
        let crlf = String::from_utf8(file.clone()).unwrap().replace('\n', "\r\n");
        assert_eq!(
            part.state(Some(crlf.as_bytes())).unwrap(),
            State::Current,
            "git may convert line endings"
        );
        assert_eq!(part.remove(Some(crlf.as_bytes())).unwrap(), None);
        let edited = [&file[..], b"\nMy own advice.\n"].concat();
        assert_eq!(installed(part, Some(&edited)), edited);
        let left = part.remove(Some(&edited)).unwrap().unwrap();
        assert!(left.ends_with(b"\nMy own advice.\n") && left.len() < 600, "{left:?}");
        assert_eq!(part.install(Some(b"another tool's\n")), Err(Refusal::NotOurs));
        assert_eq!(part.remove(Some(b"another tool's\n")).unwrap().unwrap(), b"another tool's\n");
    }
}

#[test]
fn rules_can_be_added_to_any_settings_and_removed_without_a_trace() {
    let rules = rules(Some("bd"));
    let part = Part::Rules(&rules);
    let texts = [
        r#"{"model":"opus"}"#,
        "{\n  \"b\": 1,\n  \"a\": {\"allow\": []}\n}\n",
        "{\n\t\"permissions\": {\n\t\t\"deny\": [\"Read(.env)\"]\n\t},\n\t\"z\": [1, 2]\n}",
        "{\n    \"permissions\": {\"allow\": [\"Bash(make:*)\"]}\n}\n",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(a \\\"]},{ b)\",\n      \"Read\"\n    ],\n    \"ask\": []\n  }\n}\n",
        "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
        "{\"permissions\": {\"allow\": [\"x\"]}, \"permissions\": {\"deny\": [\"y\"]}}",
        "  {\"a\":\"}\"}  ",
    ];
    for text in texts {
        let file = String::from_utf8(round_trip(part, Some(text.as_bytes()))).unwrap();
        let value: serde_json::Value = serde_json::from_str(file.trim_start_matches('\u{feff}')).unwrap();
        let allow = value["permissions"]["allow"].as_array().unwrap();
        assert!(
            allow.ends_with(&rules.iter().map(|rule| rule.as_str().into()).collect::<Vec<_>>()),
            "{file}"
        );
        assert_eq!(text.contains("\r\n"), file.contains("\r\n"), "{file}");
    }
    let new = String::from_utf8(round_trip(part, None)).unwrap();
    assert!(
        new.starts_with("{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(beads-console prime)\",\n"),
        "{new}"
    );
    assert!(new.ends_with("\n    ]\n  }\n}\n"), "{new}");
}

#[test]
fn the_users_rules_stay_and_missing_ones_are_added() {
    let rules = rules(None);
    let some = r#"{"permissions":{"allow":["Bash(beads-console prime)","Read"]}}"#.as_bytes();
    let part = Part::Rules(&rules);
    assert_eq!(part.state(Some(some)).unwrap(), State::Outdated);
    let file = installed(part, Some(some));
    assert_eq!(part.state(Some(&file)).unwrap(), State::Current);
    let left = part.remove(Some(&file)).unwrap().unwrap();
    assert_eq!(left, br#"{"permissions":{"allow":["Read"]}}"#);
    assert_eq!(part.remove(Some(&left)).unwrap().unwrap(), left, "without our rules nothing is removed");
}

#[test]
fn rules_of_earlier_versions_are_reported_and_replaced_by_narrow_ones() {
    let part = rules(Some("bd"));
    let part = Part::Rules(&part);
    let old = br#"{"permissions":{"allow":["Bash(beads-console remember:*)","Read","Bash(bd create:*)"]}}"#;
    assert_eq!(wider_rules(old), ["Bash(beads-console remember:*)", "Bash(bd create:*)"]);
    assert_eq!(part.state(Some(old)).unwrap(), State::Outdated);
    let file = installed(part, Some(old));
    assert_eq!((wider_rules(&file), part.state(Some(&file)).unwrap()), (vec![], State::Current));
    assert!(String::from_utf8_lossy(&file).contains(r#"["Read", "Bash(beads-console prime)""#), "{file:?}");
    for with in [old.to_vec(), file] {
        let left = part.remove(Some(&with)).unwrap().unwrap();
        assert_eq!(left, br#"{"permissions":{"allow":["Read"]}}"#);
    }
    assert_eq!(wider_rules(b"no JSON"), [""; 0]);
}

/// Whether a permission rule allows a command. As in claude, a `*` at the end of the rule matches any text.
fn lets_through(rule: &str, command: &str) -> bool {
    let words = rule.strip_prefix("Bash(").and_then(|rule| rule.strip_suffix(')')).unwrap();
    match words.strip_suffix('*') {
        Some(before) => command.starts_with(before),
        None => command == words,
    }
}

#[test]
fn no_rule_allows_options_that_read_files_or_open_other_projects() {
    for tracker in [None, Some("bd"), Some("br")] {
        let rules = rules(tracker);
        for rule in &rules {
            assert!(!rule.contains(":*") && rule.matches('*').count() <= 1, "{rule}");
            assert!(!rule.contains('*') || rule.ends_with(" -- *)"), "{rule}");
        }
        for command in [
            "beads-console remember --from /home/u/.ssh/id_rsa --yes",
            "beads-console remember --type learning --from /etc/passwd",
            "beads-console --project /other recall -- key",
            "beads-console recall --project /other -- key",
            "beads-console memories --project /other",
            "beads-console prime --project /other",
            "beads-console bead list --project /other",
            "beads-console session export 1 -o .git/config",
            "beads-console init-agent",
            "bd create --body-file /etc/passwd -- x",
            "bd create -f /etc/passwd",
            "bd -C /other list",
            "bd list --mem-profile /home/u/.bashrc",
            "bd show --directory /other -- x",
            "bd prime",
            "br show --db /other -- x",
        ] {
            let rule = rules.iter().find(|rule| lets_through(rule, command));
            assert_eq!(rule, None, "{command}");
        }
        for command in [
            "beads-console remember -- \"use make\"",
            "beads-console prime",
            "beads-console bead show -- x-1",
        ] {
            assert!(rules.iter().any(|rule| lets_through(rule, command)), "{command}");
        }
    }
}

#[test]
fn settings_that_claude_cannot_read_are_refused() {
    let rules = rules(None);
    let refused = |text: &str| Part::Rules(&rules).install(Some(text.as_bytes())).unwrap_err().to_string();
    assert!(refused("{\"a\": 1,}").contains("line 1 column"));
    assert!(refused("// mine\n{}").contains("invalid JSON"));
    assert!(refused("").contains("invalid JSON"));
    assert!(refused("[]").contains("an object"));
    assert!(refused(r#"{"permissions": []}"#).contains("`permissions` in it is not an object"));
    assert!(
        refused(r#"{"permissions": {"allow": "all"}}"#).contains("`permissions.allow` in it is not a list")
    );
}

#[test]
fn a_diff_shows_changes_with_three_lines_of_context() {
    let (old, new) = ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
    let text = diff(Some(old.as_bytes()), Some(new.as_bytes()));
    assert_eq!(text, "@@ line 2\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    assert_eq!(diff(Some(b"a\n"), Some(b"a\n")), "");
    assert_eq!(diff(None, Some(b"a\nb")), "+a\n+b\n");
    assert_eq!(diff(Some(b"a\r\n"), None), "-a\n");
    assert_eq!(diff(Some(b"x"), Some(b"x\n")), "-x\n+x\n");
}

#[test]
fn a_trailing_carriage_return_is_restored() {
    for text in ["\r", "a\r", "a\nb\r", "a\r\nb\r", "\n\r", "\r\r"] {
        let file = installed(SECTION, Some(text.as_bytes()));
        assert_eq!(installed(SECTION, Some(&file)), file, "{text:?}");
        assert_eq!(SECTION.remove(Some(&file)).unwrap().unwrap(), text.as_bytes(), "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_of_a_file_are_restored(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assume!(!text.starts_with(b"\xff\xfe") && !text.starts_with(b"\xfe\xff"));
        let file = installed(SECTION, Some(&text));
        prop_assert_eq!(SECTION.remove(Some(&file)).unwrap().unwrap(), text);
    }

    #[test]
    fn any_lines_of_a_file_are_restored(text in "([ a-z]{0,3}(\n|\r\n|\r)?){0,8}") {
        let file = installed(SECTION, Some(text.as_bytes()));
        prop_assert_eq!(installed(SECTION, Some(&file)), file.clone());
        prop_assert_eq!(SECTION.remove(Some(&file)).unwrap().unwrap(), text.as_bytes());
    }
}
