//! [`ScriptedModel`]: plays a script, with its delays and faults.

use std::time::Duration;

use onward_event::ErrorClass;
use onward_port::{BoxFuture, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest};

use super::answer::Answer;
use super::encode::count_answers;
use super::script::{Fault, Numbered};
use super::{Script, ScriptedEncoder};

/// A model that plays a script and remembers nothing.
#[derive(Clone, Debug)]
pub struct ScriptedModel {
    script: Script,
}

impl ScriptedModel {
    /// Plays this script.
    pub fn new(script: Script) -> Self {
        Self { script }
    }

    async fn play(
        &self,
        request: ModelRequest,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<ModelReply, ModelFailure> {
        let answered = count_answers(&request.body).ok_or_else(|| ModelFailure {
            class: ErrorClass::InvalidRequest,
            message: "the request was not encoded for the scripted model, or is not whole".into(),
            retry_after_millis: None,
            usage: None,
        })?;
        let Some(numbered) = self.script.step(answered) else {
            return Ok(emit(Answer::last(&self.script), Duration::ZERO, on_delta).await);
        };
        play_step(numbered, request.number, on_delta).await
    }
}

impl Model for ScriptedModel {
    fn encoder(&self) -> &dyn Encoder {
        &ScriptedEncoder
    }

    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        on_delta: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>> {
        Box::pin(self.play(request, on_delta))
    }
}

async fn play_step(
    numbered: Numbered<'_>,
    attempt: u32,
    on_delta: &mut (dyn FnMut(ModelDelta) + Send),
) -> Result<ModelReply, ModelFailure> {
    let step = numbered.step;
    let mut answer = Answer::of_step(numbered);
    let between = Duration::from_millis(step.delta_ms);
    pause(Duration::from_millis(step.delay_ms)).await;
    let Some(fault) = step.fault(attempt) else {
        if step.hang {
            return std::future::pending().await;
        }
        return Ok(emit(answer, between, on_delta).await);
    };
    if let Some(finish) = fault.finish {
        answer.reply.finish = finish;
        return Ok(emit(answer, between, on_delta).await);
    }
    answer.deltas.truncate(fault.after_deltas);
    emit(answer, between, on_delta).await;
    match fault.error {
        Some(class) => Err(failure(class, numbered.n, fault)),
        None => std::future::pending().await,
    }
}

/// Hands out the pieces and returns the reply.
async fn emit(
    answer: Answer,
    between: Duration,
    on_delta: &mut (dyn FnMut(ModelDelta) + Send),
) -> ModelReply {
    for (at, delta) in answer.deltas.into_iter().enumerate() {
        if at > 0 {
            pause(between).await;
        }
        on_delta(delta);
    }
    answer.reply
}

/// Without a delay the script goes on at once, also where there is no timer.
async fn pause(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

fn failure(class: ErrorClass, n: u64, fault: &Fault) -> ModelFailure {
    ModelFailure {
        class,
        message: format!("the script says that attempt {} of step {n} fails", fault.attempt),
        retry_after_millis: fault.retry_after_ms,
        usage: None,
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
