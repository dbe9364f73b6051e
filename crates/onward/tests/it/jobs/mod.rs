//! Jobs, with real processes: they go on when their call, their turn and their process have ended; their true end is
//! recorded once and told once; and nothing of them is left when they are cancelled.

mod background;
mod cancel;
mod crashes;
mod job;
mod leave;
mod limits;
mod places;
mod ranges;
mod rule;
mod sent;
mod stopped;
mod unknown;
mod waited;
