//! Who asks, and how much one visitor may do where strangers can come.
//!
//! A visitor is known by a cookie, so that games are theirs without an account, and counted by
//! address, so that nobody can take the whole server. Whoever holds the token, and everybody
//! where no token is set because only this machine gets here, is not counted.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;

use crate::fault::Fault;

/// Who sent a request.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// Where it came from.
    pub(crate) address: IpAddr,
    /// The secret in the visitor's cookie.
    pub(crate) key: Option<String>,
    /// Whether the visitor may do everything.
    pub(crate) trusted: bool,
}

impl Visitor {
    /// Somebody on this machine.
    pub(crate) const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
}

/// The address by which somebody is counted. Whoever has one of the sixth version has all that
/// begin with the same 64 bits, so these are one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(own) if !own.is_loopback() => {
            let bits = own.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(bits))
        }
        other => other,
    }
}

/// What a visitor wants to do more of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    /// Begin a game or an analysis.
    Begin,
    /// Move, undo, or let an engine think.
    Change,
    /// Try a token.
    Guess,
}

impl Deed {
    /// How many come at once, how long it takes until the next is possible, and what it is
    /// called. A class behind one address is one visitor, so this is a lot for one person.
    fn allowance(self) -> (f64, Duration, &'static str) {
        match self {
            Deed::Begin => (120.0, Duration::from_secs(5), "games and analyses begun"),
            Deed::Change => (600.0, Duration::from_millis(100), "requests"),
            Deed::Guess => (20.0, Duration::from_secs(30), "wrong tokens or passwords"),
        }
    }
}

/// So many live pages may be open at one address.
const MOST_LIVE: usize = 120;

/// So many addresses are remembered; the idle ones are forgotten first.
const MOST_KNOWN: usize = 10_000;

/// What the visitors have done lately, by address.
#[derive(Debug, Default)]
pub(crate) struct Visitors {
    known: Mutex<HashMap<IpAddr, Account>>,
}

/// What one address has done lately: how much of each allowance is used up, and when that was
/// last looked at.
#[derive(Debug)]
struct Account {
    used: [f64; 3],
    seen: Instant,
    live: Arc<()>,
}

impl Account {
    fn new(now: Instant) -> Account {
        Account {
            used: [0.0; 3],
            seen: now,
            live: Arc::default(),
        }
    }

    /// Gives back what the time since the last look allows.
    fn settle(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.seen).as_secs_f64();
        for deed in [Deed::Begin, Deed::Change, Deed::Guess] {
            let (_, every, _) = deed.allowance();
            let used = &mut self.used[deed as usize];
            *used = (*used - passed / every.as_secs_f64()).max(0.0);
        }
        self.seen = now;
    }

    /// Whether there is room for one more.
    fn allows(&self, deed: Deed) -> Result<(), Fault> {
        let (most, every, what) = deed.allowance();
        let used = self.used[deed as usize];
        if used + 1.0 <= most {
            return Ok(());
        }
        let wait = every.mul_f64(used + 1.0 - most).as_secs() + 1;
        Err(Fault::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!("too many {what} from your address: try again in {wait} s"),
        ))
    }

    fn is_idle(&self) -> bool {
        self.used == [0.0; 3] && Arc::strong_count(&self.live) == 1
    }
}

impl Visitors {
    /// Notes that a visitor does something; refuses if it is too much.
    pub(crate) fn note(&self, visitor: &Visitor, deed: Deed) -> Result<(), Fault> {
        self.note_at(visitor, deed, Instant::now())
    }

    fn note_at(&self, visitor: &Visitor, deed: Deed, now: Instant) -> Result<(), Fault> {
        if visitor.trusted {
            return Ok(());
        }
        self.with(visitor, now, |account| {
            account.allows(deed)?;
            account.used[deed as usize] += 1.0;
            Ok(())
        })
    }

    /// Takes back what was noted: it was none.
    pub(crate) fn take_back(&self, visitor: &Visitor, deed: Deed) {
        if !visitor.trusted {
            self.with(visitor, Instant::now(), |account| {
                let used = &mut account.used[deed as usize];
                *used = (*used - 1.0).max(0.0);
            });
        }
    }

    /// A place for one more live page; it is given back when it is dropped.
    pub(crate) fn live(&self, visitor: &Visitor) -> Result<Arc<()>, Fault> {
        self.with(visitor, Instant::now(), |account| {
            // The account holds one itself.
            if !visitor.trusted && Arc::strong_count(&account.live) > MOST_LIVE {
                return Err(Fault::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "too many live pages are open at your address: close some of them",
                ));
            }
            Ok(account.live.clone())
        })
    }

    fn with<T>(&self, visitor: &Visitor, now: Instant, f: impl FnOnce(&mut Account) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN && !known.contains_key(&visitor.address) {
            known.values_mut().for_each(|account| account.settle(now));
            known.retain(|_, account| !account.is_idle());
        }
        let account = known
            .entry(visitor.address)
            .or_insert_with(|| Account::new(now));
        account.settle(now);
        f(account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(last: u8) -> Visitor {
        Visitor {
            address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)),
            key: None,
            trusted: false,
        }
    }

    #[test]
    fn one_visitor_is_stopped_and_may_go_on_later() {
        let visitors = Visitors::default();
        let begin = Instant::now();
        let (most, every, _) = Deed::Begin.allowance();
        for _ in 0..most as u32 {
            visitors.note_at(&visitor(1), Deed::Begin, begin).unwrap();
        }
        let fault = visitors.note_at(&visitor(1), Deed::Begin, begin);
        let fault = fault.unwrap_err();
        assert_eq!(fault.status.as_u16(), 429);
        assert!(
            fault.message.ends_with("try again in 6 s"),
            "{}",
            fault.message
        );
        // Others, and other things, are not concerned.
        visitors.note_at(&visitor(2), Deed::Begin, begin).unwrap();
        visitors.note_at(&visitor(1), Deed::Change, begin).unwrap();
        visitors
            .note_at(&visitor(1), Deed::Begin, begin + every)
            .unwrap();
        let trusted = Visitor {
            trusted: true,
            ..visitor(1)
        };
        visitors.note_at(&trusted, Deed::Begin, begin).unwrap();
    }

    #[test]
    fn what_was_none_is_taken_back() {
        let visitors = Visitors::default();
        let (most, ..) = Deed::Guess.allowance();
        for _ in 0..10 * most as u32 {
            visitors.note(&visitor(1), Deed::Guess).unwrap();
            visitors.take_back(&visitor(1), Deed::Guess);
        }
    }

    #[track_caller]
    fn check(address: &str, due: &str) {
        let found = network(address.parse().unwrap());
        assert_eq!(found, due.parse::<IpAddr>().unwrap(), "{address}");
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        check("192.0.2.1", "192.0.2.1");
        check("::ffff:192.0.2.1", "192.0.2.1");
        check("::1", "::1");
        check("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
        check("2001:db8:1:3::1", "2001:db8:1:3::");
    }

    #[test]
    fn live_pages_are_counted_while_they_are_open() {
        let visitors = Visitors::default();
        let mut open: Vec<_> = (0..MOST_LIVE)
            .map(|_| visitors.live(&visitor(1)).unwrap())
            .collect();
        assert!(visitors.live(&visitor(1)).is_err());
        open.pop();
        visitors.live(&visitor(1)).unwrap();
    }
}
