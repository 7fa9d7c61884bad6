//! By which rules a tool's arguments are checked, beside its schema.

/// Whose tool it is: an external one is checked against its schema alone, a builtin one by the stricter rules of
/// AR-20 as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    builtin: bool,
    claims: &'static [Claim],
}

/// A fault of a value that a builtin tool reports itself, with a code of its own, so that the check lets it pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The member, written like `depth` or `edits[].old_text`.
    pub member: &'static str,
    /// The keyword whose violation is the tool's: `maximum`, `enum`, `type`, `minLength` (which is also the rule
    /// that a required string must not be blank), …. A claimed `minimum` covers no negative number.
    pub keyword: &'static str,
}

impl Rules {
    /// Those of extension and MCP tools (AR-26).
    pub const EXTERNAL: Rules = Rules { builtin: false, claims: &[] };
    /// Those of a builtin tool that claims nothing.
    pub const BUILTIN: Rules = Rules { builtin: true, claims: &[] };

    /// Those of a builtin tool that reports these faults itself.
    pub const fn builtin(claims: &'static [Claim]) -> Rules {
        Rules { builtin: true, claims }
    }

    /// Whether AR-20 holds.
    pub fn is_builtin(&self) -> bool {
        self.builtin
    }

    /// Whether the tool itself reports a violation of this keyword at this member.
    pub(crate) fn claims(&self, member: &str, keyword: &str) -> bool {
        self.claims.iter().any(|claim| claim.keyword == keyword && claim.member == member)
    }

    pub(crate) fn has_claims(&self) -> bool {
        !self.claims.is_empty()
    }
}

/// Whether a required string of this name keeps its white space and may be empty (AR-20).
pub(crate) fn is_raw(member: &str) -> bool {
    matches!(member, "content" | "old_string" | "new_string" | "old_text" | "new_text" | "code")
}
