//! The state of a pod, as reported by the cluster.

use super::manifest::CONTAINER;
use k8s_openapi::api::core::v1;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum PodState {
    Running,
    /// The pod is being scheduled, its image is being pulled, or its container is being restarted. The text
    /// is the reason, if known.
    Starting(Option<String>),
    /// The pod cannot start with the current settings.
    Unusable(String),
    /// The pod is being deleted.
    Ending,
    /// The pod has terminated and will not be restarted, for example because it was evicted.
    Ended(String),
}

/// The reasons for a waiting container that usually only a change to the settings can resolve.
const UNUSABLE: &[&str] = &[
    "InvalidImageName",
    "ErrImageNeverPull",
    "ErrImagePull",
    "ImagePullBackOff",
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "CrashLoopBackOff",
];

pub(super) fn state(pod: &v1::Pod) -> PodState {
    if pod.metadata.deletion_timestamp.is_some() {
        return PodState::Ending;
    }
    let Some(status) = &pod.status else { return PodState::Starting(None) };
    let said = |reason: Option<&str>, message: Option<&str>| match (reason, message) {
        (Some(reason), Some(message)) => format!("{reason}: {message}"),
        (one, other) => one.or(other).unwrap_or("no reason was given").to_owned(),
    };
    if let Some("Failed" | "Succeeded") = status.phase.as_deref() {
        return PodState::Ended(said(status.reason.as_deref(), status.message.as_deref()));
    }
    let containers = status.container_statuses.iter().flatten();
    let container = containers.filter(|container| container.name == CONTAINER).find_map(|c| c.state.as_ref());
    if container.is_some_and(|state| state.running.is_some()) {
        return PodState::Running;
    }
    if let Some(waiting) = container.and_then(|state| state.waiting.as_ref()) {
        let reason = waiting.reason.as_deref();
        let text = said(reason, waiting.message.as_deref());
        return match reason.is_some_and(|reason| UNUSABLE.contains(&reason)) {
            true => PodState::Unusable(text),
            false => PodState::Starting(Some(text)),
        };
    }
    let mut conditions = status.conditions.iter().flatten();
    let unscheduled = conditions.find(|one| one.type_ == "PodScheduled" && one.status == "False");
    PodState::Starting(unscheduled.map(|one| said(one.reason.as_deref(), one.message.as_deref())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(pod: Value, wanted: PodState) {
        assert_eq!(state(&serde_json::from_value(pod.clone()).unwrap()), wanted, "{pod}");
    }

    fn container(state: Value) -> Value {
        let status = json!([{ "name": "session", "image": "", "imageID": "", "ready": false,
                              "restartCount": 0, "state": state }]);
        json!({ "status": { "phase": "Pending", "containerStatuses": status } })
    }

    #[test]
    fn states_are_those_of_the_cluster() {
        let text = str::to_owned;
        check(json!({}), PodState::Starting(None));
        check(container(json!({ "running": {} })), PodState::Running);
        check(
            container(json!({ "waiting": { "reason": "ContainerCreating" } })),
            PodState::Starting(Some(text("ContainerCreating"))),
        );
        check(
            container(json!({ "waiting": { "reason": "ErrImagePull", "message": "not found" } })),
            PodState::Unusable(text("ErrImagePull: not found")),
        );
        check(
            json!({ "status": { "phase": "Failed", "reason": "Evicted", "message": "low on memory" } }),
            PodState::Ended(text("Evicted: low on memory")),
        );
        check(
            json!({ "metadata": { "deletionTimestamp": "2026-11-28T00:00:00Z" }, "status": { "phase": "Running" } }),
            PodState::Ending,
        );
        let unscheduled = json!([{ "type": "PodScheduled", "status": "False", "reason": "Unschedulable",
                                   "message": "no node has enough memory" }]);
        check(
            json!({ "status": { "phase": "Pending", "conditions": unscheduled } }),
            PodState::Starting(Some(text("Unschedulable: no node has enough memory"))),
        );
    }
}
