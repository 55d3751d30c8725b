//! Bytes packed by how often each value occurs: a Huffman code of the whole, which is what is
//! left to gain on trained numbers that follow no pattern.
//!
//! Unpacking is on the way of a program's first move, so it is made for speed: codes are short
//! enough for one table, and [`STREAMS`] parts are unpacked side by side.

/// The longest code in bits: the table of all codes fits into the first-level cache.
const LONGEST: usize = 12;

/// Parts that are unpacked side by side.
const STREAMS: usize = 4;

/// Codes that surely fit into what is read at once.
const AT_ONCE: usize = 4;

/// Packs some bytes: the length of every value's code, the sizes of the parts, the parts.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut counts = [0u64; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let lengths = code_lengths(counts);
    let codes = codes(&lengths);
    let parts: Vec<Vec<u8>> = parts(bytes.len())
        .map(|part| {
            let (mut out, mut held, mut bits) = (Vec::new(), 0u64, 0);
            for &byte in &bytes[part] {
                held |= u64::from(codes[usize::from(byte)]) << bits;
                bits += lengths[usize::from(byte)];
                while bits >= 8 {
                    out.push(held as u8);
                    held >>= 8;
                    bits -= 8;
                }
            }
            out.push(held as u8);
            // A reader takes eight bytes at once.
            out.extend([0; 8]);
            out
        })
        .collect();
    let sizes = parts.iter().flat_map(|it| (it.len() as u32).to_le_bytes());
    let head: Vec<u8> = lengths.into_iter().chain(sizes).collect();
    [&[head], &parts[..]].concat().concat()
}

/// Unpacks as many bytes as there is room for; `None` if they are damaged.
pub(super) fn unpack(packed: &[u8], bytes: &mut [u8]) -> Option<()> {
    let (lengths, rest) = packed.split_first_chunk::<256>()?;
    let (sizes, mut rest) = rest.split_at_checked(4 * STREAMS)?;
    let table = table(lengths)?;
    let mut readers = Vec::with_capacity(STREAMS);
    let mut left = bytes;
    for (part, size) in parts(left.len()).zip(sizes.as_chunks().0) {
        let from;
        (from, rest) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        let (to, others) = left.split_at_mut(part.len());
        left = others;
        readers.push(Reader { from, bit: 0, to });
    }
    if !rest.is_empty() {
        return None;
    }
    let mut readers: [Reader<'_>; STREAMS] = readers.try_into().ok()?;
    while readers.iter().all(|reader| reader.to.len() >= AT_ONCE) {
        for reader in &mut readers {
            reader.read::<AT_ONCE>(&table)?;
        }
    }
    for mut reader in readers {
        while !reader.to.is_empty() {
            reader.read::<1>(&table)?;
        }
    }
    Some(())
}

/// The parts of so many bytes.
fn parts(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let at = move |part: usize| count * part / STREAMS;
    (0..STREAMS).map(move |part| at(part)..at(part + 1))
}

/// One of the parts, on its way.
struct Reader<'a> {
    from: &'a [u8],
    /// The bit that is next.
    bit: usize,
    to: &'a mut [u8],
}

impl Reader<'_> {
    /// Reads some bytes; there must be room for them.
    #[inline(always)]
    fn read<const COUNT: usize>(&mut self, table: &Table) -> Option<()> {
        let word = self.from.get(self.bit / 8..)?.first_chunk::<8>()?;
        let mut held = u64::from_le_bytes(*word) >> (self.bit % 8);
        let (now, later) = std::mem::take(&mut self.to).split_at_mut(COUNT);
        for byte in now {
            let (value, length) = table[held as usize % (1 << LONGEST)];
            *byte = value;
            held >>= length;
            self.bit += usize::from(length);
        }
        self.to = later;
        Some(())
    }
}

/// The value that the next bits stand for, and how many bits that takes.
type Table = [(u8, u8); 1 << LONGEST];

