//! Which positions rely on a position through moves that take rows off.

use super::super::node_map::NIL;
use super::cells::Node;
use isa::{on_large_pages, prefetch};

/// Linked lists of nodes, by the hash of the node that they rely on: noting one more touches one
/// word of `heads`, and the links are written one after the other.
pub(super) struct Links {
    /// Full chunks, and the last one: nothing is moved when there are more.
    chunks: Vec<Vec<Link>>,
    /// The latest link of each list, or [`NIL`]; their number is a power of two.
    heads: Vec<u32>,
    count: usize,
}

/// An element of a list.
#[derive(Clone, Copy)]
struct Link {
    on: Node,
    node: Node,
    next: u32,
}

/// Links of a chunk.
const CHUNK: usize = 1 << 16;

/// Lists of a new table.
const HEADS: usize = 1 << 10;

impl Links {
    pub(super) fn new() -> Links {
        Links {
            chunks: Vec::new(),
            heads: vec![NIL; HEADS],
            count: 0,
        }
    }

    /// Notes that `node` relies on `on`.
    #[inline]
    pub(super) fn add(&mut self, on: Node, node: Node) {
        if self.count == self.heads.len() {
            self.grow();
        }
        if self.count.is_multiple_of(CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let head = self.head(on);
        let next = std::mem::replace(&mut self.heads[head], self.count as u32);
        if let Some(last) = self.chunks.last_mut() {
            last.push(Link { on, node, next });
        }
        self.count += 1;
    }

    /// Something that relies on this will be noted soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, on: Node) {
        prefetch(&self.heads[self.head(on)]);
    }

    /// Twice as many lists; in each the latest link stays the first.
    #[cold]
    fn grow(&mut self) {
        self.heads = on_large_pages(NIL, 2 * self.heads.len());
        let mask = self.heads.len() - 1;
        for (link, number) in self.chunks.iter_mut().flatten().zip(0..) {
            let head = link.on.key() as usize & mask;
            link.next = std::mem::replace(&mut self.heads[head], number);
        }
    }

    #[inline(always)]
    fn head(&self, on: Node) -> usize {
        on.key() as usize & (self.heads.len() - 1)
    }

    /// The nodes that rely on this one, the latest first.
    #[inline(always)]
    pub(super) fn of(&self, on: Node) -> impl Iterator<Item = Node> {
        let mut at = self.heads[self.head(on)];
        std::iter::from_fn(move || {
            while at != NIL {
                let link = &self.chunks[at as usize / CHUNK][at as usize % CHUNK];
                at = link.next;
                if link.on == on {
                    return Some(link.node);
                }
            }
            None
        })
    }

    /// Bytes in use. Heads that grow are there twice for a moment, the new ones being twice as
    /// many.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<Link>() + 3 * self.heads.len() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_apart_and_in_order_while_they_grow() {
        let node = |index: u32| Node {
            tier: (index % 3) as u16,
            index,
        };
        let mut links = Links::new();
        let mut expected = vec![Vec::new(); 700];
        for step in 0..200_000u32 {
            let on = step.wrapping_mul(0x9e37_79b9) >> 7;
            let on = on % 700;
            links.add(node(on), node(step));
            expected[on as usize].push(node(step));
        }
        for (on, expected) in (0..).zip(&mut expected) {
            expected.reverse();
            assert_eq!(&links.of(node(on)).collect::<Vec<_>>(), expected);
        }
        assert_eq!(links.of(node(700)).count(), 0);
        assert!(links.bytes() >= 200_000 * size_of::<Link>());
    }
}
