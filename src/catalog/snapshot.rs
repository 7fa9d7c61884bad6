//! The tools of one invocation, fixed for its whole life (CT-30, IV-23).

use std::sync::Arc;

use serde_json::{Value, json};

use super::bind::Bound;
use super::binding::{Binding, BindingExposure, names};
use super::descriptor::Descriptor;
use super::reading::{Members, Place, Read};
use super::registry::builtin_of;
use crate::arguments::Rules;
use crate::identity::{ToolId, is_call_name, without_call_prefix};
use crate::protocol::order::repeats;
use crate::protocol::{BoundNames, Code, Fault, SortedMap};

const SCHEMA_VERSION: u64 = 1;
/// Members of the document and of a binding that no longer exist; discarded, never written (CT-39).
const RETIRED_ROOT: &str = "maxCallsPerInvocation";
const RETIRED_BINDING: &str = "maxCalls";

/// A frozen set of bindings; it never holds functions (CT-41). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshot(Arc<Content>);

#[derive(Clone, Debug)]
struct Content {
    id: String,
    /// The bindings, and behind them the dynamic ones.
    bindings: Vec<Binding>,
    /// How many are not dynamic.
    resident: usize,
    /// What the model may call a tool: its alias, a builtin's native name, a former name, in this order of weight
    /// (NM-10).
    by_name: SortedMap<String, usize>,
    by_id: SortedMap<ToolId, usize>,
    names: BoundNames,
}

impl Snapshot {
    /// Freezes what was bound.
    ///
    /// # Errors
    /// The codes of [`Snapshot::decode`] for an empty id and for duplicates.
    pub fn new(id: &str, bound: &Bound) -> Result<Self, Fault> {
        Self::of(id, bound.bindings.clone(), bound.dynamic.clone())
    }

    fn of(id: &str, mut bindings: Vec<Binding>, dynamic: Vec<Binding>) -> Result<Self, Fault> {
        if id.is_empty() {
            return Err(Fault::new(Code::ToolSnapshotIdEmpty, "A tool snapshot needs an id."));
        }
        let resident = bindings.len();
        bindings.extend(dynamic);
        let ids: Vec<&ToolId> = bindings.iter().map(Binding::id).collect();
        let aliases: Vec<&str> = bindings.iter().map(Binding::alias).collect();
        let again = repeats(&ids).into_iter().zip(repeats(&aliases));
        for (binding, (same_id, same_alias)) in bindings.iter().zip(again) {
            if same_id {
                let text = format!("The tool snapshot binds `{}` twice.", binding.id());
                return Err(Fault::new(Code::ToolSnapshotDuplicateId, text));
            }
            if same_alias {
                let text = format!("The tool snapshot gives the call name `{}` twice.", binding.alias());
                return Err(Fault::new(Code::ToolSnapshotDuplicateAlias, text));
            }
        }
        let by_id = ids.iter().enumerate().map(|(index, id)| ((*id).clone(), index)).collect();
        let mut by_weight: Vec<(String, usize)> = Vec::new();
        for (index, alias) in aliases.iter().enumerate() {
            by_weight.push(((*alias).to_owned(), index));
        }
        for (index, id) in ids.iter().enumerate().filter(|(_, id)| builtin_of(id).is_some()) {
            by_weight.push((id.native().to_owned(), index));
        }
        for (index, binding) in bindings.iter().enumerate() {
            for former in &binding.descriptor().former_names {
                by_weight.push((former.clone(), index));
            }
        }
        // Of equal names the last would count.
        let by_name = by_weight.into_iter().rev().collect();
        let names = names(bindings.get(..resident).unwrap_or_default());
        Ok(Self(Arc::new(Content { id: id.into(), bindings, resident, by_name, by_id, names })))
    }

    /// The same snapshot with the rules by which the arguments of builtins are checked (AR-20): code, not data, so a
    /// stored snapshot does not hold them.
    pub fn with_rules(self, rules: impl Fn(&str) -> Option<Rules>) -> Self {
        let mut content = Arc::unwrap_or_clone(self.0);
        for binding in content.bindings.iter_mut().filter(|binding| binding.is_builtin()) {
            if let Some(rules) = rules(binding.id().native()) {
                binding.set_rules(rules);
            }
        }
        Self(Arc::new(content))
    }

