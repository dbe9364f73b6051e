//! A call that its tool lets nobody ask about: no question appears, every view says that its task is held, and
//! `onward reconcile` settles it. None of the built-in tools is such a tool, so the log is made from another one.

use onward_event::{AppendId, Event, OnUnknown, Recovery, Semantics, Seq, SessionId, ToolStart};
use onward_port::{Append, Appended, Create, Expect, Log as _};
use onward_sqlite::{OpenOptions, SqliteStore};

use crate::support::{Records, Sandbox, fatal_command, kill_its_supervisor};

/// Writes the log of another sandbox into this one, under another semantics of its calls.
fn copy_blocking(records: &Records, sandbox: &Sandbox) {
    let store = SqliteStore::open(OpenOptions::new(sandbox.data())).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let [first, rest @ ..] = &records.0[..] else { panic!("an empty log") };
        let Event::SessionCreated(created) = first.event.clone() else { panic!("{first:?}") };
        let session = created.session;
        let mut created = created;
        created.workspace.root = sandbox.workspace().to_str().unwrap().into();
        created.workspace.dir.clone_from(&created.workspace.root);
        let (id, by) = (first.append.clone(), first.by.clone().unwrap());
        store.create(Create { created, events: Vec::new(), id, at: first.at, by }).await.unwrap();
        for (n, record) in rest.iter().enumerate() {
            write(&store, session, AppendId(format!("copy {n}")), record.clone()).await;
        }
    });
    store.close();
}

async fn write(store: &SqliteStore, session: SessionId, id: AppendId, mut record: onward_event::Record) {
    match &mut record.event {
        Event::OwnerAcquired(acquired) => {
            store.acquire(session, acquired.owner.clone(), id, record.at).await.unwrap();
            return;
        }
        // The store that writes this has it until it is closed.
        Event::OwnerReleased(_) => return,
        Event::ToolStart(ToolStart { semantics, .. }) => {
            *semantics = Semantics::Possible(Recovery::Manual(OnUnknown::Block));
        }
        _ => {}
    }
    let head = store.head(session).await.unwrap().seq;
    let expect = record.epoch.map_or(Expect::Any, |epoch| Expect::Head { seq: Seq(head.0), epoch });
    let append = Append {
        session,
        expect,
        id,
        at: record.at,
        by: record.by,
        events: vec![record.event],
        blobs: Vec::new(),
        ends_side: Vec::new(),
        sync: true,
    };
    assert!(matches!(store.append(append).await.unwrap(), Appended::Committed { .. }));
}

#[test]
fn no_question_appears_and_it_is_settled_from_outside() {
    let made = Sandbox::new(&fatal_command());
    let exec = made.start(&["exec", "--mode", "auto", "tag the release"]);
    kill_its_supervisor(&made);
    exec.wait().ended(5);
    let records = made.records();
    let call = records.all(|event| match event {
        Event::ToolOutcomeUnknown(unknown) => Some(unknown.call.to_string()),
        _ => None,
    });
    let sandbox = Sandbox::new(&fatal_command());
    copy_blocking(&records, &sandbox);

    let held = "no question is asked about it, and its task is held until it is settled";
    let session = sandbox.session().to_string();
    assert!(sandbox.run(&["show", &session]).ended(0).stdout.contains(held));
    let resumed = sandbox.run(&["resume", &session]).ended(5);
    assert!(resumed.stderr.contains(held), "{resumed:?}");

    let mut talk = sandbox.start_talking(&["--session", &session]);
    talk.expect("nobody can tell by machine what became of this");
    talk.expect(held);
    talk.expect(&format!("onward reconcile {} --applied", call[0]));
    talk.expect("\n> ");
    talk.say("/quit");
    let talked = talk.wait().ended(5);
    assert!(!talked.stdout.contains("what became of it: "), "{talked:?}");
    assert_eq!(sandbox.records().count("reconciliation/resolved"), 0);

    let settled = sandbox.run(&["reconcile", &call[0], "--applied"]).ended(0);
    assert_eq!(settled.stdout, "I go on.\n");
}
