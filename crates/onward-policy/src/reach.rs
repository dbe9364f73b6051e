//! What a command may reach when it runs.
//!
//! The commands of one script share one sandbox, so what each of them is given has to be brought together. For files:
//! what the most demanding needs, and no more than the least trusted may have. For the network: whoever shares it has to
//! be allowed it, or a person is asked ([`crate::unmatched::MIXED`]).

use onward_event::{FileAccess, Mode, NetworkAccess, Tier};
use onward_port::Reach;

use crate::call::{Call, Kind, Part};
use crate::grant::Grant;
use crate::judge::{Asks, Because, Judged};
use crate::modes;
use crate::rule::{Rule, RuleSandbox, Special};

/// What one part may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartReach {
    /// What it needs: the narrowest sandbox that a rule lets it run in.
    needs: FileAccess,
    /// What it may have: the widest.
    most: FileAccess,
    /// Whether it may use the network.
    network: bool,
    /// Whether it does not matter what others share with it: it only looks, or only runs others.
    neutral: bool,
}

impl PartReach {
    /// What these rules give.
    pub(crate) fn of(part: &Part, allows: &[&Rule], asks: &Asks<'_>, mode: Mode) -> Self {
        let needs = allows.iter().map(|rule| files(rule.sandbox)).min().unwrap_or(FileAccess::WorkspaceWrite);
        // In *bypass* nothing holds a command to less because of what else stands in its script: the rules that let
        // commands that only look run beside others are there for modes that ask.
        let widest =
            if mode == Mode::Bypass { None } else { allows.iter().map(|rule| most(rule, mode)).max() };
        let most = widest.unwrap_or(FileAccess::WorkspaceWrite);
        // A rule that asks may narrow what runs after the answer; it cannot widen it.
        let narrowed = asks.rules.iter().map(|rule| files(rule.sandbox)).fold(most, FileAccess::min);
        let speaks = part.command.as_ref().is_some_and(|command| command.speaks());
        let asked_network = asks.rules.iter().any(|rule| rule.network) || asks.unmatched.is_some() && speaks;
        Self {
            needs: needs.min(narrowed),
            most: narrowed,
            network: asked_network || allows.iter().any(|rule| rule.network),
            neutral: allows.iter().any(|rule| rule.is(Special::Harmless) || rule.is(Special::Wraps)),
        }
    }

    /// What these grants give, which answered what was asked. Where a rule allows it besides (`allowed`), they give no
    /// network that this rule or the question does not: or a question that anybody adds would open it.
    pub(crate) fn granted(self, grants: &[&Grant], allowed: bool) -> Self {
        let most = grants.iter().map(|grant| files(Some(grant.sandbox))).fold(self.most, FileAccess::min);
        let given = !grants.is_empty() && grants.iter().all(|grant| grant.network);
        let network = given && (self.network || !allowed);
        Self { needs: self.needs.min(most), most, network, ..self }
    }

    /// Whether it may use the network.
    pub(crate) fn network(self) -> bool {
        self.network
    }
}

/// What all parts of a call may reach together.
pub(crate) fn of_call(call: &Call<'_>, judged: &[Judged<'_>]) -> Reach {
    let Some(offered) = call.request.containment else {
        return Reach { files: FileAccess::WorkspaceWrite, network: NetworkAccess::Closed };
    };
    if offered.tier == Tier::None {
        // Nothing would hold it to less, and what is recorded has to be true.
        return Reach { files: FileAccess::WorkspaceWrite, network: offered.network };
    }
    let sharing = || judged.iter().filter(|judged| judged.part.kind != Kind::Read);
    let needs = sharing().map(|judged| judged.reach.needs).max().unwrap_or(FileAccess::ReadOnly);
    let most = sharing().map(|judged| judged.reach.most).min().unwrap_or(FileAccess::ReadOnly);
    // In *bypass* the person wants nothing held back that the machine offers.
    let open = call.request.mode == Mode::Bypass || judged.iter().any(|judged| judged.reach.network);
    let network = if open { NetworkAccess::Open } else { NetworkAccess::Closed };
    Reach { files: needs.min(most), network: network.min(offered.network) }
}

/// Whether commands that may use the network would share it with some that may not, and nobody was asked.
pub(crate) fn mixes_network(call: &Call<'_>, judged: &[Judged<'_>]) -> bool {
    let runs = |judged: &&Judged<'_>| {
        judged.part.kind == Kind::Command
            && !judged.reach.neutral
            && !matches!(judged.because, Because::Nothing)
    };
    let has = |network: bool| judged.iter().filter(runs).any(|judged| judged.reach.network == network);
    let open = of_call(call, judged).network == NetworkAccess::Open;
    call.contained && open && !modes::shares_network(call.request.mode) && has(true) && has(false)
}

/// The widest sandbox in which a rule lets something run.
fn most(rule: &Rule, mode: Mode) -> FileAccess {
    if rule.is(Special::Beside) && !modes::is_ceiling(mode) {
        return FileAccess::WorkspaceWrite;
    }
    files(rule.sandbox)
}

fn files(sandbox: Option<RuleSandbox>) -> FileAccess {
    match sandbox {
        Some(RuleSandbox::ReadOnly) => FileAccess::ReadOnly,
        Some(RuleSandbox::WorkspaceWrite | RuleSandbox::Uncontained) | None => FileAccess::WorkspaceWrite,
    }
}
