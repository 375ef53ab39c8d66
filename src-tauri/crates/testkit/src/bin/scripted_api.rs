//! `bc-scripted-api [PORT]` runs the scripted Messages API for manual use. It prints the environment
//! variables that make claude use the API, then one line per request, and runs until it is interrupted.

use bc_testkit::{ScriptedApi, sandbox::API_KEY};

fn main() {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(0);
    let api = ScriptedApi::start_on(port);
    println!("export ANTHROPIC_BASE_URL={}", api.url());
    println!("export ANTHROPIC_API_KEY={API_KEY}");
    println!("export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1");
    for number in 0.. {
        let request = api.nth(number);
        let messages = request.body["messages"].as_array().map_or(0, Vec::len);
        println!("{} {} messages, model {}", request.path, messages, request.body["model"]);
    }
}
