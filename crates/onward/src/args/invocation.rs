//! What the command line asks for, once it is understood.

use super::top::{Sub, Top};
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

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// A conversation.
    Interactive(InteractiveArgs),
    /// A task without one.
    Exec(ExecArgs),
    /// Go on with a session.
    Resume(ResumeArgs),
    /// Say something to a session.
    Send(SendArgs),
    /// Stop what is being done.
    Interrupt(InterruptArgs),
    /// What runs in the background.
    Jobs(JobsArgs),
    /// Let a running command go on as a job.
    Background(BackgroundArgs),
    /// Let a call run.
    Approve(ApproveArgs),
    /// Do not let a call run.
    Reject(RejectArgs),
    /// Settle a call of unknown outcome.
    Reconcile(ReconcileArgs),
    /// What would become of a session that was cut off.
    Recover(RecoverArgs),
    /// List sessions.
    Sessions(SessionsArgs),
    /// How a session stands.
    Show(ShowArgs),
    /// Everything that happened.
    Log(LogArgs),
    /// Verify a log.
    Check(CheckArgs),
    /// What the model was sent.
    Request(RequestArgs),
    /// The configuration in force.
    Config(ConfigArgs),
    /// The rules.
    Policy(PolicyArgs),
    /// Let a folder's own configuration take effect.
    Trust(TrustArgs),
    /// A command in the sandbox.
    Sandbox(SandboxArgs),
    /// What this machine offers.
    Doctor(DoctorArgs),
    /// The demonstration.
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
        if matches!(command, Some(Sub::Demo(_))) && place != PlaceArgs::default() {
            return Err("a demonstration makes its own folders: `--keep DIR` says where they stay".into());
        }
        let command = match (command, print) {
            (Some(_), _) if !nothing_else => {
                return Err("options stand behind the command: `onward exec --model NAME TASK`".into());
            }
            (Some(sub), _) => Command::from(sub),
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

impl From<Sub> for Command {
    fn from(sub: Sub) -> Self {
        match sub {
            Sub::Exec(args) => Self::Exec(args),
            Sub::Resume(args) => Self::Resume(args),
            Sub::Send(args) => Self::Send(args),
            Sub::Interrupt(args) => Self::Interrupt(args),
            Sub::Jobs(args) => Self::Jobs(args),
            Sub::Background(args) => Self::Background(args),
            Sub::Approve(args) => Self::Approve(args),
            Sub::Reject(args) => Self::Reject(args),
            Sub::Reconcile(args) => Self::Reconcile(args),
            Sub::Recover(args) => Self::Recover(args),
            Sub::Sessions(args) => Self::Sessions(args),
            Sub::Show(args) => Self::Show(args),
            Sub::Log(args) => Self::Log(args),
            Sub::Check(args) => Self::Check(args),
            Sub::Request(args) => Self::Request(args),
            Sub::Config(args) => Self::Config(args),
            Sub::Policy(args) => Self::Policy(args),
            Sub::Trust(args) => Self::Trust(args),
            Sub::Sandbox(args) => Self::Sandbox(args),
            Sub::Doctor(args) => Self::Doctor(args),
            Sub::Demo(args) => Self::Demo(args),
        }
    }
}
