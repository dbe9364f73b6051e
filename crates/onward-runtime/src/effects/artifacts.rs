//! What a running call can read of the calls before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use onward_event::{ArtifactId, Digest};
use onward_port::{ArtifactReader, Blobs, BoxFuture, ToolFault};

/// The results that earlier calls of the session stored.
pub(crate) struct StoredArtifacts {
    pub(crate) known: Arc<BTreeMap<ArtifactId, Digest>>,
    pub(crate) blobs: Arc<dyn Blobs>,
}

impl ArtifactReader for StoredArtifacts {
    fn read(&self, id: ArtifactId) -> BoxFuture<'_, Result<Bytes, ToolFault>> {
        Box::pin(async move {
            let fault = |message: String| ToolFault::new("not_found", message);
            let hash = self
                .known
                .get(&id)
                .ok_or_else(|| fault(format!("there is no artifact {id} in this session")))?;
            match self.blobs.get(*hash).await {
                Ok(Some(bytes)) => Ok(bytes),
                Ok(None) => Err(fault(format!("the content of artifact {id} is missing from the store"))),
                Err(error) => Err(fault(format!("the content of artifact {id} cannot be read: {error}"))),
            }
        })
    }
}
