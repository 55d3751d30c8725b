//! The network: a correction of the sum of weights.
//!
//! The weights add patterns up as if one did not matter to another; the network learns
//! what that leaves out. Every distinct weight has an embedding of [`WIDTH`] numbers. The
//! embeddings of a position's lanes are summed, clipped and squared; a hidden layer and
//! an output, both of the position's phase, make of them a correction in parts of a disc.
//!
//! Everything is an integer, so that all instruction sets find the same value. An
//! activation of 128 stands for 1, and so does a weight of 64 in the hidden layer.

use std::sync::OnceLock;

use isa::{Available, Isa, Kernel};
use reversi::Board;

use super::Features;
use super::features::mobility_of;
use super::file::{self, FileError, Header};
use super::packing::{pack, unpack};
use super::pattern::{Distinct, LANES, LAYOUT};
use super::weights::{PHASES, phase_of};

/// Numbers in an embedding: a line of the cache.
pub const WIDTH: usize = 64;

/// Units of the hidden layer.
pub const HIDDEN: usize = 16;

/// The highest activation.
pub const HIGHEST: i16 = 127;

/// An embedding.
pub type Embedding = [i8; WIDTH];

/// The layers above the embeddings for one phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// What the sum of embeddings starts from.
    pub bias: [i16; WIDTH],
    /// The weights of every hidden unit.
    pub hidden: [[i16; WIDTH]; HIDDEN],
    /// What the sum of every hidden unit starts from.
    pub hidden_bias: [i32; HIDDEN],
    /// The weights of the output.
    pub output: [i32; HIDDEN],
    /// What the output starts from.
    pub output_bias: i32,
}

/// The size of [`Layers`] in a file.
const LAYERS_SIZE: usize = 2 * WIDTH + HIDDEN * WIDTH + 4 * HIDDEN + 2 * HIDDEN + 4;

/// The first line of a file that this version can read.
const FORMAT: &str = "ludex othello network 2";

/// A trained network.
pub struct Network {
    header: Header,
    numbers: &'static [u8],
    layers: Vec<Layers>,
    packed: Packed<'static>,
    /// Unpacked when they are first needed.
    embeddings: OnceLock<Embeddings>,
}

/// Embeddings as they are in a file.
#[derive(Clone, Copy)]
struct Packed<'a> {
    /// A bit for every distinct weight: whether its embedding is not all zero.
    present: &'a [u8],
    /// Those embeddings.
    numbers: &'a [u8],
}

/// Embeddings ready for use.
struct Embeddings {
    /// An embedding that is all zero, then those that are not; something before and after them,
    /// so that each is a line of the cache.
    memory: Vec<u8>,
    /// Where the first of them starts.
    start: usize,
    /// Where the embedding of each slot is among them, and that of the lanes not in use.
    of_slot: Vec<u32>,
}

impl Network {
    /// The trained network that is part of this program.
    #[must_use]
    pub fn embedded() -> &'static Network {
        static NETWORK: OnceLock<Network> = OnceLock::new();
        static BYTES: &[u8] = include_bytes!("../../weights/othello.network");
        NETWORK.get_or_init(|| match Network::open(BYTES) {
            Ok(network) => network,
            Err(error) => unreachable!("the embedded network: {error}"),
        })
    }

    /// Reads the bytes of a file, and checks their sum. They stay in memory for good.
    pub fn read(bytes: Vec<u8>) -> Result<Network, FileError> {
        let network = Network::open(Box::leak(bytes.into_boxed_slice()))?;
        network.check()?;
        Ok(network)
    }

    fn open(bytes: &'static [u8]) -> Result<Network, FileError> {
        let (header, numbers) = file::open(bytes, FORMAT, &counts())?;
        let (layers, rest) = numbers.split_at(numbers.len().min(PHASES * LAYERS_SIZE));
        let (present, rest) = rest.split_at(rest.len().min(map_size()));
        let (length, packed) = rest.split_at(rest.len().min(4));
        let length = length.first_chunk().map_or(0, |it| u32::from_le_bytes(*it));
        let wanted = PHASES * LAYERS_SIZE + map_size() + 4 + length as usize;
        file::check_size(numbers, wanted)?;
        Ok(Network {
            header,
            numbers,
            layers: layers.chunks_exact(LAYERS_SIZE).map(Layers::read).collect(),
            packed: Packed {
                present,
                numbers: packed,
            },
            embeddings: OnceLock::new(),
        })
    }

    /// Compares the checksum in the file with that of its numbers, and unpacks all of them.
    pub fn check(&self) -> Result<(), FileError> {
        self.header.check(self.numbers)?;
        match Embeddings::new(self.packed) {
            Some(_) => Ok(()),
            None => Err(FileError::Embeddings),
        }
    }

    /// What the file says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The layers of each phase.
    #[must_use]
    pub fn layers(&self) -> &[Layers] {
        &self.layers
    }

    /// The embedding of every distinct weight.
    pub fn embeddings(&self) -> impl Iterator<Item = Embedding> {
        let rows = self.unpacked().rows();
        let places = self.packed.places();
        places.map(|place| rows[place as usize].map(|byte| byte as i8))
    }

    /// The correction of the sum of weights for a board with its features, in parts of a disc.
    #[must_use]
    pub fn correction(&self, board: Board, features: &Features) -> i32 {
        let indices = features.indices(mobility_of(board));
        Available::best().call(Correction(self, &indices, board.empty().len()))
    }

    #[inline]
    fn unpacked(&self) -> &Embeddings {
        self.embeddings.get_or_init(|| {
            Embeddings::new(self.packed)
                .expect("a file that was read, and the embedded one in a test, was checked")
        })
    }
}

