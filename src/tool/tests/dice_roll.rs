use proptest::prelude::*;
use serde_json::json;

use super::Desk;
use crate::protocol::Code;
use crate::tool::{Formula, Run, find};

#[test]
fn what_a_roll_answers() {
    let roll = |formula: &str, faces: &[u32]| {
        let mut faces = faces.iter();
        Formula::parse(formula).unwrap().roll(|_| *faces.next().unwrap()).text()
    };
    assert_eq!(roll("2D6+01", &[3, 5]), "Rolled 2d6+1: 3 + 5 + 1 = 9.");
    assert_eq!(roll("1d6-10", &[1]), "Rolled 1d6-10: 1 - 10 = -9.");
    assert_eq!(roll("d20", &[17]), "Rolled 1d20: 17.");
}

#[test]
fn a_formula_is_short_whatever_comes() {
    for text in ["1d6+00000000000000000000000001", "100d1000000-1000000"] {
        assert!(Formula::parse(text).is_some(), "{text}");
    }
    for text in ["20+3", "1d6+99999999999999999999", "１d６", "1d6 ", "", "d", "1d6\0"] {
        assert!(Formula::parse(text).is_none(), "{text}");
    }
    let (code, text) = Desk::new(&[]).refused("dice.roll", json!({"formula": "x".repeat(100_000)}));
    assert_eq!(code, Code::DiceInvalidFormula);
    assert!(text.len() < 500 && text.contains("[N]dS"), "{text}");
}

#[test]
fn the_same_call_rolls_the_same_and_another_one_does_not() {
    let formula = json!({"formula": "100d1000000"});
    let rolls = |call: &str, run: &str| {
        let desk = Desk::new(&[]);
        let mut context = desk.context();
        (context.dice.call_id, context.dice.run_id) = (call, run);
        let Run::Here(run) = find("dice.roll").unwrap().run else { panic!() };
        let done = run(&context, formula.as_object().unwrap()).unwrap();
        done.outcome.structured.unwrap()["rolls"].clone()
    };
    assert_eq!(rolls("call_1", "run_1"), rolls("call_1", "run_1"));
    assert_ne!(rolls("call_1", "run_1"), rolls("call_2", "run_1"));
    assert_ne!(rolls("call_1", "run_1"), rolls("call_1", "run_2"));
}

#[test]
fn faces_come_up_equally_often() {
    let mut counts = [0_u32; 6];
    for call in 0..100 {
        let desk = Desk::new(&[]);
        let mut context = desk.context();
        let call = call.to_string();
        context.dice.call_id = &call;
        let arguments = json!({"formula": "100d6"});
        let Run::Here(run) = find("dice.roll").unwrap().run else { panic!() };
        let done = run(&context, arguments.as_object().unwrap()).unwrap();
        for face in done.outcome.structured.unwrap()["rolls"].as_array().unwrap() {
            counts[face.as_u64().unwrap() as usize - 1] += 1;
        }
    }
    // 10,000 draws: four standard deviations are about 150.
    assert!(counts.iter().all(|count| count.abs_diff(1_667) < 150), "{counts:?}");
}

proptest! {
    #[test]
    fn totals_are_in_range(count in 1..100_u32, sides in 1..1_000_000_u32, modifier in -1_000_000..1_000_000_i64, seed in any::<u32>()) {
        let text = format!("{count}d{sides}{modifier:+}");
        let formula = Formula::parse(&text).unwrap();
        let mut face = seed;
        let roll = formula.roll(|sides| {
            face = face.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            face % sides + 1
        });
        prop_assert!((formula.min()..=formula.max()).contains(&roll.total()));
        prop_assert_eq!(Formula::parse(&formula.to_string()), Some(formula));
        let end = format!("{}.", roll.total());
        prop_assert!(roll.text().ends_with(&end));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9dD+ -]{0,12}|.{0,20}") {
        if let Some(formula) = Formula::parse(&text) {
            prop_assert!(formula.min() <= formula.max());
        }
    }
}
