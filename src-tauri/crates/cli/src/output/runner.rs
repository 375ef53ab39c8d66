//! The result of probing a runner.

use super::{Style, Tone};
use bc_core::text::{one_line, plain};
use bc_wire::fleet::{RunnerHas, RunnerProbe};

/// One line each for the probe and for every capability, then the output of a failure.
pub(crate) fn probe(probe: &RunnerProbe, style: &Style) -> String {
    let mut text = format!(
        "{} · {}\n",
        style.paint(Tone::Strong, &one_line(&probe.name)),
        one_line(&shell_words::join(&probe.command))
    );
    let mut line = |ok: bool, what: &str, means: &str| {
        let (tone, sign) = if ok { (Tone::Good, "yes") } else { (Tone::Bad, "no ") };
        text.push_str(&format!("{} {what:<11} {}\n", style.paint(tone, sign), one_line(means)));
    };
    if let Some(succeeded) = probe.probe {
        line(succeeded, "probe", if succeeded { "its probe succeeded" } else { "its probe failed" });
    }
    line(probe.reached, "reached", if probe.reached { "a command ran" } else { "no command ran" });
    for part in probe.parts.iter().filter(|_| probe.reached) {
        let what = match part.what {
            RunnerHas::Terminal => "terminal",
            RunnerHas::Folder => "folder",
            RunnerHas::Program => "claude",
            RunnerHas::Hooks => "hooks",
            RunnerHas::Transcript => "transcript",
            RunnerHas::PrivatePrompts => "privacy",
        };
        line(part.there, what, &part.means);
    }
    if !probe.said.is_empty() {
        text.push_str(&format!("\n{}\n", plain(&probe.said)));
    }
    text
}
