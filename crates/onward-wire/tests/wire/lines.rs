//! Every line, and what holds for all lines.

use std::collections::BTreeSet;

use onward_event::{Digest, Event, Record};
use onward_wire::{Cursor, WireEvent, from_record};

use crate::samples;

fn hash_of(record: &Record) -> Digest {
    Digest([record.seq.0 as u8; 32])
}

fn converted() -> Vec<(Record, Option<WireEvent>)> {
    samples::records()
        .into_iter()
        .map(|record| (record.clone(), from_record(&record, &hash_of(&record))))
        .collect()
}

fn every_line() -> Vec<WireEvent> {
    converted().into_iter().filter_map(|(_, line)| line).chain(samples::live()).collect()
}

/// What clients are told about each kind of record.
#[test]
fn each_record_becomes_its_line() {
    let mut text = String::new();
    for (record, line) in converted() {
        let line = line.map_or_else(|| "(nothing)".into(), |line| line.to_line().unwrap());
        text.push_str(&format!("{}\n  {line}\n", record.event.kind()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn live_lines_are_written() {
    let lines: Vec<String> = samples::live().iter().map(|line| line.to_line().unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_kind_of_record_and_every_type_of_line_is_sampled() {
    let kinds: BTreeSet<String> =
        samples::records().iter().map(|record| record.event.kind().to_owned()).collect();
    for (kind, _) in Event::KINDS {
        assert!(kinds.contains(*kind), "no sample of {kind}");
    }
    let types: BTreeSet<&str> = every_line().iter().map(WireEvent::type_name).collect();
    for name in WireEvent::TYPES {
        assert!(types.contains(name), "no sample of {name}");
    }
    assert_eq!(types.len(), WireEvent::TYPES.len());
}

#[test]
fn a_line_is_one_line_with_its_type_first_and_reads_back() {
    for event in every_line() {
        let line = event.to_line().unwrap();
        assert!(line.starts_with(&format!(r#"{{"type":"{}""#, event.type_name())), "{line}");
        assert!(!line.contains(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']), "{line}");
        assert_eq!(serde_json::from_str::<WireEvent>(&line).unwrap(), event, "{line}");
    }
}

#[test]
fn a_durable_line_carries_the_cursor_of_its_record_and_a_live_one_none() {
    for (record, line) in converted() {
        if let Some(line) = line {
            assert_eq!(line.cursor(), Some(Cursor::new(record.seq, &hash_of(&record))));
            let json: serde_json::Value = serde_json::from_str(&line.to_line().unwrap()).unwrap();
            assert_eq!(json["at"], record.at.0);
        }
    }
    assert!(samples::live().iter().all(|line| line.cursor().is_none()));
}

/// The protocol's promise: within a version fields are only added, so a client of this version must read the lines of
/// a later one.
#[test]
fn a_field_of_a_later_version_is_ignored() {
    for event in every_line() {
        let line = event.to_line().unwrap();
        let later = format!(r#"{},"field_of_a_later_version":[1]}}"#, line.strip_suffix('}').unwrap());
        assert_eq!(serde_json::from_str::<WireEvent>(&later).unwrap(), event);
    }
}
