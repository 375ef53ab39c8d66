//! The dependencies among beads: a summary, a tree, and a document for Graphviz.

use super::{Style, Tone, field, units::number_of};
use bc_core::{ids::BeadId, text::one_line};
use bc_wire::bead::{BeadGraph, GraphEdge, GraphNode};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of lines in a tree. Shared dependencies are repeated, so the tree of a dense graph would
/// grow exponentially.
const LINES_MAX: usize = 2_000;

/// The numbers of beads and dependencies, the cycles, the critical path, and the five beads that unblock the
/// most others.
pub(crate) fn summary(graph: &BeadGraph, style: &Style) -> String {
    let beads = number_of(graph.nodes.len() as u64, "bead", "beads");
    let dependencies = number_of(graph.edges.len() as u64, "dependency", "dependencies");
    let mut text = format!("{beads}, {dependencies}\n");
    for cycle in &graph.cycles {
        let again = cycle.first().into_iter();
        text.push_str(&field(style, "Cycle", &style.paint(Tone::Bad, &chain(cycle.iter().chain(again)))));
    }
    if !graph.critical_path.is_empty() {
        text.push_str(&field(style, "Critical path", &format!(" {}", chain(graph.critical_path.iter()))));
    }
    let mut most: Vec<&GraphNode> = graph.nodes.iter().filter(|node| node.unblocks_all > 0).collect();
    most.sort_by_key(|node| std::cmp::Reverse(node.unblocks_all));
    for node in most.into_iter().take(5) {
        let waiting = number_of(node.unblocks_all, "bead", "beads");
        text.push_str(&field(style, "Blocking", &format!("{}: unblocks {waiting}", name(node))));
    }
    text
}

fn chain<'a>(ids: impl Iterator<Item = &'a BeadId>) -> String {
    ids.map(|id| one_line(id.as_str())).collect::<Vec<_>>().join(" → ")
}

fn name(node: &GraphNode) -> String {
    format!("{}  {}  ({})", one_line(node.id.as_str()), one_line(&node.title), one_line(node.status.as_str()))
}

/// The dependencies of a bead, as an indented tree.
pub(crate) fn tree(graph: &BeadGraph, root: &BeadId, style: &Style) -> String {
    let mut needs: BTreeMap<&BeadId, Vec<&GraphEdge>> = BTreeMap::new();
    for edge in &graph.edges {
        needs.entry(&edge.from).or_default().push(edge);
    }
    let nodes: BTreeMap<&BeadId, &GraphNode> = graph.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut tree = Tree { needs, nodes, lines: Vec::new(), open: BTreeSet::new() };
    tree.lines.push(tree.label(root));
    tree.below(root, "");
    if tree.lines.len() >= LINES_MAX {
        tree.lines.push(style.paint(Tone::Faint, "… and more"));
    }
    tree.lines.join("\n") + "\n"
}

struct Tree<'a> {
    needs: BTreeMap<&'a BeadId, Vec<&'a GraphEdge>>,
    nodes: BTreeMap<&'a BeadId, &'a GraphNode>,
    lines: Vec<String>,
    /// The current bead and its ancestors, to detect cycles.
    open: BTreeSet<&'a BeadId>,
}

impl<'a> Tree<'a> {
    fn label(&self, id: &BeadId) -> String {
        self.nodes.get(id).map_or_else(|| one_line(id.as_str()), |node| name(node))
    }

    /// Adds the lines below a bead, up to a depth of 200 and [`LINES_MAX`] lines.
    fn below(&mut self, id: &'a BeadId, margin: &str) {
        let edges = self.needs.get(id).cloned().unwrap_or_default();
        self.open.insert(id);
        for (n, edge) in edges.iter().enumerate() {
            if self.lines.len() >= LINES_MAX || self.open.len() > 200 {
                break;
            }
            let last = n + 1 == edges.len();
            let kind =
                if edge.kind == "blocks" { String::new() } else { format!("{} ", one_line(&edge.kind)) };
            let is_open = self.open.contains(&edge.to);
            let label = match is_open {
                true => format!("{}  (cycle)", one_line(edge.to.as_str())),
                false => self.label(&edge.to),
            };
            self.lines.push(format!("{margin}{} {kind}{label}", if last { "└─" } else { "├─" }));
            if !is_open {
                self.below(&edge.to, &format!("{margin}{}", if last { "   " } else { "│  " }));
            }
        }
        self.open.remove(id);
    }
}

/// The graph in Graphviz's DOT language. Each edge points from a bead to its dependency.
pub(crate) fn dot(graph: &BeadGraph) -> String {
    let mut text = String::from("digraph beads {\n  rankdir=RL;\n  node [shape=box];\n");
    let critical: BTreeSet<&BeadId> = graph.critical_path.iter().collect();
    for node in &graph.nodes {
        let label = escaped(&format!("{}\n{}", one_line(node.id.as_str()), one_line(&node.title)));
        let weight = if critical.contains(&node.id) { ", penwidth=2" } else { "" };
        let style = if node.status.as_str() == "closed" { ", style=dashed" } else { "" };
        text.push_str(&format!("  {} [label={label}{weight}{style}];\n", escaped(node.id.as_str())));
    }
    for GraphEdge { from, to, kind } in &graph.edges {
        let (from, to) = (escaped(from.as_str()), escaped(to.as_str()));
        match kind.as_str() {
            "blocks" => text.push_str(&format!("  {from} -> {to};\n")),
            kind => text.push_str(&format!("  {from} -> {to} [label={}, style=dotted];\n", escaped(kind))),
        }
    }
    text.push_str("}\n");
    text
}

fn escaped(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
