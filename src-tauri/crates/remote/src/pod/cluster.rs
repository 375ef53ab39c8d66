//! Requests to the cluster, using the user's kubeconfig.

use super::{
    manifest,
    settings::Pod,
    state::{PodState, state},
};
use crate::not_ready::NotReady;
use k8s_openapi::api::core::v1::{self, PersistentVolumeClaim};
use kube::{
    Api, Client, Config,
    api::{DeleteParams, PostParams},
    config::KubeConfigOptions,
};
use std::{
    error::Error,
    time::{Duration, Instant},
};

/// The time limit for one request.
const REQUEST_WITHIN: Duration = Duration::from_secs(30);
/// The time limit for a start, during which the cluster may add a node and pull the image.
const READY_WITHIN: Duration = Duration::from_secs(15 * 60);
/// The time limit for deleting a pod.
const DELETED_WITHIN: Duration = Duration::from_secs(60);
/// The polling interval while waiting for a change of the pod's state.
const STATE_EVERY: Duration = Duration::from_millis(500);

/// The cluster's APIs for a session's pod and its volume.
pub(super) struct Cluster<'a> {
    pod: &'a Pod,
    pods: Api<v1::Pod>,
    claims: Api<PersistentVolumeClaim>,
}

/// Runs requests on this thread, which must not belong to an asynchronous runtime.
pub(super) fn blocking<T>(requests: impl Future<Output = Result<T, NotReady>>) -> Result<T, NotReady> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| failed(&error))?.block_on(requests)
}

pub(super) async fn client(context: Option<&str>) -> Result<Client, NotReady> {
    let config = match context {
        Some(context) => {
            let options =
                KubeConfigOptions { context: Some(context.to_owned()), ..KubeConfigOptions::default() };
            Config::from_kubeconfig(&options).await.map_err(|error| failed(&error))?
        }
        None => Config::infer().await.map_err(|error| failed(&error))?,
    };
    Client::try_from(config).map_err(|error| failed(&error))
}

