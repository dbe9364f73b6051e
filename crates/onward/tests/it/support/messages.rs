//! Where a message is in the log, and where the model was shown it.

use onward_event::{Event, MessageId, StepId, TurnId};

use super::Records;

/// The id of the message with these words.
pub(crate) fn message(records: &Records, words: &str) -> MessageId {
    let found = records.all(|event| match event {
        Event::InboxReceived(received) => {
            let text = onward_event::text_of(&received.message.content);
            (text == words).then_some(received.message.id)
        }
        _ => None,
    });
    assert_eq!(found.len(), 1, "`{words}` is there once");
    found[0]
}

/// The turn in which, and the step with whose request the model was shown a message.
pub(crate) fn shown_in(records: &Records, id: MessageId) -> (TurnId, u32) {
    let steps = records.all(|event| match event {
        Event::StepStart(start) => Some((start.step, start.turn, start.index)),
        _ => None,
    });
    let included: Vec<StepId> = records.all(|event| match event {
        Event::RequestPrepared(prepared) => prepared.includes.contains(&id).then_some(prepared.step),
        _ => None,
    });
    assert_eq!(included.len(), 1, "it is included once");
    let (_, turn, index) = steps.iter().find(|(step, ..)| *step == included[0]).unwrap();
    (*turn, *index)
}
