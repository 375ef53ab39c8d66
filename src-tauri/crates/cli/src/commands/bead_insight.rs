//! `bead next`, `stale`, `audit`, `graph` and `dep tree`.

use super::{
    Context,
    context::{json_text, print},
    export,
};
use crate::{
    args::{AuditArgs, GraphArgs, GraphFormat},
    failure::Failure,
    output::{bead_audit, bead_graph, bead_insight},
};
use bc_core::ids::BeadId;
use bc_wire::{
    bead::{BeadGraphParams, BeadNextParams, BeadRef},
    project::Nothing,
};
use serde_json::json;

pub(super) fn next(
    after: Option<BeadId>,
    limit: Option<u32>,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let next = context.api.bead_next(BeadNextParams { limit, after })?;
    context.print(&next, bead_insight::next)
}

pub(super) fn stale(context: &mut Context<'_>) -> Result<(), Failure> {
    let stale = context.api.bead_stale(Nothing {})?;
    context.print(&stale, bead_insight::stale)
}

pub(super) fn audit(args: AuditArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let audit = context.api.bead_audit(BeadRef { id: args.id })?;
    let Some(path) = args.output else {
        context.print(&audit, bead_audit::table)?;
        return audit.note.map_or(Ok(()), |note| context.note(&note));
    };
    let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let text = match is_csv {
        true => bead_audit::csv(&audit),
        false => json_text(&audit)?,
    };
    let path = export::write(&path, text.as_bytes(), args.force, context.json, context.io)?;
    let path = path.display().to_string();
    context.print(&json!({ "path": path }), |_, _| format!("{}\n", bc_core::text::plain(&path)))
}

pub(super) fn graph(args: GraphArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let params =
        BeadGraphParams { query: args.query.unwrap_or_default(), around: args.around, closed: args.closed };
    let graph = context.api.bead_graph(params)?;
    match args.format {
        Some(GraphFormat::Dot) if !context.json => {
            Ok(context.io.out().write_all(bead_graph::dot(&graph).as_bytes())?)
        }
        Some(GraphFormat::Json) => print(&graph, true, context.io, |_, _| String::new()),
        _ => context.print(&graph, bead_graph::summary),
    }
}

