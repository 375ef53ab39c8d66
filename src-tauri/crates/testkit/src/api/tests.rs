//! Tests the scripted API with a client.

use super::*;
use serde_json::{Value, json};
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// Sends a raw request. Returns the status and the body.
fn post(api: &ScriptedApi, path: &str, body: &Value) -> (u16, String) {
    let mut stream = TcpStream::connect(api.url().trim_start_matches("http://")).unwrap();
    let body = body.to_string();
    write!(stream, "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn ask(api: &ScriptedApi, content: Value) -> Value {
    let body = json!({"model":"m","tools":[{"name":"Bash"}],"messages":[{"role":"user","content":content}]});
    let (status, answer) = post(api, "/v1/messages?beta=true", &body);
    assert_eq!(status, 200, "{answer}");
    serde_json::from_str(&answer).unwrap()
}

#[test]
fn markers_in_the_prompt_determine_the_answer() {
    let api = ScriptedApi::start();
    assert_eq!(ask(&api, json!("hello"))["content"][0]["text"], "Reply to: hello");
    assert_eq!(ask(&api, json!("x [[say:hi there]]"))["content"][0]["text"], "hi there");
    let answer = ask(
        &api,
        json!([{"type":"text","text":"<system-reminder>[[say:no]]</system-reminder>"},
        {"type":"text","text":"[[bash:echo a:b]] [[write:/p/a.txt:one:two]] [[edit:/p:old:new]]"}]),
    );
    assert_eq!(answer["stop_reason"], "tool_use");
    assert_eq!(answer["content"][1]["input"]["command"], "echo a:b");
    assert_eq!(answer["content"][2]["input"], json!({"file_path":"/p/a.txt","content":"one:two"}));
    assert_eq!(answer["content"][3]["input"]["new_string"], "new");
    let results = json!([{"type":"tool_result","tool_use_id":"t","content":"[[hang]]"}]);
    assert_eq!(ask(&api, results)["content"][0]["text"], AFTER_TOOLS);
    assert_eq!(answer["usage"]["output_tokens"], USAGE.output);
}

#[test]
fn an_answer_is_streamed_on_request() {
    let api = ScriptedApi::start();
    let body = json!({"stream":true,"tools":[{}],"messages":[{"role":"user","content":"[[slow:3]]"}]});
    let (status, events) = post(&api, "/v1/messages", &body);
    assert_eq!(status, 200);
    for expect in
        ["event: message_start", "word0\\n", "word1\\n", "word2\\n", "\"end_turn\"", "event: message_stop"]
    {
        assert!(events.contains(expect), "{expect} is not in {events}");
    }
}

#[test]
fn failures_follow_the_script() {
    let api = ScriptedApi::start();
    let body = |text: &str| json!({"tools":[{}],"messages":[{"role":"user","content":text}]});
    let (status, answer) = post(&api, "/v1/messages", &body("[[status:529]]"));
    assert_eq!(status, 529);
    assert!(answer.contains("overloaded_error"));
    let twice: Vec<u16> = (0..3).map(|_| post(&api, "/v1/messages", &body("[[status:500:2]]")).0).collect();
    assert_eq!(twice, [500, 500, 200]);
    assert_eq!(post(&api, "/anything", &json!({})).0, 404);
    assert_eq!(post(&api, "/v1/messages/count_tokens", &json!({})).0, 200);
}

#[test]
fn queued_turns_come_first_and_every_request_is_recorded() {
    let api = ScriptedApi::start();
    api.queue(Turn::Say("queued".to_owned()));
    assert_eq!(ask(&api, json!("a"))["content"][0]["text"], "queued");
    assert_eq!(ask(&api, json!("b"))["content"][0]["text"], "Reply to: b");
    assert_eq!(api.conversation().len(), 2);
    let request = api.wait_for("\"b\"", Duration::from_secs(1));
    assert_eq!(request.body["messages"][0]["content"], "b");
}

#[test]
fn a_hanging_answer_ends_with_the_client() {
    let api = ScriptedApi::start();
    let mut stream = TcpStream::connect(api.url().trim_start_matches("http://")).unwrap();
    let body = json!({"tools":[{}],"messages":[{"role":"user","content":"[[hang]]"}]}).to_string();
    write!(stream, "POST /v1/messages HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    api.wait_for("[[hang]]", Duration::from_secs(10));
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    assert!(stream.read(&mut [0u8; 1]).is_err(), "the server answered");
    drop(api);
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    assert_eq!(stream.read(&mut [0u8; 1]).unwrap(), 0, "the server stopped");
}
