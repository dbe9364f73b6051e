//! Rules and grants as people see them in lists: what each is about, where it holds, whose it is.

use std::fmt;

use onward_event::{Mode, Risk, Timestamp, Verdict};

use crate::globs::PathGlobs;
use crate::grant::{Grant, GrantSubject};
use crate::layer::Layer;
use crate::load::LoadError;
use crate::moment::moment;
use crate::pattern::ArgvPattern;
use crate::policy::LayeredPolicy;
use crate::rule::{Rule, RuleSandbox, Special};
use crate::suggest::suggestion;
use crate::unmatched::UNMATCHED_IDS;

/// A rule in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// Its id.
    pub id: String,
    /// Its effect.
    pub effect: Verdict,
    /// Whose it is.
    pub layer: &'static str,
    /// Where it stands.
    pub place: String,
    /// Why it is there.
    pub reason: String,
    /// The tool, as it is written; `None`: any.
    pub tool: Option<String>,
    /// The commands, as a pattern in one line (`npm test|run ...`); `None`: not only commands.
    pub argv: Option<String>,
    /// The files of which the program must be one; empty: any.
    pub program: Vec<String>,
    /// Patterns of what is read; `None`: it says nothing about that.
    pub read: Option<Vec<String>>,
    /// Patterns of what is changed; `None`: it says nothing about that.
    pub write: Option<Vec<String>>,
    /// Whether what it lets run may use the network.
    pub network: bool,
    /// The modes that it holds in; empty: all.
    pub modes: Vec<Mode>,
    /// The risks that it holds for; empty: all.
    pub risks: Vec<Risk>,
    /// What it lets a command run in; `None` where it says nothing about that, which is `workspace-write`.
    pub sandbox: Option<RuleSandbox>,
    /// Conditions and rights of built-in rules, in words.
    pub special: Vec<&'static str>,
}

/// A grant in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantLine {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub layer: &'static str,
    /// Where it stands.
    pub place: String,
    /// The asks that it answers.
    pub answers: Vec<String>,
    /// The tool.
    pub tool: String,
    /// The workspace; `None`: any.
    pub workspace: Option<String>,
    /// What it is about, in words.
    pub about: String,
    /// The script that it was saved for, as its file has it.
    pub command: Option<String>,
    /// After this it answers nothing.
    pub valid_until: Option<Timestamp>,
    /// Whether that time is over.
    pub expired: bool,
}

impl LayeredPolicy {
    /// All rules in force, by layer and id: the program's own come last.
    pub fn list(&self) -> Vec<RuleLine> {
        let mut rules: Vec<&Rule> = self.rules().iter().collect();
        let place = |rule: &Rule| (rule.origin.layer == Layer::BuiltIn, rule.origin.layer, rule.id.clone());
        rules.sort_by_key(|rule| place(rule));
        rules.into_iter().map(RuleLine::of).collect()
    }

    /// All grants, those whose time is over by `now` among them.
    pub fn list_grants(&self, now: Timestamp) -> Vec<GrantLine> {
        self.grants().iter().map(|grant| GrantLine::of(grant, now)).collect()
    }

    /// What is right as it is written and answers nothing here: grants for questions that nothing in force asks. No
    /// fault: the rule may be one of another folder's, or one that was removed, and that must not keep anybody from
    /// working.
    pub fn warnings(&self) -> Vec<LoadError> {
        let asked = || self.rules().iter().map(|rule| rule.id.as_str()).chain(UNMATCHED_IDS.iter().copied());
        let mut warnings = Vec::new();
        for grant in self.grants() {
            for answer in grant.answers.iter().filter(|answer| !asked().any(|id| id == answer.as_str())) {
                let instead = match suggestion(answer, asked()) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "it answers nothing until there is such a rule; remove it if there will be none"
                        .into(),
                };
                warnings.push(LoadError {
                    file: grant.origin.file.clone(),
                    line: grant.origin.line,
                    column: 1,
                    what: format!("the grant answers `{answer}`, which nothing here asks by"),
                    instead,
                });
            }
        }
        warnings
    }
}

impl RuleLine {
    pub(crate) fn of(rule: &Rule) -> Self {
        let patterns = |globs: &Option<PathGlobs>| globs.as_ref().map(|globs| globs.patterns().to_vec());
        Self {
            id: rule.id.clone(),
            effect: rule.effect,
            layer: rule.origin.layer.name(),
            place: rule.origin.to_string(),
            reason: rule.reason.clone(),
            tool: rule.tool.as_ref().map(ToString::to_string),
            argv: rule.argv.as_ref().map(ToString::to_string),
            program: rule.program.clone(),
            read: patterns(&rule.read),
            write: patterns(&rule.write),
            network: rule.network,
            modes: rule.modes.clone(),
            risks: rule.risks.clone(),
            sandbox: rule.sandbox,
            special: rule.special.iter().map(|special| special.words()).collect(),
        }
    }

