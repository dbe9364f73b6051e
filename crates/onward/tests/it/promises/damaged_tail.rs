//! A damaged record: nothing is acknowledged behind it, it is set aside only when a person says so, and what is whole
//! before it goes on.

use std::path::PathBuf;

use insta::assert_snapshot;
use onward_event::Event;
use serde_json::{Value, json};

use crate::support::{
    Done, Sandbox, change, copy_folder, hanging, one_command, other_letter, records, rows, sql,
};

/// Ways in which the stored bytes of a record come to be others.
const DAMAGES: [(&str, fn(&[u8]) -> Vec<u8>); 4] = [
    ("changed", other_letter),
    ("of another kind", |bytes| {
        String::from_utf8_lossy(bytes).replace("\"kind\":\"", "\"kind\":\"x").into_bytes()
    }),
    ("torn", |bytes| bytes[..bytes.len() / 2].to_vec()),
    ("overwritten", |bytes| vec![0xfe; bytes.len()]),
];

/// A session whose process was killed while its model thought: its last append is the request.
fn killed() -> Sandbox {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    exec.kill();
    sandbox.set_script(&json!({ "final": "Thought." }));
    sandbox
}

/// A copy of the store, to be damaged, and how the program is called for it.
struct Copy<'a> {
    sandbox: &'a Sandbox,
    folder: PathBuf,
}

impl<'a> Copy<'a> {
    fn of(sandbox: &'a Sandbox, name: &str) -> Self {
        let folder = sandbox.path().join(name);
        copy_folder(sandbox.data(), &folder);
        Self { sandbox, folder }
    }

    fn run(&self, args: &[&str]) -> Done {
        self.sandbox.run(&[&["--data-dir", self.folder.to_str().unwrap()], args].concat())
    }