    /// Reads a stored snapshot.
    ///
    /// # Errors
    /// `tool.snapshot_schema_unsupported`, `tool.snapshot_id_empty`, `tool.snapshot_duplicate_id`,
    /// `tool.snapshot_duplicate_alias`, `tool.snapshot_alias_empty`, otherwise `tool.snapshot_invalid` naming the
    /// member (CT-38).
    pub fn decode(document: &Value) -> Result<Self, Fault> {
        let place = Place::document("tool snapshot", Code::ToolSnapshotInvalid);
        let mut members = Members::open(document, &place)?;
        if members.raw("schemaVersion").and_then(Value::as_u64) != Some(SCHEMA_VERSION) {
            let place = members.place("schemaVersion").with_code(Code::ToolSnapshotSchemaUnsupported);
            return Err(place.fault(format_args!("must be {SCHEMA_VERSION}")));
        }
        let id: String = members.need("id")?;
        let bindings = members.need("bindings")?;
        let dynamic = members.get("dynamic", Vec::new())?;
        members.retired(RETIRED_ROOT);
        members.end()?;
        Self::of(&id, bindings, dynamic)
    }

    /// The document that [`Snapshot::decode`] reads.
    pub fn encode(&self) -> Value {
        let mut document =
            json!({"schemaVersion": SCHEMA_VERSION, "id": self.id(), "bindings": self.bindings()});
        if let (Some(members), [_, ..]) = (document.as_object_mut(), self.dynamic()) {
            members.insert("dynamic".into(), json!(self.dynamic()));
        }
        document
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The tools in their order, the dynamic ones left out.
    pub fn bindings(&self) -> &[Binding] {
        self.0.bindings.get(..self.0.resident).unwrap_or_default()
    }

    /// Tools that join those that are sent later.
    pub fn dynamic(&self) -> &[Binding] {
        self.0.bindings.get(self.0.resident..).unwrap_or_default()
    }

    /// The tools that are sent in the first step, in their order.
    pub fn resident(&self) -> impl Iterator<Item = &Binding> {
        self.bindings().iter().filter(|binding| binding.exposure() == BindingExposure::Resident)
    }

    /// The tool with this id.
    pub fn get(&self, id: &ToolId) -> Option<&Binding> {
        self.0.bindings.get(*self.0.by_id.get(id)?)
    }

    /// The tool that the model means: exact alias, native name of a builtin, former name (NM-10); if there is none
    /// and the name has one of the usual prefixes, what stands behind it as an exact alias (NM-13).
    pub fn resolve(&self, called: &str) -> Option<&Binding> {
        if let Some(binding) = self.named(called) {
            return Some(binding);
        }
        let alias = without_call_prefix(called)?;
        self.named(alias).filter(|binding| binding.alias() == alias)
    }

    fn named(&self, name: &str) -> Option<&Binding> {
        self.0.bindings.get(*self.0.by_name.get(name)?)
    }

    /// The builtin tools that a text may name (NM-09): bound and not hidden. A dynamic tool is not among them; the
    /// reference that brings it in names it.
    pub fn names(&self) -> &BoundNames {
        &self.0.names
    }
}

impl Read for Binding {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let descriptor: Descriptor = members.need("descriptor")?;
        let alias: String = members.need("modelAlias")?;
        let exposure = members.get("exposure", BindingExposure::default())?;
        members.retired(RETIRED_BINDING);
        members.end()?;
        let place = place.member("modelAlias");
        if alias.is_empty() {
            return Err(place.with_code(Code::ToolSnapshotAliasEmpty).fault("must not be empty"));
        }
        if !is_call_name(&alias) {
            return Err(place.fault("must be 1 to 64 of the characters A-Z a-z 0-9 _ -"));
        }
        Ok(Self::new(Arc::new(descriptor), alias, exposure))
    }
}