impl Packed<'_> {
    /// The place of every distinct weight's embedding; 0 is the one that is all zero.
    fn places(self) -> impl Iterator<Item = u32> {
        let mut last = 0;
        (0..Distinct::get().count()).map(move |weight| {
            let present = u32::from(self.present[weight / 8] >> (weight % 8) & 1);
            last += present;
            last * present
        })
    }
}

impl Embeddings {
    /// Unpacks them; `None` if they are damaged.
    #[cold]
    fn new(packed: Packed<'_>) -> Option<Embeddings> {
        let count: u32 = packed.present.iter().map(|byte| byte.count_ones()).sum();
        let size = WIDTH * count as usize;
        let mut memory = vec![0; WIDTH + WIDTH + size];
        let start = memory.as_ptr().align_offset(WIDTH).min(WIDTH);
        unpack(packed.numbers, &mut memory[start + WIDTH..][..size])?;
        let places: Vec<u32> = packed.places().collect();
        let slots = Distinct::get().of_slot().iter();
        let places = slots.map(|&weight| places[weight as usize]);
        Some(Embeddings {
            memory,
            start,
            of_slot: places.chain([0]).collect(),
        })
    }

    /// The embeddings at their places, as bytes.
    #[inline(always)]
    fn rows(&self) -> &[[u8; WIDTH]] {
        self.memory[self.start..].as_chunks().0
    }
}

/// What the header of a file counts.
fn counts() -> [(&'static str, usize); 4] {
    [
        ("embeddings", Distinct::get().count()),
        ("width", WIDTH),
        ("hidden", HIDDEN),
        ("phases", PHASES),
    ]
}

/// The size of the map of embeddings that are not all zero: a bit for each.
fn map_size() -> usize {
    Distinct::get().count().div_ceil(8)
}

/// The bytes of a file: the layers of each phase, which embeddings are not all zero, how many
/// bytes (32 bits, low byte first) those take when they are packed, and those.
#[must_use]
pub fn write(embeddings: &[Embedding], layers: &[Layers], recipe: &str) -> Vec<u8> {
    let mut numbers: Vec<u8> = layers.iter().flat_map(Layers::bytes).collect();
    let at = numbers.len();
    numbers.resize(at + map_size(), 0);
    let mut bytes = Vec::new();
    for (weight, embedding) in embeddings.iter().enumerate() {
        if embedding.iter().any(|&number| number != 0) {
            numbers[at + weight / 8] |= 1 << (weight % 8);
            bytes.extend(embedding.map(|number| number as u8));
        }
    }
    let packed = pack(&bytes);
    numbers.extend((packed.len() as u32).to_le_bytes());
    numbers.extend(packed);
    file::close(FORMAT, &counts(), recipe, "", &numbers)
}

/// The correction of the sum of weights, in parts of a disc, for the indices of all lanes
/// and so many empty squares.
pub(crate) struct Correction<'a>(
    pub(crate) &'a Network,
    pub(crate) &'a [u16; LANES],
    pub(crate) u32,
);

impl Kernel for Correction<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> i32 {
        let Correction(network, indices, empties) = self;
        let embeddings = network.unpacked();
        let rows = embeddings.rows();
        let layers = &network.layers[phase_of(empties)];
        let mut sums = layers.bias;
        for (&offset, &index) in LAYOUT.offset.iter().zip(indices) {
            let place = embeddings.of_slot[offset as usize + usize::from(index)];
            for (sum, &number) in sums.iter_mut().zip(&rows[place as usize]) {
                *sum += i16::from(number as i8);
            }
        }
        layers.output(&sums)
    }
}

