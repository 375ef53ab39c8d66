//! Converts a host's status to the contract's types.

use bc_core::usage_limit;
use bc_host::protocol;
use bc_wire::session::*;

pub(super) fn of(status: protocol::HostStatus) -> Live {
    let permission = |card: protocol::Card| PermissionRequest {
        id: card.id,
        tool: card.tool,
        input: card.input.into(),
        subagent: card.subagent,
        lasting: card.lasting,
        asked_at: card.asked_at,
    };
    let held = |text: protocol::HeldText| HeldText {
        id: text.id,
        text: text.text,
        at: text.at,
        state: match text.state {
            protocol::HeldState::Waiting => HeldState::Waiting,
            protocol::HeldState::Unconfirmed => HeldState::Unconfirmed,
            protocol::HeldState::Returned => HeldState::Returned,
        },
    };
    Live {
        host_pid: status.host.pid,
        agent_pid: status.agent.map(|a| a.pid),
        activity: activity(status.activity),
        model: status.model,
        context: status.context.map(|used| ContextUse { tokens: used.tokens, size: used.size }),
        failure: status.failure.map(failure),
        start_question: status.start_question.map(|question| match question {
            protocol::StartQuestion::Trust => StartQuestion::Trust,
            protocol::StartQuestion::Login => StartQuestion::Login,
        }),
        retry: status.retry.map(|retry| ApiRetry { attempt: retry.attempt, of: retry.of, why: retry.why }),
        permissions: status.permissions.into_iter().map(permission).collect(),
        held: status.held.into_iter().map(held).collect(),
        hooks_seen: status.hooks_seen,
        hold: status.hold,
        activity_since: status.activity_since,
        troubles: status.troubles,
        unreachable_since: status.unreachable_since,
    }
}

fn failure(failure: protocol::TurnFailure) -> TurnFailure {
    let protocol::TurnFailure { error, message, at } = failure;
    let kind = match error.as_str() {
        "rate_limit" | "overloaded" => FailureKind::RateLimit,
        "authentication_failed" | "oauth_org_not_allowed" | "billing_error" => FailureKind::Login,
        _ if message.contains("/login") => FailureKind::Login,
        _ if usage_limit::is_limit(&message) => FailureKind::RateLimit,
        _ => FailureKind::Other,
    };
    let until = (kind == FailureKind::RateLimit).then(|| usage_limit::reset_time(&message, at)).flatten();
    TurnFailure { kind, message, at, until }
}

fn activity(activity: bc_host::Activity) -> Activity {
    match activity {
        bc_host::Activity::Starting => Activity::Starting,
        bc_host::Activity::AsksAtStart => Activity::AsksAtStart,
        bc_host::Activity::Idle => Activity::Idle,
        bc_host::Activity::Working => Activity::Working,
        bc_host::Activity::WaitingPermission => Activity::WaitingPermission,
        bc_host::Activity::DialogOpen => Activity::DialogOpen,
        bc_host::Activity::Unknown => Activity::Unknown,
        bc_host::Activity::Gone => Activity::Gone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claude_that_is_logged_out_while_it_runs_needs_a_login() {
        let kind = |error: &str, message: &str| {
            let at = chrono::DateTime::UNIX_EPOCH.fixed_offset();
            failure(protocol::TurnFailure { error: error.to_owned(), message: message.to_owned(), at }).kind
        };
        assert_eq!(kind("authentication_failed", "API Error: 401"), FailureKind::Login);
        assert_eq!(kind("unknown", "Invalid API key · Please run /login"), FailureKind::Login);
        assert_eq!(kind("unknown", "OAuth token revoked · Please run /login"), FailureKind::Login);
        assert_eq!(kind("server_error", "API Error: 500"), FailureKind::Other);
    }
}
