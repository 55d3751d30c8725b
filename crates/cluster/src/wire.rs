//! Messages as bytes: JSON, deflated.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{ClusterError, Result};

/// No message is larger than this when it is unpacked.
const LARGEST: u64 = 256 << 20;

/// A message as bytes.
pub(crate) fn pack(value: &impl Serialize) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    let json = serde_json::to_vec(value).unwrap_or_default();
    // Writing to memory does not fail.
    let _ = packer.write_all(&json);
    packer.finish().unwrap_or_default()
}

/// A message from bytes.
pub(crate) fn unpack<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T> {
    let wrong = |why: String| ClusterError::Message {
        what: what.into(),
        why,
    };
    let mut json = Vec::new();
    let mut reader = DeflateDecoder::new(bytes).take(LARGEST + 1);
    reader
        .read_to_end(&mut json)
        .map_err(|error| wrong(error.to_string()))?;
    if json.len() as u64 > LARGEST {
        return Err(wrong(format!("it is larger than {} MB", LARGEST >> 20)));
    }
    serde_json::from_slice(&json).map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let numbers: Vec<u32> = (0..1000).collect();
        let packed = pack(&numbers);
        assert!(packed.len() < 3000);
        assert_eq!(unpack::<Vec<u32>>("numbers", &packed).unwrap(), numbers);
        let error = unpack::<Vec<u32>>("numbers", b"\xff\xff").unwrap_err();
        assert!(
            error.to_string().starts_with("numbers cannot be read: "),
            "{error}"
        );
    }

    /// A few bytes that would fill the memory.
    #[test]
    fn a_message_that_grows_without_end_is_refused() {
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
        let block = vec![b' '; 1 << 20];
        for _ in 0..=LARGEST >> 20 {
            packer.write_all(&block).unwrap();
        }
        let error = unpack::<u32>("a bomb", &packer.finish().unwrap()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a bomb cannot be read: it is larger than 256 MB"
        );
    }
}
