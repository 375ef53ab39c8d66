//! The Kubernetes objects for a session.

use super::settings::Pod;
use crate::container::HOLD;
use k8s_openapi::api::core::v1;
use serde_json::{Value, json};

/// The name of the pod's only container.
pub(super) const CONTAINER: &str = "session";

/// The home folder in the pod: on the persistent volume, or without one in a folder that ends with the pod.
const HOME: &str = "/home/beads-console";

/// The group that can write to the volume, for images whose user is not root.
const VOLUME_GROUP: i64 = 1000;

pub(super) fn pod(pod: &Pod) -> v1::Pod {
    let home = match pod.volume {
        Some(_) => json!({ "name": "home", "persistentVolumeClaim": { "claimName": pod.name } }),
        None => json!({ "name": "home", "emptyDir": {} }),
    };
    let secrets: Vec<Value> =
        pod.secrets.iter().map(|name| json!({ "secretRef": { "name": name } })).collect();
    let limits: serde_json::Map<String, Value> = [("memory", &pod.memory), ("cpu", &pod.cpus)]
        .into_iter()
        .filter_map(|(name, limit)| Some((name.to_owned(), limit.clone()?.into())))
        .collect();
    let mut whole = json!({
        "metadata": metadata(pod),
        "spec": {
            "restartPolicy": "Always",
            "automountServiceAccountToken": pod.service_account.is_some(),
            "terminationGracePeriodSeconds": 10,
            "containers": [{
                "name": CONTAINER,
                "image": pod.image,
                "command": ["sh", "-c", HOLD],
                "env": [{ "name": "HOME", "value": HOME }],
                "envFrom": secrets,
                "resources": { "limits": limits, "requests": limits },
                "volumeMounts": [{ "name": "home", "mountPath": HOME }],
            }],
            "volumes": [home],
        },
    });
    let spec = &mut whole["spec"];
    if let Some(account) = &pod.service_account {
        spec["serviceAccountName"] = account.clone().into();
    }
    if pod.volume.is_some() {
        spec["securityContext"] = json!({ "fsGroup": VOLUME_GROUP, "fsGroupChangePolicy": "OnRootMismatch" });
    }
    serde_json::from_value(whole).expect("the manifest has the form of a pod")
}

pub(super) fn claim(pod: &Pod, size: &str) -> v1::PersistentVolumeClaim {
    let whole = json!({
        "metadata": metadata(pod),
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": { "requests": { "storage": size } },
        },
    });
    serde_json::from_value(whole).expect("the manifest has the form of a claim")
}

fn metadata(pod: &Pod) -> Value {
    let labels = json!({ "app.kubernetes.io/managed-by": "beads-console", "beads-console": pod.name });
    json!({ "name": pod.name, "labels": labels })
}

#[cfg(test)]
mod tests {
    use super::{super::settings::example, *};

    #[test]
    fn settings_become_a_pod_and_its_claim() {
        let made = serde_json::to_value(pod(&example())).unwrap();
        let container = &made["spec"]["containers"][0];
        assert_eq!(container["resources"]["limits"], json!({ "cpu": "2", "memory": "4Gi" }));
        assert_eq!(container["envFrom"], json!([{ "secretRef": { "name": "claude" } }]));
        assert_eq!(made["spec"]["automountServiceAccountToken"], false);
        assert_eq!(made["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"], "beads-console-1");
        let claim = serde_json::to_value(claim(&example(), "10Gi")).unwrap();
        assert_eq!(claim["spec"]["resources"]["requests"]["storage"], "10Gi");
        assert_eq!(claim["metadata"]["name"], "beads-console-1");
    }

    #[test]
    fn without_a_volume_the_home_folder_ends_with_the_pod() {
        let made = pod(&Pod { volume: None, service_account: Some("agent".to_owned()), ..example() });
        let made = serde_json::to_value(made).unwrap();
        assert_eq!(made["spec"]["volumes"], json!([{ "name": "home", "emptyDir": {} }]));
        assert_eq!(made["spec"]["serviceAccountName"], "agent");
        assert_eq!(made["spec"]["automountServiceAccountToken"], true);
    }
}
