//! All known tools.

use serde_json::{Value, json};

use super::binding::Binding;
use super::descriptor::Descriptor;
use super::entry::{Entry, Origin};
use super::names::{self, Names};
use super::reading::{Place, Read};
use super::registration::Registration;
use super::registry::builtin_of;
use crate::identity::{Source, ToolId};
use crate::protocol::limits::TOOLS_PER_EXTENSION;
use crate::protocol::order::repeats;
use crate::protocol::{Code, Diagnostic, Fault, SortedMap, SortedSet};

/// All known tools, in the order of their ids (CT-05). Registering changes no profile and no snapshot (XT-10, NM-21).
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    tools: SortedMap<ToolId, Entry>,
    names: Names,
}

/// What a registration did.
#[derive(Clone, Debug, PartialEq)]
pub struct Registered {
    /// The registered tools, in the order of the registrations.
    pub tool_ids: Vec<ToolId>,
    /// One for each tool that took the place of an earlier one (NM-23).
    pub notices: Vec<Diagnostic>,
    /// What of the schemas is not enforced (AR-31).
    pub diagnostics: Vec<Diagnostic>,
}

impl Catalog {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a builtin tool.
    ///
    /// # Errors
    /// `tool.descriptor_invalid` for an id that is not of the registry, `tool.catalog_duplicate_id`,
    /// `tool.former_name_conflict`.
    pub fn add_builtin(&mut self, descriptor: Descriptor) -> Result<(), Fault> {
        if builtin_of(&descriptor.id).is_none() {
            let text = format!("`{}` is no builtin tool.", descriptor.id);
            return Err(Fault::new(Code::ToolDescriptorInvalid, text));
        }
        self.add(Entry::new(descriptor, Origin::Builtin))
    }

    /// Gives a builtin tool the shape it has where its calls may go on in the background (SH-50). One that was not added
    /// is passed over.
    pub fn extend_builtin(&mut self, descriptor: Descriptor) {
        if let Some(entry) = self.tools.get_mut(&descriptor.id) {
            entry.extend(descriptor);
        }
    }

    /// Adds a tool that was discovered on the MCP server with this display name.
    ///
    /// # Errors
    /// As [`Catalog::add_builtin`].
    pub fn add_discovered(&mut self, descriptor: Descriptor, server: &str) -> Result<(), Fault> {
        if !matches!(descriptor.id.source(), Source::Mcp { .. }) {
            let text = format!("`{}` is no tool of an MCP server.", descriptor.id);
            return Err(Fault::new(Code::ToolDescriptorInvalid, text));
        }
        self.add(Entry::new(descriptor, Origin::Mcp { server: server.into() }))
    }

    fn add(&mut self, entry: Entry) -> Result<(), Fault> {
        let id = entry.descriptor().id.clone();
        if self.tools.contains_key(&id) {
            return Err(Fault::new(
                Code::ToolCatalogDuplicateId,
                format!("`{id}` is in the catalog already."),
            ));
        }
        names::check_own(&entry)?;
        self.names.check(&entry, |_| false)?;
        self.names.add(&entry);
        self.tools.insert(id, entry);
        Ok(())
    }

    /// Registers extension tools, all or none. An id that is registered already is replaced, for new snapshots only
    /// (NM-21); with `strict` it is an error (NM-24).
    ///
    /// # Errors
    /// As [`Registration::decode`]; `extension.registration_invalid` when an extension has too many tools (XT-08),
    /// `extension.duplicate_registration` with `strict`, `tool.former_name_conflict` (NM-22).
    pub fn register(&mut self, registrations: &[Value], strict: bool) -> Result<Registered, Fault> {
        let place = Place::document("registration", Code::ToolDescriptorInvalid);
        let mut arriving: Vec<(ToolId, Entry)> = Vec::with_capacity(registrations.len());
        let mut registered =
            Registered { tool_ids: Vec::new(), notices: Vec::new(), diagnostics: Vec::new() };
        for (index, value) in registrations.iter().enumerate() {
            let place = if registrations.len() == 1 { place.clone() } else { place.item(index) };
            let entry = Entry::registered(Registration::read(value, &place)?, value);
            let id = entry.descriptor().id.clone();
            names::check_own(&entry)?;
            let not_enforced = entry.descriptor().not_enforced().iter();
            registered.diagnostics.extend(not_enforced.map(|fault| fault.diagnostic(id.as_str())));
            arriving.push((id, entry));
        }
        let ids: Vec<&ToolId> = arriving.iter().map(|(id, _)| id).collect();
        for (id, again) in ids.iter().zip(repeats(&ids)) {
            if !again {
                registered.tool_ids.push((*id).clone());
            }
            if again || self.tools.contains_key(*id) {
                registered.notices.push(replaced(id));
            }
        }
        let arriving: SortedMap<ToolId, Entry> = arriving.into_iter().collect();
        if let Some(notice) = registered.notices.first().filter(|_| strict) {
            let id = notice.tool_id.as_deref().unwrap_or_default();
            let text =
                format!("`{id}` is registered already. Unregister it first, or register without `strict`.");
            let fault = Fault::new(Code::ExtensionDuplicateRegistration, text);
            return Err(fault.with_details(json!({"toolIds": [id]})));
        }
        self.check_counts(&arriving)?;
        self.check_names(&arriving)?;
        for old in arriving.keys().filter_map(|id| self.tools.get(id)) {
            self.names.remove(old);
        }
        for entry in arriving.values() {
            self.names.add(entry);
        }
        self.tools.extend(arriving);
        Ok(registered)
    }

