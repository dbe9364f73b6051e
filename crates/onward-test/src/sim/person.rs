//! The person: sends, interrupts, answers late and twice, and changes things; and when nothing goes wrong any more, sees
//! to it that everything comes to its end.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use onward_event::{
    AgentSpec, AppendId, ApprovalId, ApprovalResolved, ApprovalScope, ApprovalVerdict, By, JobsAtEnd, Limits,
    MessageId, Mode, ModelConfig, Part, ResolvedVerdict, SessionId, SettingChange, Target, Workspace,
};
use onward_port::{Append, Clock as _, Log as _, LogError};
use onward_runtime::Client;
use tokio::time::sleep;

use super::door::Door;
use super::fault::Fault;
use super::tools::Kind;
use super::view::View;
use super::world::{Dice, Planted, World};
use super::wrong::WrongKind;

/// Messages that one person sends.
const MAX_MESSAGES: usize = 6;
/// How long the end may take once nothing goes wrong any more.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// How often the same thing is said until it is acknowledged.
const TRIES: usize = 200;

/// Somebody at the session, who outlives every process and every loss of power.
pub(super) struct Person {
    world: Arc<World>,
    door: Arc<Door>,
    client: Client,
    view: View,
    sent: usize,
    known: Vec<MessageId>,
    /// What is on disk, as far as the person was told.
    pub(super) acknowledged: Vec<MessageId>,
}

impl Person {
    pub(super) fn new(world: &Arc<World>) -> Self {
        let door = Arc::new(Door { world: world.clone(), process: None });
        let client = Client::new(door.clone(), world.clone(), world.clone(), by());
        let view = View::default();
        Self {
            world: world.clone(),
            door,
            client,
            view,
            sent: 0,
            known: Vec::new(),
            acknowledged: Vec::new(),
        }
    }

    /// Makes the session.
    pub(super) async fn create(&mut self) -> Result<SessionId, LogError> {
        let workspace = Workspace { root: "/simulated".into(), dir: "/simulated".into() };
        self.client.create(spec(&self.world), workspace).await
    }

    /// Some minutes of a person's life.
    pub(super) async fn act(&mut self) {
        self.send(Target::NextTurn, true).await;
        for _ in 0..10 + self.world.roll(Dice::Person, 20) {
            let most = [50, 400, 2_500, 9_000][self.world.roll(Dice::Person, 4)];
            sleep(self.world.between(Dice::Person, 5, most)).await;
            self.view.refresh(&self.world);
            self.act_once().await;
        }
    }

    async fn act_once(&mut self) {
        match self.world.roll(Dice::Person, 20) {
            0..=2 => self.send(Target::NextTurn, true).await,
            3 => self.send(Target::NextStep, true).await,
            4 => self.send(Target::NextStep, false).await,
            5 => self.interrupt().await,
            6 => self.take_back().await,
            7 => self.change_settings().await,
            8 => {
                self.world.saw(Fault::RulesChanged);
                self.world.rules.fetch_add(1, Ordering::Relaxed);
            }
            9 | 10 => self.send_to_background().await,
            11 => self.end_a_job().await,
            12 | 13 => self.settle_one().await,
            _ => self.answer_one().await,
        }
    }

    /// Answers and settles everything until nothing is left. Says what is left when that takes too long.
    pub(super) async fn see_to_the_end(&mut self) -> Vec<String> {
        let begun = tokio::time::Instant::now();
        let mut quiet = 0;
        loop {
            sleep(Duration::from_millis(400)).await;
            self.view.refresh(&self.world);
            let left = self.view.left();
            quiet = if left.is_empty() { quiet + 1 } else { 0 };
            if let Some(why) = self.view.unfit() {
                return vec![why.to_owned()];
            }
            if quiet > 3 {
                return Vec::new();
            }
            if begun.elapsed() > PATIENCE {
                return left;
            }
            for approval in self.view.open_approvals() {
                let (verdict, scope) = (ApprovalVerdict::Approve, ApprovalScope::Once);
                let _ = self.client.resolve(self.world.session(), approval, verdict, scope, None).await;
            }
            for call in self.view.unknown() {
                let (session, verdict) = (self.world.session(), ResolvedVerdict::GoOn);
                let _ = self.client.reconcile(session, call, verdict, "nobody knows".into()).await;
            }
        }
    }

    /// Sends a message until it is acknowledged; now and then twice at the same time.
    async fn send(&mut self, target: Target, wakeup: bool) {
        if self.sent == MAX_MESSAGES {
            return;
        }
        self.sent += 1;
        let id = self.client.new_message_id();
        self.known.push(id);
        let twice = self.world.one_in(Dice::Person, 4);
        for _ in 0..TRIES {
            let said = self.say(id, target, wakeup);
            let said = match twice {
                false => said.await,
                true => {
                    self.world.saw(Fault::SentTwice);
                    let (first, second) = tokio::join!(said, self.say(id, target, wakeup));
                    first.and(second)
                }
            };
            match said {
                Ok(_) => {
                    self.acknowledged.push(id);
                    return;
                }
                Err(error) if error.may_pass() => sleep(Duration::from_millis(300)).await,
                Err(error) => return self.world.blame(WrongKind::InputLost, error.to_string()),
            }
        }
    }

