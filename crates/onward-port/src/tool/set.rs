//! The tools of a session.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Tool;

/// The tools of one session, by name. Copies share them.
#[derive(Clone, Default)]
pub struct ToolSet {
    by_name: Arc<BTreeMap<String, Arc<dyn Tool>>>,
    order: Arc<[String]>,
}

impl ToolSet {
    /// A set in this order; a later tool of the same name replaces an earlier one.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        let (mut by_name, mut order) = (BTreeMap::new(), Vec::new());
        for tool in tools {
            let name = tool.definition().name.clone();
            if by_name.insert(name.clone(), tool).is_none() {
                order.push(name);
            }
        }
        Self { by_name: Arc::new(by_name), order: order.into() }
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.by_name.get(name)
    }

    /// All tools, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.order.iter().filter_map(|name| self.by_name.get(name))
    }

    /// All names, in their order.
    pub fn names(&self) -> Vec<String> {
        self.order.to_vec()
    }

    /// Only the tools of these names, in the order of the names.
    #[must_use]
    pub fn only(&self, names: &[String]) -> Self {
        Self::new(names.iter().filter_map(|name| self.by_name.get(name)).cloned())
    }
}
