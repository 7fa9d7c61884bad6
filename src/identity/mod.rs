//! Who a tool is, and what the model calls it.
//!
//! A tool's identity is one stable string, the [`ToolId`]; everything that lasts (profiles, records, rules) uses it.
//! The model never sees it: it calls a tool by its *call name*, which is fixed when an invocation starts.
//!
//! - Comes in: texts of a host, of a server, of a model.
//! - Goes out: ids, wished-for call names, and call names without collisions.
//! - Invariants: every call name matches `^[A-Za-z0-9_-]{1,64}$` and no two given out by one [`CallNames`] are equal.
//! - Not here: which tools are bound, and their order (room `catalog`).

mod call_name;
mod call_names;
mod distance;
mod tool_id;

#[cfg(test)]
mod tests;

pub use call_name::{
    builtin_call_name, extension_call_name, is_call_name, mcp_call_name, without_call_prefix,
};
pub use call_names::CallNames;
pub use distance::edit_distance;
pub use tool_id::{Source, ToolId};
