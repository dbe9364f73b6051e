//! A job that nobody awaits: the owner rests while it runs, is woken by its end once, and has nothing to do after that.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use onward_event::{AgentSpec, Event, Part, Seq, Target, ToolStart};
use onward_model::ScriptedModel;
use onward_port::{BoxFuture, Followed, ForwardTool, Model, Tool, ToolIo, ToolSet};
use onward_runtime::{GivenBack, Live, Owner, Ports, RuntimeConfig, load_records};
use onward_test::{CrashPlan, Ledger, Points, ledger_tools};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::stored_fold::World;

/// A tool whose jobs do not end before they may.
struct Held {
    inner: Arc<dyn Tool>,
    may_end: Arc<Semaphore>,
}

impl ForwardTool for Held {
    fn inner(&self) -> &dyn Tool {
        self.inner.as_ref()
    }

    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        Box::pin(async move {
            self.may_end.acquire().await.unwrap().forget();
            self.inner.follow(input, start, io).await
        })
    }
}

/// The model launches one job and is done; another word of it answers the end.
fn ports(base: &Ports, ledger: &Ledger, may_end: &Arc<Semaphore>) -> Ports {
    let call = json!({ "tool": "launch", "input": { "name": "a", "background": true } });
    let script = json!({ "steps": [{ "calls": [call] }], "final": "noted" });
    let model: Arc<dyn Model> = Arc::new(ScriptedModel::new(serde_json::from_value(script).unwrap()));
    let (ledger, may_end) = (ledger.clone(), may_end.clone());
    let tools = move |_: &_| {
        let points = Arc::new(Points::new(CrashPlan::Never));
        let held = |inner| -> Arc<dyn Tool> { Arc::new(Held { inner, may_end: may_end.clone() }) };
        Ok(ToolSet::new(ledger_tools(&ledger, &points).into_iter().map(held)))
    };
    let models = BTreeMap::from([("scripted".to_owned(), model)]);
    Ports { models, tools: Arc::new(tools), ..base.clone() }
}

/// Whether there is news, once everything that can go on has gone on.
async fn has_news(owner: &mut Owner) -> bool {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let mut news = pin!(owner.wait_for_news());
    std::future::poll_fn(|context| Poll::Ready(news.as_mut().poll(context).is_ready())).await
}

#[tokio::test]
async fn the_end_of_a_job_that_nobody_awaits_wakes_the_owner_once() {
    let world = World::new();
    let process = world.process("");
    let spec = AgentSpec { tools: vec!["launch".into()], ..World::spec() };
    let session = process.client.create(spec, world.workspace()).await.unwrap();
    process.client.send(session, vec![Part::text("launch it")], Target::NextTurn, true).await.unwrap();
    let (ledger, may_end) = (Ledger::new(world.ledger()), Arc::new(Semaphore::new(0)));
    let ports = ports(&process.ports, &ledger, &may_end);
    let mut owner = Owner::acquire(ports, RuntimeConfig::default(), session, Live::new()).await.unwrap();

    owner.drive().await.unwrap();
    let running = |owner: &Owner| owner.session().jobs().filter(|job| job.is_open()).count();
    assert_eq!(running(&owner), 1, "it rests while the job runs");
    assert!(!has_news(&mut owner).await, "nothing has happened yet");

    may_end.add_permits(1);
    owner.wait_for_news().await;
    owner.drive().await.unwrap();
    assert_eq!(running(&owner), 0, "woken by the end, it records it");
    assert!(!has_news(&mut owner).await, "it was told already");

    assert!(matches!(owner.release().await.unwrap(), GivenBack::Done));
    let records = load_records(&process.store, session, Seq(0)).await.unwrap();
    let ends = records.iter().filter(|(record, _)| matches!(record.event, Event::JobPhase(_)));
    assert_eq!(ends.count(), 1);
    process.store.close();
}
