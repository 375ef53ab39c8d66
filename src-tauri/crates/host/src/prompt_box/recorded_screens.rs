//! Recorded screens of real versions of claude, 24 lines of 80 columns. `⟦…⟧` marks faint text.
//!
//! Each recording begins with a line `=== KIND | ACTION | cursor ROW COLUMN | title …`. The kind is `free`
//! for the empty input box, `busy` for an input box that must not be typed into, and `dialog` for all other
//! screens.

use super::*;

const VERSIONS: [(&str, &str); 6] = [
    ("2.1.120", include_str!("../../tests/screens/2.1.120.txt")),
    ("2.1.160", include_str!("../../tests/screens/2.1.160.txt")),
    ("2.1.197", include_str!("../../tests/screens/2.1.197.txt")),
    ("2.1.220", include_str!("../../tests/screens/2.1.220.txt")),
    ("2.1.329", include_str!("../../tests/screens/2.1.329.txt")),
    ("2.1.330", include_str!("../../tests/screens/2.1.330.txt")),
];

fn without_hints(line: &str) -> String {
    let mut hint = false;
    let shown = line.chars().filter_map(|c| {
        match c {
            '⟦' => hint = true,
            '⟧' => hint = false,
            _ => return Some(if hint { ' ' } else { c }),
        }
        None
    });
    shown.collect::<String>().trim_end_matches(' ').to_owned()
}

fn parsed(record: &str) -> (&str, &str, ScreenContents) {
    let (head, body) = record.split_once('\n').unwrap();
    let parts: Vec<&str> = head.split(" | ").collect();
    let [kind, name, cursor, title] = parts[..] else { panic!("{head}") };
    let mut numbers = cursor.split(' ').skip(1).map(|number| number.parse().unwrap());
    let drawn = ScreenContents {
        lines: body.lines().map(|line| line.replace(['⟦', '⟧'], "")).collect(),
        without_hints: body.lines().map(without_hints).collect(),
        cursor: (numbers.next().unwrap(), numbers.next().unwrap()),
        cols: 80,
        title: title.trim_start_matches("title").trim().to_owned(),
    };
    (kind, name, drawn)
}

#[test]
fn the_empty_input_box_of_every_version_is_free_and_nothing_else_is() {
    let mut checked = 0;
    for (version, screens) in VERSIONS {
        for record in screens.split("=== ").filter(|record| !record.is_empty()) {
            let (kind, name, drawn) = parsed(record);
            let found = read(&drawn);
            let is = match &found {
                None => "dialog",
                Some(found) if found.is_free() => "free",
                Some(_) => "busy",
            };
            assert_eq!(is, kind, "{version} {name}: {found:?}\n{}", drawn.lines.join("\n"));
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn a_paste_into_a_dialogs_field_is_never_mistaken_for_one_into_the_input_box() {
    for (version, screens) in VERSIONS {
        let records = screens.split("=== ").filter(|record| !record.is_empty());
        for (kind, name, drawn) in records.map(parsed).filter(|(kind, ..)| *kind != "free") {
            // The text appears at the cursor.
            let (row, col) = drawn.cursor;
            let mut typed = drawn.clone();
            for lines in [&mut typed.lines, &mut typed.without_hints] {
                lines.resize(lines.len().max(row + 1), String::new());
                let before: String = lines[row].chars().chain(std::iter::repeat(' ')).take(col).collect();
                lines[row] = format!("{before}fix the tests");
            }
            typed.cursor.1 = col + 13;
            let arrived = read(&typed).is_some_and(|found| found.shows("fix the tests"));
            assert!(!arrived, "{version} {kind} {name}:\n{}", typed.lines.join("\n"));
        }
    }
}