    async fn say(&self, id: MessageId, target: Target, wakeup: bool) -> Result<MessageId, LogError> {
        let content = vec![Part::text(format!("message {}", id.bits()))];
        self.client.send_as(self.world.session(), id, content, target, wakeup).await
    }

    async fn interrupt(&self) {
        if self.client.interrupt(self.world.session()).await.is_ok() {
            self.world.saw(Fault::Interrupted);
        }
    }

    async fn take_back(&self) {
        let mut messages = self.view.pending();
        if messages.is_empty() {
            messages.clone_from(&self.known);
        }
        let Some(message) = self.pick(&messages) else { return };
        if self.client.cancel(self.world.session(), message).await.is_ok() {
            self.world.saw(Fault::TakenBack);
        }
    }

    async fn change_settings(&self) {
        let modes = [Mode::Auto, Mode::Normal, Mode::Plan, Mode::Normal, Mode::Auto];
        let change = match self.world.one_in(Dice::Person, 3) {
            true => SettingChange::Limits(limits(&self.world)),
            false => SettingChange::Mode(self.pick(&modes).unwrap_or_default()),
        };
        if self.client.configure(self.world.session(), change).await.is_ok() {
            self.world.saw(Fault::SettingsChanged);
        }
    }

    async fn send_to_background(&self) {
        if let Some(call) = self.pick(&self.view.open_calls()) {
            let _ = self.client.background(self.world.session(), call).await;
        }
    }

    async fn end_a_job(&self) {
        if let Some(job) = self.pick(&self.view.open_jobs()) {
            let _ = self.client.cancel_job(self.world.session(), job).await;
        }
    }

    async fn settle_one(&self) {
        let Some(call) = self.pick(&self.view.unknown()) else { return };
        let verdicts = [ResolvedVerdict::GoOn, ResolvedVerdict::Applied, ResolvedVerdict::NotApplied];
        let verdict = self.pick(&verdicts).unwrap_or(ResolvedVerdict::GoOn);
        let _ = self.client.reconcile(self.world.session(), call, verdict, "somebody looked".into()).await;
    }

    /// An open question; or one that was answered or closed long ago.
    async fn answer_one(&self) {
        let open = self.view.open_approvals();
        let Some(approval) = self.pick(&open).or_else(|| self.pick(&self.view.asked)) else { return };
        let rejects = self.world.one_in(Dice::Person, 4);
        let (verdict, other) = match rejects {
            true => (ApprovalVerdict::Reject, ApprovalVerdict::Approve),
            false => (ApprovalVerdict::Approve, ApprovalVerdict::Reject),
        };
        if self.answer(approval, verdict).await.is_err() {
            return;
        }
        if !open.contains(&approval) {
            self.world.saw(Fault::AnsweredLate);
        } else if self.world.one_in(Dice::Person, 3) && self.answer(approval, other).await.is_ok() {
            self.world.saw(Fault::AnsweredTwice);
        }
    }

    /// Under a key of its own each time: it is the first answer in the log that counts, not the first key.
    async fn answer(&self, approval: ApprovalId, verdict: ApprovalVerdict) -> Result<(), LogError> {
        let scope =
            if self.world.one_in(Dice::Person, 4) { ApprovalScope::Session } else { ApprovalScope::Once };
        let valid_until = self
            .world
            .one_in(Dice::Person, 6)
            .then(|| self.world.now().plus_millis(self.world.roll(Dice::Person, 900) as u64));
        let event = ApprovalResolved { approval, verdict, scope, valid_until, feedback: None };
        let (session, at) = (self.world.session(), self.world.now());
        let key = AppendId(format!("answer {}", self.client.new_message_id()));
        self.door.append(Append::by_client(session, key, at, by(), event.into())).await.map(drop)
    }

    fn pick<T: Clone>(&self, from: &[T]) -> Option<T> {
        self.world.dice(Dice::Person).pick(from).cloned()
    }
}

fn by() -> By {
    By { principal: "person".into(), channel: "simulation".into() }
}

fn spec(world: &World) -> AgentSpec {
    let planted = world.planted != Planted::Nothing;
    AgentSpec {
        model: ModelConfig::new("simulated", "m", 1_000_000, 1_000),
        tools: Kind::ALL.map(|kind| kind.name().to_owned()).into(),
        mode: if planted || world.one_in(Dice::Person, 2) { Mode::Auto } else { Mode::Normal },
        limits: limits(world),
        jobs_at_end: JobsAtEnd::default(),
    }
}

fn limits(world: &World) -> Limits {
    Limits {
        max_steps: 6 + world.roll(Dice::Person, 20) as u32,
        max_attempts: 2 + world.roll(Dice::Person, 4) as u32,
        max_recoveries: 2 + world.roll(Dice::Person, 6) as u32,
        max_jobs: 1 + world.roll(Dice::Person, 4) as u32,
        ..Limits::default()
    }
}
