//! `read_artifact`.

use onward_event::ArtifactId;
use onward_port::NewArtifact;
use onward_tools::ToolLimits;
use serde_json::json;

use crate::desk::Desk;

fn desk(content: &str) -> (Desk, String) {
    let desk = Desk::with(ToolLimits { max_read_bytes: 16, ..ToolLimits::default() });
    let id = ArtifactId::from_bits(5);
    let bytes = content.to_owned().into_bytes().into();
    desk.store(&NewArtifact { id, media_type: "text/plain".into(), summary: String::new(), bytes });
    (desk, id.to_string())
}

#[tokio::test]
async fn ranges_are_shown_and_continued() {
    let (desk, id) = desk("0123456789abcdefghij");
    insta::assert_snapshot!(desk.call("read_artifact", json!({ "id": id })).await, @r#"
    (ok) 0123456789abcdef
    [bytes 0 to 16 of 20; go on with offset 16]
    "#);
    insta::assert_snapshot!(desk.call("read_artifact", json!({ "id": id, "offset": 16 })).await, @r#"
    (ok) ghij
    [bytes 16 to 20 of 20; end of the artifact]
    "#);
    insta::assert_snapshot!(desk.call("read_artifact", json!({ "id": id, "offset": 2, "limit": 3 })).await, @r#"
    (ok) 234
    [bytes 2 to 5 of 20; go on with offset 5]
    "#);
    insta::assert_snapshot!(desk.call("read_artifact", json!({ "id": id, "offset": 20 })).await, @"(error out_of_range) out_of_range: art_00000000000000000000000005 has 20 bytes; byte 20 is past its end");
}

#[tokio::test]
async fn pages_do_not_split_characters_and_always_go_on() {
    let (desk, id) = desk("ab€cd€ef€gh€ij€");
    let (mut offset, mut all) = (0, String::new());
    loop {
        let page = desk.call("read_artifact", json!({ "id": id, "offset": offset, "limit": 4 })).await;
        let (text, note) = page.strip_prefix("(ok) ").unwrap().rsplit_once("\n[").unwrap();
        all.push_str(text);
        let Some((_, next)) = note.split_once("offset ") else { break };
        offset = next.trim_end_matches(']').parse::<u64>().unwrap();
    }
    assert_eq!(all, "ab€cd€ef€gh€ij€");
}

#[tokio::test]
async fn one_that_does_not_exist_is_a_fault() {
    let (desk, _) = desk("");
    let id = ArtifactId::from_bits(6).to_string();
    insta::assert_snapshot!(desk.call("read_artifact", json!({ "id": id })).await, @"(error not_found) not_found: there is no artifact art_00000000000000000000000006");
}

#[tokio::test]
async fn an_empty_one_is_no_fault() {
    let (desk, id) = desk("");
    assert_eq!(desk.call("read_artifact", json!({ "id": id })).await, "(ok)");
}
