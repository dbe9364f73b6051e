//! Real processes in real sandboxes. Each test says by name what this machine does not let it test.

mod desk;
mod smoke;
