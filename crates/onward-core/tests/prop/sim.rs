//! A session, its log, and the moves that can be made.

use std::collections::BTreeMap;

use onward_core::check::{Checked, check};
use onward_core::{Action, Ctx, Draft, DraftError, Input, NewTurns, Session, StepPhase, Wait};
use onward_event::{
    AppendId, By, Digest, Epoch, Event, EventWriter, OwnerAcquired, OwnerReleased, Record, Seq,
    SessionCreated, SessionId, Timestamp, Workspace,
};

use crate::clients;
use crate::dice::Dice;
use crate::env::{Env, hash};
use crate::outcomes::World;
use crate::values::{request_digest, spec};

/// How inputs fared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) accepted: usize,
    pub(crate) empty: usize,
    pub(crate) refused: usize,
    pub(crate) undone: usize,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.empty += other.empty;
        self.refused += other.refused;
        self.undone += other.undone;
    }
}

pub(crate) struct Sim {
    session: Session,
    records: Vec<Record>,
    ids: u128,
    now: Timestamp,
    policy: u64,
    /// Outcomes that come late, or twice.
    late: Vec<Input>,
    counts: Counts,
}

impl Sim {
    pub(crate) fn new() -> Self {
        let workspace = Workspace { root: "/w".into(), dir: "/w".into() };
        let created = SessionCreated { session: SessionId::from_bits(1), spec: spec(), workspace };
        let now = Timestamp(1_000);
        let record = by_client(Seq(1), now, AppendId("create".into()), created.into());
        let session = Session::create(&record).unwrap();
        let (policy, late, counts) = (1, Vec::new(), Counts::default());
        Self { session, records: vec![record], ids: 1, now, policy, late, counts }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// One random move.
    pub(crate) fn step(&mut self, dice: &mut Dice) -> Result<(), String> {
        self.now = self.now.plus_millis(dice.roll(30));
        if self.session.turn().is_none() && dice.once_in(2) {
            return self.start_something(dice);
        }
        match dice.roll(32) {
            0..=4 => self.client(dice),
            5 => self.acquire(),
            6 => self.release(),
            7 | 8 => self.crash_in_a_call(),
            9 => {
                self.policy += 1;
                Ok(())
            }
            10 | 11 => match dice.pick(&self.late).cloned() {
                Some(input) => self.feed(&input),
                None => self.feed(&Input::Advance),
            },
            12 => self.undo_one(dice),
            13 => self.feed(&Input::Advance),
            _ => self.outcome(dice),
        }
    }

    /// Without a turn there is little to see: an owner, or a message.
    fn start_something(&mut self, dice: &mut Dice) -> Result<(), String> {
        if !self.session.is_owned() {
            return self.acquire();
        }
        let fresh = self.fresh();
        self.append_by_client(clients::message(&self.session, dice, fresh))?;
        self.feed(&Input::Advance)
    }

    /// The moment that matters most: a call is started and not answered.
    fn crash_in_a_call(&mut self) -> Result<(), String> {
        let runs = self.session.due().iter().any(|effect| matches!(effect.key.action, Action::Run(_)));
        if runs { self.acquire() } else { Ok(()) }
    }

    fn client(&mut self, dice: &mut Dice) -> Result<(), String> {
        let fresh = self.fresh();
        let event = clients::event(&self.session, dice, fresh, self.now);
        self.append_by_client(event)
    }

    /// Good outcomes for all that is due, and good answers for all that is waited for, until nothing is.
    pub(crate) fn come_to_rest(&mut self, patience: usize) -> Result<(), String> {
        if !self.session.is_owned() {
            self.acquire()?;
        }
        for _ in 0..patience {
            self.now = self.now.plus_millis(1);
            let before = self.session.head();
            self.feed(&Input::Advance)?;
            if let Some(effect) = self.session.due().first().cloned() {
                if let Action::Sleep { until, .. } = effect.key.action {
                    self.now = self.now.max(until);
                }
                let input = self.world().good_outcome(&effect);
                self.feed(&input)?;
                if self.session.head() == before {
                    return Err(format!("a good outcome of {effect:?} moves nothing: {input:?}"));
                }
            } else if let Some(wait) = self.session.waiting_on().first().cloned() {
                self.append_by_client(match wait {
                    Wait::Approval(approval) => clients::approve(approval),
                    Wait::Settlement(call) => clients::go_on(call),
                    Wait::Job(job) => return Err(format!("it waits for {job}, and that is not watched")),
                    Wait::Retry(at) => return Err(format!("it waits until {at:?}, and that is not due")),
                })?;
            } else if self.session.head() == before {
                return Ok(());
            }
        }
        Err(format!("no rest after {patience} good outcomes: {:?}", self.session.due()))
    }

    /// Every prefix that ends with a whole append.
    pub(crate) fn check_prefixes(&self) -> Result<(), String> {
        self.check_from(0)
    }

    /// Every such prefix that is longer than this.
    pub(crate) fn check_from(&self, len: usize) -> Result<(), String> {
        let (stored, requests) = self.stored();
        for end in len.max(1)..=stored.len() {
            let whole = stored.get(end).is_none_or(|next| next.0.append != stored[end - 1].0.append);
            if !whole {
                continue;
            }
            let checked = stored[..end].iter();
            let checked = checked.map(|(record, bytes, hash)| Checked { record, bytes, hash: *hash });
            let report = check(checked, &mut Env { requests: &requests });
            if let Some(violation) = report.violations.first() {
                return Err(format!("the first {end} records: {violation}\n{}", self.tail(end)));
            }
        }
        Ok(())
    }

    /// The log as a store keeps it, and the digests of its requests, made again by a fold of their own.
    #[expect(clippy::type_complexity, reason = "a record, its bytes, its hash; used once")]
    fn stored(&self) -> (Vec<(&Record, Vec<u8>, Digest)>, BTreeMap<Seq, Digest>) {
        let (mut stored, mut requests) = (Vec::new(), BTreeMap::new());
        let (mut last, mut fold): (Digest, Option<Session>) = (Digest::ZERO, None);
        for record in &self.records {
            let bytes = record.to_bytes().unwrap();
            last = hash(&last, &bytes);
            stored.push((record, bytes, last));
            match &mut fold {
                None => fold = Some(Session::create(record).unwrap()),
                Some(session) => {
                    if matches!(record.event, Event::RequestPrepared(_)) {
                        requests.insert(record.seq, request_digest(session));
                    }
                    session.apply(record).unwrap();
                }
            }
        }
        (stored, requests)
    }

    fn tail(&self, end: usize) -> String {
        let from = end.saturating_sub(25);
        let lines = self.records[from..end].iter().map(|record| {
            format!("{} {:?} {:?}", record.seq, record.epoch.map(|epoch| epoch.0), record.event)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn fresh(&mut self) -> u128 {
        self.ids += 1;
        self.ids
    }

    fn world(&mut self) -> World<'_> {
        let fresh = self.fresh();
        World { session: &self.session, policy: self.policy, fresh }
    }

    fn outcome(&mut self, dice: &mut Dice) -> Result<(), String> {
        let due = self.session.due();
        let Some(effect) = dice.pick(&due).cloned() else { return self.feed(&Input::Advance) };
        if let Action::Sleep { until, .. } = effect.key.action
            && !dice.once_in(3)
        {
            self.now = self.now.max(until);
        }
        let input = self.world().outcome(&effect, dice);
        if dice.once_in(4) {
            self.late.push(input.clone());
        }
        // Some are only late.
        if dice.once_in(8) { Ok(()) } else { self.feed(&input) }
    }

    /// A draft whose append met a conflict leaves no trace.
    fn undo_one(&mut self, dice: &mut Dice) -> Result<(), String> {
        let due = self.session.due();
        let input = match dice.pick(&due).cloned() {
            Some(effect) => self.world().outcome(&effect, dice),
            None => Input::Advance,
        };
        let before = format!("{:?}", self.session);
        if let Some((draft, _)) = self.draft(&input)? {
            draft.undo(&mut self.session);
            self.counts.undone += 1;
        }
        let after = format!("{:?}", self.session);
        if before == after { Ok(()) } else { Err(format!("undoing {input:?} left {after}\nof {before}")) }
    }

    /// An input as the owner's task gives it: what no longer applies is followed by an advance.
    fn feed(&mut self, input: &Input) -> Result<(), String> {
        let Some((draft, append)) = self.draft(input)? else { return Ok(()) };
        if draft.events().is_empty() {
            self.counts.empty += 1;
            return Ok(());
        }
        self.counts.accepted += 1;
        for event in draft.events() {
            let seq = Seq(self.records.len() as u64 + 1);
            let epoch = (event.writer() != EventWriter::Client).then_some(self.session.epoch());
            let (append, event) = (append.clone(), event.clone());
            self.records.push(Record { seq, at: draft.at(), epoch, by: None, append, event });
        }
        Ok(())
    }

    fn draft(&mut self, input: &Input) -> Result<Option<(Draft, AppendId)>, String> {
        let append = AppendId(format!("a{}", self.fresh()));
        let mut ids = self.ids;
        let mut next = || {
            ids += 1;
            ids
        };
        let mut ctx = Ctx {
            now: self.now,
            policy: self.policy,
            new_turns: NewTurns::Begin,
            ids: &mut next,
            redact: &core::convert::identity,
        };
        let drafted = Draft::new(&mut self.session, input, &append, &mut ctx);
        self.ids = ids;
        match drafted {
            Ok(draft) => Ok(Some((draft, append))),
            Err(DraftError::Refused(_)) => {
                self.counts.refused += 1;
                Ok(None)
            }
            Err(DraftError::Illegal(error)) => {
                Err(format!("{input:?}: {error}\n{}", self.tail(self.records.len())))
            }
        }
    }

    fn append_by_client(&mut self, event: Event) -> Result<(), String> {
        let append = AppendId(format!("c{}", self.fresh()));
        let seq = self.session.head().next();
        self.append(by_client(seq, self.now, append, event))
    }

    /// A new owner: after a crash of the old one, or after it left.
    fn acquire(&mut self) -> Result<(), String> {
        let epoch = Epoch(self.session.epoch().0 + 1);
        self.append_by_owner(epoch, OwnerAcquired { epoch, owner: "test".into() }.into())
    }

    /// Only with nothing in flight but what runs under supervisors, as the runtime does it.
    fn release(&mut self) -> Result<(), String> {
        let asking = self.session.step().is_some_and(|step| matches!(step.phase, StepPhase::Asking { .. }));
        let running = self.session.due().iter().any(|effect| match effect.key.action {
            Action::Run(call) => !self.session.is_supervised(call),
            Action::Reconcile(_) => true,
            _ => false,
        });
        if !self.session.is_owned() || asking || running {
            return Ok(());
        }
        let epoch = self.session.epoch();
        self.append_by_owner(epoch, OwnerReleased { epoch }.into())
    }

    fn append_by_owner(&mut self, epoch: Epoch, event: Event) -> Result<(), String> {
        let append = AppendId(format!("o{}", self.fresh()));
        let seq = self.session.head().next();
        self.append(Record { seq, at: self.now, epoch: Some(epoch), by: None, append, event })
    }

    fn append(&mut self, record: Record) -> Result<(), String> {
        self.session.apply(&record).map_err(|error| error.to_string())?;
        self.records.push(record);
        Ok(())
    }
}

fn by_client(seq: Seq, at: Timestamp, append: AppendId, event: Event) -> Record {
    let by = Some(By { principal: "someone".into(), channel: "test".into() });
    Record { seq, at, epoch: None, by, append, event }
}
