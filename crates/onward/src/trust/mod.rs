//! Whether a folder's own configuration takes effect.
//!
//! What lies in `.onward/` of a repository was written by whoever wrote the repository. It has no effect until the
//! person has seen it and agreed; the agreement is for exactly these contents, and is kept in the data folder, never in
//! the repository.

mod files;
mod record;

pub(crate) use files::ProjectFiles;
pub(crate) use record::TrustRecord;
