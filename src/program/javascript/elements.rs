//! Arrays that are longer than the memory of an instance could hold are refused by the methods that would walk over
//! them: inside such a method the engine does not stop for anything.

use super::native::{OwnProperty, argument};
use super::strings::wrap;
use crate::protocol::limits::JAVASCRIPT_ELEMENTS;
use boa_engine::{Context, JsNativeError, JsResult, JsValue, js_string};

const WALKS: [&str; 27] = [
    "concat",
    "copyWithin",
    "every",
    "fill",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "forEach",
    "includes",
    "indexOf",
    "join",
    "lastIndexOf",
    "map",
    "reduce",
    "reduceRight",
    "reverse",
    "slice",
    "some",
    "sort",
    "splice",
    "toReversed",
    "toSorted",
    "unshift",
];

/// Puts the check in front of the methods.
///
/// # Errors
/// One of the methods is missing.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let constructor = context.intrinsics().constructors().array().constructor();
    wrap(
        &constructor,
        "from",
        1,
        |original, this, arguments, context| {
            check(&argument(arguments, 0))?;
            original.call(this, arguments, context)
        },
        context,
    )?;
    let prototype = context.intrinsics().constructors().array().prototype();
    for name in WALKS {
        let length = prototype.get(js_string!(name), context)?;
        let length =
            length.as_object().map(|method| method.get(js_string!("length"), context)).transpose()?;
        let length = length.and_then(|length| length.as_number()).unwrap_or_default() as usize;
        wrap(
            &prototype,
            name,
            length,
            |original, this, arguments, context| {
                check(this)?;
                original.call(this, arguments, context)
            },
            context,
        )?;
    }
    Ok(())
}

/// A length that is a plain property is known without running anything.
fn check(value: &JsValue) -> JsResult<()> {
    let own = value.as_object().and_then(|object| object.get_own(&js_string!("length").into()));
    let length = own.and_then(|own| own.value().and_then(JsValue::as_number)).unwrap_or_default();
    if length <= JAVASCRIPT_ELEMENTS as f64 {
        return Ok(());
    }
    let sentence =
        format!("Invalid array length: {length} elements, and {JAVASCRIPT_ELEMENTS} are the most here");
    Err(JsNativeError::range().with_message(sentence).into())
}