    /// Whose it is and where it stands: `user, /home/user/.config/onward/policy.toml:3`.
    pub fn whose(&self) -> String {
        if self.place == self.layer {
            self.layer.to_owned()
        } else {
            format!("{}, {}", self.layer, self.place)
        }
    }

    /// What it is about and where it holds: what it names, each with its key in a file.
    pub fn says(&self) -> Vec<(&'static str, String)> {
        let mut says = Vec::new();
        let mut say = |key, words: Vec<&str>, between| {
            if !words.is_empty() {
                says.push((key, words.join(between)));
            }
        };
        say("tool", self.tool.as_deref().into_iter().collect(), "");
        say("argv", self.argv.as_deref().into_iter().collect(), "");
        say("program", texts(&self.program), " ");
        say("read", paths(self.read.as_deref()), " ");
        say("write", paths(self.write.as_deref()), " ");
        say("net", if self.network { vec!["*"] } else { Vec::new() }, "");
        say("risks", self.risks.iter().map(|risk| risk.name()).collect(), " ");
        say("modes", self.modes.iter().map(|mode| mode.name()).collect(), " ");
        say("sandbox", self.sandbox.map(RuleSandbox::name).into_iter().collect(), "");
        say("when", self.special.clone(), "; ");
        says
    }
}

impl GrantLine {
    /// When it ends, or that it has; `None`: it has no end.
    pub fn end(&self) -> Option<String> {
        let until = moment(self.valid_until?);
        Some(if self.expired { format!("{until}: it has expired and answers nothing") } else { until })
    }

    pub(crate) fn of(grant: &Grant, now: Timestamp) -> Self {
        Self {
            id: grant.id.clone(),
            layer: grant.origin.layer.name(),
            place: grant.origin.to_string(),
            answers: grant.answers.clone(),
            tool: grant.tool.clone(),
            workspace: grant.workspace.clone(),
            about: about(grant),
            command: grant.command.clone(),
            valid_until: grant.valid_until,
            expired: grant.is_expired(now),
        }
    }
}

impl fmt::Display for RuleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<5} {} ({})", self.effect.name(), self.id, self.whose())?;
        if self.reason.is_empty() { Ok(()) } else { write!(f, ": {}", self.reason) }
    }
}

impl fmt::Display for GrantLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, place, answers, about, .. } = self;
        write!(f, "grant {id} ({place}) answers {}: {about}", answers.join(", "))?;
        self.end().map_or(Ok(()), |end| write!(f, "; until {end}"))
    }
}

impl fmt::Display for ArgvPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.tokens.iter().map(|token| token.words().join("|")).collect();
        write!(f, "{}{}", words.join(" "), if self.rest { " ..." } else { "" })
    }
}

impl Special {
    /// What it says, for people.
    fn words(self) -> &'static str {
        match self {
            Self::Harmless => "the command is on the list of those that only look",
            Self::Wraps => "all that it runs was found, and is judged itself",
            Self::Speaks => "the command is known to speak to other machines",
            Self::Opaque => "also a script that cannot be taken apart",
            Self::Outside => "a tool reads, or anything changes, what is outside the workspace",
            Self::HardLink => "a file that is changed has a second name",
            Self::Protected => "what is changed makes other programs run",
            Self::Effectless => "the tool changes nothing",
            Self::Unnamed => "also a tool that does not name the files that it changes",
            Self::Beside => "also beside commands that change the workspace",
        }
    }
}

fn texts(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// An empty list is not the want of one.
fn paths(patterns: Option<&[String]>) -> Vec<&str> {
    match patterns {
        None => Vec::new(),
        Some([]) => vec!["nothing"],
        Some(patterns) => texts(patterns),
    }
}

/// What a grant is about, in words.
fn about(grant: &Grant) -> String {
    let what = match &grant.subject {
        GrantSubject::Command { argv, .. } => format!("`{argv}`"),
        GrantSubject::Text(digest) => format!("the script with the digest {}", digest.short()),
        GrantSubject::Write(path) => format!("changing {path}"),
        GrantSubject::Tool => format!("the tool {}", grant.tool),
    };
    let dir = grant.dir.as_ref().map_or_else(String::new, |dir| format!("{dir} of "));
    match &grant.workspace {
        Some(workspace) => format!("{what} in {dir}{workspace}"),
        None => format!("{what} in {dir}any workspace"),
    }
}
