//! Permission requests that a hook answers while the terminal's dialog is open.

use crate::lab::{Lab, StartOptions, id};
use bc_claude::hooks::{Answer, Decision, Event, EventName};

#[test]
fn a_permission_is_given_by_the_hook() {
    let Some(lab) = Lab::new("a_permission_is_given_by_the_hook") else { return };
    lab.answer(
        EventName::PermissionRequest,
        None,
        &Answer::Permission(Decision::Allow { for_longer: vec![], input: None }),
    );
    let prompt = format!("[[write:{}:yes]]", lab.sandbox.project().join("a.txt").display());
    let claude = lab.start(id(1), StartOptions { prompt: Some(&prompt), ..StartOptions::default() });
    let used = lab.next("PreToolUse", |hook| match &hook.event {
        Event::PreToolUse(tool) => Some((hook.prompt_id.clone(), tool.clone())),
        _ => None,
    });
    let asked = lab.next("PermissionRequest", |hook| match &hook.event {
        Event::PermissionRequest { tool, .. } => Some((hook.prompt_id.clone(), tool.clone())),
        _ => None,
    });
    // A permission request has no id, so it is matched with its call by these fields.
    assert_eq!((&used.0, &used.1.name, &used.1.input), (&asked.0, &asked.1.name, &asked.1.input));
    assert!(used.1.id.is_some() && asked.1.id.is_none());
    lab.stop();
    assert_eq!(lab.sandbox.read("a.txt"), "yes");
    claude.terminate();
}

#[test]
fn a_permission_is_refused_by_the_hook_with_its_reason() {
    let Some(lab) = Lab::new("a_permission_is_refused_by_the_hook_with_its_reason") else { return };
    let deny = Decision::Deny { message: "not on my watch".to_owned() };
    lab.answer(EventName::PermissionRequest, None, &Answer::Permission(deny));
    let path = lab.sandbox.project().join("a.txt");
    let prompt = format!("[[write:{}:no]]", path.display());
    let claude = lab.start(id(1), StartOptions { prompt: Some(&prompt), ..StartOptions::default() });
    lab.stop();
    assert!(!path.exists());
    let mut reading = lab.read(id(1));
    reading.wait_until("the refusal", |r| r.messages.len() == 3);
    let call = &reading.messages[1].tool_calls.as_ref().unwrap()[0];
    assert!(call.is_error && call.output.as_ref().unwrap().contains("not on my watch"), "{call:?}");
    assert_eq!(reading.files, Vec::<String>::new(), "a refused write counts as a touched file");
    assert!(lab.api.conversation()[1].seen().contains("not on my watch"), "the model did not get the reason");
    claude.terminate();
}
