//! What is appended: records of all sizes, from less than a sector to several pages.

use onward_event::{
    AgentSpec, AppendId, By, Event, InboxMessage, InboxReceived, JobsAtEnd, Limits, MessageId, Mode,
    ModelConfig, NoticeAdded, NoticeReason, Origin, Part, SessionCreated, SessionId, Target, Timestamp,
    Workspace,
};
use onward_port::{Append, Create, Expect};
use onward_test::power::Chance;

pub(crate) fn now() -> Timestamp {
    Timestamp(1_764_500_000_000)
}

/// Text that does not repeat itself, so that no two pages are alike.
pub(crate) fn text(chance: &mut Chance) -> String {
    let most = [40, 40, 400, 400, 400, 2_000, 2_000, 9_000][chance.below(8)];
    let len = chance.below(most);
    let mut text = String::new();
    while text.len() < len {
        text.push_str(&format!("{:016x} ", chance.any()));
    }
    text
}

/// Something that only the owner may append.
pub(crate) fn notice(chance: &mut Chance) -> Event {
    NoticeAdded { text: text(chance), reason: NoticeReason::Recovered, cause: None }.into()
}

/// Something for a client to append.
pub(crate) fn message(chance: &mut Chance) -> Event {
    let message = InboxMessage {
        id: MessageId::from_bits(chance.any().into()),
        content: vec![Part::text(text(chance))],
        target: Target::NextTurn,
        wakeup: true,
        origin: Origin::User,
    };
    InboxReceived { message }.into()
}

pub(crate) fn create(session: SessionId, id: AppendId, events: Vec<Event>) -> Create {
    let model = ModelConfig::new("scripted", "m", 1000, 100);
    let spec = AgentSpec {
        model,
        tools: vec!["read".into()],
        mode: Mode::Normal,
        limits: Limits::default(),
        jobs_at_end: JobsAtEnd::default(),
    };
    let workspace = Workspace { root: "/w".into(), dir: "/w".into() };
    Create { created: SessionCreated { session, spec, workspace }, events, id, at: now(), by: by() }
}

/// An append with nothing in it but events.
pub(crate) fn append(session: SessionId, expect: Expect, id: AppendId, events: Vec<Event>) -> Append {
    let by = (expect == Expect::Any).then(by);
    let sync = expect == Expect::Any;
    Append { session, expect, id, at: now(), by, events, blobs: Vec::new(), ends_side: Vec::new(), sync }
}

fn by() -> By {
    By { principal: "local".into(), channel: "cli".into() }
}
