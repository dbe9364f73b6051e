//! The scripted model: it plays a script instead of asking anybody.
//!
//! It is for tests, for demonstrations, and for people who want to see what the runtime does without a key. A script
//! is TOML or JSON:
//!
//! ```toml
//! final = "all done"                    # the answer after the last step; "done" without it
//!
//! [[steps]]
//! text = "I look at the file."          # words
//! reasoning = "The name is in there."   # thoughts
//! calls = [{ tool = "read_file", input = { path = "notes-{n}.txt" } }]
//! repeat = 3                            # this step answers three requests in a row
//! usage = { input = 1200, output = 40 } # reported; without it nothing is
//! delay_ms = 300                        # before the first piece
//! delta_ms = 20                         # between the pieces, which are words
//! faults = [
//!     { attempt = 1, error = "rate_limited", retry_after_ms = 500 },
//!     { attempt = 2, error = "network", after_deltas = 3 },
//! ]
//! ```
//!
//! More keys: `finish = "length"` (also `refusal`, `content_filter`, `stop`, `tool_calls`) ends the answer in another
//! way than its content suggests; `hang = true` never answers; a call may have `raw_arguments`, a text that is sent as
//! it is, instead of `input`; a fault may have `finish` or `hang = true` instead of `error`. In all strings of a step
//! `{n}` stands for the step's number, counted from 1 with repetitions.
//!
//! **Which step answers a request** is decided by the request alone: the number of the model's own messages in it. The
//! model remembers nothing, so a process that starts after a crash is answered as the old one would have been. What
//! differs between the attempts at one request is a fault, chosen by the attempt's number.

mod answer;
mod encode;
mod error;
mod model;
mod parse;
mod script;

pub use encode::ScriptedEncoder;
pub use error::ScriptError;
pub use model::ScriptedModel;
pub use script::Script;
