//! Passwords, links, logins and tokens: what is kept of them cannot be used by whoever reads it.

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};

/// A password is at least this long, in characters.
pub const SHORTEST_PASSWORD: usize = 10;

/// And at most this long, in bytes.
const LONGEST_PASSWORD: usize = 1000;

/// A text that nobody can guess: 120 bits.
#[must_use]
pub fn fresh() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let letter = || char::from(LETTERS[usize::from(rand::random::<u8>()) % 32]);
    (0..24).map(|_| letter()).collect()
}

/// What is kept of a fresh text. It needs no salt, since it cannot be guessed.
#[must_use]
pub fn digest(secret: &str) -> String {
    referee::hash(secret.as_bytes())
}

/// What is wrong with a password, if anything.
pub fn check_password(password: &str) -> Result<(), String> {
    let length = password.chars().count();
    if length < SHORTEST_PASSWORD {
        Err(format!(
            "a password needs at least {SHORTEST_PASSWORD} characters, this one has {length}"
        ))
    } else if password.len() > LONGEST_PASSWORD {
        Err(format!("a password has at most {LONGEST_PASSWORD} bytes"))
    } else {
        Ok(())
    }
}

/// Argon2id with 19 MiB and two passes.
fn argon2() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// What is kept of a password.
#[must_use]
pub fn hash_password(password: &str) -> String {
    let salt: [u8; 16] = rand::random();
    let salt = SaltString::encode_b64(&salt).expect("sixteen bytes are a salt");
    let hash = argon2().hash_password(password.as_bytes(), &salt);
    hash.expect("these parameters can be used").to_string()
}

/// A hash of nothing that costs as much as any other.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Whether this is the password. Without a hash it takes as long and is wrong, so that nobody
/// learns whether there is such a person.
#[must_use]
pub fn is_password(password: &str, hash: Option<&str>) -> bool {
    if password.len() > LONGEST_PASSWORD {
        return false;
    }
    let known = PasswordHash::new(hash.unwrap_or(NOBODY));
    let right = known.is_ok_and(|known| {
        argon2()
            .verify_password(password.as_bytes(), &known)
            .is_ok()
    });
    right && hash.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_known_again() {
        let hash = hash_password("correct horse");
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(is_password("correct horse", Some(&hash)));
        assert!(!is_password("correct horsf", Some(&hash)));
        assert!(!is_password("correct horse", None));
        assert_ne!(hash, hash_password("correct horse"));
    }

    /// The time of a check follows from these; a clock would measure how busy the machine is.
    #[test]
    fn nobody_costs_as_much_as_somebody() {
        let hash = hash_password("correct horse");
        let cost = |hash: &str| {
            let hash = PasswordHash::new(hash).unwrap();
            let output = hash.hash.unwrap().len();
            (
                hash.algorithm.to_string(),
                hash.version,
                hash.params.to_string(),
                output,
            )
        };
        assert_eq!(cost(NOBODY), cost(&hash));
    }

    #[test]
    fn fresh_texts_differ() {
        let (a, b) = (fresh(), fresh());
        assert_eq!(a.len(), 24);
        assert_ne!(a, b);
        assert_ne!(digest(&a), digest(&b));
        assert_eq!(digest("").len(), 64);
    }
}
