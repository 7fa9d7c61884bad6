//! The call name a tool wishes for, before collisions are looked at.

use crate::protocol::Mutant;
use crate::protocol::limits::CALL_NAME_BYTES;

/// What models put before a name (NM-13).
const CALL_PREFIXES: [&str; 4] = ["functions.", "functions:", "default_api.", "default_api:"];

/// `mcp__`, and `__` between the two segments (NM-05).
const MCP_FRAME_BYTES: usize = 5 + 2;
/// What the server keeps at least when both segments are long (NM-05).
const SERVER_BYTES: usize = 20;

/// The call name of a builtin: dots become underscores (NM-02).
pub fn builtin_call_name(native: &str) -> String {
    native.replace('.', "_")
}

/// The wished-for call name of an extension tool: each character that is not allowed becomes one underscore, then
/// the text is cut to 64 bytes (NM-03). `name` must not be empty.
pub fn extension_call_name(name: &str) -> String {
    let legal = |c: char| if is_call_name_char(c) || Mutant::NameAsItIs.is_on() { c } else { '_' };
    name.chars().map(legal).take(CALL_NAME_BYTES).collect()
}

/// The wished-for call name of an MCP tool: `mcp__<server>__<tool>`, both segments cleaned (NM-04) and cut so that
/// the whole fits into 64 bytes (NM-05). `server` is the server's display name.
pub fn mcp_call_name(server: &str, tool: &str) -> String {
    let server = segment(server, "server");
    let tool = segment(tool, "tool");
    let room = CALL_NAME_BYTES - MCP_FRAME_BYTES;
    let tool_bytes = tool.len().min(room - server.len().min(SERVER_BYTES));
    let server_bytes = server.len().min(room - tool_bytes);
    format!("mcp__{}__{}", cut(&server, server_bytes), cut(&tool, tool_bytes))
}

/// Whether a text is a legal call name: `^[A-Za-z0-9_-]{1,64}$` (NM-20).
pub fn is_call_name(text: &str) -> bool {
    (1..=CALL_NAME_BYTES).contains(&text.len()) && text.chars().all(is_call_name_char)
}

/// A called name without the prefix that some models add, taken off once (NM-13). `None`: there is no such prefix.
pub fn without_call_prefix(called: &str) -> Option<&str> {
    CALL_PREFIXES.iter().find_map(|prefix| called.strip_prefix(prefix))
}

/// The first bytes of a text that is ASCII.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    text.get(..bytes).unwrap_or(text)
}

fn is_call_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// A segment of an MCP call name: runs of underscores are one, none stands at an end, an empty one has a stand-in.
fn segment(text: &str, stand_in: &str) -> String {
    let mut clean = String::new();
    let mut gap = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '-' {
            if gap && !clean.is_empty() {
                clean.push('_');
            }
            gap = false;
            clean.push(c);
        } else {
            gap = true;
        }
    }
    if clean.is_empty() { stand_in.into() } else { clean }
}
