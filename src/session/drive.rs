//! The session for a native host that answers at once.

use super::Session;
use crate::protocol::{Class, Effect, Input, Output, Receipt};

/// Hands in inputs and performs the effects that come back, until nothing is left to do. `perform` answers one
/// effect; `None` leaves it open. Timers are not kept: a host that needs them calls `step` itself. Gives everything
/// the steps gave, in order, without the effects that were answered.
pub fn drive(
    session: &mut Session,
    inputs: Vec<Input>,
    now: u64,
    mut perform: impl FnMut(&Effect) -> Option<Receipt>,
) -> Output {
    let mut all = session.step(inputs, now);
    let mut effects = std::mem::take(&mut all.effects);
    while !effects.is_empty() {
        let mut receipts = Vec::new();
        for effect in effects {
            match perform(&effect) {
                Some(receipt) => receipts.push(Input::Receipt(receipt)),
                None if effect.class == Class::OneWay => {}
                None => all.effects.push(effect),
            }
        }
        if receipts.is_empty() {
            break;
        }
        let next = session.step(receipts, now);
        effects = next.effects;
        all.events.extend(next.events);
    }
    all
}
