use serde_json::Value;

use super::{Verdict, case};
use crate::arguments::{Schema, accept};
use crate::protocol::{BoundNames, Code, Refusal, Wire};
use crate::tool::{self, Context, DiceSeed, Run, Spec};
use crate::workspace::{ReadState, Roots, Tree};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let name = case::text_of(input, "tool");
    match (input.get("op").and_then(Value::as_str), tool::find(&name)) {
        (Some("read"), _) => Verdict::Skipped("the chat tools are not built".into()),
        (Some("check"), Some(spec)) => check(spec, input, expect).into(),
        (Some("check"), None) => Verdict::Skipped(format!("{name} is not built")),
        (op, _) => Verdict::Failed(format!("no such op: {op:?}")),
    }
}

fn check(spec: &Spec, input: &Value, expect: &Value) -> Result<(), String> {
    let fault = refusal(spec, input.get("args").cloned().unwrap_or_default());
    match (expect.get("argumentFault").and_then(Value::as_bool), fault) {
        (Some(false), Some(refusal)) if refusal.code == Code::ToolInvalidArguments => {
            Err(format!("refused: {}", refusal.message))
        }
        (Some(false), _) => Ok(()),
        (Some(true), None) => Err("the arguments were accepted".into()),
        (Some(true), Some(refusal)) => {
            if let Some(code) = expect.get("code") {
                case::same_json("code", &Value::from(refusal.code.as_str()), code)?;
            }
            case::check_text(&refusal.message, expect)
        }
        (None, _) => Err("the case lacks argumentFault".into()),
    }
}

/// What the check says to the arguments or, if it lets them pass, the tool itself in an empty workspace.
fn refusal(spec: &Spec, arguments: Value) -> Option<Refusal> {
    let (schema, _) = Schema::compile(&(spec.schema)());
    let accepted = match accept(&Wire::Json(arguments), &schema, &spec.rules, true) {
        Ok(accepted) => accepted,
        Err(refusal) => return Some(refusal),
    };
    let context = Context {
        workspace: &Tree::default(),
        roots: &Roots::default(),
        read_state: &ReadState::default(),
        names: &BoundNames::default(),
        dice: DiceSeed::default(),
        now: 0,
        deadline: None,
        commands: &[],
        moves: false,
        shows: &|_| true,
    };
    match &spec.run {
        Run::Here(run) => run(&context, &accepted.arguments).err().map(|refused| refused.refusal),
        Run::Outside(outside) => (outside.ask)(&context, &accepted.arguments).err(),
    }
}
