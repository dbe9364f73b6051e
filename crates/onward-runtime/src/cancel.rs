//! The port's cancel signal on top of tokio's token.

use onward_port::{BoxFuture, Cancel};
use tokio_util::sync::CancellationToken;

/// A cancel signal that the owner holds the other end of.
pub(crate) struct Token(pub(crate) CancellationToken);

impl Cancel for Token {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.0.cancelled())
    }
}
