//! The engine of one program, with everything that is there before the program begins. Only what nearly every script
//! touches is made at once; the rest stands on the global object as accessors that load a library when first read.

use super::collate;
use super::commonjs;
use super::console;
use super::elements;
use super::errors;
use super::hooks::{Hooks, ProgramClock};
use super::jobs::Jobs;
use super::libraries;
use super::modules::Loader;
use super::native;
use super::process::Process;
use super::regexp;
use super::strings;
use crate::program::random;
use crate::protocol::limits::JAVASCRIPT_CALL_DEPTH;
use boa_engine::context::ContextBuilder;
use boa_engine::{Context, JsResult, JsValue, js_string};
use std::rc::Rc;

/// Steps of the engine between two returns to the driver, about one millisecond.
pub(crate) const SLICE: u32 = 65_536;

/// Values on the stack of the engine.
const STACK_VALUES: usize = 400_000;

/// Makes the engine of a program.
///
/// # Errors
/// Something of the engine refuses what is added to it; this does not happen with a fresh one.
pub(crate) fn build(process: &Rc<Process>, jobs: &Rc<Jobs>, instructions: u32) -> JsResult<Context> {
    let mut context = ContextBuilder::new()
        .clock(Rc::new(ProgramClock(process.clone())))
        .host_hooks(Rc::new(Hooks(process.clone())))
        .job_executor(jobs.clone())
        .module_loader(Rc::new(Loader::default()))
        .instructions_remaining(instructions as usize)
        .build()?;
    let limits = context.runtime_limits_mut();
    limits.set_recursion_limit(JAVASCRIPT_CALL_DEPTH);
    limits.set_stack_size_limit(STACK_VALUES);
    limits.set_backtrace_limit(10);
    context.insert_data(process.clone());
    furnish(&mut context)?;
    Ok(context)
}

fn furnish(context: &mut Context) -> JsResult<()> {
    let global = context.global_object();
    native::property(&global, js_string!("global"), global.clone(), false, context)?;
    console::install(context)?;
    errors::install(context)?;
    strings::install(context)?;
    elements::install(context)?;
    regexp::install(context)?;
    collate::install(context)?;
    commonjs::install(context)?;
    libraries::install(context)?;
    let math = global.get(js_string!("Math"), context)?;
    if let Some(math) = math.as_object() {
        native::define(&math, &[("random", 0, random_number)], false, context)?;
    }
    Ok(())
}

/// `Math.random`, from the seed of the call (SH-42): 53 bits of the stream.
fn random_number(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let mut bytes = [0; 8];
    random::fill(&mut bytes);
    let bits = u64::from_le_bytes(bytes) >> 11;
    Ok(JsValue::from(bits as f64 / (1u64 << 53) as f64))
}