    /// XT-08: how many tools an extension may have.
    fn check_counts(&self, arriving: &SortedMap<ToolId, Entry>) -> Result<(), Fault> {
        let providers: SortedSet<&str> = arriving.keys().map(ToolId::provider).collect();
        for provider in providers {
            let kept = of_provider(&self.tools, provider).filter(|id| !arriving.contains_key(*id));
            let count = kept.count() + of_provider(arriving, provider).count();
            if count > TOOLS_PER_EXTENSION {
                let text =
                    format!("`{provider}` would have {count} tools; {TOOLS_PER_EXTENSION} are allowed.");
                return Err(Fault::new(Code::ExtensionRegistrationInvalid, text));
            }
        }
        Ok(())
    }

    fn check_names(&self, arriving: &SortedMap<ToolId, Entry>) -> Result<(), Fault> {
        let mut among = Names::default();
        for entry in arriving.values() {
            among.check(entry, |_| false)?;
            self.names.check(entry, |id| arriving.contains_key(id))?;
            among.add(entry);
        }
        Ok(())
    }

    /// Allows or blocks new calls of an extension tool (XT-02).
    ///
    /// # Errors
    /// `tool.registration_unknown` when no extension registered it.
    pub fn set_enabled(&mut self, id: &ToolId, enabled: bool) -> Result<(), Fault> {
        let done = self.tools.get_mut(id).is_some_and(|entry| entry.set_enabled(enabled));
        if done { Ok(()) } else { Err(unknown(&[id])) }
    }

    /// Forgets extension tools, all or none.
    ///
    /// # Errors
    /// `tool.registration_unknown` when an extension did not register one of them.
    pub fn unregister(&mut self, ids: &[ToolId]) -> Result<(), Fault> {
        let registered =
            |id: &ToolId| self.get(id).is_some_and(|e| matches!(e.origin(), Origin::Extension(_)));
        let missing: Vec<&ToolId> = ids.iter().filter(|id| !registered(id)).collect();
        if !missing.is_empty() {
            return Err(unknown(&missing));
        }
        for id in ids {
            if let Some(entry) = self.tools.remove(id) {
                self.names.remove(&entry);
            }
        }
        Ok(())
    }

    /// The tool with this id.
    pub fn get(&self, id: &ToolId) -> Option<&Entry> {
        self.tools.get(id)
    }

    /// The tool of a binding, if its calls can be made now: still known, switched on, and taking the same arguments
    /// as when it was bound (XT-05).
    pub fn callable(&self, binding: &Binding) -> Option<&Entry> {
        let same = |entry: &&Entry| entry.enabled() && entry.schema_digest() == binding.schema_digest();
        self.get(binding.id()).filter(same)
    }

    /// The registrations that bring the extension tools back as they are now, in the order of their ids (RN-13).
    pub fn registrations(&self) -> Vec<Value> {
        self.tools.values().filter_map(Entry::registration).collect()
    }

    /// All tools, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.tools.values()
    }
}

/// The ids of one provider. They stand side by side; a blank is the first character a native name can have.
fn of_provider<'a>(
    tools: &'a SortedMap<ToolId, Entry>,
    provider: &'a str,
) -> impl Iterator<Item = &'a ToolId> {
    let first = ToolId::make(provider, " ").ok();
    let ids = first.into_iter().flat_map(|first| tools.from(&first)).map(|(id, _)| id);
    ids.take_while(move |id| id.provider() == provider)
}

fn replaced(id: &ToolId) -> Diagnostic {
    let message = format!("`{id}` was registered before; the new registration holds for new invocations.");
    Diagnostic { tool_id: Some(id.to_string()), code: Code::ToolReplaced, message }
}

fn unknown(ids: &[&ToolId]) -> Fault {
    let names: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    let text = format!("Not registered by an extension: {}.", names.join(", "));
    Fault::new(Code::ToolRegistrationUnknown, text).with_details(json!({"toolIds": ids}))
}
