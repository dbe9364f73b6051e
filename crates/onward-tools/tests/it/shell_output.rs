//! `shell`: output of any size and kind.

use onward_port::ToolReport;
use onward_tools::ToolLimits;
use serde_json::{Value, json};

use crate::desk::{Desk, text_of_report};

fn command(text: &str) -> Value {
    json!({ "command": text })
}

/// Everything that a report holds, in bytes.
fn held(report: &ToolReport) -> usize {
    text_of_report(report).len() + report.artifacts.iter().map(|artifact| artifact.bytes.len()).sum::<usize>()
}

#[tokio::test]
async fn a_small_output_is_shown_whole() {
    let desk = Desk::new();
    let report = desk.report("shell", command("printf 'no line end'")).await;
    assert_eq!(text_of_report(&report), "exit code 0\nno line end");
    assert_eq!((report.metadata.bytes, report.metadata.truncated), (11, false));
    assert!(report.artifacts.is_empty());
}

#[tokio::test]
async fn of_a_big_output_head_and_tail_are_shown_and_all_is_kept() {
    let desk = Desk::with(ToolLimits { max_output_bytes: 90, ..ToolLimits::default() });
    let report = desk.report("shell", command("seq 1 1000; exit 2")).await;
    insta::assert_snapshot!(text_of_report(&report), @r#"
    exit code 2
    [3893 bytes of output: the first 30 and the last 57 are shown; read_artifact has all of it as art_00000000000000000000000007]
    1
    2
    3
    4
    5
    6
    7
    8
    9
    10
    11
    12
    13
    [cut: 3806 bytes]
    987
    988
    989
    990
    991
    992
    993
    994
    995
    996
    997
    998
    999
    1000
    "#);
    let artifact = &report.artifacts[0];
    assert_eq!(artifact.bytes.len(), 3_893);
    insta::assert_snapshot!(artifact.summary, @"output of `seq 1 1000; exit 2` (3893 bytes)");
    desk.store(artifact);
    let input = json!({ "id": artifact.id.to_string(), "offset": 3_880 });
    insta::assert_snapshot!(desk.call("read_artifact", input).await, @r#"
    (ok) 998
    999
    1000
    [bytes 3880 to 3893 of 3893; end of the artifact]
    "#);
}

#[tokio::test]
async fn an_output_beyond_every_limit_is_counted() {
    let desk = Desk::new();
    let report = desk.report("shell", command("yes | head -c 20000000; echo the end")).await;
    let text = text_of_report(&report);
    insta::assert_snapshot!(text.lines().nth(1).unwrap(), @"[20000008 bytes of output: the first 10240 and the last 20478 are shown; read_artifact has the first 16777216 bytes as art_00000000000000000000000007, the rest is lost]");
    assert!(text.ends_with("y\nthe end\n"));
    assert_eq!((report.metadata.bytes, report.metadata.truncated), (20_000_008, true));
    assert_eq!(report.artifacts[0].bytes.len(), 16 << 20);
    insta::assert_snapshot!(report.artifacts[0].summary, @"output of `yes | head -c 20000000; echo the end` (19.1 MiB, the first 16.0 MiB)");
}

#[tokio::test]
async fn an_endless_output_is_bounded() {
    let desk = Desk::with(ToolLimits { max_artifact_bytes: 1 << 20, ..ToolLimits::default() });
    let report = desk.report("shell", json!({ "command": "yes", "timeout_seconds": 1 })).await;
    assert_eq!(report.status, onward_event::ResultStatus::Timeout);
    assert!(
        report.metadata.bytes > 1 << 20 && held(&report) < 2 << 20,
        "{} {}",
        report.metadata.bytes,
        held(&report)
    );
}

#[tokio::test]
async fn what_is_no_text_is_shown_as_far_as_it_goes() {
    let desk = Desk::new();
    let report = desk.report("shell", command(r"printf 'caf\351\n\000end\n'")).await;
    assert_eq!(text_of_report(&report), "exit code 0\ncaf\u{fffd}\n\0end\n");
}

#[tokio::test]
async fn a_cut_splits_no_character() {
    for max in 60..72 {
        let desk = Desk::with(ToolLimits { max_output_bytes: max, ..ToolLimits::default() });
        let text = text_of_report(&desk.report("shell", command("printf '€%.0s' $(seq 500)")).await);
        assert!(text.contains("[cut: ") && !text.contains('\u{fffd}'), "{max}: {text}");
    }
}
