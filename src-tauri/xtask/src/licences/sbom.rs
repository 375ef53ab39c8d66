//! The software bill of materials, in CycloneDX 1.5 format. Equal components produce equal bytes.

use super::{component::Component, policy};
use serde_json::{Value, json};

pub(super) fn document(components: &[Component], version: &str) -> String {
    let purl = format!("pkg:generic/beads-console@{version}");
    let known = |wanted: &&String| components.iter().any(|component| component.purl == **wanted);
    let mut dependencies: Vec<Value> = components
        .iter()
        .map(|component| {
            let needs: Vec<&String> = component.dependencies.iter().filter(known).collect();
            json!({ "ref": component.purl, "dependsOn": needs })
        })
        .collect();
    let needed =
        |component: &&Component| components.iter().any(|other| other.dependencies.contains(&component.purl));
    let direct: Vec<&String> =
        components.iter().filter(|component| !needed(component)).map(|component| &component.purl).collect();
    dependencies.insert(0, json!({ "ref": purl, "dependsOn": direct }));
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": purl,
                "name": "beads-console",
                "version": version,
                "purl": purl,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            }
        },
        "components": components.iter().map(part).collect::<Vec<_>>(),
        "dependencies": dependencies,
    });
    format!("{document:#}\n")
}

fn part(component: &Component) -> Value {
    let mut part = json!({
        "type": "library",
        "bom-ref": component.purl,
        "name": component.name,
        "version": component.version,
        "purl": component.purl,
    });
    if let Some(expression) = policy::stated(component).and_then(policy::parsed) {
        part["licenses"] = json!([{ "expression": canonical(&expression) }]);
    }
    if let Some((algorithm, content)) = &component.hash {
        part["hashes"] = json!([{ "alg": algorithm, "content": content }]);
    }
    if let Some(address) = &component.address {
        part["externalReferences"] = json!([{ "type": "website", "url": address }]);
    }
    part
}

/// Returns the expression with the current SPDX operators.
fn canonical(expression: &spdx::Expression) -> String {
    let text = expression.to_string().replace('/', " OR ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{super::component::component, *};

    #[test]
    fn parts_have_licences_and_references_lead_to_parts() {
        let mut first = component("a", Some("MIT/Apache-2.0"));
        first.dependencies = vec!["pkg:cargo/b@1.0.0".to_owned(), "pkg:cargo/elsewhere@1.0.0".to_owned()];
        first.hash = Some(("SHA-256", "ab12".to_owned()));
        let parts = [first, component("b", Some("ISC"))];
        let text = document(&parts, "0.1.0");
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(document["components"][0]["hashes"][0]["content"], "ab12");
        assert_eq!(document["dependencies"][0]["dependsOn"], json!(["pkg:cargo/a@1.0.0"]));
        assert_eq!(document["dependencies"][1]["dependsOn"], json!(["pkg:cargo/b@1.0.0"]));
    }
}
