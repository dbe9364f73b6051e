//! Foresight: what a new owner would do with a session as it stands, and why (seed, section 16).
//!
//! There is no second engine for it. A copy of the fold is given an `owner/acquired` that nobody recorded, the usual
//! decisions run on the copy, and what they would record and what would then be due is put into words. So a plan is
//! right for the same reason that a recovery is.

mod calls;
mod foresight;
mod inbox;
mod item;
mod plan;
mod runs;
mod turn;

pub use item::{Item, Planned, Then};
pub use plan::recovery_plan;
