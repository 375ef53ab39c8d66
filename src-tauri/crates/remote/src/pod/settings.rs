//! A pod as configured by the user.

use serde::{Deserialize, Serialize};

/// A pod and the settings for creating it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pod {
    /// The context in the user's kubeconfig; `None` for the current one.
    pub context: Option<String>,
    /// The namespace; `None` for the context's namespace.
    pub namespace: Option<String>,
    pub image: String,
    /// A Kubernetes quantity such as `4Gi`, for both the request and the limit.
    pub memory: Option<String>,
    /// A Kubernetes quantity such as `1500m`, for both the request and the limit.
    pub cpus: Option<String>,
    /// The service account; `None` for the default account without access to the API.
    pub service_account: Option<String>,
    /// Kubernetes Secrets with entries that become environment variables of the pod.
    pub secrets: Vec<String>,
    /// The size of the session's volume, such as `10Gi`. Without a volume, the session's files are lost when
    /// the pod is removed.
    pub volume: Option<String>,
    /// The name of the pod and of its volume claim.
    pub name: String,
}

#[cfg(test)]
pub(super) fn example() -> Pod {
    Pod {
        context: None,
        namespace: Some("agents".to_owned()),
        image: "registry.example/dev:1".to_owned(),
        memory: Some("4Gi".to_owned()),
        cpus: Some("2".to_owned()),
        service_account: None,
        secrets: vec!["claude".to_owned()],
        volume: Some("10Gi".to_owned()),
        name: "beads-console-1".to_owned(),
    }
}
