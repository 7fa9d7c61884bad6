//! What kind of object something is inside the engine: `util.types`, `structuredClone` and `util.isDeepStrictEqual`
//! must not be fooled by prototypes.

use super::native::{self, argument};
use boa_engine::builtins::array_buffer::{ArrayBuffer, SharedArrayBuffer};
use boa_engine::builtins::async_generator::AsyncGenerator;
use boa_engine::builtins::dataview::DataView;
use boa_engine::builtins::date::Date;
use boa_engine::builtins::error::Error;
use boa_engine::builtins::generator::Generator;
use boa_engine::builtins::promise::Promise;
use boa_engine::builtins::proxy::Proxy;
use boa_engine::builtins::regexp::RegExp;
use boa_engine::builtins::typed_array::TypedArray;
use boa_engine::module::ModuleNamespace;
use boa_engine::object::builtins::{JsMap, JsSet};
use boa_engine::{Context, JsBigInt, JsObject, JsResult, JsString, JsSymbol, JsValue};

/// `kind(value)`: `"Map"`, `"Date"` and so on; `""` for a primitive or an ordinary object.
///
/// # Errors
/// A `toString` of a proxy throws.
pub(crate) fn kind(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(object) = argument(arguments, 0).as_object() else { return Ok(JsString::default().into()) };
    let name = match known(&object) {
        Some(name) => name.to_owned(),
        None => tagged(&object, context)?,
    };
    Ok(JsString::from(name).into())
}

fn known(object: &JsObject) -> Option<&'static str> {
    let kinds: [(&str, bool); 19] = [
        ("Proxy", object.is::<Proxy>()),
        ("Array", object.is_array()),
        ("Map", JsMap::from_object(object.clone()).is_ok()),
        ("Set", JsSet::from_object(object.clone()).is_ok()),
        ("TypedArray", object.is::<TypedArray>()),
        ("ArrayBuffer", object.is::<ArrayBuffer>()),
        ("SharedArrayBuffer", object.is::<SharedArrayBuffer>()),
        ("DataView", object.is::<DataView>()),
        ("Date", object.is::<Date>()),
        ("RegExp", object.is::<RegExp>()),
        ("Error", object.is::<Error>()),
        ("Promise", object.is::<Promise>()),
        ("Generator", object.is::<Generator>() || object.is::<AsyncGenerator>()),
        ("Module", object.is::<ModuleNamespace>()),
        ("Number", object.is::<f64>()),
        ("Boolean", object.is::<bool>()),
        ("String", object.is::<JsString>()),
        ("BigInt", object.is::<JsBigInt>()),
        ("Symbol", object.is::<JsSymbol>()),
    ];
    kinds.iter().find(|(_, is)| *is).map(|(name, _)| *name)
}

/// Kinds that the engine tells nobody, by the tag of the prototype that only they have.
fn tagged(object: &JsObject, context: &mut Context) -> JsResult<String> {
    let Some(prototype) = object.prototype().filter(|_| !object.is_callable()) else {
        return Ok(if object.is_callable() { "Function".into() } else { String::new() });
    };
    let tag = native::own(&prototype, &JsSymbol::to_string_tag().into(), context)?;
    let tag = tag
        .and_then(|own| own.value().and_then(JsValue::as_string))
        .unwrap_or_default()
        .to_std_string_lossy();
    let weak = matches!(tag.as_str(), "WeakMap" | "WeakSet" | "WeakRef" | "Map Iterator" | "Set Iterator");
    Ok(if weak { tag } else { String::new() })
}
