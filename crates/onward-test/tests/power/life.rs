//! The time from power on to power off: what was found, what was done, and at which moments the power could have failed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use onward_event::{Seq, SessionId};
use onward_port::Log;
use onward_test::power::{Chance, Image, Lies, Op, Platter};

use crate::seeds::Bench;
use crate::truth::{Expected, Promise, Truth};
use crate::user::User;
use crate::verify::verify;

/// A life that has ended.
pub(crate) struct Life {
    number: usize,
    /// What was on the disk when it began.
    image: Image,
    pub(crate) trace: Vec<Op>,
    /// After so many operations the store was open.
    pub(crate) opened: usize,
    promises: Vec<Promise>,
    truth: Truth,
    /// Up to where each session was found.
    found: BTreeMap<SessionId, Seq>,
}

/// What is done in a life.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// Which life it is; each makes ids of its own.
    pub(crate) life: usize,
    /// How many random acts follow on what is done with what was found.
    pub(crate) acts: usize,
    /// How the disk lies once the store is open.
    pub(crate) lies: Lies,
}

/// A loss of power.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// After so many operations.
    pub(crate) at: usize,
    pub(crate) seed: u64,
}

impl Plan {
    /// The life that begins with an empty disk.
    pub(crate) fn first(seed: u64, acts: usize) -> Self {
        Self { seed, life: 1, acts, lies: Lies::Never }
    }
}

impl Bench {
    /// The life that begins with an empty disk.
    pub(crate) fn begin(&mut self, plan: Plan) -> Result<Life> {
        self.live(Image::default(), &Expected::default(), plan)
    }

    /// Switches the machine on with this on its disk, verifies what is there, and works.
    fn live(&mut self, image: Image, expected: &Expected<'_>, plan: Plan) -> Result<Life> {
        self.machine.boot(image.clone())?;
        let machine = &self.machine;
        self.runtime.block_on(async {
            let store = machine.open().context("opening the store")?;
            let opened = machine.disk().position();
            machine.disk().lie(plan.lies);
            verify(machine, &store, expected).await?;
            let mut user = User::new(machine, store, plan.seed, plan.life);
            let found = user.store.sessions().await?;
            user.go_on(expected).await?;
            user.work(plan.acts).await?;
            let truth = Truth::read(&user.store, user.appends, expected).await?;
            user.store.close();
            let found = found.iter().map(|summary| (summary.session, summary.head.seq)).collect();
            Ok(Life {
                number: plan.life,
                image,
                trace: machine.disk().trace(),
                opened,
                promises: user.promises,
                truth,
                found,
            })
        })
    }

    /// Lets the power fail at each of these moments, and looks at what is there afterwards.
    pub(crate) fn cut(&mut self, life: &Life, cuts: &[Cut]) -> Result<()> {
        for (cut, image) in life.images(cuts) {
            self.after(life, cut, image)?;
        }
        Ok(())
    }

    /// The life after a loss of power.
    pub(crate) fn after(&mut self, life: &Life, cut: Cut, image: Image) -> Result<Life> {
        let plan = Plan { seed: cut.seed, life: life.number + 1, acts: 0, lies: Lies::Never };
        self.live(image, &life.expected(cut.at), plan).with_context(|| life.describe(cut))
    }
}

impl Life {
    /// Before and after every sync since the store was open, and at so many other moments.
    pub(crate) fn cuts(&self, chance: &mut Chance, others: usize) -> Vec<Cut> {
        let syncs = self.trace.iter().enumerate().skip(self.opened).filter(|(_, op)| op.is_sync());
        let mut moments: BTreeSet<usize> = syncs.flat_map(|(n, _)| [n, n + 1]).collect();
        moments.extend((0..others).map(|_| chance.below(self.trace.len() + 1)));
        moments.into_iter().map(|at| Cut { at, seed: chance.any() }).collect()
    }

    /// What each of these leaves on the disk. They come in the order of their moments.
    pub(crate) fn images(&self, cuts: &[Cut]) -> impl Iterator<Item = (Cut, Image)> {
        let mut platter = Platter::new(&self.image);
        let mut done = 0;
        cuts.iter().map(move |cut| {
            let ops = self.trace.get(done..cut.at).unwrap_or_default();
            ops.iter().for_each(|op| platter.apply(op));
            done = done.max(cut.at);
            (*cut, platter.power_cut(cut.seed))
        })
    }

    /// What must be there if the power failed after so many operations. What was found at the beginning was on disk.
    fn expected(&self, at: usize) -> Expected<'_> {
        let mut through = self.found.clone();
        for promise in self.promises.iter().filter(|promise| promise.at <= at) {
            let seq = through.entry(promise.session).or_default();
            *seq = promise.through.max(*seq);
        }
        Expected { truth: Some(&self.truth), through }
    }

    fn describe(&self, cut: Cut) -> String {
        let near =
            |n: Option<usize>| n.and_then(|n| self.trace.get(n)).map_or("nothing".into(), Op::to_string);
        format!(
            "the power failed (cut seed {}) after operation {} of {}: {}; next would have been: {}",
            cut.seed,
            cut.at,
            self.trace.len(),
            near(cut.at.checked_sub(1)),
            near(Some(cut.at)),
        )
    }
}
