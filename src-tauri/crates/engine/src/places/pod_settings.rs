//! Validates pod settings, and builds a pod from them.

use bc_remote::Pod;
use bc_wire::place::PodSettings;
use uuid::Uuid;

/// The maximum length of a Kubernetes name, in bytes.
const TEXT_MAX: usize = 253;
/// The maximum length of an image's or context's name, in bytes.
const IMAGE_MAX: usize = 1024;

/// Checks the form of the settings; the cluster checks their meaning.
pub(super) fn valid(settings: &PodSettings) -> Result<(), String> {
    let PodSettings { context, namespace, image, memory, cpus, service_account, secrets, volume } = settings;
    if image.is_empty() || image.len() > IMAGE_MAX || !image.chars().all(|c| c.is_ascii_graphic()) {
        return Err(format!("invalid image {image:?}: use a name such as registry/name:tag"));
    }
    if let Some(context) = context.iter().find(|context| {
        context.is_empty() || context.len() > IMAGE_MAX || context.chars().any(char::is_control)
    }) {
        return Err(format!("invalid context {context:?}: use a name from your kubeconfig"));
    }
    let names = [("namespace", namespace.as_ref()), ("service account", service_account.as_ref())];
    let names = names.into_iter().filter_map(|(what, name)| Some((what, name?)));
    for (what, name) in names.chain(secrets.iter().map(|name| ("secret", name))) {
        if !is_name(name) {
            return Err(format!("invalid {what} {name:?}: use lower-case letters, digits, `-` and `.`"));
        }
    }
    let sizes = [("memory limit", memory), ("processor limit", cpus), ("volume size", volume)];
    for (what, size) in sizes {
        if let Some(size) = size.as_ref().filter(|size| !is_quantity(size)) {
            return Err(format!(
                "invalid {what} {size:?}: use a quantity of Kubernetes, for example 4Gi or 1500m"
            ));
        }
    }
    Ok(())
}

/// The pod for a check; `PlaceAccess::for_session` replaces its name for a session.
pub(super) fn pod(settings: PodSettings) -> Pod {
    let PodSettings { context, namespace, image, memory, cpus, service_account, secrets, volume } = settings;
    let name = format!("beads-console-check-{}", Uuid::new_v4());
    Pod { context, namespace, image, memory, cpus, service_account, secrets, volume, name }
}

/// Whether the text has the length and characters of a Kubernetes name (a DNS subdomain, RFC 1123).
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.len() <= TEXT_MAX
        && name.starts_with(plain)
        && name.ends_with(plain)
        && name.chars().all(|c| plain(c) || matches!(c, '-' | '.'))
}

/// Whether the text looks like a Kubernetes quantity: a positive number with an optional suffix such as `Gi`
/// or `m`.
fn is_quantity(text: &str) -> bool {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    text.len() - number.len() <= 2
        && number.parse().is_ok_and(|number: f64| number.is_finite() && number > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> PodSettings {
        PodSettings {
            context: Some("arn:aws:eks:eu:1:cluster/work".to_owned()),
            namespace: Some("agents".to_owned()),
            image: "registry.example/dev:1".to_owned(),
            memory: Some("4Gi".to_owned()),
            cpus: Some("1500m".to_owned()),
            service_account: Some("agent".to_owned()),
            secrets: vec!["claude-account".to_owned()],
            volume: Some("10Gi".to_owned()),
        }
    }

    #[test]
    fn a_value_that_kubernetes_cannot_take_is_refused() {
        assert_eq!(valid(&settings()), Ok(()));
        let text = |text: &str| Some(text.to_owned());
        for (bad, named) in [
            (PodSettings { image: "a b".to_owned(), ..settings() }, "image"),
            (PodSettings { image: String::new(), ..settings() }, "image"),
            (PodSettings { context: text(""), ..settings() }, "context"),
            (PodSettings { namespace: text("Agents"), ..settings() }, "namespace"),
            (PodSettings { service_account: text("a/b"), ..settings() }, "service account"),
            (PodSettings { secrets: vec!["-x".to_owned()], ..settings() }, "secret"),
            (PodSettings { memory: text("much"), ..settings() }, "memory"),
            (PodSettings { cpus: text("-1"), ..settings() }, "processor"),
            (PodSettings { volume: text("0"), ..settings() }, "volume"),
        ] {
            let why = valid(&bad).unwrap_err();
            assert!(why.contains(named), "{why}");
        }
    }
}