impl Layers {
    /// The output for a sum of embeddings.
    #[inline(always)]
    fn output(&self, sums: &[i16; WIDTH]) -> i32 {
        let active = sums.map(|sum| {
            let sum = sum.clamp(0, HIGHEST);
            (sum * sum) >> 7
        });
        let mut output = self.output_bias;
        for unit in 0..HIDDEN {
            let mut sum = self.hidden_bias[unit];
            for (&weight, &activation) in self.hidden[unit].iter().zip(&active) {
                sum += i32::from(weight) * i32::from(activation);
            }
            output += (sum >> 6).clamp(0, i32::from(HIGHEST)) * self.output[unit];
        }
        output >> 6
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LAYERS_SIZE);
        bytes.extend(self.bias.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.hidden.iter().flatten().map(|&n| n as u8));
        bytes.extend(self.hidden_bias.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.output.iter().flat_map(|&n| (n as i16).to_le_bytes()));
        bytes.extend(self.output_bias.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8]) -> Layers {
        let mut bytes = bytes.iter().copied();
        let mut byte = || bytes.next().unwrap_or_default();
        let bias = std::array::from_fn(|_| i16::from_le_bytes([byte(), byte()]));
        let hidden = std::array::from_fn(|_| std::array::from_fn(|_| i16::from(byte() as i8)));
        let mut word = || i32::from_le_bytes(std::array::from_fn(|_| byte()));
        let hidden_bias = std::array::from_fn(|_| word());
        let output = std::array::from_fn(|_| i32::from(i16::from_le_bytes([byte(), byte()])));
        let output_bias = i32::from_le_bytes(std::array::from_fn(|_| byte()));
        Layers {
            bias,
            hidden,
            hidden_bias,
            output,
            output_bias,
        }
    }
}

#[cfg(test)]
mod tests {
    use reversi::Discs;

    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn below(&mut self, bound: i32) -> i32 {
            (self.next() >> 40) as i32 % (2 * bound + 1) - bound
        }
    }

    fn sample(random: &mut Random) -> (Vec<Embedding>, Vec<Layers>) {
        let embedding = |random: &mut Random| match random.next() % 3 {
            0 => [0; WIDTH],
            _ => std::array::from_fn(|_| random.below(40) as i8),
        };
        let embeddings = (0..Distinct::get().count())
            .map(|_| embedding(random))
            .collect();
        let layers = |_| Layers {
            bias: std::array::from_fn(|_| random.below(200) as i16),
            hidden: std::array::from_fn(|_| std::array::from_fn(|_| random.below(127) as i16)),
            hidden_bias: std::array::from_fn(|_| random.below(20_000)),
            output: std::array::from_fn(|_| random.below(2000)),
            output_bias: random.below(100_000),
        };
        (embeddings, (0..PHASES).map(layers).collect())
    }

    /// Step by step as the module's first lines say: slow and obvious.
    fn plain(embeddings: &[Embedding], layers: &[Layers], board: Board) -> i32 {
        let layers = &layers[phase_of(board.empty().len())];
        let distinct = Distinct::get().of_slot();
        let active: Vec<i32> = (0..WIDTH)
            .map(|at| {
                let slots = Features::slots(board);
                let sum: i32 = slots
                    .map(|slot| i32::from(embeddings[distinct[slot as usize] as usize][at]))
                    .sum();
                let sum = (sum + i32::from(layers.bias[at])).clamp(0, 127);
                sum * sum / 128
            })
            .collect();
        let unit = |unit: usize| {
            let weights = layers.hidden[unit].iter().map(|&weight| i32::from(weight));
            let sum: i32 = weights.zip(&active).map(|(w, a)| w * a).sum();
            (sum + layers.hidden_bias[unit])
                .div_euclid(64)
                .clamp(0, 127)
        };
        let sum: i32 = (0..HIDDEN).map(|n| unit(n) * layers.output[n]).sum();
        (sum + layers.output_bias).div_euclid(64)
    }

    #[test]
    fn corrections_agree_on_all_instruction_sets() {
        let mut random = Random(7);
        let (embeddings, layers) = sample(&mut random);
        let bytes = write(&embeddings, &layers, "test");
        let network = Network::read(bytes).expect("what was just written");
        assert_eq!(network.layers(), layers);
        assert!(network.embeddings().eq(embeddings.iter().copied()));
        for _ in 0..300 {
            let own = random.next() & random.next();
            let board = Board {
                own: Discs(own),
                other: Discs(random.next() & !own),
            };
            let wanted = plain(&embeddings, &layers, board);
            let indices = Features::new(board).indices(mobility_of(board));
            for isa in Available::all() {
                let empties = board.empty().len();
                let found = isa.call(Correction(&network, &indices, empties));
                assert_eq!(found, wanted, "{isa:?}");
            }
        }
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let (embeddings, layers) = sample(&mut Random(3));
        let bytes = write(&embeddings, &layers, "test");
        let error = |bytes: &[u8]| Network::read(bytes.to_vec()).err().map(|e| e.to_string());
        assert_eq!(error(&bytes), None);
        let mut changed = bytes.clone();
        *changed.last_mut().expect("a byte") ^= 1;
        let reason = error(&changed).expect("a changed file");
        assert!(reason.starts_with("the checksum is"), "{reason}");
        let reason = error(&bytes[..bytes.len() - 1]).expect("a cut file");
        assert!(reason.contains("bytes of numbers, not"), "{reason}");
        let reason = error(b"ludex othello weights 1\n").expect("another file");
        assert!(
            reason.contains("not \"ludex othello network 2\""),
            "{reason}"
        );
    }

    #[test]
    fn the_embedded_file_is_whole() {
        assert_eq!(Network::embedded().check(), Ok(()));
    }
}