impl<'a> Cluster<'a> {
    pub(super) async fn connect(pod: &'a Pod) -> Result<Cluster<'a>, NotReady> {
        let client = client(pod.context.as_deref()).await?;
        let namespace = pod.namespace.clone().unwrap_or_else(|| client.default_namespace().to_owned());
        Ok(Cluster {
            pod,
            pods: Api::namespaced(client.clone(), &namespace),
            claims: Api::namespaced(client, &namespace),
        })
    }

    pub(super) async fn make_ready(&self, create: bool) -> Result<bool, NotReady> {
        let mut files_are_new = false;
        if let Some(ended) = self.ended().await? {
            if create && let Some(size) = &self.pod.volume {
                files_are_new = self.create_claim(size).await?;
            } else if create {
                files_are_new = true;
            } else if !self.has_volume().await? {
                return Err(NotReady::Gone(format!("the pod {}{ended}", self.pod.name)));
            }
            self.delete_pod().await?;
            request(self.pods.create(&PostParams::default(), &manifest::pod(self.pod))).await?;
        }
        match self.wait_until_running().await {
            Ok(()) => Ok(files_are_new),
            Err(error) => {
                if files_are_new {
                    let _ = self.remove().await;
                }
                Err(error)
            }
        }
    }

    pub(super) async fn is_gone(&self) -> Result<bool, NotReady> {
        Ok(self.ended().await?.is_some() && !self.has_volume().await?)
    }

    /// Removes the pod and its claim, if they exist.
    pub(super) async fn remove(&self) -> Result<(), NotReady> {
        let deleted = request_optional(self.pods.delete(&self.pod.name, &DeleteParams::default())).await;
        if self.pod.volume.is_some() {
            request_optional(self.claims.delete(&self.pod.name, &DeleteParams::default())).await?;
        }
        deleted.map(drop)
    }

    /// If the pod has ended or does not exist, returns a suffix for the error message: the reason in
    /// parentheses, or an empty string. Otherwise returns `None`.
    async fn ended(&self) -> Result<Option<String>, NotReady> {
        Ok(match self.state().await? {
            None | Some(PodState::Ending) => Some(String::new()),
            Some(PodState::Ended(why)) => Some(format!(" ({why})")),
            Some(PodState::Running | PodState::Starting(_) | PodState::Unusable(_)) => None,
        })
    }

    async fn state(&self) -> Result<Option<PodState>, NotReady> {
        Ok(request(self.pods.get_opt(&self.pod.name)).await?.as_ref().map(state))
    }

    async fn has_volume(&self) -> Result<bool, NotReady> {
        match self.pod.volume {
            Some(_) => Ok(request(self.claims.get_opt(&self.pod.name)).await?.is_some()),
            None => Ok(false),
        }
    }

    /// Creates the claim if it is missing. Returns whether it created the claim.
    async fn create_claim(&self, size: &str) -> Result<bool, NotReady> {
        if self.has_volume().await? {
            return Ok(false);
        }
        request(self.claims.create(&PostParams::default(), &manifest::claim(self.pod, size))).await?;
        Ok(true)
    }

    /// Deletes an ended pod and waits until it no longer exists, so that two pods never use the same volume.
    async fn delete_pod(&self) -> Result<(), NotReady> {
        let deadline = Instant::now() + DELETED_WITHIN;
        request_optional(self.pods.delete(&self.pod.name, &DeleteParams::default())).await?;
        while self.state().await?.is_some() {
            if Instant::now() > deadline {
                return Err(NotReady::Failed(format!("the pod {} is still being deleted", self.pod.name)));
            }
            tokio::time::sleep(STATE_EVERY).await;
        }
        Ok(())
    }

    async fn wait_until_running(&self) -> Result<(), NotReady> {
        let name = &self.pod.name;
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            let reason = match self.state().await? {
                Some(PodState::Running) => return Ok(()),
                Some(PodState::Starting(reason)) => {
                    reason.unwrap_or_else(|| "no reason was given".to_owned())
                }
                Some(PodState::Unusable(why) | PodState::Ended(why)) => {
                    return Err(NotReady::Failed(format!("the pod {name} does not start: {why}")));
                }
                None | Some(PodState::Ending) => {
                    return Err(NotReady::Failed(format!("the pod {name} was deleted while it started")));
                }
            };
            if Instant::now() > deadline {
                let minutes = READY_WITHIN.as_secs() / 60;
                let text = format!("the pod {name} did not start within {minutes} minutes: {reason}");
                return Err(NotReady::Failed(text));
            }
            tokio::time::sleep(STATE_EVERY).await;
        }
    }
}

async fn request<T>(request: impl Future<Output = kube::Result<T>>) -> Result<T, NotReady> {
    match tokio::time::timeout(REQUEST_WITHIN, request).await {
        Ok(answer) => answer.map_err(|error| request_failed(&error)),
        Err(_) => {
            let text = format!("the cluster did not answer within {} seconds", REQUEST_WITHIN.as_secs());
            Err(NotReady::Failed(text))
        }
    }
}

/// Like [`request`], but returns `None` if the object does not exist.
async fn request_optional<T>(one: impl Future<Output = kube::Result<T>>) -> Result<Option<T>, NotReady> {
    let answer = async {
        match one.await {
            Err(kube::Error::Api(status)) if status.code == NOT_FOUND => Ok(None),
            answer => answer.map(Some),
        }
    };
    request(answer).await
}

const NOT_FOUND: u16 = 404;

/// Returns the cluster's own message for a refused request, and otherwise the error with its causes.
pub(super) fn request_failed(error: &kube::Error) -> NotReady {
    match error {
        kube::Error::Api(status) if !status.message.is_empty() => shortened(&status.message),
        other => failed(other),
    }
}

/// The error with its causes on one line, without causes that the preceding text already contains.
pub(super) fn failed(error: &dyn Error) -> NotReady {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    shortened(&text)
}

fn shortened(text: &str) -> NotReady {
    NotReady::Failed(bc_core::text::cut(&bc_core::text::one_line(text), 400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_not_repeated() {
        #[derive(Debug, thiserror::Error)]
        #[error("no answer: {0}")]
        struct Outer(#[source] std::io::Error);
        let error = Outer(std::io::Error::other("refused"));
        assert_eq!(failed(&error).to_string(), "no answer: refused");
    }
}
