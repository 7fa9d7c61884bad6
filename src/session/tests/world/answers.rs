//! What effects are answered with.

use serde_json::{Value, json};

use super::World;
use crate::protocol::{Payload, Receipt, ReceiptError, ReceiptOutcome};

impl World {
    pub(super) fn answer(&self, effect_id: &str, how: u8) -> Receipt {
        let receipt = |outcome| plain(effect_id, outcome);
        let ok = |payload| Receipt { payload: Some(payload), ..receipt(ReceiptOutcome::Ok) };
        match how % 16 {
            0 => receipt(ReceiptOutcome::Failed),
            1 => {
                let error = ReceiptError { message: "it broke".into(), ..ReceiptError::default() };
                Receipt { error: Some(error), ..receipt(ReceiptOutcome::Failed) }
            }
            2 => receipt(ReceiptOutcome::NotSent),
            3 => receipt(ReceiptOutcome::Unknown),
            4 => receipt(ReceiptOutcome::Cancelled),
            5 => Receipt { stopped: true, ..receipt(ReceiptOutcome::Cancelled) },
            6 => Receipt { stopped: true, ..receipt(ReceiptOutcome::TimedOut) },
            7 => ok(json!({"value": 1, "images": ["nobody has this"]})),
            8 => ok(json!({"value": {"text": "over", "terminate": true}})),
            9 => ok(json!({"value": {"text": "x".repeat(5_000)}})),
            10 => ok(json!({"value": "y".repeat(7_000)})),
            11 => ok(json!({"value": {"text": "an image"}, "images": [self.image]})),
            12 => ok(json!({"value": ""})),
            13 => ok(json!({})),
            14 => ok(json!({"exitCode": 1, "stdout": "out", "stderr": "err", "value": 1})),
            _ => ok(json!({"value": {"text": "fine"}})),
        }
    }
}

/// What a person, a reviewer, a hook says, if it says something.
pub(super) fn said(payload: &Payload, how: u8) -> Option<Value> {
    let good = how == 15;
    let which = usize::from(how) % 11;
    let answer = match payload {
        Payload::ApprovalRequest(_) => [
            json!({"answer": "once"}),
            json!({"answer": "once", "args": {"n": 1}}),
            json!({"answer": "turn"}),
            json!({"answer": "session", "by": "ann"}),
            json!({"answer": "always"}),
            json!({"answer": "reject"}),
            json!({"answer": "never", "message": "No."}),
            json!({"answer": "once", "args": {"path": 1}}),
            json!({"answer": "always", "scope": "project"}),
            json!(5),
            json!({"answer": "once"}),
        ],
        Payload::HookRun { .. } => [
            json!({}),
            json!({"decision": "deny", "reason": "no"}),
            json!({"decision": "ask"}),
            json!({"decision": "allow"}),
            json!({"mergeArgs": {"n": how}}),
            json!({"context": "A note."}),
            json!({"result": {"content": "taken out", "append": "and added"}}),
            json!({"args": {"n": 1}}),
            json!({"result": {"isError": true}}),
            json!("nothing"),
            if how > 240 { json!({"halt": true}) } else { json!(null) },
        ],
        Payload::ReviewRequest { .. } => {
            let word = if good || how.is_multiple_of(3) { "safe" } else { "unsure" };
            return Some(json!({"verdict": word, "confidence": 0.9}));
        }
        Payload::ShellAnalyze { .. } => {
            let program = if how % 4 == 1 { "rm" } else { "echo" };
            return Some(
                json!({"complete": how % 5 != 2, "parts": [{"kind": "program", "target": program}]}),
            );
        }
        Payload::RulesSave { .. } => return good.then(|| json!({})),
        _ => return None,
    };
    if good { answer.into_iter().next() } else { answer.into_iter().nth(which) }
        .filter(|_| good || how % 13 != 12)
}

pub(super) fn plain(effect_id: &str, outcome: ReceiptOutcome) -> Receipt {
    Receipt {
        effect_id: effect_id.to_owned(),
        outcome,
        payload: None,
        error: None,
        stopped: false,
        discarded: None,
    }
}
