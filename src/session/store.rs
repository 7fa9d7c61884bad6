//! Durability: what happened in a step goes to the host's store before anything else of that step is performed.

use super::active::Active;
use super::run_state::Run;
use crate::protocol::{Class, Effect, Mutant, Payload};

impl Run {
    /// Whether there is a store that still takes what happens.
    pub fn stores(&self) -> bool {
        self.capabilities.store && !self.storage_lost
    }
}

impl Active<'_> {
    /// Puts one `store.append` before the effects from `first` on, if the host has a store and something happened
    /// (EF-08).
    pub fn append(&mut self, first: usize) {
        let records = std::mem::take(&mut self.run.unstored);
        if records.is_empty() || self.run.storage_lost {
            return;
        }
        let effect_id = self.core.effect_id();
        self.run.appends.insert(effect_id.clone());
        let blobs = std::mem::take(&mut self.run.new_blobs);
        let first = if Mutant::StoredLast.is_on() { self.out.effects.len() } else { first };
        self.out.effects.insert(
            first,
            Effect {
                effect_id,
                class: Class::Storage,
                run_id: self.run.id.clone(),
                invocation_id: None,
                call_id: None,
                deadline: None,
                payload: Payload::StoreAppend { records, blobs },
            },
        );
    }
}
