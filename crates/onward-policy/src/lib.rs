//! The rules that decide whether a call may run.
