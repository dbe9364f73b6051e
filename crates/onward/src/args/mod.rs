//! The command line: what can be asked for, and in which words.
//!
//! One file for each command's arguments. Nothing is decided here: a parsed command line is an [`Invocation`], plain
//! data for the commands that carry it out.

mod approve;
mod background;
mod check;
mod common;
mod config;
mod demo;
mod doctor;
mod duration;
mod exec;
mod hint;
mod interactive;
mod interrupt;
mod invocation;
mod jobs;
mod log;
mod named;
mod parse;
mod policy;
mod reconcile;
mod recover;
mod reject;
mod request;
mod resume;
mod sandbox;
mod send;
mod sessions;
mod show;
#[cfg(test)]
mod tests;
mod top;
mod trust;

pub(crate) use approve::ApproveArgs;
pub(crate) use background::BackgroundArgs;
pub(crate) use check::CheckArgs;
pub(crate) use common::{OutputArgs, PlaceArgs, SettingArgs};
pub(crate) use config::ConfigArgs;
pub(crate) use demo::{CrashPoint, DemoArgs};
pub(crate) use doctor::DoctorArgs;
pub(crate) use exec::ExecArgs;
pub(crate) use interactive::InteractiveArgs;
pub(crate) use interrupt::InterruptArgs;
pub(crate) use invocation::{Command, Invocation};
pub(crate) use jobs::{JobsArgs, JobsCommand, OutputRange};
pub(crate) use log::LogArgs;
pub(crate) use named::{Named, kind_of};
pub(crate) use parse::parse;
pub(crate) use policy::{PolicyArgs, PolicyCheckArgs, PolicyCommand, PolicyExplainArgs, PolicyListArgs};
pub(crate) use reconcile::ReconcileArgs;
pub(crate) use recover::RecoverArgs;
pub(crate) use reject::RejectArgs;
pub(crate) use request::{RequestArgs, RequestCommand};
pub(crate) use resume::ResumeArgs;
pub(crate) use sandbox::SandboxArgs;
pub(crate) use send::{Delivery, SendArgs};
pub(crate) use sessions::SessionsArgs;
pub(crate) use show::ShowArgs;
pub(crate) use trust::TrustArgs;
