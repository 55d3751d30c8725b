//! Which positions rely on a position through moves that take rows off.

use super::super::node_map::NIL;
use super::cells::Node;
use isa::{advise_large_pages, on_large_pages, prefetch};

/// Linked lists of nodes: noting one more touches the head of its list, which is elsewhere, and the
/// links are written one after the other.
pub(super) struct Links {
    /// Full chunks, and the last one: nothing is moved when there are more. Only the first one
    /// grows.
    chunks: Vec<Vec<Link>>,
    count: usize,
}

/// The number of the latest link of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head(u32);

impl Default for Head {
    /// That of an empty list.
    fn default() -> Head {
        Head(NIL)
    }
}

/// An element of a list.
#[derive(Clone, Copy)]
struct Link {
    on: u32,
    node: u32,
    on_tier: u16,
    node_tier: u16,
    next: Head,
}

impl Link {
    #[inline(always)]
    fn on(&self) -> Node {
        Node {
            tier: self.on_tier,
            index: self.on,
        }
    }

    #[inline(always)]
    fn node(&self) -> Node {
        Node {
            tier: self.node_tier,
            index: self.node,
        }
    }
}

/// Links of a chunk.
const CHUNK: usize = 1 << 20;

impl Links {
    pub(super) fn new() -> Links {
        Links {
            chunks: vec![Vec::new()],
            count: 0,
        }
    }

    /// Notes that `node` relies on `on`, whose list begins at `head`.
    #[inline(always)]
    pub(super) fn add(&mut self, head: &mut Head, on: Node, node: Node) {
        if self.count / CHUNK == self.chunks.len() {
            self.add_chunk();
        }
        let next = std::mem::replace(head, Head(self.count as u32));
        if let Some(last) = self.chunks.last_mut() {
            last.push(Link {
                on: on.index,
                node: node.index,
                on_tier: on.tier,
                node_tier: node.tier,
                next,
            });
        }
        self.count += 1;
    }

    #[cold]
    fn add_chunk(&mut self) {
        let mut chunk = Vec::with_capacity(CHUNK);
        advise_large_pages(chunk.spare_capacity_mut());
        self.chunks.push(chunk);
    }

    /// The nodes that rely on this one, the latest first; their list begins at `head`.
    #[inline(always)]
    pub(super) fn of(&self, head: Head, on: Node) -> impl Iterator<Item = Node> {
        let Head(mut at) = head;
        std::iter::from_fn(move || {
            while at != NIL {
                let link = &self.chunks[at as usize / CHUNK][at as usize % CHUNK];
                at = link.next.0;
                if link.on() == on {
                    return Some(link.node());
                }
            }
            None
        })
    }

    /// Bytes in use. The first chunk is there twice for a moment when it grows, the new one being
    /// twice as large.
    pub(super) fn bytes(&self) -> usize {
        let links = match &self.chunks[..] {
            [first] => 3 * first.capacity(),
            chunks => chunks.len() * CHUNK,
        };
        links * size_of::<Link>()
    }
}

/// Lists whose heads are found by the hash of the node.
pub(super) struct HashedLinks {
    links: Links,
    /// Their number is a power of two.
    heads: Vec<Head>,
}

/// Lists of a new table.
const HEADS: usize = 1 << 10;

impl HashedLinks {
    pub(super) fn new() -> HashedLinks {
        HashedLinks {
            links: Links::new(),
            heads: vec![Head::default(); HEADS],
        }
    }

    /// Notes that `node` relies on `on`.
    #[inline]
    pub(super) fn add(&mut self, on: Node, node: Node) {
        if self.links.count == self.heads.len() {
            self.grow();
        }
        let head = self.head(on);
        self.links.add(&mut self.heads[head], on, node);
    }

    /// Something that relies on this will be noted soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, on: Node) {
        prefetch(&self.heads[self.head(on)]);
    }

    /// Twice as many lists; in each the latest link stays the first.
    #[cold]
    fn grow(&mut self) {
        self.heads = on_large_pages(Head::default(), 2 * self.heads.len());
        let mask = self.heads.len() - 1;
        for (link, number) in self.links.chunks.iter_mut().flatten().zip(0..) {
            let head = link.on().key() as usize & mask;
            link.next = std::mem::replace(&mut self.heads[head], Head(number));
        }
    }

    #[inline(always)]
    fn head(&self, on: Node) -> usize {
        on.key() as usize & (self.heads.len() - 1)
    }

    /// The nodes that rely on this one, the latest first.
    #[inline(always)]
    pub(super) fn of(&self, on: Node) -> impl Iterator<Item = Node> {
        self.links.of(self.heads[self.head(on)], on)
    }

    /// Bytes in use. Heads that grow are there twice for a moment, the new ones being twice as
    /// many.
    pub(super) fn bytes(&self) -> usize {
        self.links.bytes() + 3 * self.heads.len() * size_of::<Head>()
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
        let mut links = HashedLinks::new();
        let mut expected = vec![Vec::new(); 700];
        let steps = CHUNK as u32 + 200_000;
        for step in 0..steps {
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
        assert!(links.bytes() >= steps as usize * size_of::<Link>());
    }
}
