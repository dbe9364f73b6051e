//! The imperative shell: one task per owned session, append, then perform.
