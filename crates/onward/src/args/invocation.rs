//! What the command line asks for, once it is understood.

use clap::Subcommand;

use super::top::Top;
use super::{
    ApproveArgs, BackgroundArgs, CheckArgs, ConfigArgs, DemoArgs, DoctorArgs, ExecArgs, InteractiveArgs,
    InterruptArgs, JobsArgs, LogArgs, PlaceArgs, PolicyArgs, ReconcileArgs, RecoverArgs, RejectArgs,
    RequestArgs, ResumeArgs, SandboxArgs, SendArgs, SessionsArgs, ShowArgs, TrustArgs,
};

/// A command, and where to carry it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// Where.
    pub(crate) place: PlaceArgs,
    /// What.
    pub(crate) command: Command,
}

/// A command with its arguments. What its help says of each stands with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    // A conversation has no word of its own.
    #[command(skip)]
    Interactive(InteractiveArgs),
    Exec(ExecArgs),
    Resume(ResumeArgs),
    Send(SendArgs),
    Interrupt(InterruptArgs),
    Jobs(JobsArgs),
    Background(BackgroundArgs),
    Approve(ApproveArgs),
    Reject(RejectArgs),
    Reconcile(ReconcileArgs),
    Recover(RecoverArgs),
    Sessions(SessionsArgs),
    Show(ShowArgs),
    Log(LogArgs),
    Check(CheckArgs),
    Request(RequestArgs),
    Config(ConfigArgs),
    Policy(PolicyArgs),
    Trust(TrustArgs),
    Sandbox(SandboxArgs),
    Doctor(DoctorArgs),
    Demo(DemoArgs),
}

impl Command {
    /// Whether it writes the stream of `--json`.
    pub(crate) fn streams(&self) -> bool {
        match self {
            Self::Exec(args) => args.output.json,
            Self::Resume(args) => args.output.json,
            Self::Send(args) => args.output.json,
            Self::Approve(args) => args.output.json,
            Self::Reject(args) => args.output.json,
            Self::Reconcile(args) => args.output.json,
            Self::Log(args) => args.json,
            Self::Interactive(_)
            | Self::Interrupt(_)
            | Self::Jobs(_)
            | Self::Background(_)
            | Self::Recover(_)
            | Self::Sessions(_)
            | Self::Show(_)
            | Self::Check(_)
            | Self::Request(_)
            | Self::Config(_)
            | Self::Policy(_)
            | Self::Trust(_)
            | Self::Sandbox(_)
            | Self::Doctor(_)
            | Self::Demo(_) => false,
        }
    }
}

/// An option that would have had no effect: a sentence for the person.
pub(super) type Idle = String;

impl Invocation {
    /// Refuses options of the work that stand before a command: ignoring them would do something else than was asked.
    pub(super) fn from_top(top: Top) -> Result<Self, Idle> {
        let Top { command, print, session, settings, output, place } = top;
        let nothing_else = print.is_none() && session.is_none() && settings.is_empty() && output.is_empty();
        if matches!(command, Some(Command::Demo(_))) && place != PlaceArgs::default() {
            return Err("a demonstration makes its own folders: `--keep DIR` says where they stay".into());
        }
        let command = match (command, print) {
            (Some(_), _) if !nothing_else => {
                return Err("options stand behind the command: `onward exec --model NAME TASK`".into());
            }
            (Some(command), _) => command,
            (None, Some(task)) => Command::Exec(ExecArgs { task: Some(task), session, settings, output }),
            (None, None) if output.is_for_programs() => {
                return Err(
                    "`--json` and `--deny-unanswered` are for work without a conversation: give the task \
                            with `-p TASK` or `onward exec TASK`"
                        .into(),
                );
            }
            (None, None) => Command::Interactive(InteractiveArgs { session, settings, jobs: output.jobs }),
        };
        Ok(Self { place, command })
    }
}
