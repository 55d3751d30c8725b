//! Who must know when something happens to a position, where counting does not tell.

use super::super::closure::{NIL, Numbers};
use super::cells::Node;

/// Lists of nodes, by the node that they are about.
pub(super) struct Links {
    links: Vec<Link>,
    first: Numbers,
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
            first: Numbers::new(),
        }
    }

    /// Notes that `node` must be told when `to` falls.
    pub(super) fn add(&mut self, to: Node, node: Node) {
        let next = self.links.len() as u32;
        let next = self.first.put(to.key(), next);
        self.links.push(Link { node, next });
    }

    /// Who must know when a node falls, the latest first.
    #[inline(always)]
    pub(super) fn of(&self, node: Node) -> impl Iterator<Item = Node> {
        let mut link = self.first.get(node.key());
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
