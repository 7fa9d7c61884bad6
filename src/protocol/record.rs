//! The stored result of one call: the one truth from which events, requests and audit files are made.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Code, ExtraMessage, Note, Part, Status};

/// An image as history keeps it: a path and what the bytes are, never the bytes (IM-04).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoredImage {
    /// Where it lies in the workspace.
    pub path: String,
    /// Its media type, from its bytes.
    pub mime_type: String,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // FC-40 names them.
pub enum FileOperation {
    Create,
    Modify,
    Append,
    Delete,
    Restore,
}

/// One change of one file by one call (FC-40).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// `chg_<n>`.
    pub change_id: String,
    /// The call that did it.
    pub call_id: String,
    /// The invocation it did it in.
    pub invocation_id: String,
    /// Which file.
    pub path: String,
    /// What happened.
    pub operation: FileOperation,
    /// Whether the file existed before.
    pub existed_before: bool,
    /// Whether it exists now.
    pub exists_after: bool,
    /// SHA-256 of the content before, which is also the digest of its blob.
    pub sha256_before: Option<String>,
    /// SHA-256 of the content after, which is also the digest of its blob.
    pub sha256_after: Option<String>,
}

/// When the call went through which door; milliseconds since the Unix epoch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// The batch closed.
    pub queued_at: u64,
    /// The tool started; absent if it never did.
    pub started_at: Option<u64>,
    /// The result was settled.
    pub ended_at: u64,
    /// The text shown is not the whole.
    pub truncated: bool,
}

/// The stored result of one call (RS-01, RS-02). Never altered once stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
// In TypeScript `Record` is taken.
#[cfg_attr(feature = "testing", schemars(rename = "CallRecord"))]
pub struct Record {
    /// The call.
    pub call_id: Arc<str>,
    /// The provider's own id of the call.
    pub provider_id: Option<String>,
    /// The tool's stable identity; absent for a name that resolved to nothing.
    pub tool_id: Option<Arc<str>>,
    /// The name the model used.
    pub name: Arc<str>,
    /// The invocation.
    pub invocation_id: Arc<str>,
    /// The step.
    pub round: u32,
    /// The place in the batch, from 0.
    pub index: u32,
    /// The outer call of a nested one.
    pub parent_call_id: Option<String>,
    /// The tool that ran instead (CT-11).
    pub forwarded_to: Option<String>,
    /// `!isError`.
    pub ok: bool,
    /// How it ended.
    pub status: Status,
    /// The error mark.
    pub is_error: bool,
    /// Why it failed.
    pub error_code: Option<Code>,
    /// What the model reads: the text parts joined by one blank line.
    pub content: String,
    /// Text and images in order.
    pub parts: Vec<Part>,
    /// The structured value.
    pub structured: Option<Value>,
    /// Paths that belong to the result.
    pub resource_refs: Vec<String>,
    /// The images.
    pub images: Vec<StoredImage>,
    /// Remarks.
    pub notes: Vec<Note>,
    /// Messages added after the batch.
    pub extra_messages: Vec<ExtraMessage>,
    /// Data for the screen.
    pub display: Option<Value>,
    /// What happened to files.
    pub file_changes: Vec<FileChange>,
    /// The result ended the batch.
    pub terminate: bool,
    /// Times.
    pub meta: Meta,
    /// Where the arguments lie.
    pub arguments_ref: Arc<str>,
    /// Where the whole result lies.
    pub result_ref: Arc<str>,
}
