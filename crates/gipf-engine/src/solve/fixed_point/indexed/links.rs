//! Which positions rely on a position through moves that take rows off.

use super::super::node_map::{NIL, NodeMap};
use super::cells::Node;

/// Linked lists of nodes, by the node that they rely on.
pub(super) struct Links {
    /// Full chunks, and the last one: nothing is moved when there are more.
    chunks: Vec<Vec<Link>>,
    first: NodeMap,
}

/// An element of a list.
#[derive(Clone, Copy)]
struct Link {
    node: Node,
    next: u32,
}

/// Links of a chunk.
const CHUNK: usize = 1 << 16;

impl Links {
    pub(super) fn new() -> Links {
        Links {
            chunks: Vec::new(),
            first: NodeMap::new(),
        }
    }

    /// Notes that `node` relies on `on`.
    pub(super) fn add(&mut self, on: Node, node: Node) {
        if self.chunks.last().is_none_or(|last| last.len() == CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let full = self.chunks.len() - 1;
        let last = &mut self.chunks[full];
        let next = (full * CHUNK + last.len()) as u32;
        let next = self.first.replace(on.key(), next);
        last.push(Link { node, next });
    }

    /// The nodes that rely on this one, the latest first.
    #[inline(always)]
    pub(super) fn of(&self, on: Node) -> impl Iterator<Item = Node> {
        let mut link = self.first.get(on.key());
        std::iter::from_fn(move || {
            if link == NIL {
                return None;
            }
            let Link { node, next } = self.chunks[link as usize / CHUNK][link as usize % CHUNK];
            link = next;
            Some(node)
        })
    }

    /// Bytes in use. A map that grows is there twice for a moment, the new one being twice as
    /// large.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<Link>() + 3 * self.first.bytes()
    }
}
