//! The imperative shell: one owner for each session, who appends and then performs.
//!
//! - [`Client`] speaks for a person or a program: it creates sessions, sends input, answers questions. It folds
//!   nothing and needs no owner; the log is where both meet.
//! - [`Owner`] drives one session: it feeds the outcomes of effects to the core's decisions, commits what they say,
//!   and only then performs what the new state calls for. Recovery is the same loop, fed one more event.
//! - [`rebuild`] makes the bytes of a recorded request again from the log; [`check_session`] verifies a whole log.
//!
//! The owner's task awaits only its mailbox (outcomes, and the log's doorbell) and its appends, never an effect.

mod cancel;
mod check;
mod client;
mod config;
mod damage;
mod effects;
mod ids;
mod jobs;
mod live;
mod open;
mod owner;
mod parallel;
mod ports;
mod records;
mod redact;
mod request;
mod snapshots;

pub use check::{CheckError, check_session};
pub use client::Client;
pub use config::RuntimeConfig;
pub use damage::{Damage, find_damage};
pub use ids::UuidIds;
pub use live::{Live, LiveEvent};
pub use open::load;
pub use owner::{Awaited, GivenBack, Owner, OwnerError, Quiet};
pub use ports::{EncoderByName, Ports, SystemClock, ToolFactory};
pub use records::{RecordReader, load_first, load_records, load_undamaged};
pub use redact::{RedactedExecutor, RedactedLog};
pub use request::{RebuildError, Rebuilt, rebuild};
