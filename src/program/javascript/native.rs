//! Small words for making objects and functions of the engine out of Rust.

use boa_engine::builtins::proxy::Proxy;
use boa_engine::object::FunctionObjectBuilder;
use boa_engine::property::{PropertyDescriptor, PropertyKey};
use boa_engine::{Context, JsNativeError, JsObject, JsResult, JsString, JsValue, NativeFunction};

/// A function of the engine, as Rust writes it.
pub(crate) type Body = fn(&JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>;

/// Name, number of declared parameters, and body of a native function.
pub(crate) type Member = (&'static str, usize, Body);

/// A function that is no constructor.
pub(crate) fn function(context: &Context, name: &str, length: usize, body: NativeFunction) -> JsObject {
    FunctionObjectBuilder::new(context.realm(), body).name(JsString::from(name)).length(length).build().into()
}

/// Defines functions on an object: writable, configurable, and enumerable as asked.
///
/// # Errors
/// The object refuses a property.
pub(crate) fn define(
    object: &JsObject,
    members: &[Member],
    enumerable: bool,
    context: &mut Context,
) -> JsResult<()> {
    for (name, length, body) in members {
        let value = function(context, name, *length, NativeFunction::from_fn_ptr(*body));
        property(object, JsString::from(*name), value, enumerable, context)?;
    }
    Ok(())
}

/// Defines one data property.
///
/// # Errors
/// The object refuses the property.
pub(crate) fn property(
    object: &JsObject,
    key: impl Into<PropertyKey>,
    value: impl Into<JsValue>,
    enumerable: bool,
    context: &mut Context,
) -> JsResult<()> {
    let descriptor = PropertyDescriptor::builder()
        .value(value.into())
        .writable(true)
        .enumerable(enumerable)
        .configurable(true);
    object.define_property_or_throw(key, descriptor, context).map(drop)
}

/// A plain object.
pub(crate) fn object(context: &Context) -> JsObject {
    JsObject::with_object_proto(context.intrinsics())
}

/// The argument at an index, or `undefined`.
pub(crate) fn argument(arguments: &[JsValue], index: usize) -> JsValue {
    arguments.get(index).cloned().unwrap_or_default()
}

/// The argument at an index as text, lone surrogates replaced.
///
/// # Errors
/// It cannot be made a string.
pub(crate) fn text(arguments: &[JsValue], index: usize, context: &mut Context) -> JsResult<String> {
    Ok(argument(arguments, index).to_string(context)?.to_std_string_lossy())
}

/// A `TypeError`.
pub(crate) fn type_error(message: impl Into<std::borrow::Cow<'static, str>>) -> boa_engine::JsError {
    JsNativeError::typ().with_message(message.into()).into()
}

/// An `Error` with further properties, such as `code`.
///
/// # Errors
/// The engine refuses a property; the error is then that.
pub(crate) fn coded_error(
    message: &str,
    members: &[(&str, JsValue)],
    context: &mut Context,
) -> boa_engine::JsError {
    let error = JsNativeError::error().with_message(message.to_owned()).into_opaque(context);
    for (name, value) in members {
        if let Err(refused) = property(&error, JsString::from(*name), value.clone(), true, context) {
            return refused;
        }
    }
    boa_engine::JsError::from_opaque(error.into())
}

/// The descriptor of an own property.
///
/// # Errors
/// A proxy throws.
pub(crate) fn own(
    object: &JsObject,
    key: &PropertyKey,
    context: &mut Context,
) -> JsResult<Option<PropertyDescriptor>> {
    if let Some(own) = object.get_own(key) {
        return Ok(Some(own));
    }
    if object.is_ordinary() || !object.has_own_property(key.clone(), context)? {
        return Ok(None);
    }
    // Typed arrays, strings, namespaces and proxies keep properties that are in no map.
    let constructor = context.intrinsics().constructors().object().constructor();
    let describe = constructor.get(JsString::from("getOwnPropertyDescriptor"), context)?;
    let describe = describe.as_callable().ok_or_else(|| type_error("Object has lost a method"))?;
    let descriptor =
        describe.call(&JsValue::undefined(), &[object.clone().into(), JsValue::from(key)], context)?;
    match descriptor.as_object() {
        Some(descriptor) => descriptor.to_property_descriptor(context).map(Some),
        None => Ok(None),
    }
}

/// `Array.isArray`, which looks through proxies.
///
/// # Errors
/// A proxy was revoked.
pub(crate) fn is_array(object: &JsObject, context: &mut Context) -> JsResult<bool> {
    if !object.is::<Proxy>() {
        return Ok(object.is_array());
    }
    let constructor = context.intrinsics().constructors().array().constructor();
    let is_array = constructor.get(JsString::from("isArray"), context)?;
    let is_array = is_array.as_callable().ok_or_else(|| type_error("Array has lost a method"))?;
    Ok(is_array.call(&JsValue::undefined(), &[object.clone().into()], context)?.to_boolean())
}

/// `length` of an array-like object.
///
/// # Errors
/// A getter throws.
pub(crate) fn length(object: &JsObject, context: &mut Context) -> JsResult<usize> {
    Ok(object.get(JsString::from("length"), context)?.to_length(context)? as usize)
}

/// The properties that an object keeps itself, without asking it.
pub(crate) trait OwnProperty {
    /// The descriptor under a key.
    fn get_own(&self, key: &PropertyKey) -> Option<PropertyDescriptor>;
}

impl OwnProperty for JsObject {
    fn get_own(&self, key: &PropertyKey) -> Option<PropertyDescriptor> {
        self.borrow().properties().get(key)
    }
}
