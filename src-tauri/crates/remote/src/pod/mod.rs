//! Kubernetes pods. Each session at such a place has its own pod, which Kubernetes schedules, restarts and
//! limits.
//!
//! The session's files are in the pod's home folder, on a volume that outlives the container. If the place
//! has a volume size, the volume is a PersistentVolumeClaim, which outlives the pod and its node.

mod cluster;
mod exec;
mod manifest;
mod settings;
mod state;

use crate::{not_ready::NotReady, verbs::POD_EXEC_VERB};
use cluster::{Cluster, blocking};

pub use exec::run_pod_exec;
pub use settings::Pod;

impl Pod {
    /// Ensures that the pod is running. Recreates a missing or failed pod if its volume exists or if `create`
    /// is set. Returns whether the session's files in the pod are new.
    pub(crate) fn make_ready(&self, create: bool) -> Result<bool, NotReady> {
        blocking(async { Cluster::connect(self).await?.make_ready(create).await })
    }

    /// Whether neither the pod exists nor a volume from which it could be recreated. Returns false if the
    /// cluster cannot be queried.
    pub(crate) fn is_gone(&self) -> bool {
        blocking(async { Cluster::connect(self).await?.is_gone().await }).unwrap_or(false)
    }

    /// Removes the pod and its volume. A failure is logged.
    pub(crate) fn remove(&self) {
        if let Err(error) = blocking(async { Cluster::connect(self).await?.remove().await }) {
            tracing::warn!(%error, pod = self.name, "a pod could not be removed");
        }
    }

    /// The arguments for this program that precede a command in the pod.
    pub(crate) fn exec_args(&self) -> [String; 4] {
        let text = |setting: &Option<String>| setting.clone().unwrap_or_default();
        [POD_EXEC_VERB.to_owned(), text(&self.context), text(&self.namespace), self.name.clone()]
    }
}
