//! Validates container settings, and converts them to options for docker or podman.

use bc_wire::place::ContainerSettings;

/// The maximum length of a setting, in bytes.
const TEXT_MAX: usize = 1024;

/// Options that the user cannot set: Beads Console sets them, or they do not fit a container that runs in the
/// background and is kept when it stops.
const OURS: &[&str] = &["--name", "--detach", "--entrypoint", "--rm", "--tty", "--interactive"];

/// Checks the settings. Their values become words of a command line, so no value may be mistaken for an
/// option that the user did not choose.
pub(super) fn valid(settings: &ContainerSettings) -> Result<(), String> {
    let ContainerSettings { engine: _, image, mounts, memory, cpus, options } = settings;
    let named = [("image", image)].into_iter();
    let named = named.chain(mounts.iter().map(|mount| ("mount", mount)));
    let named = named.chain(memory.iter().map(|memory| ("memory limit", memory)));
    let named = named.chain(cpus.iter().map(|cpus| ("processor limit", cpus)));
    for (what, text) in named.chain(options.iter().map(|option| ("option", option))) {
        if text.is_empty() || text.len() > TEXT_MAX || text.chars().any(char::is_control) {
            return Err(format!(
                "invalid {what} {text:?}: use 1 to {TEXT_MAX} bytes without control characters"
            ));
        }
    }
    if image.starts_with('-') || image.contains(char::is_whitespace) {
        return Err(format!("invalid image {image:?}: use a name such as registry/name:tag"));
    }
    if let Some(mount) = mounts.iter().find(|mount| mount.starts_with('-') || !mount.contains(':')) {
        return Err(format!("invalid mount {mount:?}: use SOURCE:TARGET, for example /data:/data:ro"));
    }
    if let Some(memory) = memory.iter().find(|memory| !is_size(memory)) {
        return Err(format!(
            "invalid memory limit {memory:?}: use a number and b, k, m or g, for example 4g"
        ));
    }
    if let Some(cpus) =
        cpus.iter().find(|cpus| !cpus.parse().is_ok_and(|cpus: f64| cpus.is_finite() && cpus > 0.0))
    {
        return Err(format!("invalid processor limit {cpus:?}: use a number, for example 1.5"));
    }
    for option in options {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        if !name.starts_with("--") || name.len() < 3 || name.contains(char::is_whitespace) {
            return Err(format!("invalid option {option:?}: use the form --name or --name=value"));
        }
        if OURS.contains(&name) {
            return Err(format!("the option {name} cannot be used: Beads Console sets it"));
        }
        // The value could be a secret, but other users can read the command line and other programs can read
        // the settings file.
        if name == "--env" && value.contains('=') {
            return Err(format!(
                "the option {name} cannot have a value: use --env=NAME, which takes it from the environment, or a secret of the engine"
            ));
        }
    }
    Ok(())
}

/// The options for the container engine's `run` command.
pub(super) fn options(settings: &ContainerSettings) -> Vec<String> {
    let volumes = settings.mounts.iter().map(|mount| format!("--volume={mount}"));
    let memory = settings.memory.iter().map(|memory| format!("--memory={memory}"));
    let cpus = settings.cpus.iter().map(|cpus| format!("--cpus={cpus}"));
    volumes.chain(memory).chain(cpus).chain(settings.options.iter().cloned()).collect()
}

fn is_size(text: &str) -> bool {
    let digits = text.trim_end_matches(|c: char| matches!(c.to_ascii_lowercase(), 'b' | 'k' | 'm' | 'g'));
    !digits.is_empty() && text.len() - digits.len() <= 1 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_wire::place::ContainerEngine;

    fn settings() -> ContainerSettings {
        ContainerSettings {
            engine: ContainerEngine::Podman,
            image: "registry.example/dev:1".to_owned(),
            mounts: vec!["/data:/data:ro".to_owned()],
            memory: Some("4g".to_owned()),
            cpus: Some("1.5".to_owned()),
            options: vec!["--network=none".to_owned(), "--env=API_KEY".to_owned()],
        }
    }

    #[test]
    fn settings_become_options_of_the_engine() {
        assert_eq!(valid(&settings()), Ok(()));
        let words =
            ["--volume=/data:/data:ro", "--memory=4g", "--cpus=1.5", "--network=none", "--env=API_KEY"];
        assert_eq!(options(&settings()), words);
    }

    #[test]
    fn a_value_that_could_be_another_option_is_refused() {
        let text = |text: &str| text.to_owned();
        for (bad, named) in [
            (ContainerSettings { image: text("--privileged"), ..settings() }, "image"),
            (ContainerSettings { image: text("a b"), ..settings() }, "image"),
            (ContainerSettings { image: String::new(), ..settings() }, "image"),
            (ContainerSettings { mounts: vec![text("--x:y")], ..settings() }, "mount"),
            (ContainerSettings { mounts: vec![text("/data")], ..settings() }, "mount"),
            (ContainerSettings { memory: Some(text("much")), ..settings() }, "memory"),
            (ContainerSettings { memory: Some(text("4gg")), ..settings() }, "memory"),
            (ContainerSettings { cpus: Some(text("-1")), ..settings() }, "processor"),
            (ContainerSettings { options: vec![text("image")], ..settings() }, "option"),
            (ContainerSettings { options: vec![text("-v")], ..settings() }, "option"),
            (ContainerSettings { options: vec![text("--name=x")], ..settings() }, "option"),
            (ContainerSettings { options: vec![text("--env=KEY=secret")], ..settings() }, "--env"),
            (ContainerSettings { options: vec![text("--a\nb")], ..settings() }, "option"),
        ] {
            let why = valid(&bad).unwrap_err();
            assert!(why.contains(named), "{why}");
        }
    }
}
