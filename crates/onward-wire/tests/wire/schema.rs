//! The published schema, and that it speaks of every line.

use onward_wire::{WireEvent, wire_schema};

#[test]
fn the_schema_is_published() {
    let published: serde_json::Value =
        serde_json::from_str(include_str!("../../../../docs/wire.schema.json")).unwrap();
    assert_eq!(serde_json::to_value(wire_schema()).unwrap(), published, "run `cargo xtask schema`");
}

#[test]
fn the_schema_names_every_type_once() {
    let schema = serde_json::to_value(wire_schema()).unwrap();
    let branches = schema["oneOf"].as_array().unwrap();
    let named: Vec<&str> =
        branches.iter().map(|branch| branch["properties"]["type"]["const"].as_str().unwrap()).collect();
    assert_eq!(named, WireEvent::TYPES);
    for branch in branches {
        assert!(branch["required"].as_array().unwrap().contains(&"type".into()), "{branch}");
    }
}
