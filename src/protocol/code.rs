//! The error codes, one table: what a code is called on the wire and what kind of failure it is.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What becomes of a failure that carries a code (ER-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A tool result with an error mark: the model can mend it.
    Recoverable,
    /// The run goes to its closing path.
    Fatal,
    /// A model failure: asked again, or the closing path (RN-05).
    Model,
    /// A start, registration, save or command is refused; the host reads it.
    Refused,
    /// A diagnostic; nothing stops.
    Diagnostic,
}

macro_rules! codes {
    ($($name:ident = $text:literal, $kind:ident;)*) => {
        /// An error code. Codes are stable: a new situation gets a new code, a code never changes its kind (ER-03).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs)] // The text of each code says what it is; chapter 16 of the specification says when.
        pub enum Code {
            $($name,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as it stands in results, events and faults, for example `tool.invalid_arguments`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// What becomes of a failure with this code.
            pub fn kind(self) -> Kind {
                match self { $(Code::$name => Kind::$kind,)* }
            }
        }
    };
}

codes! {
    ToolIdInvalid = "tool.id_invalid", Refused;
    ToolProviderIdEmpty = "tool.provider_id_empty", Refused;
    ToolProviderIdInvalid = "tool.provider_id_invalid", Refused;
    ToolNativeNameEmpty = "tool.native_name_empty", Refused;
    ToolCatalogDuplicateId = "tool.catalog_duplicate_id", Refused;
    ToolFormerNameConflict = "tool.former_name_conflict", Refused;
    ToolDescriptorInvalid = "tool.descriptor_invalid", Refused;
    ToolDescriptionOverrideUnknownProperty = "tool.description_override_unknown_property", Refused;
    ToolDescriptionOverridePropertiesInvalid = "tool.description_override_properties_invalid", Refused;
    ToolDescriptionOverridePropertySchemaInvalid = "tool.description_override_property_schema_invalid", Refused;
    ToolSnapshotSchemaUnsupported = "tool.snapshot_schema_unsupported", Refused;
    ToolSnapshotIdEmpty = "tool.snapshot_id_empty", Refused;
    ToolSnapshotDuplicateId = "tool.snapshot_duplicate_id", Refused;
    ToolSnapshotDuplicateAlias = "tool.snapshot_duplicate_alias", Refused;
    ToolSnapshotAliasEmpty = "tool.snapshot_alias_empty", Refused;
    ToolSnapshotInvalid = "tool.snapshot_invalid", Refused;
    ToolTurnDuplicateId = "tool.turn_duplicate_id", Fatal;
    ToolTurnRequiredEmpty = "tool.turn_required_empty", Fatal;
    ToolTurnSpecificNotAvailable = "tool.turn_specific_not_available", Fatal;
    ToolTurnToolNotInSnapshot = "tool.turn_tool_not_in_snapshot", Fatal;
    ToolTurnSnapshotMismatch = "tool.turn_snapshot_mismatch", Fatal;
    ToolResultIdentityMismatch = "tool.result_identity_mismatch", Fatal;
    ToolAliasSuffixed = "tool.alias_suffixed", Diagnostic;
    ToolReplaced = "tool.replaced", Diagnostic;
    ToolSchemaNotEnforced = "tool.schema_not_enforced", Diagnostic;
    AgentToolOverrideInvalid = "agent.tool_override_invalid", Diagnostic;
    AgentProfileUnknownTool = "agent.profile_unknown_tool", Refused;
    AgentProfileIdEmpty = "agent.profile_id_empty", Refused;
    AgentProfileIdTooLong = "agent.profile_id_too_long", Refused;
    AgentProfileIdInvalid = "agent.profile_id_invalid", Refused;
    AgentProfileInvalid = "agent.profile_invalid", Refused;
    AgentProfileSchemaUnsupported = "agent.profile_schema_unsupported", Refused;
    AgentProfileRequiresModel = "agent.profile_requires_model", Refused;
    AgentProfileNotRunnable = "agent.profile_not_runnable", Refused;
    ToolInvalidArguments = "tool.invalid_arguments", Recoverable;
    ModelUnknownToolCall = "model.unknown_tool_call", Recoverable;
    ModelToolChoiceViolation = "model.tool_choice_violation", Recoverable;
    AgentToolDenied = "agent.tool_denied", Recoverable;
    ToolNotLoaded = "tool.not_loaded", Recoverable;
    ToolLoopBlocked = "tool.loop_blocked", Recoverable;
    AgentLoopDetected = "agent.loop_detected", Fatal;
    ToolForwardLoop = "tool.forward_loop", Recoverable;
    ToolInvalidResult = "tool.invalid_result", Recoverable;
    ToolTimeout = "tool.timeout", Recoverable;
    ToolOutcomeUnknown = "tool.outcome_unknown", Recoverable;
    ToolInterrupted = "tool.interrupted", Recoverable;
    ToolInterruptedBeforeStart = "tool.interrupted_before_start", Recoverable;
    ToolSkippedAfterFailure = "tool.skipped_after_failure", Recoverable;
    ToolSkippedBatchEnded = "tool.skipped_batch_ended", Recoverable;
    ToolSkippedRunEnded = "tool.skipped_run_ended", Recoverable;
    ToolInternalError = "tool.internal_error", Recoverable;
    EffectBadPayload = "effect.bad_payload", Recoverable;
    ModelRequestFailed = "model.request_failed", Model;
    ModelInvalidToolCall = "model.invalid_tool_call", Model;
    ModelReplyIncomplete = "model.reply_incomplete", Model;
    ModelOutputTruncated = "model.output_truncated", Model;
    ModelProviderRefusal = "model.provider_refusal", Fatal;
    ModelToolCallRequired = "model.tool_call_required", Fatal;
    PermissionRuleDenied = "permission.rule_denied", Recoverable;
    PermissionModeDenied = "permission.mode_denied", Recoverable;
    PermissionToolDenied = "permission.tool_denied", Recoverable;
    PermissionLevelTooLow = "permission.level_too_low", Recoverable;
    PermissionRejected = "permission.rejected", Recoverable;
    PermissionTimeout = "permission.timeout", Recoverable;
    PermissionNoApprover = "permission.no_approver", Recoverable;
    PermissionHookDenied = "permission.hook_denied", Recoverable;
    PermissionRuleSaveFailed = "permission.rule_save_failed", Diagnostic;
    HookRewriteLoop = "hook.rewrite_loop", Recoverable;
    HookHalted = "hook.halted", Fatal;
    AgentToolAfterFinish = "agent.tool_after_finish", Recoverable;
    AgentChildFinishDenied = "agent.child_finish_denied", Recoverable;
    AgentForegroundCommitRequired = "agent.foreground_commit_required", Recoverable;
    AgentChatCommitFailed = "agent.chat_commit_failed", Fatal;
    AgentInvalidWorldinfoActivationSnapshot = "agent.invalid_worldinfo_activation_snapshot", Refused;
    AgentSessionBusy = "agent.session_busy", Refused;
    AgentSessionNotFound = "agent.session_not_found", Refused;
    AgentSessionHistoryChanged = "agent.session_history_changed", Refused;
    AgentGuidanceEmpty = "agent.guidance_empty", Refused;
    AgentGuidanceTooLarge = "agent.guidance_too_large", Refused;
    AgentGuidanceMailboxFull = "agent.guidance_mailbox_full", Refused;
    AgentGuidanceMailboxClosed = "agent.guidance_mailbox_closed", Refused;
    AgentGuidanceActiveRunMissing = "agent.guidance_active_run_missing", Refused;
    AgentDelegationPolicyDenied = "agent.delegation_policy_denied", Recoverable;
    AgentHandoffPolicyDenied = "agent.handoff_policy_denied", Recoverable;
    AgentProfileCannotDelegate = "agent.profile_cannot_delegate", Recoverable;
    AgentProfileCannotHandoff = "agent.profile_cannot_handoff", Recoverable;
    AgentTargetNotCallable = "agent.target_not_callable", Recoverable;
    AgentTargetNotSubagent = "agent.target_not_subagent", Recoverable;
    AgentTargetNotHandoff = "agent.target_not_handoff", Recoverable;
    AgentTargetCallerDenied = "agent.target_caller_denied", Recoverable;
    AgentTargetProfileNotFound = "agent.target_profile_not_found", Recoverable;
    AgentAwaitTaskNotFound = "agent.await_task_not_found", Recoverable;
    AgentNoChildTasks = "agent.no_child_tasks", Recoverable;
    AgentHandoffPendingTasks = "agent.handoff_pending_tasks", Recoverable;
    AgentHandoffDepthExhausted = "agent.handoff_depth_exhausted", Recoverable;
    AgentTaskReturnDenied = "agent.task_return_denied", Recoverable;
    AgentTaskAlreadyFinished = "agent.task_already_finished", Recoverable;
    RunResumeUnknownSideEffect = "run.resume_unknown_side_effect", Refused;
    RunNotResumable = "run.not_resumable", Refused;
    StateSnapshotUnsupported = "state.snapshot_unsupported", Refused;
    StateSnapshotCorrupt = "state.snapshot_corrupt", Refused;
    StorageAppendFailed = "storage.append_failed", Fatal;
    StorageImageFailed = "storage.image_failed", Fatal;
    StorageCorrupt = "storage.corrupt", Fatal;
    ChatNotFound = "chat.not_found", Recoverable;
    ChatMessageNotFound = "chat.message_not_found", Recoverable;
    ChatInvalidMessageRange = "chat.invalid_message_range", Recoverable;
    WorldinfoActivationUnavailable = "worldinfo.activation_unavailable", Recoverable;
    WorldinfoEntryNotFound = "worldinfo.entry_not_found", Recoverable;
    WorldinfoInvalidEntryRange = "worldinfo.invalid_entry_range", Recoverable;
    WorldinfoReadTooLarge = "worldinfo.read_too_large", Recoverable;
    DiceInvalidFormula = "dice.invalid_formula", Recoverable;
    WorkspaceInvalidPath = "workspace.invalid_path", Recoverable;
    WorkspacePathNotVisible = "workspace.path_not_visible", Recoverable;
    WorkspacePathNotWritable = "workspace.path_not_writable", Recoverable;
    WorkspacePathNotFound = "workspace.path_not_found", Recoverable;
    WorkspaceFileNotFound = "workspace.file_not_found", Recoverable;
    WorkspacePathIsDirectory = "workspace.path_is_directory", Recoverable;
    WorkspacePathNotDirectory = "workspace.path_not_directory", Recoverable;
    WorkspaceNotText = "workspace.not_text", Recoverable;
    WorkspaceFileTooLarge = "workspace.file_too_large", Recoverable;
    WorkspaceStorageFull = "workspace.storage_full", Recoverable;
    WorkspaceListDepthTooLarge = "workspace.list_depth_too_large", Recoverable;
    WorkspaceSearchLimitInvalid = "workspace.search_limit_invalid", Recoverable;
    WorkspaceSearchLimitTooLarge = "workspace.search_limit_too_large", Recoverable;
    WorkspaceSearchContextTooLarge = "workspace.search_context_too_large", Recoverable;
    WorkspaceSearchIncomplete = "workspace.search_incomplete", Recoverable;
    WorkspaceInvalidLineRange = "workspace.invalid_line_range", Recoverable;
    WorkspaceWriteModeInvalid = "workspace.write_mode_invalid", Recoverable;
    WorkspaceCommitModeInvalid = "workspace.commit_mode_invalid", Recoverable;
    WorkspaceWriteRequiresRead = "workspace.write_requires_read", Recoverable;
    WorkspacePatchRequiresRead = "workspace.patch_requires_read", Recoverable;
    WorkspaceWriteStaleFile = "workspace.write_stale_file", Recoverable;
    WorkspacePatchStaleFile = "workspace.patch_stale_file", Recoverable;
    WorkspacePatchRequiresFullRead = "workspace.patch_requires_full_read", Recoverable;
    WorkspacePatchEmptyOldString = "workspace.patch_empty_old_string", Recoverable;
    WorkspacePatchNoChange = "workspace.patch_no_change", Recoverable;
    WorkspacePatchOldStringNotFound = "workspace.patch_old_string_not_found", Recoverable;
    WorkspacePatchOldStringNotUnique = "workspace.patch_old_string_not_unique", Recoverable;
    WorkspaceEditOverlap = "workspace.edit_overlap", Recoverable;
    WorkspaceRequiredArtifactEmpty = "workspace.required_artifact_empty", Recoverable;
    WorkspaceDeleteRoot = "workspace.delete_root", Recoverable;
    WorkspaceDeleteProtected = "workspace.delete_protected", Recoverable;
    WorkspaceShellExit = "workspace.shell_exit", Recoverable;
    WorkspaceShellTimeout = "workspace.shell_timeout", Recoverable;
    WorkspaceShellCancelled = "workspace.shell_cancelled", Recoverable;
    WorkspaceShellFailed = "workspace.shell_failed", Recoverable;
    WorkspaceShellBusy = "workspace.shell_busy", Recoverable;
    WorkspaceShellCommandNotFound = "workspace.shell_command_not_found", Recoverable;
    WorkspacePersistConflict = "workspace.persist_conflict", Fatal;
    WorkspaceReviewStale = "workspace.review_stale", Refused;
    WorkspaceReviewConflict = "workspace.review_conflict", Refused;
    WorkspaceRestoreExists = "workspace.restore_exists", Refused;
    WorkspaceTrashNotFound = "workspace.trash_not_found", Refused;
    ExtensionToolError = "extension.tool_error", Recoverable;
    ExtensionToolUnavailable = "extension.tool_unavailable", Recoverable;
    ExtensionCallOutcomeUnknown = "extension.call_outcome_unknown", Recoverable;
    ExtensionToolNeedsImageInput = "extension.tool_needs_image_input", Diagnostic;
    ExtensionRegistrationInvalid = "extension.registration_invalid", Refused;
    ExtensionDuplicateRegistration = "extension.duplicate_registration", Refused;
    McpToolError = "mcp.tool_error", Recoverable;
    McpServerError = "mcp.server_error", Recoverable;
    McpUnsupportedResponse = "mcp.unsupported_response", Recoverable;
    McpCallOutcomeUnknown = "mcp.call_outcome_unknown", Recoverable;
    McpToolUnavailable = "mcp.tool_unavailable", Diagnostic;
    McpRegistrationPaused = "mcp.registration_paused", Recoverable;
    McpToolDisabled = "mcp.tool_disabled", Recoverable;
    McpArgumentsTooLarge = "mcp.arguments_too_large", Recoverable;
    McpNotConnected = "mcp.not_connected", Recoverable;
    McpNotSent = "mcp.not_sent", Recoverable;
    McpCallMetadataUnsupported = "mcp.call_metadata_unsupported", Diagnostic;
    McpDefinitionChanged = "mcp.definition_changed", Diagnostic;
    SkillInvalid = "skill.invalid", Diagnostic;
    ImageEncodeFailed = "image.encode_failed", Fatal;
    ToolSearchNoMatch = "tool.search_no_match", Recoverable;
    ToolNotCallableFromCode = "tool.not_callable_from_code", Recoverable;
    ToolCodeFailed = "tool.code_failed", Recoverable;
    ToolCodeUnavailable = "tool.code_unavailable", Recoverable;
    HistoryResultNotFound = "history.result_not_found", Recoverable;
    HistoryDigestMismatch = "history.digest_mismatch", Recoverable;
    HistoryOffsetOutOfRange = "history.offset_out_of_range", Recoverable;
    BuiltinToolUnavailable = "builtin.tool_unavailable", Diagnostic;
    ToolRegistrationUnknown = "tool.registration_unknown", Refused;
    InputInvalid = "input.invalid", Refused;
    CommandInvalid = "command.invalid", Refused;
    CommandUnknown = "command.unknown", Refused;
    RunNotFound = "run.not_found", Refused;
    CallNotFound = "call.not_found", Refused;
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

// By hand: what serde derives for so many names is a match of 30 KB in each module.
impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = Code::ALL.iter().copied().find(|code| code.as_str() == text);
        known.ok_or_else(|| serde::de::Error::custom(format_args!("unknown code `{text}`")))
    }
}

#[cfg(feature = "testing")]
impl schemars::JsonSchema for Code {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        schemars::json_schema!({
            "type": "string",
            "enum": codes,
            "description": "An error code. Codes are stable: a new situation gets a new code, a code never changes what it means.",
        })
    }
}
