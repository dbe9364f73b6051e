//! The question whether a call may run, answered by number. Anything else neither approves nor rejects.

use onward_event::{ApprovalRequested, ApprovalScope, ApprovalVerdict};

use super::obey::{Left, obey};
use super::said::Said;
use super::{After, Conversation};
use crate::compose::store_error;
use crate::error::CliError;
use crate::policy::{save_grant, user_policy};
use crate::render::{Screen, approval_lines, printable, prompt, say};
use crate::signals::Asked;

const CHOICES: &str = "  1 once   2 for this session   3 always   4 reject   5 reject with words";
/// Where nothing may be saved, the numbers of the other choices stay what they are.
const CHOICES_NOW: &str = "  1 once   2 for this session   4 reject   5 reject with words";

/// What a line means.
enum Choice {
    Answer(ApprovalVerdict, ApprovalScope),
    /// Approve, and save a grant.
    Always,
    /// Reject, with these words or with those that follow.
    RejectWith(Option<String>),
    Nothing,
    /// A command of the conversation.
    Command(Said),
    /// No answer: words that can go with a rejection.
    Words(String),
}

/// What came of a line.
enum Line {
    Typed(String),
    /// Somebody else has answered, or the turn is over.
    Moot,
    Leave,
    /// Told to end.
    End,
}

impl Conversation {
    /// Asks until there is an answer, or somebody else has given one.
    pub(super) async fn ask(&mut self, asked: &ApprovalRequested) -> Result<After, CliError> {
        if self.unseen.remove(&asked.approval)
            && let Some(Screen::Conversation(progress)) = &mut self.screen
        {
            approval_lines(asked).iter().for_each(|line| progress.line(line));
        }
        say!("{}", if asked.always.is_some() { CHOICES } else { CHOICES_NOW });
        let mut words: Option<String> = None;
        self.lines.forget_typed_ahead();
        loop {
            prompt!("{}: ", printable(&asked.tool));
            let line = match self.answer_line().await? {
                Line::Typed(line) => line,
                Line::Moot => return Ok(After::GoOn),
                Line::Leave => return Ok(After::Leave),
                Line::End => return Ok(After::End),
            };
            let (verdict, scope, feedback) = match choice(&line, words.take(), asked.always.is_some()) {
                Choice::Answer(verdict, scope) => (verdict, scope, None),
                Choice::Always => match self.save(asked).await? {
                    true => (ApprovalVerdict::Approve, ApprovalScope::Always, None),
                    false => continue,
                },
                Choice::RejectWith(Some(words)) => {
                    (ApprovalVerdict::Reject, ApprovalScope::Once, Some(words))
                }
                Choice::RejectWith(None) => {
                    prompt!("words for the model: ");
                    (ApprovalVerdict::Reject, ApprovalScope::Once, self.lines.next().await)
                }
                Choice::Nothing => continue,
                Choice::Command(said) => match obey(&self.app, self.session, said).await? {
                    Left::Leave => {
                        let (program, approval) = (&self.app.program, asked.approval);
                        say!(
                            "the question stays open: `{program} approve {approval}` or `reject` answers it"
                        );
                        return Ok(After::Leave);
                    }
                    Left::Nothing | Left::Message(_) => continue,
                },
                Choice::Words(other) => {
                    say!(
                        "that is no answer, and nothing was decided: type a number. 5 rejects, with these words; /quit \
                         leaves, and the question stays open"
                    );
                    words = Some(other);
                    continue;
                }
            };
            let (client, session) = (&self.app.client, self.session);
            client.resolve(session, asked.approval, verdict, scope, feedback).await.map_err(store_error)?;
            return Ok(After::GoOn);
        }
    }

    async fn answer_line(&mut self) -> Result<Line, CliError> {
        tokio::select! {
            line = self.lines.next() => Ok(line.map_or(Line::Leave, Line::Typed)),
            () = self.owner.wait_for_news() => Ok(Line::Moot),
            asked = self.signals.next() => match asked {
                Asked::End | Asked::HangUp => Ok(Line::End),
                Asked::Interrupt => {
                    self.app.client.interrupt(self.session).await.map_err(store_error)?;
                    Ok(Line::Moot)
                }
            },
        }
    }

    /// Shows the grant that would be saved, and saves it if the person still wants that. False when nothing was decided.
    async fn save(&mut self, asked: &ApprovalRequested) -> Result<bool, CliError> {
        let Some(grant) = &asked.always else { return Ok(false) };
        let path = match user_policy(&self.app.environment) {
            Ok(path) => path,
            Err(error) => {
                say!("{error}");
                return Ok(false);
            }
        };
        say!("this would be added to {}:", printable(&path.to_string_lossy()));
        for line in grant.lines() {
            say!("  {}", printable(line));
        }
        prompt!("save it, and approve? [y/N] ");
        let Line::Typed(line) = self.answer_line().await? else { return Ok(false) };
        if !matches!(line.trim(), "y" | "Y" | "yes") {
            say!("nothing was saved, and nothing was decided");
            return Ok(false);
        }
        match save_grant(&path, grant) {
            Ok(_) => Ok(true),
            Err(error) => {
                say!("{error}");
                Ok(false)
            }
        }
    }
}

fn choice(line: &str, words: Option<String>, may_save: bool) -> Choice {
    use ApprovalScope::{Once, Session};
    match line.trim() {
        "" => words.map_or(Choice::Nothing, Choice::Words),
        "1" => Choice::Answer(ApprovalVerdict::Approve, Once),
        "2" => Choice::Answer(ApprovalVerdict::Approve, Session),
        "3" if may_save => Choice::Always,
        "4" => Choice::Answer(ApprovalVerdict::Reject, Once),
        "5" => Choice::RejectWith(words),
        with_words if with_words.starts_with("5 ") => {
            Choice::RejectWith(Some(with_words.trim_start_matches("5 ").trim().to_owned()))
        }
        other => match Said::of(other) {
            Said::Message(words) => Choice::Words(words),
            command => Choice::Command(command),
        },
    }
}
