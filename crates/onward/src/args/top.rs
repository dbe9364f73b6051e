//! The command line as clap sees it.

use clap::{Parser, Subcommand};
use onward_event::SessionId;

use super::{
    ApproveArgs, BackgroundArgs, CheckArgs, ConfigArgs, DemoArgs, DoctorArgs, ExecArgs, InterruptArgs,
    JobsArgs, LogArgs, Named, OutputArgs, PlaceArgs, PolicyArgs, ReconcileArgs, RecoverArgs, RejectArgs,
    RequestArgs, ResumeArgs, SandboxArgs, SendArgs, SessionsArgs, SettingArgs, ShowArgs, TrustArgs,
};

/// A coding agent that goes on after being killed, with the true state of every action
///
/// Without a command: a conversation in this folder. If an earlier one was interrupted, it offers to go on.
#[derive(Parser, Debug)]
#[command(name = "onward", version, max_term_width = 100, subcommand_help_heading = "Commands")]
pub(super) struct Top {
    #[command(subcommand)]
    pub(super) command: Option<Sub>,

    /// Carry out this task without a conversation: the same as `onward exec TASK`
    #[arg(short, long, value_name = "TASK")]
    pub(super) print: Option<String>,

    /// Go on in this session instead of starting one
    #[arg(long, value_name = "ID")]
    pub(super) session: Option<Named<SessionId>>,

    #[command(flatten)]
    pub(super) settings: SettingArgs,

    #[command(flatten)]
    pub(super) output: OutputArgs,

    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

/// A command by its name.
#[derive(Subcommand, Debug)]
pub(super) enum Sub {
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
