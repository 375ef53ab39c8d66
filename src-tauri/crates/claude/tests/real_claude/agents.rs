//! Agent prompts and subagents.

use crate::lab::{Lab, StartOptions, TranscriptReader, id};
use bc_claude::{
    agents,
    hooks::Event,
    paths::{subagent_id, subagents_dir},
    transcript::Decoder,
};
use bc_testkit::api;

#[test]
fn an_agent_prompt_reaches_the_model_by_name_or_by_text() {
    let Some(lab) = Lab::new("an_agent_prompt_reaches_the_model_by_name_or_by_text") else { return };
    lab.sandbox
        .write(".claude/agents/stem.md", "---\nname: other-name\ndescription: D\n---\nNAMED-AGENT-TEXT\n");
    lab.sandbox.write(".claude/agents/bare.md", "BARE-AGENT-TEXT\n");
    let found = agents::list(lab.sandbox.project(), None);
    let names: Vec<&str> = found.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["bare", "stem"]);
    for (n, (agent, text)) in found.iter().zip(["BARE-AGENT-TEXT", "NAMED-AGENT-TEXT"]).enumerate() {
        let n = u8::try_from(n).unwrap() + 1;
        let prompt = format!("prompt {n}");
        let claude = lab.start(
            id(n),
            StartOptions { prompt: Some(&prompt), agent: Some(agent), ..StartOptions::default() },
        );
        lab.stop();
        let request = lab.api.conversation().into_iter().find(|r| r.seen().contains(&prompt)).unwrap();
        assert!(request.body["system"].to_string().contains(text), "{text} is not in the system prompt");
        claude.terminate();
    }
}

#[test]
fn a_subagent_has_its_own_transcript_whose_tokens_count() {
    let Some(lab) = Lab::new("a_subagent_has_its_own_transcript_whose_tokens_count") else { return };
    let claude =
        lab.start(id(1), StartOptions { prompt: Some("[[agent:look around]]"), ..StartOptions::default() });
    let path = lab.next("SubagentStop", |hook| match &hook.event {
        Event::SubagentStop { transcript_path } => transcript_path.clone().map(std::path::PathBuf::from),
        _ => None,
    });
    lab.stop();
    let main = lab.places().transcript(lab.sandbox.project(), id(1));
    assert_eq!(path.parent().unwrap(), subagents_dir(&main));
    let agent = subagent_id(&path).unwrap();
    let mut reading = TranscriptReader::new(Decoder::for_subagent(lab.sandbox.project(), &agent), path);
    reading.wait_until("the subagent's answer", |r| r.messages.len() >= 2);
    assert_eq!(reading.lines(), ["User: look around", "Assistant: Reply to: look around"]);
    assert!(reading.messages.iter().all(|m| m.subagent.as_deref() == Some(agent.as_str())));
    assert_eq!(reading.tokens.output, api::USAGE.output);
    claude.terminate();
}