    /// What was set aside, line by line.
    fn aside(&self) -> Vec<Value> {
        let mut files: Vec<_> = std::fs::read_dir(self.folder.join("set-aside"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        let file = files.pop().unwrap();
        assert_eq!(files, Vec::<PathBuf>::new(), "one file for one loss");
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn shown(&self, done: &Done) -> String {
        self.sandbox.shown(done)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that a line of the file keeps.
fn kept(line: &Value) -> Vec<u8> {
    match line["text"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => {
            let hex = line["hex"].as_str().unwrap();
            (0..hex.len() / 2).map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).unwrap()).collect()
        }
    }
}

#[test]
fn a_damaged_end_takes_nothing_in_and_goes_on_when_a_person_says_so() {
    let sandbox = killed();
    let id = sandbox.session().to_string();
    for (name, damage) in DAMAGES {
        let copy = Copy::of(&sandbox, name);
        let last = rows(&copy.folder).len();
        change(&copy.folder, last as u64, damage);
        let damaged = rows(&copy.folder);

        let sent = copy.run(&["send", "go on"]).ended(1);
        let resumed = copy.run(&["resume"]).ended(1);
        assert_eq!(rows(&copy.folder), damaged, "{name}: nothing came behind it");
        assert!(!format!("{}{}", sent.stdout, sent.stderr).contains("recorded"), "{name}: {sent:?}");
        assert_eq!(sent.stderr, resumed.stderr, "{name}: both say the same");
        for done in [&sent, &resumed] {
            assert!(
                done.stderr.contains(&format!("damaged at record {last}: its bytes do not match")),
                "{done:?}"
            );
            assert!(done.stderr.contains("`onward recover --accept-loss`"), "{done:?}");
        }

        let accepted = copy.run(&["recover", "--accept-loss"]).ended(0);
        if name == "changed" {
            assert_snapshot!("tail_accepted", copy.shown(&accepted));
        }
        let lines = copy.aside();
        let stays = damaged.len() - lines.len();
        assert!(stays > 2, "{name}: not more than the last append: {lines:?}");
        for (line, (seq, bytes, hash)) in lines.iter().zip(&damaged[stays..]) {
            assert_eq!((line["seq"].as_i64(), line["hash"].as_str()), (Some(*seq), Some(hex(hash).as_str())));
            assert_eq!((kept(line), line["session"].as_str()), (bytes.clone(), Some(id.as_str())), "{name}");
        }
        let again = copy.run(&["recover", "--accept-loss"]).ended(0);
        assert!(again.stderr.contains("nothing is missing"), "{again:?}");

        copy.run(&["check", "--all"]).ended(0);
        assert_eq!(copy.run(&["resume"]).ended(0).stdout, "Thought.\n", "{name}");
        let now = rows(&copy.folder);
        assert_eq!(now[..stays], damaged[..stays], "{name}: what was whole is what it was");
        let told = records(&copy.folder, sandbox.session()).all(|event| match event {
            Event::InboxReceived(received) => Some(format!("{:?}", received.message.content)),
            _ => None,
        });
        assert!(told[1].contains("had to be set aside") && told.len() == 2, "{name}: {told:?}");
        copy.run(&["check", "--all"]).ended(0);
    }
}

/// Every command by which a person says something to a session, on one whose last record is damaged.
#[test]
fn nobody_says_anything_to_a_session_that_cannot_be_read() {
    let call = json!({ "tool": "shell", "input": { "command": "echo went >> ledger" } });
    let sandbox = Sandbox::new(&json!({ "steps": [{ "calls": [call] }, { "text": "It went." }] }));
    sandbox.run(&["exec", "run it"]).ended(3);
    let question = sandbox.records().all(|event| match event {
        Event::ApprovalRequested(asked) => Some((asked.approval.to_string(), asked.call.to_string())),
        _ => None,
    });
    let [(approval, call)] = <[(String, String); 1]>::try_from(question).unwrap();
    let id = sandbox.session().to_string();
    let last = rows(sandbox.data()).len() as u64;
    change(sandbox.data(), last, other_letter);
    let damaged = rows(sandbox.data());
    let commands: [&[&str]; 14] = [
        &["send", "--session", &id, "go on"],
        &["send", "--session", &id, "--steer", "--no-run", "go on"],
        &["send", "--session", &id, "--inject", "go on"],
        &["exec", "--session", &id, "go on"],
        &["resume", &id],
        &["resume", &id, "--mode", "auto"],
        &["resume", &id, "--max-steps", "3"],
        &["approve", &approval],
        &["reject", &approval, "--no-run"],
        &["interrupt", &id],
        &["background", "--session", &id],
        &["reconcile", &call, "--applied"],
        &["jobs", &id],
        &["--session", &id],
    ];
    for command in commands {
        let done = sandbox.run_with_input(command, "go on\n").ended(1);
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(
            said.contains(&format!("damaged at record {last}: its bytes do not match")),
            "{command:?}: {said}"
        );
        assert!(said.contains("recover --accept-loss"), "{command:?}: {said}");
        assert!(!said.contains("recorded in"), "{command:?}: {said}");
        assert_eq!(rows(sandbox.data()), damaged, "{command:?}");
    }
    sandbox.run(&["recover", "--accept-loss", &id]).ended(0);
    sandbox.run(&["approve", &approval]).ended(0);
    assert_eq!(sandbox.read("ledger"), "went\n");
    sandbox.assert_checked();
}

#[test]
fn whole_records_behind_a_damaged_one_are_given_up_only_by_name() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    let id = sandbox.session().to_string();
    let before = rows(sandbox.data());
    let kinds = sandbox.records().kinds().join(" ");
    let place =
        sandbox.records().kinds().iter().position(|kind| *kind == "assistant/accepted").unwrap() as u64 + 1;
    change(sandbox.data(), place, other_letter);
    let damaged = rows(sandbox.data());

    let refused = sandbox.run(&["recover", "--accept-loss"]).ended(1);
    assert_snapshot!("middle_refused", sandbox.shown(&refused));
    let line = refused.stderr.lines().find_map(|line| line.split('`').nth(1)).unwrap();
    let from: usize = line.split(' ').next_back().unwrap().parse().unwrap();
    assert!(from as u64 <= place && line.contains(&id), "{line}");
    let wrong = sandbox.run(&["recover", "--accept-loss", &id, "--from", &(from + 1).to_string()]).ended(1);
    assert!(wrong.stderr.contains("not with the one that --from names"), "{wrong:?}");
    sandbox.run(&["recover", "--accept-loss", "--from", "3"]).ended(2);
    assert_eq!(rows(sandbox.data()), damaged, "nothing was changed");

    // What it says can be typed as it stands.
    let args: Vec<&str> = line.split(' ').skip(1).collect();
    let accepted = sandbox.run(&args).ended(0);
    assert_snapshot!("middle_accepted", sandbox.shown(&accepted));
    let now = rows(sandbox.data());
    assert_eq!(now[..from - 1], before[..from - 1], "{kinds}");
    assert_eq!(now.len(), from, "and what is told about it");
    sandbox.set_script(&json!({ "final": "I have looked." }));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "I have looked.\n");
    sandbox.assert_checked();
}

/// Whichever record is damaged: the log ends with a whole append then, which some crash could have left, too.
#[test]
fn a_session_goes_on_from_before_any_record_that_was_damaged() {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    sandbox.set_script(&json!({ "final": "Once more." }));
    sandbox.run(&["send", "and once more"]).ended(0);
    let id = sandbox.session().to_string();
    let whole = rows(sandbox.data());
    let appends: Vec<_> = sandbox.records().0.iter().map(|record| record.append.clone()).collect();
    for seq in 1..=whole.len() as u64 {
        let copy = Copy::of(&sandbox, &format!("at-{seq}"));
        let (name, damage) = DAMAGES[seq as usize % DAMAGES.len()];
        change(&copy.folder, seq, damage);
        let asked = copy.run(&["recover", "--accept-loss"]);
        let first =
            appends.iter().position(|append| *append == appends[seq as usize - 1]).unwrap() as u64 + 1;
        if first == 1 {
            assert!(asked.stderr.contains("nothing of it is left to go on from"), "{asked:?}");
            asked.ended(1);
            continue;
        }
        // Of what append a record is cannot always be read any more: then it is the first that is taken out.
        let from = match asked.code() {
            0 => copy.aside()[0]["seq"].as_u64().unwrap(),
            _ => {
                let line = asked.stderr.lines().find_map(|line| line.split('`').nth(1)).unwrap();
                let from = line.split(' ').next_back().unwrap();
                copy.run(&["recover", "--accept-loss", &id, "--from", from]).ended(0);
                from.parse().unwrap()
            }
        };
        assert!((first..=seq).contains(&from), "{name} {seq}: {from}, and its append begins with {first}");
        if name == "torn" {
            assert_eq!(from, first, "{seq}");
        }
        copy.run(&["check", "--all"]).ended(0);
        let code = copy.run(&["resume"]).code();
        assert!([0, 5].contains(&code), "{name} {seq}: {code}");
        let (now, stays) = (rows(&copy.folder), from as usize - 1);
        assert_eq!(now[..stays], whole[..stays], "{name} {seq}");
        copy.run(&["check", "--all"]).ended(0);
        std::fs::remove_dir_all(&copy.folder).unwrap();
    }
}

#[test]
fn a_record_that_is_gone_and_an_end_that_is_not_the_one_that_is_named_are_noticed_too() {
    let sandbox = killed();
    let last = rows(sandbox.data()).len();
    let statements = [
        ("gone", format!("DELETE FROM records WHERE seq = {last}")),
        ("gone-in-the-middle", "DELETE FROM records WHERE seq = 3".to_owned()),
        ("end", "UPDATE sessions SET hash = zeroblob(32)".to_owned()),
        ("hash", format!("UPDATE records SET hash = zeroblob(32) WHERE seq = {last}")),
    ];
    for (name, statement) in statements {
        let copy = Copy::of(&sandbox, name);
        sql(&copy.folder, &statement);
        let damaged = rows(&copy.folder);
        let sent = copy.run(&["send", "go on"]).ended(1);
        assert!(sent.stderr.contains("is damaged at record"), "{name}: {sent:?}");
        assert_eq!(rows(&copy.folder), damaged, "{name}");
        if name == "gone-in-the-middle" {
            let log = copy.run(&["log"]).ended(1);
            assert_eq!(log.stdout.lines().count(), 2, "what stands before it is shown: {log:?}");
            let refused = copy.run(&["recover", "--accept-loss"]).ended(1);
            let line = refused.stderr.lines().find_map(|line| line.split('`').nth(1)).unwrap();
            let from = line.split(' ').next_back().unwrap();
            let id = sandbox.session().to_string();
            copy.run(&["recover", "--accept-loss", &id, "--from", from]).ended(0);
        } else {
            copy.run(&["recover", "--accept-loss"]).ended(0);
        }
        copy.run(&["check", "--all"]).ended(0);
        let code = copy.run(&["resume"]).ended(0);
        assert!(code.stdout.is_empty() || code.stdout == "Thought.\n", "{name}: {code:?}");
        copy.run(&["check", "--all"]).ended(0);
    }
}
