//! Test support: in-memory ports, test tools, the effect ledger, crash injection, snapshot filters.
