//! What holds of a compiled schema as a whole: no endless loops, no blow-up, nothing unsound, and which types each
//! subschema lets through.

use super::compile::Compiler;
use super::node::{Applied, Node, NodeId};
use super::types::Types;
use crate::protocol::limits;

impl Compiler<'_> {
    /// Runs once, when all nodes are compiled.
    pub(super) fn analyse(&mut self) {
        let order = self.untangle();
        self.spread_looseness();
        self.drop_unsound();
        for id in order {
            let admits = self.nodes.get(id.0).map_or(Types::ALL, |node| admits(&self.nodes, node));
            if let Some(node) = self.nodes.get_mut(id.0) {
                node.admits = admits;
            }
        }
    }

    /// Cuts references that apply a schema to a value again before the value is any smaller, and those that apply
    /// too many. Gives the nodes so that each comes behind those it applies.
    fn untangle(&mut self) -> Vec<NodeId> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done { height: usize, weight: usize },
        }
        struct Visit {
            node: NodeId,
            edges: Vec<NodeId>,
            next: usize,
            height: usize,
            weight: usize,
        }
        let visit = |nodes: &[Node], node: NodeId| Visit {
            node,
            edges: edges(nodes, node),
            next: 0,
            height: 1,
            weight: 1,
        };
        let mut marks = vec![Mark::New; self.nodes.len()];
        let mut order = Vec::with_capacity(self.nodes.len());
        for start in 0..self.nodes.len() {
            let mut stack = Vec::new();
            if marks.get(start) == Some(&Mark::New) {
                stack.push(visit(&self.nodes, NodeId(start)));
            }
            while let Some(top) = stack.last_mut() {
                if let Some(mark) = marks.get_mut(top.node.0) {
                    *mark = Mark::Open;
                }
                let Some(child) = top.edges.get(top.next).copied() else {
                    if let Some(mark) = marks.get_mut(top.node.0) {
                        *mark = Mark::Done { height: top.height, weight: top.weight };
                    }
                    order.push(top.node);
                    stack.pop();
                    continue;
                };
                let reason = match marks.get(child.0).copied().unwrap_or(Mark::Open) {
                    Mark::New => {
                        stack.push(visit(&self.nodes, child));
                        continue;
                    }
                    Mark::Open => Some("it applies a schema to the same value without end"),
                    Mark::Done { height, .. } if height >= limits::SCHEMA_CHAIN => {
                        Some("too many schemas refer to one another in a row")
                    }
                    Mark::Done { weight, .. } if top.weight + weight > limits::SCHEMA_APPLIED => {
                        Some("too many schemas apply to the same value")
                    }
                    Mark::Done { height, weight } => {
                        top.height = top.height.max(height + 1);
                        top.weight += weight;
                        None
                    }
                };
                let (node, place) = (top.node, top.next);
                top.next += 1;
                if let Some(reason) = reason {
                    self.report(node, "$ref", reason);
                    self.cut(node, place);
                }
            }
        }
        order
    }

    fn cut(&mut self, node: NodeId, place: usize) {
        let applied = self.nodes.get_mut(node.0).map(|node| node.applied.iter_mut());
        if let Some(edge) = applied.into_iter().flatten().flat_map(Applied::nodes_mut).nth(place) {
            *edge = NodeId::UNENFORCED;
        }
    }

    /// What holds something loose is loose.
    fn spread_looseness(&mut self) {
        let mut holders: Vec<Vec<NodeId>> = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for part in parts(node) {
                if let Some(holders) = holders.get_mut(part.0) {
                    holders.push(NodeId(index));
                }
            }
        }
        let is_loose = |(index, node): (usize, &Node)| node.loose.then_some(index);
        let mut loose: Vec<usize> = self.nodes.iter().enumerate().filter_map(is_loose).collect();
        while let Some(index) = loose.pop() {
            for holder in holders.get_mut(index).map(std::mem::take).into_iter().flatten() {
                if let Some(node) = self.nodes.get_mut(holder.0).filter(|node| !node.loose) {
                    node.loose = true;
                    loose.push(holder.0);
                }
            }
        }
    }

    /// Drops what would refuse a value because something loose accepts it.
    fn drop_unsound(&mut self) {
        const REASON: &str = "a part of it is not enforced";
        for index in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(index).filter(|node| node.loose) else {
                continue;
            };
            let is_loose = |id: &NodeId| self.nodes.get(id.0).is_some_and(|node| node.loose);
            let mut applied = Vec::with_capacity(node.applied.len());
            let mut dropped = Vec::new();
            for one in &node.applied {
                match one {
                    Applied::Not(inner) if is_loose(inner) => dropped.push("not"),
                    Applied::If { condition, .. } if is_loose(condition) => dropped.push("if"),
                    Applied::One(branches) if branches.iter().any(is_loose) => {
                        dropped.push("oneOf");
                        applied.push(Applied::Any(branches.clone()));
                    }
                    other => applied.push(other.clone()),
                }
            }
            let mut array = node.array.clone();
            if let Some((inner, range)) = array.as_mut().and_then(|array| array.contains.as_mut())
                && is_loose(inner)
                && range.most.take().is_some()
            {
                dropped.push("maxContains");
            }
            if let Some(node) = self.nodes.get_mut(index) {
                node.applied = applied;
                node.array = array;
            }
            for keyword in dropped {
                self.report(NodeId(index), keyword, REASON);
            }
        }
    }
}

/// The subschemas applied to the same value.
fn edges(nodes: &[Node], node: NodeId) -> Vec<NodeId> {
    nodes.get(node.0).into_iter().flat_map(|node| &node.applied).flat_map(Applied::nodes).collect()
}

/// All subschemas that are a part of one.
fn parts(node: &Node) -> Vec<NodeId> {
    let mut parts: Vec<NodeId> = node.applied.iter().flat_map(Applied::nodes).collect();
    if let Some(object) = &node.object {
        parts.extend(object.declared.iter().map(|member| member.node));
        parts.extend(object.patterns.iter().map(|(_, node)| *node));
        parts.extend(object.additional.iter().chain(&object.names));
    }
    if let Some(array) = &node.array {
        parts.extend(array.prefix.iter().chain(&array.rest));
        parts.extend(array.contains.iter().map(|(node, _)| *node));
    }
    parts
}

/// The types a subschema lets through, those it applies being known.
fn admits(nodes: &[Node], node: &Node) -> Types {
    let of = |id: &NodeId| nodes.get(id.0).map_or(Types::ALL, |node| node.admits);
    let any = |ids: &[NodeId]| ids.iter().map(of).fold(Types::NONE, Types::or);
    let mut admits = node.types;
    for choices in &node.choices {
        admits = admits
            .and(choices.values.iter().map(|value| Types::of(value, false)).fold(Types::NONE, Types::or));
    }
    for applied in &node.applied {
        admits = admits.and(match applied {
            Applied::All(id) => of(id),
            Applied::Any(ids) | Applied::One(ids) => any(ids),
            Applied::If { then, otherwise, .. } => any(&[*then, *otherwise]),
            Applied::Not(_) | Applied::Dependent(..) => Types::ALL,
        });
    }
    admits
}
