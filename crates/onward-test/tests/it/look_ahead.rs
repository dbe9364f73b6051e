//! What the owner puts together and judges in memory is part of the append that called for it: how many appends a step is,
//! what is not waited for, and what becomes of it when somebody else was faster.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use onward_event::{
    Access, AccessKind, Event, Mode, Occupies, OnUnknown, Part, Record, Recovery, ResultStatus, Risk,
    Semantics, Seq, SessionId, Target, ToolDefinition, ToolStart,
};
use onward_model::ScriptedModel;
use onward_port::{
    Append, Appended, BoxFuture, CheckedInput, Expect, ForwardLog, Log, LogError, Model, PlannedEffects,
    Tool, ToolFault, ToolIo, ToolOutcome, ToolPlan, ToolReport, ToolSet,
};
use onward_runtime::{
    Client, GivenBack, Live, Owner, Ports, Quiet, RuntimeConfig, check_session, load_records,
};
use onward_sqlite::SqliteStore;
use serde_json::{Value, json};

use crate::stored_fold::World;

/// How a call is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    AtOnce,
    /// As one for which a file is read.
    Slowly,
    Panics,
}

struct Guess {
    definition: ToolDefinition,
    plan: Plan,
}

impl Tool for Guess {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>> {
        let accesses = vec![Access { kind: AccessKind::Write, resource: "guess".into() }];
        Ok(CheckedInput { input: input.clone(), accesses, occupies: Occupies::Slot })
    }

    fn plan<'a>(&'a self, _: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>> {
        Box::pin(async move {
            match self.plan {
                Plan::AtOnce => {}
                Plan::Slowly => tokio::task::yield_now().await,
                Plan::Panics => panic!("a plan that was made to panic"),
            }
            Ok(ToolPlan {
                risk: Risk::Write,
                semantics: Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
                resources: Vec::new(),
                preview: "guess".into(),
                effects: PlannedEffects::default(),
            })
        })
    }

    fn run<'a>(&'a self, _: &'a Value, _: &'a ToolStart, _: &'a ToolIo) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async { ToolOutcome::Finished(ToolReport::ok("seven".to_owned())) })
    }
}

/// What the owner appended: the kinds of its events, and whether it had them synced.
type Appends = Vec<(Vec<String>, bool)>;

/// A log that notes what the owner appends, and lets somebody else be faster once.
struct Noted {
    inner: SqliteStore,
    appends: Mutex<Appends>,
    /// Says something right before the first append with a result.
    steer: Mutex<Option<(Client, SessionId)>>,
}

impl ForwardLog for Noted {
    fn inner(&self) -> &dyn Log {
        &self.inner
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        Box::pin(async move {
            let has_result = append.events.iter().any(|event| matches!(event, Event::ToolResult(_)));
            let by_owner = matches!(append.expect, Expect::Head { .. });
            let steer = if has_result { self.steer.lock().unwrap().take() } else { None };
            if let Some((client, session)) = steer {
                client.send(session, vec![Part::text("and hurry")], Target::NextStep, true).await?;
            }
            let kinds = append.events.iter().map(|event| event.kind().to_owned()).collect();
            let sync = append.sync;
            let appended = self.inner.append(append).await?;
            if by_owner && matches!(appended, Appended::Committed { .. }) {
                self.appends.lock().unwrap().push((kinds, sync));
            }
            Ok(appended)
        })
    }
}

/// Whether somebody says something while the call's result is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Person {
    Silent,
    Steers,
}

