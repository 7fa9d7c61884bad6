//! Durability: what happened in a step goes to the host's store before anything else of that step is performed.

use serde_json::Value;

use super::active::Active;
use crate::protocol::{Class, Effect, Event, Payload};

impl Active<'_> {
    /// Puts one `store.append` before the effects from `first` on, if the host has a store and something happened
    /// (EF-08).
    pub fn append(&mut self, first_effect: usize, first_event: usize) {
        if !self.run.capabilities.store || self.run.storage_lost {
            return;
        }
        let records: Vec<Value> = self
            .out
            .events
            .iter()
            .skip(first_event)
            .filter_map(|event| match event {
                Event::Journal(event) => serde_json::to_value(event).ok(),
                Event::Live(_) => None,
            })
            .collect();
        if records.is_empty() {
            return;
        }
        let effect_id = self.core.effect_id();
        self.run.appends.insert(effect_id.clone());
        let blobs = std::mem::take(&mut self.run.new_blobs);
        self.out.effects.insert(
            first_effect,
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
