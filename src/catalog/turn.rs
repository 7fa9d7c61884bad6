//! What the model may call in one step (CT-40).

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::reading::{Members, Place, Read};
use super::snapshot::Snapshot;
use crate::identity::ToolId;
use crate::protocol::{Code, Fault, SortedSet};

/// What the model has to do with its tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Choice {
    /// Call none.
    None,
    /// What it likes.
    #[default]
    Auto,
    /// Call at least one.
    Required,
    /// Call this one.
    Specific(ToolId),
}

/// The contract of one step: the tools the model was sent and what it has to do with them. A deferred tool is in it
/// once it was loaded.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    snapshot_id: String,
    tools: Vec<ToolId>,
    choice: Choice,
    #[serde(skip)]
    offered: SortedSet<ToolId>,
    #[serde(skip)]
    off: SortedSet<ToolId>,
}

impl Choice {
    /// Reads a choice: `"none"`, `"auto"`, `"required"` or `{"specific": "<tool id>"}`.
    ///
    /// # Errors
    /// `command.invalid`.
    pub fn decode(value: &Value) -> Result<Self, Fault> {
        Self::read(value, &Place::document("tool choice", Code::CommandInvalid))
    }
}

impl Turn {
    /// The contract of a step of the invocation with this snapshot. `tools`: in the order in which they are sent.
    ///
    /// # Errors
    /// `tool.turn_duplicate_id`, `tool.turn_required_empty`, `tool.turn_specific_not_available`,
    /// `tool.turn_tool_not_in_snapshot`: all programming errors.
    pub fn new(snapshot: &Snapshot, tools: Vec<ToolId>, choice: Choice) -> Result<Self, Fault> {
        Self::checked(snapshot.id(), snapshot, tools, choice)
    }

    /// Reads a stored contract of a step of the invocation with this snapshot.
    ///
    /// # Errors
    /// As [`Turn::new`], and `tool.turn_snapshot_mismatch`; `input.invalid` when it cannot be read.
    pub fn decode(value: &Value, snapshot: &Snapshot) -> Result<Self, Fault> {
        let place = Place::document("turn contract", Code::InputInvalid);
        let mut members = Members::open(value, &place)?;
        let snapshot_id: String = members.need("snapshotId")?;
        let (tools, choice) = (members.need("tools")?, members.need("choice")?);
        members.end()?;
        Self::checked(&snapshot_id, snapshot, tools, choice)
    }

    fn checked(
        snapshot_id: &str,
        snapshot: &Snapshot,
        tools: Vec<ToolId>,
        choice: Choice,
    ) -> Result<Self, Fault> {
        let offered: SortedSet<ToolId> = tools.iter().cloned().collect();
        if offered.len() != tools.len() {
            return Err(Fault::new(Code::ToolTurnDuplicateId, "A step offers one tool twice."));
        }
        if choice == Choice::Required && tools.is_empty() {
            return Err(Fault::new(
                Code::ToolTurnRequiredEmpty,
                "A step requires a call but offers no tool.",
            ));
        }
        if let Choice::Specific(id) = &choice
            && !offered.contains(id)
        {
            let text = format!("A step requires a call of `{id}` but does not offer it.");
            return Err(Fault::new(Code::ToolTurnSpecificNotAvailable, text));
        }
        if snapshot_id != snapshot.id() {
            return Err(mismatch(snapshot_id, snapshot));
        }
        if let Some(id) = tools.iter().find(|id| snapshot.get(id).is_none()) {
            let text = format!("A step offers `{id}`, which is not in its snapshot.");
            return Err(Fault::new(Code::ToolTurnToolNotInSnapshot, text));
        }
        Ok(Self { snapshot_id: snapshot_id.into(), tools, choice, offered, off: SortedSet::new() })
    }

    /// The same contract, with tools that a policy has switched off since the snapshot was made (PM-13): their calls
    /// are refused.
    pub fn with_off(mut self, off: SortedSet<ToolId>) -> Self {
        self.off = off;
        self
    }

    /// Checks that the contract belongs to a snapshot.
    ///
    /// # Errors
    /// `tool.turn_snapshot_mismatch`.
    pub fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), Fault> {
        if self.snapshot_id == snapshot.id() { Ok(()) } else { Err(mismatch(&self.snapshot_id, snapshot)) }
    }

    /// The tools in the order in which they are sent.
    pub fn tools(&self) -> &[ToolId] {
        &self.tools
    }

    /// What the model has to do.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Whether a tool is sent in this step.
    pub fn offers(&self, id: &ToolId) -> bool {
        self.offered.contains(id)
    }

    /// Whether a policy has switched a tool off.
    pub fn is_off(&self, id: &ToolId) -> bool {
        self.off.contains(id)
    }
}

fn mismatch(snapshot_id: &str, snapshot: &Snapshot) -> Fault {
    let text = format!("A step of snapshot `{snapshot_id}` meets snapshot `{}`.", snapshot.id());
    Fault::new(Code::ToolTurnSnapshotMismatch, text)
}

impl Read for Choice {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        match value.as_str() {
            Some("none") => return Ok(Choice::None),
            Some("auto") => return Ok(Choice::Auto),
            Some("required") => return Ok(Choice::Required),
            _ => {}
        }
        if !value.is_object() {
            return Err(place.fault("must be `none`, `auto`, `required` or {specific}"));
        }
        let mut members = Members::open(value, place)?;
        let specific = members.need("specific")?;
        members.end()?;
        Ok(Choice::Specific(specific))
    }
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Choice::None => serializer.serialize_str("none"),
            Choice::Auto => serializer.serialize_str("auto"),
            Choice::Required => serializer.serialize_str("required"),
            Choice::Specific(id) => json!({"specific": id}).serialize(serializer),
        }
    }
}