pub(super) fn tree(id: BeadId, context: &mut Context<'_>) -> Result<(), Failure> {
    let params = BeadGraphParams { around: Some(id.clone()), closed: true, ..BeadGraphParams::default() };
    let graph = context.api.bead_graph(params)?;
    context.print(&graph, |graph, style| bead_graph::tree(graph, &id, style))
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{self, FakeProject, FakeUser, Ran};
    use serde_json::{Value, json};

    fn graph() -> Value {
        let node = |id: &str, status: &str| {
            json!({"id": id, "title": format!("Title of {id}"), "status": status, "ready": false,
                "priority": 2, "issue_type": "task", "unblocks_all": 1})
        };
        let edge = |from: &str, to: &str, kind: &str| json!({"from": from, "to": to, "kind": kind});
        json!({
            "nodes": [node("a", "open"), node("b", "open"), node("c", "closed")],
            "edges": [edge("a", "b", "blocks"), edge("b", "a", "blocks"), edge("b", "c", "related")],
            "cycles": [["a", "b"]], "critical_path": ["c", "b"],
        })
    }

    fn run(line: &[&str]) -> Ran {
        FakeProject::new().answers("bead.graph", graph()).run(line, FakeUser::away())
    }

    #[test]
    fn tree_ends_at_a_cycle() {
        let ran = run(&["bead", "dep", "tree", "a"]);
        assert_eq!(ran.calls, [("bead.graph", json!({"query": "", "around": "a", "closed": true}))]);
        assert_eq!(
            ran.out,
            "a  Title of a  (open)\n\
             └─ b  Title of b  (open)\n   \
                ├─ a  (cycle)\n   \
                └─ related c  Title of c  (closed)\n"
        );
    }

    #[test]
    fn graph_is_a_summary_or_a_document() {
        let ran = run(&["bead", "graph"]);
        for part in [
            "3 beads, 3 dependencies",
            "Cycle",
            "a → b → a",
            "Critical path",
            "c → b",
            "Blocking   a  Title of a  (open): unblocks 1 bead\n",
        ] {
            assert!(ran.out.contains(part), "{part}: {}", ran.out);
        }
        let dot = run(&["bead", "graph", "--format", "dot"]).out;
        assert!(dot.starts_with("digraph beads {") && dot.contains("\"a\" -> \"b\""), "{dot}");
        assert_eq!(
            serde_json::from_str::<Value>(&run(&["bead", "graph", "--format", "json"]).out).unwrap(),
            graph()
        );
        assert_eq!(serde_json::from_str::<Value>(&run(&["bead", "graph", "--json"]).out).unwrap(), graph());
    }

    #[test]
    fn graph_of_one_dependency_is_singular() {
        let mut graph = graph();
        graph["nodes"].as_array_mut().unwrap().truncate(1);
        graph["edges"].as_array_mut().unwrap().truncate(1);
        let fake = FakeProject::new().answers("bead.graph", graph);
        let ran = fake.run(&["bead", "graph"], FakeUser::away());
        assert!(ran.out.starts_with("1 bead, 1 dependency\n"), "{}", ran.out);
    }

    #[test]
    fn next_and_stale_show_reasons_and_ages() {
        let fake = FakeProject::new()
            .answers(
                "bead.next",
                json!({"beads": [{"bead": test_doubles::bead("BC-1", "A"), "score": 1.0,
                    "reasons": ["P2", "unblocks 3"]}]}),
            )
            .answers(
                "bead.stale",
                json!({"beads": [{"id": "BC-2", "title": "B", "status": "in_review",
                    "since": "2026-01-19T10:00:00Z", "level": "critical"}]}),
            );
        let ran = fake.run(&["bead", "next", "--after", "BC-9", "--limit", "2"], FakeUser::away());
        assert_eq!(ran.calls, [("bead.next", json!({"limit": 2, "after": "BC-9"}))]);
        assert!(ran.out.contains("P2, unblocks 3"), "{}", ran.out);
        let ran = fake.run(&["bead", "stale"], FakeUser::away());
        assert!(ran.out.contains("critical") && ran.out.contains("2026-01-19 10:00"), "{}", ran.out);
    }

    #[test]
    fn audit_is_a_table_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let event = json!({"at": "2026-01-19T10:00:00Z", "actor": "ann/0a1b2c3d", "kind": "field",
            "session": "0a1b2c3d-0000-4000-8000-000000000000", "field": "title", "from": "a, \"b\"", "to": "=1+1"});
        let audit = json!({"id": "BC-1", "events": [event], "note": "not all"});
        let fake = FakeProject::new().answers("bead.audit", audit.clone());
        let ran = fake.run(&["bead", "audit", "BC-1"], FakeUser::away());
        assert!(ran.out.contains("0a1b2c3d") && ran.out.contains("title"), "{}", ran.out);
        assert_eq!(ran.err, "not all\n");
        let write = |name: &str| {
            let path = folder.path().join(name);
            let ran = fake.run(&["bead", "audit", "BC-1", "-o", path.to_str().unwrap()], FakeUser::away());
            assert_eq!(ran.code, 0, "{}", ran.err);
            std::fs::read_to_string(path).unwrap()
        };
        assert_eq!(serde_json::from_str::<Value>(&write("a.json")).unwrap(), audit);
        assert_eq!(
            write("a.csv"),
            "at,actor,session,kind,field,from,to\r\n\
             2026-01-19T10:00:00+00:00,ann/0a1b2c3d,0a1b2c3d-0000-4000-8000-000000000000,field,title,\
             \"a, \"\"b\"\"\",'=1+1\r\n"
        );
        let again = folder.path().join("a.csv");
        let ran = fake.run(&["bead", "audit", "BC-1", "-o", again.to_str().unwrap()], FakeUser::away());
        assert_eq!(ran.code, 4, "an existing file is not replaced: {}", ran.err);
    }
}
