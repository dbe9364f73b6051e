//! The lowest layers know no clock, no randomness and no I/O.
//!
//! The vocabulary and the core are `no_std`, which makes the compiler refuse most of it; this rule sees to it that
//! they stay so, and adds what `no_std` alone lets through. The ports may use the standard library for its types,
//! not for what it does to the world.

use super::finding::Finding;
use crate::source::{Attribute, File, NamedPath, Rust, Tree};

const PURE: &[&str] = &["onward-event", "onward-core"];
const PORTS: &[&str] = &["onward-port"];

/// Crates that bring in the world, or an order that differs from run to run.
const IMPURE_CRATES: &[&str] = &["std", "tokio", "rand", "getrandom", "hashbrown"];
const IMPURE_NAMES: &[&str] = &["HashMap", "HashSet", "Instant", "SystemTime", "async"];

const PORT_MODULES: &[&str] = &["std::fs", "std::net", "std::process", "std::env", "tokio"];
const PORT_NAMES: &[&str] = &["std::*", "std::time::*", "time::Instant", "SystemTime"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (member, file, rust) in tree.sources() {
        if PURE.contains(&member) {
            findings.extend(named(file, rust, is_impure));
        } else if PORTS.contains(&member) {
            findings.extend(named(file, rust, is_worldly));
        }
    }
    findings.extend(PURE.iter().filter_map(|member| missing_no_std(tree, member)));
    findings
}

fn named(file: &File, rust: &Rust, is_wrong: fn(&NamedPath) -> bool) -> Vec<Finding> {
    let wrong = rust.product.paths.iter().filter(|path| is_wrong(path));
    let finding = |path: &NamedPath| {
        let what = &path.text;
        Finding::failure(
            &file.path,
            path.line,
            format!(
                "`{what}` in a layer that knows no clock, randomness or I/O, take the value as an argument instead"
            ),
        )
    };
    wrong.map(finding).collect()
}

fn is_impure(path: &NamedPath) -> bool {
    if path.after_dot {
        return path.text == "await";
    }
    IMPURE_CRATES.iter().any(|name| path.is_within(name))
        || path.segments().any(|it| IMPURE_NAMES.contains(&it))
}

fn is_worldly(path: &NamedPath) -> bool {
    !path.after_dot
        && (PORT_MODULES.iter().any(|module| path.is_within(module))
            || PORT_NAMES.iter().any(|name| path.contains(name)))
}

fn missing_no_std(tree: &Tree, member: &str) -> Option<Finding> {
    let path = format!("crates/{member}/src/lib.rs");
    let rust = tree.file(&path).and_then(File::rust);
    let declared = rust.is_some_and(|rust| rust.attributes.iter().any(is_no_std));
    (!declared).then(|| {
        Finding::failure(&path, 1, "the crate is not `#![no_std]`, add the attribute without condition")
    })
}

fn is_no_std(attribute: &Attribute) -> bool {
    attribute.is_inner && attribute.words == ["no_std"]
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    const GOOD: &str =
        "//! `std::fs` in words.\n#![no_std]\nextern crate alloc;\nuse alloc::collections::BTreeMap;\n";

    #[track_caller]
    fn check_in(member: &str, text: &str, wrong_lines: &[usize]) {
        let changed = format!("crates/{member}/src/changed.rs");
        let tree = Tree::of(&[
            ("crates/onward-event/src/lib.rs", GOOD),
            ("crates/onward-core/src/lib.rs", GOOD),
            (&changed, text),
        ]);
        let expect: Vec<_> = wrong_lines.iter().map(|line| format!("{changed}:{line}")).collect();
        assert_eq!(places(&check(&tree)), expect, "{text}");
    }

    #[test]
    fn the_core_names_nothing_of_the_world() {
        for bad in [
            "use std::collections::BTreeMap;",
            "extern crate std;",
            "use alloc::{vec::Vec, sync::{Arc, HashMap}};",
            "fn f(x: &HashSet<u8>) {}",
            "fn f() { Instant::now(); }",
            "fn f() -> SystemTime { x }",
            "use rand::Rng;",
            "fn f() { tokio::spawn(x); }",
            "fn f() { assert!(x < std::u8::MAX) }",
            "macro_rules! now { () => { Instant::now() } }",
            "async fn f() {}",
            "fn f() { x\n.await }",
        ] {
            let line = 1 + usize::from(bad.contains('\n'));
            check_in("onward-core", bad, &[line]);
            check_in("onward-event", bad, &[line]);
            check_in("onward-runtime", bad, &[]);
        }
    }

    #[test]
    fn tests_and_words_are_free() {
        check_in(
            "onward-core",
            "/// Like `std::fs`.\n#[cfg(test)] mod tests { use std::fs; }\nfn f() { operand(\"std::\") }",
            &[],
        );
        check_in("onward-core", "fn f() { x.rand() }", &[]);
    }

    #[test]
    fn the_ports_may_use_types_of_std_only() {
        for bad in [
            "use std::{path::Path, fs};",
            "use std::net::SocketAddr;",
            "fn f() { std::process::id() }",
            "fn f() { std::env::var(x) }",
            "use std::time::{Duration, Instant};",
            "use std::time; fn f(x: time::Instant) {}",
            "use std::time::*;",
            "fn f(x: SystemTime) {}",
            "fn f(x: tokio::sync::Mutex) {}",
        ] {
            check_in("onward-port", bad, &[1]);
        }
        check_in(
            "onward-port",
            "use std::{path::Path, collections::HashMap, time::Duration};\nasync fn f() { x.await }",
            &[],
        );
    }

    #[test]
    fn no_std_is_without_condition() {
        for bad in ["//! Doc.\n", "#![cfg_attr(not(test), no_std)]", "// #![no_std]"] {
            let tree =
                Tree::of(&[("crates/onward-event/src/lib.rs", GOOD), ("crates/onward-core/src/lib.rs", bad)]);
            assert_eq!(places(&check(&tree)), ["crates/onward-core/src/lib.rs:1"], "{bad}");
        }
        assert_eq!(check(&Tree::of(&[])).len(), 2);
    }
}
