//! Giving out call names so that no two tools share one.

use std::collections::BTreeMap;

use super::ToolId;
use super::call_name::cut;
use crate::protocol::limits::CALL_NAME_BYTES;

/// The call names given out in one snapshot (NM-06, NM-07). Reserve the builtin names first, then claim a name for
/// every other tool in binding order: who comes first keeps the plain name.
#[derive(Debug, Default)]
pub struct CallNames {
    /// The place of each name in `holders`.
    taken: BTreeMap<String, usize>,
    /// The tools that have the names; a name can be reserved for nobody.
    holders: Vec<Option<ToolId>>,
    /// The first number that may be free, by cut base and number of digits (`base 2`): names are never given back, so
    /// no number is looked at twice and many equal wishes stay cheap.
    next: BTreeMap<String, usize>,
}

impl CallNames {
    /// Nothing is taken.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a fixed name, for a builtin or for nobody.
    pub fn reserve(&mut self, alias: &str, holder: Option<ToolId>) {
        self.taken.insert(alias.into(), self.holders.len());
        self.holders.push(holder);
    }

    /// Gives a tool the name it wishes for, or that name with the first free of `__2`, `__3`, … behind it, cut so
    /// that the whole fits (NM-06). `wish` must be a legal call name.
    pub fn claim(&mut self, wish: &str, tool: &ToolId) -> String {
        self.take(wish, Some(tool.clone()))
    }

    /// The same for a name that no tool has, for example that of a property (WR-43).
    pub fn claim_for_nobody(&mut self, wish: &str) -> String {
        self.take(wish, None)
    }

    /// Who has a name; `None` if nobody has it, also when it is reserved.
    pub fn holder(&self, alias: &str) -> Option<&ToolId> {
        self.holders.get(*self.taken.get(alias)?)?.as_ref()
    }

    fn take(&mut self, wish: &str, holder: Option<ToolId>) -> String {
        let alias = if self.taken.contains_key(wish) { self.suffixed(wish) } else { wish.to_owned() };
        self.reserve(&alias, holder);
        alias
    }

    fn suffixed(&mut self, wish: &str) -> String {
        let (mut digits, mut first, mut end) = (1, 2, 10_usize);
        loop {
            let room = CALL_NAME_BYTES.saturating_sub("__".len() + digits);
            let base = cut(wish, room);
            let key = format!("{base} {digits}");
            let mut number = self.next.get(&key).copied().unwrap_or(first);
            while number < end {
                let alias = format!("{base}__{number}");
                number += 1;
                if !self.taken.contains_key(&alias) {
                    self.next.insert(key, number);
                    return alias;
                }
            }
            self.next.insert(key, number);
            (digits, first, end) = (digits + 1, end, end.saturating_mul(10));
        }
    }
}
