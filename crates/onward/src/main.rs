//! The `onward` binary: arguments, configuration, composition root.
fn main() {}
