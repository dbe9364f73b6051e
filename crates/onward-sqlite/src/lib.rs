//! Log and Blobs in one SQLite file, with one writer thread and group commit.
