//! Hooks that look at the result of work in the background before it is stored (SC-46, HK-12).

use serde_json::json;

use super::active::Active;
use super::hooks::{HookRound, halted, heard, shown, take_out};
use super::run_state::Purpose;
use super::timers;
use crate::permission::{Hook, Point};
use crate::protocol::{Class, Payload, Receipt, Status, limits};

impl Active<'_> {
    /// Shows a result to the hooks behind its tool, and stores it when they have seen it. Where nobody can be asked any
    /// more it waits for the next run if there are hooks; a round that was broken off goes on with the next hook.
    pub fn show_task(&mut self, id: &str, can_ask: bool) {
        let Some(task) = self.run.tasks.get_mut(id) else { return };
        let Some(over) = &task.over else { return };
        if task.hooks.is_none() {
            let is_shown = !matches!(over.outcome.status, Status::Cancelled | Status::Skipped);
            let tool_id = task.open.tool_id.as_ref().filter(|_| is_shown);
            let met = tool_id.map(|id| self.core.hooks.of_call(Point::AfterRun, id, &task.open.call.name));
            let rest = met.into_iter().flatten().map(|hook| hook.id.clone()).collect();
            task.hooks = Some(HookRound { point: Point::AfterRun, asked: String::new(), rest });
        }
        let has_more = task.hooks.as_ref().is_some_and(|round| !round.rest.is_empty());
        if can_ask || !has_more {
            self.next_task_hook(id);
        }
    }

    fn next_task_hook(&mut self, id: &str) {
        loop {
            let Some(task) = self.run.tasks.get_mut(id) else { return };
            let Some(round) = task.hooks.as_mut().filter(|round| !round.rest.is_empty()) else {
                task.hooks = None;
                return self.store_task(id);
            };
            round.asked = round.rest.remove(0);
            let asked = round.asked.clone();
            let hook = self.core.hooks.at(Point::AfterRun).find(|hook| hook.id == asked).cloned();
            if let Some(hook) = hook {
                return self.call_task_hook(id, &hook);
            }
        }
    }

    fn call_task_hook(&mut self, id: &str, hook: &Hook) {
        let Some(task) = self.run.tasks.get(id) else { return };
        let call = &task.open.call;
        let result = task.over.as_ref().map(|over| shown(&over.outcome));
        let payload = json!({
            "callId": call.call_id, "toolId": task.open.tool_id, "alias": call.name, "args": task.arguments,
            "result": result,
        });
        let call_id = call.call_id.clone();
        let limit = if self.run.cancelling { limits::ABORT_GRACE_MS } else { hook.timeout_ms };
        let deadline = self.core.now.saturating_add(limit);
        let payload = Payload::HookRun { hook_id: hook.id.clone(), point: json!(hook.point), payload };
        let effect_id = self.effect(Class::Effectful, Some(&call_id), Some(deadline), payload);
        self.run.open.insert(effect_id.clone(), Purpose::TaskHook(id.to_owned()));
        self.run.timers.set(deadline, timers::Purpose::Expiry { effect_id });
    }

    /// The answer of a hook about a result from the background.
    pub fn task_hook_receipt(&mut self, id: &str, receipt: &Receipt) {
        self.run.timers.forget_effect(&receipt.effect_id);
        let Some(task) = self.run.tasks.get_mut(id) else { return };
        let call_id = task.open.call.call_id.clone();
        let Some(round) = task.hooks.clone() else { return };
        let answer = match heard(receipt) {
            Ok(answer) => answer,
            Err(message) => {
                self.hook_failed(Some(&call_id), &round.asked, round.point, &message);
                return self.next_task_hook(id);
            }
        };
        let Some(over) = &mut task.over else { return };
        let (original, notes) = take_out(&mut task.open, over, &answer);
        task.heard.extend(notes);
        let original = original.map(|original| self.keep_original(&original));
        self.hook_completed(Some(&call_id), &round.asked, round.point, original.as_deref());
        if !answer.halt && !answer.denies() {
            return self.next_task_hook(id);
        }
        if let Some(task) = self.run.tasks.get_mut(id) {
            task.hooks = None;
        }
        // The run ends before another request, so the result waits for the next one.
        self.store_task(id);
        if answer.halt {
            self.fail(halted(answer.reason.as_deref()));
        }
    }
}
