//! [`CrashingModel`]: the process may die before a request is sent, in the middle of the reply, and after its end.

use std::sync::Arc;

use onward_port::{BoxFuture, Encoder, Model, ModelDelta, ModelFailure, ModelReply, ModelRequest};

use super::{PointKind, Points};

/// A model that passes points.
pub struct CrashingModel {
    inner: Arc<dyn Model>,
    points: Arc<Points>,
}

impl CrashingModel {
    /// Decorates a model.
    pub fn new(inner: Arc<dyn Model>, points: Arc<Points>) -> Self {
        Self { inner, points }
    }

    async fn stream_and_pass(
        &self,
        request: ModelRequest,
        on_delta: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<ModelReply, ModelFailure> {
        let what = format!("attempt {}", request.number);
        self.points.pass(PointKind::ModelBefore, &what).await;
        let mut delivered = |delta: ModelDelta| {
            // What arrives after the end of the process is seen by nobody.
            if !self.points.is_dead() {
                on_delta(delta);
                self.points.is_end(PointKind::ModelDelta, &what);
            }
        };
        let ended = self.inner.stream(request, &mut delivered).await;
        self.points.pass(PointKind::ModelAfter, &what).await;
        ended
    }
}

impl Model for CrashingModel {
    fn encoder(&self) -> &dyn Encoder {
        self.inner.encoder()
    }

    fn stream<'a>(
        &'a self,
        request: ModelRequest,
        on_delta: &'a mut (dyn FnMut(ModelDelta) + Send),
    ) -> BoxFuture<'a, Result<ModelReply, ModelFailure>> {
        Box::pin(self.stream_and_pass(request, on_delta))
    }
}
