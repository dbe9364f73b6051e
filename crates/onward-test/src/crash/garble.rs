//! [`GarblingModel`]: the first replies of every request have calls whose arguments are cut off in the middle.

use std::sync::Arc;

use onward_port::{BoxFuture, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest};

/// A model whose first attempts at each request are not JSON.
pub struct GarblingModel {
    inner: Arc<dyn Model>,
    attempts: u32,
}

impl GarblingModel {
    /// Decorates a model: attempts up to this number are damaged.
    pub fn new(inner: Arc<dyn Model>, attempts: u32) -> Self {
        Self { inner, attempts }
    }
}

impl Model for GarblingModel {
    fn encoder(&self) -> &dyn Encoder {
        self.inner.encoder()
    }

    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        on_delta: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>> {
        Box::pin(async move {
            let garbles = request.number <= self.attempts;
            let mut reply = self.inner.stream(request, on_delta).await?;
            for call in reply.calls.iter_mut().filter(|_| garbles) {
                // The closing brace goes: what is left is no JSON.
                call.arguments.pop();
            }
            Ok(reply)
        })
    }
}
