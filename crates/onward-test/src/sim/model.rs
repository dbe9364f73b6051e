//! The simulated model: proposes calls of every kind, answers in the end, and is slow, refuses and fails on the way.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use onward_event::{AcceptedPart, ErrorClass, Event, FinishReason};
use onward_port::{
    BoxFuture, DigestChain, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest, RawCall,
};

use super::fault::{Fault, Place};
use super::process::Process;
use super::say::calls;
use super::world::{Dice, World};
use super::wrong::WrongKind;

/// Requests are lines, so that what was sent can be compared with what was recorded.
const ENCODER: &str = "scripted/1";

/// After so many answers of its own the model wants to come to an end.
const PATIENCE: usize = 6;

/// The model, as one process reaches it.
pub(super) struct SimModel {
    pub(super) process: Arc<Process>,
    pub(super) encoder: &'static dyn Encoder,
}

impl SimModel {
    pub(super) fn new(process: &Arc<Process>) -> Option<Self> {
        Some(Self { process: process.clone(), encoder: onward_model::encoder(ENCODER)? })
    }

    async fn answer(
        &self,
        request: ModelRequest,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<ModelReply, ModelFailure> {
        let world = &self.process.world;
        self.process.pass(Place::BeforeRequest).await;
        is_recorded(world, &request);
        is_told_once(world, &request);
        let slow = !world.is_calm() && world.one_in(Dice::Model, 25);
        if slow {
            world.saw(Fault::ModelSlow);
        }
        tokio::time::sleep(world.between(Dice::Model, 10, if slow { 40_000 } else { 400 })).await;
        if let Some(failure) = failure(world) {
            return Err(failure);
        }
        let reply = reply(world, &request);
        let pieces = 1 + world.roll(Dice::Model, 3);
        for _ in 0..pieces {
            on_delta(ModelDelta::Text("words ".into()));
            self.process.pass(Place::DuringReply).await;
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        self.process.pass(Place::AfterReply).await;
        Ok(reply)
    }
}

impl Model for SimModel {
    fn encoder(&self) -> &dyn Encoder {
        self.encoder
    }

    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        on_delta: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>> {
        Box::pin(self.answer(request, on_delta))
    }
}

/// What is sent is what an attempt on disk names, byte for byte.
fn is_recorded(world: &World, request: &ModelRequest) {
    let lines = request.body.split_inclusive(|byte| *byte == b'\n');
    let sent = lines.fold(DigestChain::new(), DigestChain::with).digest();
    let is_it = |event: &Event| matches!(event, Event::AttemptStart(start) if start.request == sent && start.number == request.number);
    if !world.store.has_on_disk(is_it) {
        let what = format!("attempt {} sends {}, which is not on disk", request.number, sent.short());
        world.blame(WrongKind::RequestUnrecorded, what);
    }
}

/// How a message of the person begins, in a request.
const MESSAGE: &str = "\"message ";

/// No message of the person is in a request twice.
fn is_told_once(world: &World, request: &ModelRequest) {
    let mut told = BTreeSet::new();
    for line in request.body.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"user\":")) {
        let line = String::from_utf8_lossy(line);
        for message in line.split(MESSAGE).skip(1).filter_map(|rest| rest.split('"').next()) {
            if !told.insert(message.to_owned()) {
                world.blame(WrongKind::InputDoubled, format!("message {message} is in one request twice"));
            }
        }
    }
}

fn failure(world: &World) -> Option<ModelFailure> {
    if world.is_calm() {
        return None;
    }
    let mut dice = world.dice(Dice::Model);
    let class = match dice.below(40) {
        0 => ErrorClass::RateLimited,
        1 => ErrorClass::Network,
        2 => ErrorClass::Server,
        3 => ErrorClass::Auth,
        _ => return None,
    };
    let retry_after_millis = dice.one_in(3).then(|| dice.below(9_000) as u64);
    drop(dice);
    world.saw(if class.may_pass() { Fault::ModelFailed } else { Fault::ModelRefused });
    Some(ModelFailure { class, message: "simulated".into(), retry_after_millis, usage: None })
}

fn reply(world: &World, request: &ModelRequest) -> ModelReply {
    let words = vec![AcceptedPart::Text("words".into())];
    let said =
        request.body.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"assistant\":")).count();
    let mut dice = world.dice(Dice::Model);
    let garbled = !world.is_calm() && dice.one_in(20);
    let ends = world.is_calm() || said % (PATIENCE * 2) > PATIENCE || dice.one_in(3);
    let calls = if ends { Vec::new() } else { calls(world, &mut dice) };
    let finish = if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
    let mut reply = ModelReply { finish, content: words, calls, usage: None };
    if garbled {
        garble(&mut reply, dice.below(3));
        drop(dice);
        world.saw(Fault::ModelGarbled);
    }
    reply
}

fn garble(reply: &mut ModelReply, how: usize) {
    match (how, reply.calls.first_mut()) {
        // The closing brace goes: what is left is no JSON.
        (0, Some(RawCall { arguments, .. })) => {
            arguments.pop();
        }
        (1, _) => reply.finish = FinishReason::Length,
        _ => {
            reply.content.clear();
            reply.calls.clear();
        }
    }
}
