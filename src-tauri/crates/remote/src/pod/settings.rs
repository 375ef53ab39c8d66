//! A pod as the user has set it up.

use serde::{Deserialize, Serialize};

/// A pod and the settings for creating it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pod {
    /// The context in the user's kubeconfig; `None` for the current one.
    pub context: Option<String>,
    /// The namespace; `None` for that of the context.
    pub namespace: Option<String>,
    pub image: String,
    /// A quantity of Kubernetes such as `4Gi`: both the request and the limit.
    pub memory: Option<String>,
    /// A quantity of Kubernetes such as `1500m`: both the request and the limit.
    pub cpus: Option<String>,
    /// The service account; `None` for the default one, without access to the API.
    pub service_account: Option<String>,
    /// Secrets of Kubernetes whose entries are environment variables of the pod.
    pub secrets: Vec<String>,
    /// The size of the session's volume, such as `10Gi`. Without a volume, the session's files are lost with
    /// the pod.
    pub volume: Option<String>,
    /// The name of the pod and of its volume's claim.
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
