//! Crashes: decorators of ports that pass points, and end the life of the process at one of them.

mod garble;
mod log;
mod model;
mod points;
mod tool;

pub use garble::GarblingModel;
pub use log::CrashingLog;
pub use model::CrashingModel;
pub use points::{CrashPlan, Point, PointKind, Points};
pub use tool::CrashingTool;