/// The table of a code; `None` if there is no such code.
fn table(lengths: &[u8; 256]) -> Option<Box<Table>> {
    if lengths.iter().any(|&length| usize::from(length) > LONGEST) {
        return None;
    }
    let room = lengths.iter().filter(|&&length| length > 0);
    if room.map(|&length| 1 << LONGEST >> length).sum::<usize>() > 1 << LONGEST {
        return None;
    }
    // Bits that no code begins with count as a bit, so that a reader comes to an end.
    let mut table = Box::new([(0, 1); 1 << LONGEST]);
    for (value, code) in codes(lengths).into_iter().enumerate() {
        let length = lengths[value];
        if length > 0 {
            for slot in table[usize::from(code)..].iter_mut().step_by(1 << length) {
                *slot = (value as u8, length);
            }
        }
    }
    Some(table)
}

/// The canonical code of these lengths; the first bit of a code is its lowest.
fn codes(lengths: &[u8; 256]) -> [u16; 256] {
    let mut codes = [0; 256];
    let mut next = 0u16;
    for length in 1..=LONGEST as u8 {
        for (value, _) in lengths.iter().enumerate().filter(|(_, it)| **it == length) {
            codes[value] = next.reverse_bits() >> (16 - length);
            next += 1;
        }
        next <<= 1;
    }
    codes
}

/// The lengths of the codes of an optimal code, or nearly so where it has to be flattened.
fn code_lengths(mut counts: [u64; 256]) -> [u8; 256] {
    loop {
        let lengths = huffman(&counts);
        if lengths.iter().all(|&length| usize::from(length) <= LONGEST) {
            return lengths;
        }
        for count in counts.iter_mut().filter(|count| **count > 0) {
            *count = *count / 2 + 1;
        }
    }
}

fn huffman(counts: &[u64; 256]) -> [u8; 256] {
    let mut lengths = [0; 256];
    let mut trees: Vec<(u64, Vec<usize>)> = (0..256)
        .filter(|&value| counts[value] > 0)
        .map(|value| (counts[value], vec![value]))
        .collect();
    if let [(_, only)] = &trees[..] {
        lengths[only[0]] = 1;
    }
    while trees.len() > 1 {
        trees.sort_by_key(|tree| std::cmp::Reverse(tree.0));
        let (rare, values) = trees.pop().expect("two or more");
        let last = trees.last_mut().expect("one more");
        last.0 += rare;
        last.1.extend(values);
        for &value in &last.1 {
            lengths[value] += 1;
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(packed: &[u8], count: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; count];
        unpack(packed, &mut bytes)?;
        Some(bytes)
    }

    /// Pseudo-random bytes, low values more often the higher the `skew`.
    fn sample(count: usize, skew: u32) -> Vec<u8> {
        let mut seed = 3u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 32) as u8
        };
        (0..count)
            .map(|_| (0..skew).fold(random(), |least, _| least.min(random())))
            .collect()
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        for count in [0, 1, 2, 3, 4, 5, 15, 16, 17, 1000, 100_003] {
            for skew in [0, 1, 5, 200] {
                let bytes = sample(count, skew);
                let packed = pack(&bytes);
                assert_eq!(
                    unpacked(&packed, count).as_ref(),
                    Some(&bytes),
                    "{count} {skew}"
                );
            }
        }
        let same = vec![7; 1000];
        assert_eq!(unpacked(&pack(&same), 1000), Some(same));
    }

    #[test]
    fn frequent_values_take_few_bits() {
        let bytes = sample(100_000, 30);
        let mut counts = [0u64; 256];
        bytes
            .iter()
            .for_each(|&byte| counts[usize::from(byte)] += 1);
        let entropy: f64 = counts
            .iter()
            .filter(|&&count| count > 0)
            .map(|&count| count as f64 * (bytes.len() as f64 / count as f64).log2())
            .sum();
        let bits = 8 * pack(&bytes).len();
        assert!(
            (bits as f64) < 1.03 * entropy + 8.0 * 320.0,
            "{bits} of {entropy}"
        );
    }

    #[test]
    fn damage_does_no_harm() {
        let bytes = sample(1000, 5);
        let packed = pack(&bytes);
        for cut in 0..packed.len() {
            assert_eq!(unpacked(&packed[..cut], 1000), None, "{cut}");
        }
        for at in 0..packed.len() {
            for bit in 0..8 {
                let mut changed = packed.clone();
                changed[at] ^= 1 << bit;
                // Some value or none, but no panic: the checksum of the file finds the rest.
                let _ = unpacked(&changed, 1000);
            }
        }
    }
}
