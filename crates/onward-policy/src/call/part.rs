//! The parts of a call.

use std::sync::Arc;

use onward_event::{Risk, Semantics, Tier};
use onward_port::PolicyRequest;

use super::command::Command;
use super::commands::{self, Script};
use super::place::Place;
use crate::resolve::{self, Resolved};

/// What kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The call as a whole, when it names neither files nor a command.
    Tool,
    /// A file that is read.
    Read,
    /// A file that is changed.
    Write,
    /// A command.
    Command,
    /// A script that cannot be taken apart.
    Opaque,
}

/// One thing that a call would do.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// What.
    pub(crate) kind: Kind,
    /// How dangerous, in every way that it is; at least one.
    pub(crate) risks: Vec<Risk>,
    /// The command, or the one that a redirection belongs to.
    pub(crate) command: Option<Arc<Command>>,
    /// Where a command may run when it is its turn; an empty name stands for a folder that is not known.
    pub(crate) folders: Vec<String>,
    /// The files that it names.
    pub(crate) touches: Vec<Touch>,
    /// Those of them that a command surely writes and does not execute, links followed.
    pub(crate) outputs: Vec<String>,
    /// Whether it was found in a script that cannot be taken apart: then it is not all there is to it.
    pub(crate) in_opaque: bool,
    /// For people.
    pub(crate) shown: String,
}

/// How a file is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PathUse {
    /// It is read.
    Read,
    /// It is changed.
    Write,
    /// A word of a command is its name; what is done with it is not known.
    Named,
}

/// A file that a part names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Touch {
    /// How.
    pub(crate) how: PathUse,
    /// Which.
    pub(crate) path: Resolved,
}

/// A call with its parts.
pub(crate) struct Call<'a> {
    /// As it came.
    pub(crate) request: &'a PolicyRequest<'a>,
    /// Its parts; at least one.
    pub(crate) parts: Vec<Part>,
    /// Its script, if it is one.
    pub(crate) script: Option<Script>,
    /// Where files may be touched.
    pub(crate) place: Place<'a>,
    /// Whether a sandbox would contain it: not so for a call inside of the runtime, nor where there is none.
    pub(crate) contained: bool,
}

impl Part {
    /// The worst that it risks.
    pub(crate) fn risk(&self) -> Risk {
        self.risks.iter().copied().max().unwrap_or(Risk::Dangerous)
    }
}

impl<'a> Call<'a> {
    /// Where its script starts, links followed.
    pub(crate) fn folder(&self) -> Option<String> {
        let command = self.request.plan.effects.command.as_ref()?;
        Some(resolve::path(".", &command.dir).real)
    }

    /// Takes a call apart. Looks at the disk.
    pub(crate) fn new(request: &'a PolicyRequest<'a>) -> Self {
        let effects = &request.plan.effects;
        let mut parts = Vec::new();
        for (paths, how) in [(&effects.reads, PathUse::Read), (&effects.writes, PathUse::Write)] {
            parts.extend(paths.iter().map(|path| file_part(request, path, how)));
        }
        let mut script = None;
        if let Some(planned) = &effects.command {
            let (found, analysed) = commands::parts(planned);
            parts.extend(found);
            script = Some(analysed);
        }
        if parts.is_empty() {
            parts.push(whole(request));
        }
        let contained = request.containment.is_some_and(|containment| containment.tier != Tier::None);
        Self { request, parts, script, place: Place::of(request), contained }
    }
}

/// What a tool says about itself, held against what it says about its effects: one that calls itself a reader and may
/// change something all the same counts as one that writes.
fn risk_of(request: &PolicyRequest<'_>) -> Risk {
    match (request.plan.risk, is_effectless(request)) {
        (Risk::Read, false) => Risk::Write,
        (risk, _) => risk,
    }
}

/// Whether the call changes nothing, as its tool says in two ways.
pub(crate) fn is_effectless(request: &PolicyRequest<'_>) -> bool {
    request.plan.risk == Risk::Read
        && matches!(request.plan.semantics, Semantics::None(_))
        && request.plan.effects.writes.is_empty()
        && request.plan.effects.command.is_none()
}

fn file_part(request: &PolicyRequest<'_>, path: &str, how: PathUse) -> Part {
    let verb = if how == PathUse::Write { "change" } else { "read" };
    let risk = match how {
        PathUse::Write => risk_of(request).max(Risk::Write),
        PathUse::Read | PathUse::Named => risk_of(request),
    };
    let risks = vec![risk];
    Part {
        kind: if how == PathUse::Write { Kind::Write } else { Kind::Read },
        risks,
        command: None,
        folders: Vec::new(),
        touches: vec![touch(request, path, how)],
        outputs: Vec::new(),
        in_opaque: false,
        shown: format!("{verb} {path}"),
    }
}

/// A call that names no effects: the resources that it names for people are all there is. Those that are no paths (a
/// host, a stored result) lie nowhere.
fn whole(request: &PolicyRequest<'_>) -> Part {
    let risk = risk_of(request);
    let how = if risk == Risk::Read { PathUse::Read } else { PathUse::Write };
    let is_path = |resource: &&String| {
        resource.starts_with(['/', '~']) || resource.split('/').any(|component| component == "..")
    };
    let paths = request.plan.resources.iter().filter(is_path);
    Part {
        kind: Kind::Tool,
        risks: vec![risk],
        command: None,
        folders: Vec::new(),
        touches: paths.map(|path| touch(request, path, how)).collect(),
        outputs: Vec::new(),
        in_opaque: false,
        shown: format!("call {}", request.tool),
    }
}

/// A home folder is not known here, so `~` leads to the root, which is outside of every workspace but one.
fn touch(request: &PolicyRequest<'_>, path: &str, how: PathUse) -> Touch {
    let resolved = match path.strip_prefix('~') {
        Some(rest) => Resolved { literal: format!("/~{rest}"), real: format!("/~{rest}") },
        None => resolve::path(path, &request.workspace.root),
    };
    Touch { how, path: resolved }
}
