//! The agent's actions for a prompt: its markers in order, or a small plan without markers. Performs no I/O,
//! and is deterministic.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tool {
    Bash { command: String },
    Read { path: String },
    Write { path: String, text: String },
    Edit { path: String, old: String, new: String },
}

/// A command that lists the files.
const LIST: &str = if cfg!(windows) { "dir" } else { "ls" };
/// A command that does nothing and succeeds.
const NOTHING: &str = if cfg!(windows) { "rem" } else { "true" };

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Say(String),
    /// Calls a tool. If `always_ask` is set, the agent asks even in a mode that allows the tool.
    Call {
        tool: Tool,
        always_ask: bool,
    },
    /// Says this number of words, one word every tenth of a second.
    Slow(u32),
    /// Does nothing until it is interrupted, for at most an hour.
    Hang,
    /// Says this number of lines, each as a separate message, as fast as possible.
    Flood(u32),
}

/// The steps for a prompt. A prompt without markers gets a fixed plan, which reads the file `readme`, or
/// lists the files if `readme` is `None`.
pub(crate) fn plan(prompt: &str, readme: Option<&str>) -> Vec<Step> {
    let steps: Vec<Step> = markers(prompt).filter_map(step).collect();
    if !steps.is_empty() {
        let done = "Simulated: the steps of the prompt are done.".to_owned();
        let says_itself = steps.iter().all(|step| !matches!(step, Step::Call { .. }));
        return steps.into_iter().chain((!says_itself).then_some(Step::Say(done))).collect();
    }
    let begin = "I am the simulated agent: nothing that I say comes from a model. I have a look at the project first.";
    let look = match readme {
        Some(path) => Tool::Read { path: path.to_owned() },
        None => Tool::Bash { command: LIST.to_owned() },
    };
    vec![
        Step::Say(begin.to_owned()),
        Step::Call { tool: look, always_ask: false },
        Step::Say(intention(prompt)),
    ]
}

fn intention(prompt: &str) -> String {
    let first = prompt.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("nothing");
    let task = bc_core::text::cut(&bc_core::text::one_line(first), 100);
    format!(
        "Simulated plan for \"{task}\":\n\
         1. Find the code that it is about, and the tests beside it.\n\
         2. Write a test that fails.\n\
         3. Make the smallest change that lets it pass, and run all tests.\n\
         4. Commit, and close or submit the bead.\n\n\
         Claude Code would do that now. To see me use tools, put [[bash:{LIST}]] or [[write:FILE:TEXT]] into a prompt."
    )
}

/// The strings between `[[` and `]]`.
fn markers(prompt: &str) -> impl Iterator<Item = &str> {
    prompt.split("[[").skip(1).filter_map(|rest| rest.split_once("]]").map(|(marker, _)| marker))
}

fn step(marker: &str) -> Option<Step> {
    let (name, rest) = marker.split_once(':').unwrap_or((marker, ""));
    let call = |tool| Some(Step::Call { tool, always_ask: false });
    match name {
        "say" => Some(Step::Say(rest.to_owned())),
        "bash" => call(Tool::Bash { command: rest.to_owned() }),
        "read" => call(Tool::Read { path: rest.to_owned() }),
        "write" => {
            let (path, text) = rest.split_once(':')?;
            call(Tool::Write { path: path.to_owned(), text: text.to_owned() })
        }
        "edit" => {
            let mut parts = rest.splitn(3, ':').map(str::to_owned);
            call(Tool::Edit { path: parts.next()?, old: parts.next()?, new: parts.next()? })
        }
        "ask" => Some(Step::Call { tool: Tool::Bash { command: NOTHING.to_owned() }, always_ask: true }),
        "slow" => Some(Step::Slow(rest.parse().ok()?)),
        "hang" => Some(Step::Hang),
        "flood" => Some(Step::Flood(rest.parse().ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_become_steps_in_their_order() {
        let steps =
            plan("do [[read:a.txt]] then [[edit:a.txt:one:two:three]] and [[slow:3]] [[nonsense]]", None);
        assert_eq!(
            steps[..3],
            [
                Step::Call { tool: Tool::Read { path: "a.txt".into() }, always_ask: false },
                Step::Call {
                    tool: Tool::Edit { path: "a.txt".into(), old: "one".into(), new: "two:three".into() },
                    always_ask: false
                },
                Step::Slow(3),
            ]
        );
        assert!(matches!(&steps[3], Step::Say(text) if text.starts_with("Simulated")));
    }

    #[test]
    fn a_text_only_answer_has_no_closing_text() {
        assert_eq!(plan("[[say:hi]]", None), [Step::Say("hi".into())]);
        assert_eq!(plan("[[hang]]", None), [Step::Hang]);
    }

    #[test]
    fn a_prompt_without_markers_is_answered_with_a_simulated_plan() {
        let steps = plan("\n  Implement the login\nmore", Some("README.md"));
        assert_eq!(steps[1], Step::Call { tool: Tool::Read { path: "README.md".into() }, always_ask: false });
        let Step::Say(text) = &steps[2] else { panic!("{steps:?}") };
        assert!(text.starts_with("Simulated plan for \"Implement the login\""), "{text}");
        assert_eq!(
            plan("x", None)[1],
            Step::Call { tool: Tool::Bash { command: LIST.into() }, always_ask: false }
        );
    }
}
