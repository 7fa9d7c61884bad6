//! `dice.roll`: chance, the same for the same run (BT-30 to BT-33).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::dice::Formula;
use super::members::{read, required};
use super::schema::schema_of;
use super::{Context, Done, Effect, Refused, Run, Spec, ToolEffect};
use crate::arguments::Rules;
use crate::protocol::{BoundNames, Code, Outcome, Refusal};
use crate::workspace::text::first_chars;

pub(super) const SPEC: Spec = Spec {
    native: "dice.roll",
    title: "Roll dice",
    effect: Effect::Read,
    parallel: false,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "Roll {formula}",
    about: None,
    rules: Rules::BUILTIN,
    run: Run::Here(run),
};

/// What the dice of one call depend on (BT-33).
#[derive(Clone, Copy, Debug, Default)]
pub struct DiceSeed<'a> {
    /// The seed of the run.
    pub seed: &'a str,
    /// The run.
    pub run_id: &'a str,
    /// The call.
    pub call_id: &'a str,
}

impl DiceSeed<'_> {
    /// The faces of dice, one after the other: each draw is the start of a SHA-256 over seed, run, call and a counter;
    /// draws that would favour some faces are thrown away.
    fn faces(self) -> impl FnMut(u32) -> u32 {
        let start =
            Sha256::new().chain_update(self.seed).chain_update(self.run_id).chain_update(self.call_id);
        let mut counter = 0_u64;
        move |sides| {
            let sides = u64::from(sides.max(1));
            // The largest multiple of `sides` that fits; it is at least half of all draws.
            let fair = u64::MAX - u64::MAX % sides;
            loop {
                let digest = start.clone().chain_update(counter.to_be_bytes()).finalize();
                counter = counter.wrapping_add(1);
                let draw = digest.iter().take(8).fold(0, |draw, byte| draw << 8 | u64::from(*byte));
                if draw < fair {
                    // Less than `sides`, which came as 32 bits.
                    return u32::try_from(draw % sides).unwrap_or_default() + 1;
                }
            }
        }
    }
}

/// The arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args<'a> {
    /// The dice: [N]dS, optionally +M or -M, without spaces, for example 2d6+1, d20 or 20 (one die with 20 sides).
    formula: &'a str,
}

fn description(_: &BoundNames) -> String {
    "Rolls dice and gives the result. Use it whenever chance has to decide, and never make up a roll. One call rolls \
     one formula, for example 2d6+1: N dice (1 to 100, 1 if left out), `d`, S sides (1 to 1000000), and optionally a \
     number of up to 1000000 to add or subtract; no other arithmetic, no spaces."
        .into()
}

fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let outcome = roll(required("formula", args.formula)?, context.dice.faces())?;
    Ok(Done { outcome, effect: ToolEffect::None })
}

/// The answer to a formula, whoever throws the dice.
pub(crate) fn roll(text: &str, face: impl FnMut(u32) -> u32) -> Result<Outcome, Refusal> {
    let formula = Formula::parse(text).ok_or_else(|| invalid(text))?;
    let roll = formula.roll(face);
    let structured = json!({
        "formula": formula.to_string(),
        "rolls": roll.rolls(),
        "modifier": formula.modifier(),
        "total": roll.total(),
        "min": formula.min(),
        "max": formula.max(),
    });
    let mut outcome = Outcome::ok(roll.text(), Some(structured));
    outcome.display = Some(json!({"kind": "plain", "title": format!("Roll {formula}")}));
    Ok(outcome)
}

fn invalid(text: &str) -> Refusal {
    let shown = first_chars(text, 100);
    Refusal::new(
        Code::DiceInvalidFormula,
        format!(
            "`{shown}` is no dice formula. Write [N]dS, optionally followed by +M or -M, without spaces, for example \
             2d6+1, or S alone for one die: N from 1 to 100, S from 1 to 1000000, M up to 1000000."
        ),
    )
}
