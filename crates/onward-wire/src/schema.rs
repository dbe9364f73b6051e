//! The JSON Schema of the stream.

use schemars::generate::SchemaSettings;

use crate::{PROTOCOL, WireEvent};

/// The JSON Schema (draft 2020-12) that every line of the stream fits. Its title names the protocol's version.
pub fn wire_schema() -> schemars::Schema {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<WireEvent>();
    schema.insert("title".into(), PROTOCOL.into());
    schema
}
