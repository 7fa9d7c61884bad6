//! Single functions run on conformance cases, for the topics that need no session. Behind the feature `testing`;
//! no shipped module has this. The same code runs natively and inside the module, so a case that passes in one and
//! fails in the other is a fault of the build.

#![allow(missing_docs)]

use serde_json::Value;

pub mod arguments;
pub mod bindings;
pub mod builtin_arguments;
pub mod call_names;
pub mod case;
pub mod descriptions;
pub mod dice;
pub mod extension_results;
pub mod gate;
pub mod interrupted_history;
pub mod lanes;
pub mod long_results;
pub mod permissions;
pub mod policy_globs;
pub mod profile;
pub mod snapshot;
pub mod template;
pub mod text_metrics;
pub mod tool_id;
pub mod truncation;
pub mod wire;
pub mod wire_topics;
pub mod workspace_paths;
pub mod workspace_tokens;

#[cfg(test)]
mod tests;

/// How a case went.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Passed,
    /// The answer differs; the text says what was expected and what came.
    Failed(String),
    /// The room this case needs is not built; the text says which.
    Skipped(String),
}

impl From<Result<(), String>> for Verdict {
    fn from(result: Result<(), String>) -> Self {
        match result {
            Ok(()) => Verdict::Passed,
            Err(text) => Verdict::Failed(text),
        }
    }
}

/// Runs one case of a topic. `None`: this topic is not run by single functions.
pub fn run(topic: &str, input: &Value, expect: &Value) -> Option<Verdict> {
    let adapter = match topic {
        "arguments" => arguments::arguments,
        "argument_repair" => arguments::argument_repair,
        "bindings" => bindings::run,
        "builtin_arguments" => builtin_arguments::run,
        "call_names" => call_names::run,
        "descriptions" => descriptions::run,
        "dice" => dice::run,
        "extension_results" => extension_results::run,
        "interrupted_history" => interrupted_history::run,
        "lanes_pure" => lanes::run,
        "gate" => gate::run,
        "long_results" => long_results::run,
        "permissions" => permissions::run,
        "policy_globs" => policy_globs::run,
        "profile" => profile::run,
        "snapshot" => snapshot::run,
        "text_metrics" => text_metrics::run,
        "tool_id" => tool_id::run,
        "truncation" => truncation::run,
        "wire_anthropic" => wire_topics::anthropic,
        "wire_openai_chat" => wire_topics::openai_chat,
        "workspace_paths" => workspace_paths::run,
        "workspace_tokens" => workspace_tokens::run,
        _ => return None,
    };
    Some(adapter(input, expect))
}
