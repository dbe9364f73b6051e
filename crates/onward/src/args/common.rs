//! Options that several commands share.

use std::path::PathBuf;

use clap::Args;
use onward_event::{JobsAtEnd, Mode};

use super::parse;
use crate::config::{Budget, NETWORKS, Overrides, TIERS};

/// Where to work; understood by every command.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlaceArgs {
    /// Work in this folder instead of the current one
    #[arg(short = 'C', long, global = true, value_name = "DIR", help_heading = "Place")]
    pub(crate) dir: Option<PathBuf>,

    /// Keep sessions in this folder [env: ONWARD_DATA_DIR]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Place")]
    pub(crate) data_dir: Option<PathBuf>,
}

/// Settings of the work; they win over configuration files and variables.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SettingArgs {
    /// Which model to use, by provider and name [env: ONWARD_MODEL]
    #[arg(long, value_name = "PROVIDER/NAME", help_heading = "Settings")]
    pub(crate) model: Option<String>,

    /// What is allowed without asking [env: ONWARD_MODE]
    ///
    /// read-only and plan change nothing. normal (the default) reads, searches, builds and tests freely, in a sandbox, and asks
    /// about everything else; accept-edits also edits files of the workspace; auto also runs every command that is contained.
    /// `onward policy explain` says what a mode makes of a command.
    #[arg(long, value_parser = parse::mode(), help_heading = "Settings")]
    pub(crate) mode: Option<Mode>,

    /// Ask about nothing, whatever it is; only what a rule denies is denied
    ///
    /// The mode bypass, which nothing but this option sets. Commands stay in their sandbox, and reach the network if it has a
    /// way there. It is recorded, and shown in every view; another mode ends it.
    #[arg(long, conflicts_with = "mode", help_heading = "Settings")]
    pub(crate) bypass_permissions: bool,

    /// Stop after this many steps of the model [env: ONWARD_MAX_STEPS]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Settings")]
    pub(crate) max_steps: Option<u32>,

    /// Stop when this much is used, as in tokens=200000,seconds=600,cost=1.50
    ///
    /// Any subset of the three. Tokens count in and out; seconds count only while work is done; cost needs the model's
    /// price in the configuration.
    #[arg(long, value_name = "BUDGET", help_heading = "Settings")]
    pub(crate) budget: Option<Budget>,

    /// How commands are contained [env: ONWARD_SANDBOX_TIER]
    ///
    /// auto (the default) is the strongest that this machine has: namespaces, else landlock; where neither can be had, no
    /// command is run. none contains nothing: a command can do what you can do.
    #[arg(long, value_parser = TIERS, value_name = "TIER", help_heading = "Settings")]
    pub(crate) sandbox: Option<String>,

    /// Whether commands reach the network; closed by default [env: ONWARD_SANDBOX_NETWORK]
    #[arg(long, value_parser = NETWORKS, value_name = "ACCESS", help_heading = "Settings")]
    pub(crate) network: Option<String>,
}

/// How a command that works reports.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OutputArgs {
    /// Write events as JSON, one object a line (protocol onward.wire/1)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Deny what needs an approval, instead of ending with exit code 3 and waiting for it
    #[arg(long, help_heading = "Output")]
    pub(crate) deny_unanswered: bool,

    /// What becomes of jobs that still run at the end; recorded in the session [env: ONWARD_JOBS_AT_END]
    ///
    /// wait (the default) waits for them and goes on with what they bring; leave leaves them to their supervisors and to
    /// whoever works on the session next; cancel ends them, also when onward is told to end.
    #[arg(long, value_parser = parse::jobs_at_end(), value_name = "WHAT", help_heading = "Output")]
    pub(crate) jobs: Option<JobsAtEnd>,
}

impl SettingArgs {
    /// Whether anything is set.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The mode that an option names.
    pub(crate) fn chosen_mode(&self) -> Option<Mode> {
        if self.bypass_permissions { Some(Mode::Bypass) } else { self.mode }
    }

    /// As the strongest layer of the configuration.
    pub(crate) fn overrides(&self, place: &PlaceArgs) -> Overrides {
        Overrides {
            model: self.model.clone(),
            mode: self.mode,
            data_dir: place.data_dir.clone(),
            max_steps: self.max_steps,
            budget: self.budget.unwrap_or_default(),
            sandbox: self.sandbox.clone(),
            network: self.network.clone(),
        }
    }
}

impl OutputArgs {
    /// Whether anything is set.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether anything is set that makes no sense in a conversation.
    pub(super) fn is_for_programs(&self) -> bool {
        self.json || self.deny_unanswered
    }
}
