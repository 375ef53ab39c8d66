//! Shows the changes since the user allowed a file, in the unified format. One block covers everything from
//! the first to the last changed line: files with hooks are short, and one block is easier to read than many.

use std::fmt::Write;

/// Number of context lines around a change.
const AROUND: usize = 3;

/// The difference between two texts; empty if they are equal.
pub fn diff(name: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let head = same(&mut old.iter().zip(&new));
    let shorter = old.len().min(new.len()) - head;
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(shorter);
    let from = head.saturating_sub(AROUND);
    let (old_to, new_to) =
        ((old.len() - tail + AROUND).min(old.len()), (new.len() - tail + AROUND).min(new.len()));
    let mut text = format!(
        "--- {name}\n+++ {name}\n@@ -{},{} +{},{} @@\n",
        from + 1,
        old_to - from,
        from + 1,
        new_to - from
    );
    let mut put = |sign: char, lines: &[&str]| {
        for line in lines {
            writeln!(text, "{sign}{line}").expect("a string takes what it is given");
        }
    };
    put(' ', &old[from..head]);
    put('-', &old[head..old.len() - tail]);
    put('+', &new[head..new.len() - tail]);
    put(' ', &old[old.len() - tail..old_to]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_what_is_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\nfive\n5b\n6\n7\n8\n9\n";
        let expect = "--- a\n+++ a\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5b\n 6\n 7\n 8\n";
        assert_eq!(diff("a", before, after), expect);
    }

    #[test]
    fn nothing_new_is_nothing_and_a_new_file_is_all_new() {
        assert_eq!(diff("a", "x\n", "x\n"), "");
        assert_eq!(diff("a", "", "x\ny\n"), "--- a\n+++ a\n@@ -1,0 +1,2 @@\n+x\n+y\n");
        assert_eq!(diff("a", "x\nx\n", "x\n"), "--- a\n+++ a\n@@ -1,2 +1,1 @@\n x\n-x\n");
    }
}
