//! Pods of Kubernetes. Each session at such a place has its own pod, which Kubernetes schedules, restarts and limits.
//!
//! The session's files are in the pod's home folder: a volume that outlives the container, and, if the place has a
//! volume size, a PersistentVolumeClaim that outlives the pod and its node.

mod cluster;
mod exec;
mod manifest;
mod state;

use crate::{not_ready::NotReady, verbs::POD_EXEC_VERB};
use cluster::{Cluster, blocking};
use serde::{Deserialize, Serialize};

pub use exec::run_pod_exec;

/// A pod and its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pod {
    /// The context in the user's kubeconfig; `None` for the current one.
    pub context: Option<String>,
    /// `None` for the namespace of the context.
    pub namespace: Option<String>,
    pub image: String,
    /// A quantity of Kubernetes such as `4Gi`: both the request and the limit.
    pub memory: Option<String>,
    /// A quantity of Kubernetes such as `1500m`: both the request and the limit.
    pub cpus: Option<String>,
    /// `None` for the default one, without access to the API.
    pub service_account: Option<String>,
    /// Secrets of Kubernetes whose entries are environment variables of the pod.
    pub secrets: Vec<String>,
    /// The size of the session's volume, such as `10Gi`. Without one, its files end with the pod.
    pub volume: Option<String>,
    /// The name of the pod, and of its volume's claim.
    pub name: String,
}

impl Pod {
    /// Makes sure that the pod runs. A missing or failed pod is created again if its volume exists, or if `create` is
    /// set. Returns whether the session's files there are new.
    pub(crate) fn make_ready(&self, create: bool) -> Result<bool, NotReady> {
        blocking(async { Cluster::connect(self).await?.make_ready(create).await })
    }

    /// Whether the pod does not exist, nor a volume from which it can be created again. If the cluster cannot say so,
    /// they exist.
    pub(crate) fn is_gone(&self) -> bool {
        blocking(async { Cluster::connect(self).await?.is_gone().await }).unwrap_or(false)
    }

    /// Removes the pod and its volume. A failure is logged.
    pub(crate) fn remove(&self) {
        if let Err(error) = blocking(async { Cluster::connect(self).await?.remove().await }) {
            tracing::warn!(%error, pod = self.name, "a pod could not be removed");
        }
    }

    /// The arguments of our own program before a command that runs in the pod.
    pub(crate) fn exec_args(&self) -> [String; 4] {
        let text = |setting: &Option<String>| setting.clone().unwrap_or_default();
        [POD_EXEC_VERB.to_owned(), text(&self.context), text(&self.namespace), self.name.clone()]
    }
}

#[cfg(test)]
fn example() -> Pod {
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
