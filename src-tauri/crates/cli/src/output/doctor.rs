//! The output of `doctor`: the checks, and the path of a saved report.

use super::{Style, Tone, indented};
use bc_core::text::plain;
use bc_wire::{
    app::ProblemReport,
    doctor::{Check, CheckState, DoctorReport},
};

/// One line per check, with its fix below.
pub(crate) fn report(report: &DoctorReport, style: &Style) -> String {
    let widest = report.checks.iter().map(|check| check.name.chars().count()).max().unwrap_or_default();
    let mut text = format!("beads-console {}\n\n", plain(&report.version));
    text.extend(report.checks.iter().map(|check| line(check, widest, style)));
    text.push_str(match report.ok {
        true => "\nReady: you can start a session in this folder.\n",
        false => "\nYou cannot start a session with claude in this folder yet; see above.\n",
    });
    text
}

/// The archive's path, and a note about checking the archive before sharing it.
pub(crate) fn saved(path: &str, report: &ProblemReport) -> String {
    let names: Vec<&str> = report.entries.iter().map(|entry| entry.name.as_str()).collect();
    let removed = match report.secrets_removed {
        0 => String::new(),
        1 => " 1 secret was removed.".to_owned(),
        many => format!(" {many} secrets were removed."),
    };
    format!(
        "\nReport saved as {}.{removed}\nIt contains {}.\nCheck these files before you attach the report to an issue.\n",
        plain(path),
        plain(&names.join(", "))
    )
}

fn line(check: &Check, widest: usize, style: &Style) -> String {
    let (mark, tone) = match check.state {
        CheckState::Ok => ("ok      ", Tone::Good),
        CheckState::Warning => ("warning ", Tone::Attention),
        CheckState::Problem => ("problem ", Tone::Bad),
    };
    let margin = " ".repeat(mark.len() + widest + 2);
    let below = |text: &str| indented(&plain(text), &margin).trim_start().to_owned();
    let mut line =
        format!("{}{:<widest$}  {}\n", style.paint(tone, mark), plain(&check.name), below(&check.found));
    if let Some(hint) = &check.hint {
        line.push_str(&format!("{margin}{}\n", style.paint(Tone::Faint, &below(hint))));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn report_shows_problems_with_their_fixes() {
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
            &Style::default(),
        );
        expect![[r#"
            beads-console 0.1.0

            ok      git     2.50.1
            problem claude  not installed
                            npm install -g …
                            or another way

            You cannot start a session with claude in this folder yet; see above.
        "#]]
        .assert_eq(&shown);
    }
}
