//! Preparing a request: gather what the model is shown, encode what is new, count, and say what was left out (seed,
//! section 12).

use std::collections::BTreeMap;
use std::sync::Arc;

use onward_core::{Input, PrepareBasis, PrepareFailure, Prepared};
use onward_event::{
    ContextDigest, ContextItem, Digest, DocumentLoaded, DroppedItem, Message, ModelConfig, RequestHead,
    Section, StepId, StopReason, Trust, Workspace,
};
use onward_port::{Blob, Document, Documents, FoundDocuments, Model, Redactor, ToolSet, estimate_tokens};

use super::Outcome;
use crate::request::EncodedPrefix;

/// Everything that a request is made of.
pub(crate) struct Prepare {
    pub(crate) step: StepId,
    pub(crate) basis: PrepareBasis,
    pub(crate) config: ModelConfig,
    pub(crate) model: Option<Arc<dyn Model>>,
    /// The prefix of the last request, when it was made for the same model.
    pub(crate) prefix: Option<EncodedPrefix>,
    /// Whether documents are read again: at the start of a turn, so that they stay the same within one.
    pub(crate) reload: bool,
    /// The messages that the prefix lacks; all of them when documents are read again.
    pub(crate) messages: Vec<Message>,
    /// Versions that the model has been shown.
    pub(crate) shown: BTreeMap<String, Digest>,
    pub(crate) documents: Arc<dyn Documents>,
    pub(crate) workspace: Workspace,
    pub(crate) instructions: Arc<str>,
    pub(crate) tools: ToolSet,
    pub(crate) redactor: Redactor,
}

/// What the head brings along when it is new.
#[derive(Default)]
struct NewHead {
    blobs: Vec<Blob>,
    items: Vec<ContextItem>,
    dropped: Vec<DroppedItem>,
    documents: Vec<DocumentLoaded>,
}

impl Prepare {
    pub(crate) async fn perform(mut self) -> Outcome {
        let Some(model) = self.model.take() else {
            let detail = format!("the provider `{}` is not configured", self.config.provider);
            return self.failed(StopReason::ModelUnavailable, detail);
        };
        let encoder = model.encoder();
        let (mut prefix, mut new) = match self.prefix.take() {
            Some(prefix) if !self.reload => (prefix, NewHead::default()),
            kept => self.new_prefix(kept, model.as_ref()).await,
        };
        let given_from = self.total().saturating_sub(self.messages.len());
        for message in self.messages.iter().skip(prefix.len().saturating_sub(given_from)) {
            let size = prefix.push(encoder, message);
            new.items.push(item(message, size));
        }
        let limit = self.config.context_window.saturating_sub(self.config.max_output);
        let request = prefix.finish(encoder);
        let tokens = estimate_tokens(request.body.len());
        if tokens > limit {
            let detail = format!("about {tokens} tokens, where {limit} fit beside an answer");
            return self.failed(StopReason::ContextCannotFit, detail);
        }
        let prepared = Prepared {
            step: self.step,
            basis: self.basis.clone(),
            digest: request.digest,
            head: prefix.head,
            encoder: encoder.name().to_owned(),
            context: ContextDigest { tokens, limit, items: new.items, dropped: new.dropped },
            documents: new.documents,
        };
        Outcome {
            input: Input::Prepared(prepared),
            blobs: new.blobs,
            prefix: Some(prefix),
            request: Some(Arc::new(request)),
        }
    }

    fn total(&self) -> usize {
        self.basis.history + self.basis.additions
    }

    /// Reads the documents; keeps the old prefix when they have not changed.
    async fn new_prefix(&self, kept: Option<EncodedPrefix>, model: &dyn Model) -> (EncodedPrefix, NewHead) {
        let FoundDocuments { documents, unreadable } = self.documents.load(&self.workspace).await;
        // Before their text becomes content that is named by its hash.
        let documents: Vec<Document> = documents.into_iter().map(|found| self.redacted(found)).collect();
        let head = self.head(&documents);
        let blob = Blob::new(serde_json::to_vec(&head).unwrap_or_default());
        let digest = blob.hash;
        if let Some(kept) = kept
            && kept.head == digest
        {
            return (kept, NewHead::default());
        }
        let prefix = EncodedPrefix::new(model.encoder(), &self.config, &head, digest);
        let new = NewHead {
            items: head_items(&head, prefix.size()),
            dropped: documents.iter().filter_map(cut).chain(unreadable.into_iter().map(left_out)).collect(),
            documents: documents
                .iter()
                .filter(|d| self.shown.get(&d.path) != Some(&d.hash))
                .map(loaded)
                .collect(),
            blobs: vec![blob],
        };
        (prefix, new)
    }

    fn redacted(&self, found: Document) -> Document {
        let (path, text) = (self.redactor.string(found.path), self.redactor.string(found.text));
        Document { path, text, ..found }
    }

    fn head(&self, documents: &[Document]) -> RequestHead {
        let own = Section {
            source: "instructions".into(),
            trust: Trust::System,
            text: self.instructions.to_string(),
            hash: None,
        };
        let project = documents.iter().map(|document| Section {
            source: document.path.clone(),
            trust: Trust::Project,
            text: shown_text(document),
            hash: Some(document.hash),
        });
        RequestHead {
            instructions: [own].into_iter().chain(project).collect(),
            tools: self.tools.iter().map(|tool| tool.definition().clone()).collect(),
        }
    }

    fn failed(&self, stop: StopReason, detail: String) -> Outcome {
        Outcome::input(Input::PrepareFailed(PrepareFailure { step: self.step, stop, detail }))
    }
}

fn head_items(head: &RequestHead, size: usize) -> Vec<ContextItem> {
    let mut items: Vec<_> = head
        .instructions
        .iter()
        .map(|section| ContextItem {
            source: section.source.clone(),
            trust: section.trust,
            tokens: estimate_tokens(section.text.len()),
            hash: section.hash,
        })
        .collect();
    let words: usize = head.instructions.iter().map(|section| section.text.len()).sum();
    let tokens = estimate_tokens(size.saturating_sub(words));
    items.push(ContextItem { source: "tools".into(), trust: Trust::System, tokens, hash: None });
    items
}

fn item(message: &Message, size: usize) -> ContextItem {
    let (source, trust) = match message {
        Message::User(_) => ("message", Trust::User),
        Message::Notice(_) => ("notice", Trust::System),
        Message::Assistant { .. } => ("assistant", Trust::Observation),
        Message::Tool { .. } => ("tool", Trust::Observation),
    };
    ContextItem { source: source.into(), trust, tokens: estimate_tokens(size), hash: None }
}

/// A document that was cut says so itself: the model must not take a part for the whole.
fn shown_text(document: &Document) -> String {
    match document.cut {
        0 => document.text.clone(),
        cut => format!(
            "{}\n[{cut} more bytes of {} are not shown; `read` shows them]",
            document.text, document.path
        ),
    }
}

fn loaded(document: &Document) -> DocumentLoaded {
    DocumentLoaded {
        path: document.path.clone(),
        hash: document.hash,
        size: document.text.len() as u64,
        cut: document.cut,
    }
}

fn cut(document: &Document) -> Option<DroppedItem> {
    let tokens = document.cut.div_ceil(4);
    let why = format!("{} bytes beyond the limit of all project instructions", document.cut);
    (document.cut > 0).then(|| DroppedItem { source: document.path.clone(), tokens, why })
}

fn left_out((source, why): (String, String)) -> DroppedItem {
    DroppedItem { source, tokens: 0, why }
}
