//! Which positions rely on a position through moves that take rows off.

use super::super::node_map::{NIL, NodeMap};
use super::cells::Node;

/// Linked lists of nodes, by the node that they rely on.
pub(super) struct Links {
    links: Vec<Link>,
    first: NodeMap,
}

/// An element of a list.
struct Link {
    node: Node,
    next: u32,
}

impl Links {
    pub(super) fn new() -> Links {
        Links {
            links: Vec::new(),
            first: NodeMap::new(),
        }
    }

    /// Notes that `node` relies on `on`.
    pub(super) fn add(&mut self, on: Node, node: Node) {
        let next = self.links.len() as u32;
        let next = self.first.replace(on.key(), next);
        self.links.push(Link { node, next });
    }

    /// The nodes that rely on this one, the latest first.
    #[inline(always)]
    pub(super) fn of(&self, on: Node) -> impl Iterator<Item = Node> {
        let mut link = self.first.get(on.key());
        std::iter::from_fn(move || {
            if link == NIL {
                return None;
            }
            let Link { node, next } = self.links[link as usize];
            link = next;
            Some(node)
        })
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>() + self.first.bytes()
    }
}
