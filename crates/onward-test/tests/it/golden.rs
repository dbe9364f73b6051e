//! Golden logs: what earlier versions wrote.
