//! The locks of a database file, as SQLite means them, between the connections of one process.

/// How far a connection has locked a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Not at all.
    #[default]
    None,
    /// It reads.
    Shared,
    /// It is going to write; others may still begin to read.
    Reserved,
    /// It waits for readers to leave; no other may begin to read.
    Pending,
    /// It writes.
    Exclusive,
}

/// The locks of one file.
#[derive(Debug, Default)]
pub(crate) struct FileLocks {
    /// How many connections hold `Shared` or more.
    readers: usize,
    /// What the one that holds more than that holds.
    writer: Level,
}

impl FileLocks {
    /// Raises what a connection holds; whether it could. A connection that has to wait for readers holds `Pending`
    /// meanwhile.
    pub(crate) fn raise(&mut self, held: &mut Level, wanted: Level) -> bool {
        if *held >= wanted {
            return true;
        }
        if *held == Level::None {
            if self.writer >= Level::Pending {
                return false;
            }
            self.readers += 1;
            *held = Level::Shared;
        }
        if wanted == Level::Shared {
            return true;
        }
        if *held < Level::Reserved && self.writer > Level::None {
            return false;
        }
        let must_wait = wanted == Level::Exclusive && self.readers > 1;
        *held = if must_wait { Level::Pending } else { wanted };
        self.writer = *held;
        !must_wait
    }

    /// Lowers what a connection holds to `Shared` or `None`.
    pub(crate) fn lower(&mut self, held: &mut Level, to: Level) {
        if *held <= to {
            return;
        }
        if *held > Level::Shared {
            self.writer = Level::None;
        }
        if to == Level::None {
            self.readers = self.readers.saturating_sub(1);
        }
        *held = to;
    }

    /// Whether some connection writes or is about to.
    pub(crate) fn is_reserved(&self) -> bool {
        self.writer > Level::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_writes_when_nobody_reads_and_no_other_is_about_to() {
        let mut locks = FileLocks::default();
        let (mut a, mut b, mut c) = (Level::None, Level::None, Level::None);
        assert!(locks.raise(&mut a, Level::Shared) && locks.raise(&mut b, Level::Shared));
        assert!(locks.raise(&mut a, Level::Reserved) && locks.is_reserved());
        assert!(!locks.raise(&mut b, Level::Reserved));
        assert!(!locks.raise(&mut a, Level::Exclusive));
        assert_eq!(a, Level::Pending);
        assert!(!locks.raise(&mut c, Level::Shared), "nobody begins to read while one waits");
        locks.lower(&mut b, Level::None);
        assert!(locks.raise(&mut a, Level::Exclusive));
        locks.lower(&mut a, Level::Shared);
        assert!(!locks.is_reserved() && locks.raise(&mut c, Level::Shared));
        locks.lower(&mut a, Level::None);
        assert!(locks.raise(&mut c, Level::Exclusive));
    }
}
