//! The doctor's report.

use super::{Looks, Tone, indented};
use bc_core::text::plain;
use bc_wire::doctor::{Check, CheckState, DoctorReport};

/// One line for each check, what to do about it below.
pub(crate) fn report(report: &DoctorReport, looks: &Looks) -> String {
    let widest = report.checks.iter().map(|check| check.name.chars().count()).max().unwrap_or_default();
    let mut text = format!("beads-console {}\n\n", plain(&report.version));
    for check in &report.checks {
        text.push_str(&line(check, widest, looks));
    }
    text.push_str(match report.ok {
        true => "\nReady: a session can be started here.\n",
        false => "\nA session with claude cannot be started here yet; see above.\n",
    });
    text
}

fn line(check: &Check, widest: usize, looks: &Looks) -> String {
    let (mark, tone) = match check.state {
        CheckState::Ok => ("ok      ", Tone::Good),
        CheckState::Warning => ("warning ", Tone::Attention),
        CheckState::Problem => ("problem ", Tone::Bad),
    };
    let margin = " ".repeat(mark.len() + widest + 2);
    let below = |text: &str| indented(&plain(text), &margin).trim_start().to_owned();
    let mut line =
        format!("{}{:<widest$}  {}\n", looks.paint(tone, mark), plain(&check.name), below(&check.found));
    if let Some(hint) = &check.hint {
        line.push_str(&format!("{margin}{}\n", looks.paint(Tone::Faint, &below(hint))));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_report_says_what_is_missing_and_what_to_do() {
        let check = |name: &str, state, found: &str, hint: Option<&str>| Check {
            name: name.into(),
            state,
            found: found.into(),
            hint: hint.map(Into::into),
        };
        let shown = report(
            &DoctorReport {
                ok: false,
                version: "0.1.0".into(),
                checks: vec![
                    check("git", CheckState::Ok, "2.50.1", None),
                    check(
                        "claude",
                        CheckState::Problem,
                        "not installed",
                        Some("npm install -g …\nor another way"),
                    ),
                ],
            },
            &Looks::default(),
        );
        expect![[r#"
            beads-console 0.1.0

            ok      git     2.50.1
            problem claude  not installed
                            npm install -g …
                            or another way

            A session with claude cannot be started here yet; see above.
        "#]]
        .assert_eq(&shown);
    }
}
