//! A readable difference between two texts: one range of lines with its context. All changes to a file here
//! are in one place.

/// Number of context lines.
const AROUND: usize = 3;

/// Lines with `+` if new, `-` if removed, and a space if unchanged, preceded by `@@ line N` unless they start
/// the file. Empty without changes.
pub fn diff(before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let [before, after] = [before, after].map(|bytes| String::from_utf8_lossy(bytes.unwrap_or_default()));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    if old == new {
        return String::new();
    }
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let same_end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let from = same.saturating_sub(AROUND);
    let mut text = if from > 0 { format!("@@ line {}\n", from + 1) } else { String::new() };
    let mut show = |sign: char, lines: &[&str]| {
        for line in lines {
            text.push(sign);
            text.push_str(line.trim_end_matches(['\r', '\n']));
            text.push('\n');
        }
    };
    show(' ', &old[from..same]);
    show('-', &old_rest[..old_rest.len() - same_end]);
    show('+', &new_rest[..new_rest.len() - same_end]);
    show(' ', &new_rest[new_rest.len() - same_end..].iter().take(AROUND).copied().collect::<Vec<_>>());
    text
}
