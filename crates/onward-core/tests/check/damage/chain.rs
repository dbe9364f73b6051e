//! Rules 1, 2 and 22: what is stored, and who wrote it.

use onward_event::{Digest, Epoch, Part};

use super::case::{Row, bad, edit, row};
use crate::env::{Stored, hash};
use crate::good::{crash_applied, late_clients, owned, plain_answer, tools, unknown_alive};
use crate::log::log;
use crate::values::read;

pub(super) fn rows() -> Vec<Row> {
    [stored(), writers(), secrets()].into_iter().flatten().collect()
}

fn stored() -> Vec<Row> {
    vec![
        row("a byte of a record was changed", &[1], plain_answer, |case| {
            case.tamper = |stored| stored[3].bytes[20] ^= 1;
        }),
        row("a hash was changed", &[1], plain_answer, |case| {
            case.tamper = |stored| stored[3].hash.0[0] ^= 1;
        }),
        row("a record was taken out", &[1], unknown_alive, |case| {
            case.tamper = |stored| {
                let notice = place(stored, "notice/added");
                stored.remove(notice);
            };
        }),
        row("two records changed places", &[1], late_clients, |case| {
            // Both are clients' that come too late: nothing but the chain can tell.
            case.tamper = |stored| {
                let late = place(stored, "reconciliation/resolved");
                stored.swap(late, late - 1);
            };
        }),
        row("a blob is missing", &[1], plain_answer, |case| case.env.blobs.clear()),
        row("a blob is not what its hash says", &[1], plain_answer, |case| {
            for bytes in case.env.blobs.values_mut() {
                bytes.push(0);
            }
        }),
        row("an attachment is missing", &[1], plain_answer, |case| {
            edit!(case, InboxReceived, 0, |body| body.message.content.push(Part::Blob {
                hash: Digest([7; 32]),
                media_type: "image/png".into(),
                size: 3
            }));
        }),
        row("an artifact was never stored", &[1], tools, |case| case.drop("artifact/stored", 0)),
    ]
}

fn place(stored: &[Stored], kind: &str) -> usize {
    stored.iter().position(|stored| stored.record.event.kind() == kind).unwrap()
}

fn writers() -> Vec<Row> {
    vec![
        row("an owner writes after it was taken over", &[2], crash_applied, |case| {
            case.at("tool/reconciled", 0).epoch = Some(Epoch(1));
            case.at("tool/result", 0).epoch = Some(Epoch(1));
        }),
        row("an owner's record without an epoch", &[2], plain_answer, |case| {
            case.at("owner/released", 0).epoch = None;
        }),
        row("a client's record with an epoch", &[2], plain_answer, |case| {
            case.at("session/created", 0).epoch = Some(Epoch(0));
        }),
        row("a client's record without a client", &[2], plain_answer, |case| {
            case.at("session/created", 0).by = None;
        }),
        row("a message from nobody", &[2], plain_answer, |case| case.at("inbox/received", 0).by = None),
        row("an append of two writers", &[2], plain_answer, |case| {
            case.at("owner/acquired", 0).append = case.at("inbox/received", 0).append.clone();
        }),
        row("an epoch is left out", &[2], crash_applied, |case| {
            case.at("owner/acquired", 1).epoch = Some(Epoch(3));
            edit!(case, OwnerAcquired, 1, |body| body.epoch = Epoch(3));
        }),
        row("nobody acquired the session", &[2], plain_answer, |case| case.drop("owner/acquired", 0)),
        row("another epoch is released", &[2], plain_answer, |case| {
            edit!(case, OwnerReleased, 0, |body| body.epoch = Epoch(7));
        }),
        bad("an owner writes after it has left", &[2], || plain_answer().notice()),
        bad("an owner leaves while a call is running", &[2], || {
            let log = owned().turn(&[1]).ask().calls(&[(1, "read")]).start(1, 1, read()).release();
            log.acquire().start(1, 2, read()).ok(1).go_on(&[]).ask().answer()
        }),
        bad("an owner leaves while the model is asked", &[2], || owned().turn(&[1]).ask().release()),
    ]
}

fn secrets() -> Vec<Row> {
    vec![
        row("a secret in a message", &[22], plain_answer, |case| {
            edit!(case, InboxReceived, 0, |body| body.message.content.push(Part::text("it is hunter2\"x")));
        }),
        row("a secret in a message, within JSON", &[22], plain_answer, |case| {
            edit!(case, InboxReceived, 0, |body| body
                .message
                .content
                .push(Part::text("{\"k\":\"hunter2\\\"x\"}")));
        }),
        row("a secret in a blob", &[22], plain_answer, |case| {
            let bytes = b"my key is hunter2\"x".to_vec();
            let digest = hash(&Digest::ZERO, &bytes);
            case.env.blobs.insert(digest, bytes);
            edit!(case, RequestPrepared, 0, |body| body.manifest.head = digest);
        }),
    ]
}

#[test]
fn a_report_never_repeats_a_secret() {
    for row in secrets() {
        let report = (row.case)().report();
        assert!(report.violations.iter().all(|violation| !violation.what.contains("hunter2")), "{report:?}");
    }
}

#[test]
fn an_empty_secret_is_found_nowhere() {
    let mut case = super::case::Case::new(log().message(1));
    case.env.secrets = vec![String::new()];
    assert!(case.report().is_clean());
}
