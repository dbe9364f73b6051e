//! What nearly every module of this crate needs: the owned types of `alloc`, and the derives.

pub(crate) use alloc::string::String;
pub(crate) use alloc::vec::Vec;

pub(crate) use schemars::JsonSchema;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::Value;

/// For `skip_serializing_if`: a flag that is off is not written.
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

/// For `skip_serializing_if`: a count of nothing is not written.
pub(crate) fn is_zero(n: &u64) -> bool {
    *n == 0
}