/// One turn with one call, to its end; what was appended, and the log.
async fn turn(plan: Plan, person: Person) -> (Appends, Vec<Record>) {
    let world = World::new();
    let process = world.process("");
    let mut spec = World::spec();
    (spec.mode, spec.tools) = (Mode::Bypass, vec!["guess".into()]);
    let session = process.client.create(spec, world.workspace()).await.unwrap();
    process.client.send(session, vec![Part::text("guess")], Target::NextTurn, true).await.unwrap();
    let steer = (person == Person::Steers).then(|| (process.client.clone(), session));
    let (inner, appends) = (process.store.clone(), Mutex::default());
    let log = Arc::new(Noted { inner, appends, steer: Mutex::new(steer) });
    let script = json!({ "steps": [{ "calls": [{ "tool": "guess", "input": {} }] }], "final": "Seven." });
    let model: Arc<dyn Model> = Arc::new(ScriptedModel::new(serde_json::from_value(script).unwrap()));
    let definition = ToolDefinition {
        name: "guess".into(),
        version: "1".into(),
        description: "Guesses.".into(),
        input_schema: json!({ "type": "object" }),
    };
    let tool: Arc<dyn Tool> = Arc::new(Guess { definition, plan });
    let ports = Ports {
        log: log.clone(),
        models: BTreeMap::from([("scripted".to_owned(), model)]),
        tools: Arc::new(move |_| Ok(ToolSet::new([tool.clone()]))),
        ..process.ports.clone()
    };
    let mut owner =
        Owner::acquire(ports.clone(), RuntimeConfig::default(), session, Live::new()).await.unwrap();
    assert_eq!(owner.drive().await.unwrap(), Quiet::Idle);
    assert!(matches!(owner.release().await.unwrap(), GivenBack::Done));
    let report = check_session(&ports, session, Vec::new()).await.unwrap();
    assert!(report.is_clean(), "{plan:?}, {person:?}: {:?}", report.violations);
    let records = load_records(&process.store, session, Seq(0)).await.unwrap();
    process.store.close();
    let appends = std::mem::take(&mut *log.appends.lock().unwrap());
    (appends, records.into_iter().map(|(record, _)| record).collect())
}

/// The appends from the first answer of the model on.
fn after_first_answer(appends: &Appends) -> Vec<(Vec<&str>, bool)> {
    let told = appends.iter().map(|(kinds, sync)| (kinds.iter().map(String::as_str).collect(), *sync));
    told.skip_while(|(kinds, _): &(Vec<&str>, bool)| !kinds.contains(&"attempt/end")).collect()
}

#[tokio::test]
async fn a_step_with_one_call_is_two_appends_and_both_are_synced() {
    let (appends, _) = turn(Plan::AtOnce, Person::Silent).await;
    assert_eq!(
        after_first_answer(&appends),
        [
            (vec!["attempt/end", "assistant/accepted", "tool/call", "policy/decided", "tool/start"], true),
            (vec!["tool/result", "step/end", "step/start", "request/prepared", "attempt/start"], true),
            (vec!["attempt/end", "assistant/accepted", "step/end", "turn/end"], true),
        ]
    );
}

#[tokio::test]
async fn an_answer_does_not_wait_for_a_plan_that_takes_time() {
    let (appends, _) = turn(Plan::Slowly, Person::Silent).await;
    assert_eq!(
        after_first_answer(&appends)[..2],
        [
            (vec!["attempt/end", "assistant/accepted", "tool/call"], false),
            (vec!["policy/decided", "tool/start"], true),
        ]
    );
}

#[tokio::test]
async fn a_plan_that_panics_costs_its_call_and_nothing_else() {
    let (appends, records) = turn(Plan::Panics, Person::Silent).await;
    let code = records.iter().find_map(|record| match &record.event {
        Event::ToolResult(result) => match &result.status {
            ResultStatus::Error { code, .. } => Some(code.as_str()),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(code, Some("internal"));
    let last = after_first_answer(&appends).pop().unwrap();
    assert_eq!(last.0.last(), Some(&"turn/end"));
}

#[tokio::test]
async fn a_request_that_was_put_together_too_early_is_put_together_anew() {
    let (_, records) = turn(Plan::AtOnce, Person::Steers).await;
    let at =
        |wanted: &dyn Fn(&Event) -> bool| records.iter().rposition(|record| wanted(&record.event)).unwrap();
    let steer = at(&|event| matches!(event, Event::InboxReceived(_)));
    let request = at(&|event| matches!(event, Event::RequestPrepared(_)));
    let Event::InboxReceived(received) = &records[steer].event else { panic!("it was found as one") };
    let Event::RequestPrepared(prepared) = &records[request].event else { panic!("it was found as one") };
    assert!(steer < request);
    assert_eq!(prepared.includes, [received.message.id], "the next request has what was said meanwhile");
    let requests = records.iter().filter(|record| matches!(record.event, Event::RequestPrepared(_))).count();
    assert_eq!(requests, 2, "the one that was put together too early is in no record");
}
