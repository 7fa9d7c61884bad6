//! What programs may touch through the file port (FP-06): nobody is asked in mid-command, so what would be asked about
//! is refused there.

use super::case::{Case, Situation};
use super::grant::Grants;
use super::path;
use super::safety::findings;
use super::{Action, Mode};
use crate::catalog::EffectTrait;
use crate::identity::ToolId;

/// What a program does to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads a file.
    Read,
    /// Writes, renames or makes something.
    Write,
    /// Removes it.
    Remove,
}

impl Access {
    /// The tools whose deny rules hold for the port too; a removal is also a write.
    fn tools(self) -> &'static [&'static str] {
        match self {
            Access::Read => &["workspace.read_file"],
            Access::Write => &["workspace.write_file"],
            Access::Remove => &["workspace.delete", "workspace.write_file"],
        }
    }
}

/// Whether a program may do this to a path of the workspace. `facts` are those of the call that runs the program;
/// what they say of its action does not matter here.
pub fn port_allows(facts: &Situation<'_>, path: &str, access: Access) -> bool {
    let denied = access.tools().iter().any(|native| is_denied(facts, native, path, access));
    !denied && is_safe(facts, facts.grants, path, access)
}

fn is_safe(facts: &Situation<'_>, grants: &Grants, path: &str, access: Access) -> bool {
    if facts.mode.modes.strictest() == Mode::FullAccess {
        return true;
    }
    let (path, asker) = (path::normal(path), facts.asker);
    let mut found = findings(&path, access != Access::Read).into_iter();
    found.all(|finding| grants.cover(&asker.session, &asker.invocation, &path, finding))
}

/// Whether a deny rule with a pattern would stop the file tool that does the same.
fn is_denied(facts: &Situation<'_>, native: &'static str, path: &str, access: Access) -> bool {
    if !facts.rules.denies_patterns() {
        return false;
    }
    let alias = native.replace('.', "_");
    let tool = ToolId::builtin(native);
    let action = Action { target: Some(serde_json::json!({"path": path})), ..Action::of_tool(&alias) };
    let effect = if access == Access::Read { EffectTrait::Read } else { EffectTrait::Write };
    let facts = Situation { tool: &tool, alias: &alias, action: &action, effect, ..*facts };
    facts.rules.denies_content(&Case::new(&facts))
}
