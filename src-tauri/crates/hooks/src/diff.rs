//! Shows how a file changed since the user allowed it.

use similar::TextDiff;

/// The number of context lines around a change.
const AROUND: usize = 3;

/// The changes from `before` to `after` as a unified diff. Empty if the two are equal.
pub fn diff(name: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().context_radius(AROUND).header(name, name).missing_newline_hint(false).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_its_context() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\nfive\n5b\n6\n7\n8\n9\n";
        let expect = "--- a\n+++ a\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5b\n 6\n 7\n 8\n";
        assert_eq!(diff("a", before, after), expect);
    }

    #[test]
    fn unchanged_files_have_no_diff_and_new_ones_are_all_additions() {
        assert_eq!(diff("a", "x\n", "x\n"), "");
        assert_eq!(diff("a", "", "x\ny\n"), "--- a\n+++ a\n@@ -0,0 +1,2 @@\n+x\n+y\n");
        assert_eq!(diff("a", "x\nx\n", "x\n"), "--- a\n+++ a\n@@ -1,2 +1 @@\n x\n-x\n");
    }
}
