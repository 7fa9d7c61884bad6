//! What models are told when the workspace says no: the problem, then what to do (ER-02). Another tool is named only
//! if it is bound.

use super::text::first_chars;
use super::{Roots, WorkspacePath};
use crate::protocol::{BoundNames, Code, Refusal};

/// Characters of a path that is none, as it is shown.
const ECHO_CHARS: usize = 200;

/// A number with thousands separators.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// ` with <name>` for a bound tool, nothing otherwise.
pub(crate) fn with(names: &BoundNames, native: &str) -> String {
    names.of(native).map(|name| format!(" with {name}")).unwrap_or_default()
}

/// `List <where>[ with <tool>] to see what is there.`
fn list_parent(path: &WorkspacePath, names: &BoundNames) -> String {
    let parent = path.parent().map_or_else(|| "the workspace".to_owned(), |parent| format!("{parent}/"));
    format!("List {parent}{} to see what is there.", with(names, "workspace.list_files"))
}

fn slashed(names: impl Iterator<Item = &'static str>) -> String {
    let shown: Vec<String> = names.map(|name| format!("{name}/")).collect();
    if shown.is_empty() { "nothing".into() } else { shown.join(", ") }
}

pub(super) fn invalid_path(text: &str, why: &str) -> Refusal {
    let shown = first_chars(text, ECHO_CHARS);
    Refusal::new(
        Code::WorkspaceInvalidPath,
        format!(
            "`{shown}` is no path of this workspace: {why}. Use a relative path below a root, without `..`, for \
             example output/notes.md."
        ),
    )
}

pub(super) fn not_visible(path: &WorkspacePath, roots: &Roots) -> Refusal {
    let visible = slashed(roots.visible());
    Refusal::new(
        Code::WorkspacePathNotVisible,
        format!("{path} is not visible here. Use a path in one of: {visible}."),
    )
}

pub(super) fn not_writable(path: &WorkspacePath, roots: &Roots) -> Refusal {
    let writable = slashed(roots.writable());
    Refusal::new(
        Code::WorkspacePathNotWritable,
        format!("{path} cannot be written. Use a path below one of: {writable}."),
    )
}

/// A place that takes no files by itself: the top level, or one the runtime fills.
pub(super) fn no_place(path: &WorkspacePath) -> Refusal {
    Refusal::new(
        Code::WorkspacePathNotWritable,
        format!("{path} cannot be written. Use a path below a writable root."),
    )
}

/// A place that is not the runtime's own.
pub(super) fn no_record(path: &WorkspacePath) -> Refusal {
    Refusal::new(Code::WorkspacePathNotWritable, format!("{path} is no place for what the runtime keeps."))
}

/// Nothing stands at a path that may be a directory.
pub(crate) fn path_not_found(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    Refusal::new(Code::WorkspacePathNotFound, format!("{path} does not exist. {}", list_parent(path, names)))
}

/// Nothing stands at the path of a file.
pub(crate) fn file_not_found(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    Refusal::new(Code::WorkspaceFileNotFound, format!("{path} does not exist. {}", list_parent(path, names)))
}

/// A directory stands where a file is to be read.
pub(crate) fn read_directory(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    let list = with(names, "workspace.list_files");
    Refusal::new(
        Code::WorkspacePathIsDirectory,
        format!("{path} is a directory, not a file. List it{list}, then name a file in it."),
    )
}

pub(crate) fn is_directory(path: &WorkspacePath) -> Refusal {
    Refusal::new(
        Code::WorkspacePathIsDirectory,
        format!("{path} is a directory, not a file. Name a file, for example {path}/notes.md."),
    )
}

/// A file stands where a directory is needed.
pub(crate) fn not_directory(path: &WorkspacePath) -> Refusal {
    Refusal::new(
        Code::WorkspacePathNotDirectory,
        format!(
            "{path} leads through a file, or names one, where a directory is needed. Choose another path."
        ),
    )
}

/// The bytes of a file are no text.
pub(crate) fn not_text(path: &WorkspacePath) -> Refusal {
    Refusal::new(
        Code::WorkspaceNotText,
        format!("{path} is not UTF-8 text, so this tool cannot show or change it. Choose a text file."),
    )
}

pub(crate) fn file_too_large(path: &WorkspacePath, limit: usize) -> Refusal {
    let limit = grouped(limit as u64);
    Refusal::new(
        Code::WorkspaceFileTooLarge,
        format!(
            "{path} would be larger than {limit} bytes, the most a file may have. Split it into several files."
        ),
    )
}

pub(super) fn directory_full(path: &WorkspacePath, limit: usize) -> Refusal {
    let limit = grouped(limit as u64);
    storage_full(format!(
        "The directory that {path} would be put into already has {limit} entries, the most it may have."
    ))
}

pub(super) fn too_many_entries(limit: u64) -> Refusal {
    let limit = grouped(limit);
    storage_full(format!(
        "The workspace would have more than {limit} files and directories, the most it may have."
    ))
}

pub(super) fn too_many_bytes(limit: u64) -> Refusal {
    let limit = grouped(limit);
    storage_full(format!("The workspace would be larger than {limit} bytes, the most it may have."))
}

pub(super) fn records_full() -> Refusal {
    storage_full("There is no room left for what the runtime keeps of the calls.".into())
}

fn storage_full(problem: String) -> Refusal {
    Refusal::new(
        Code::WorkspaceStorageFull,
        format!("{problem} Nothing was written; remove files that are not needed, or write less."),
    )
}

/// A file is to be replaced that this invocation never read.
pub(crate) fn write_requires_read(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    let read = with(names, "workspace.read_file");
    Refusal::new(
        Code::WorkspaceWriteRequiresRead,
        format!("{path} exists and has not been read. Read it first{read}, then write it; or append to it."),
    )
}

/// A file is to be replaced that has changed since it was read.
pub(crate) fn write_stale(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    Refusal::new(Code::WorkspaceWriteStaleFile, stale(path, names))
}

/// A file is to be patched that has changed since it was read.
pub(crate) fn patch_stale(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    Refusal::new(Code::WorkspacePatchStaleFile, stale(path, names))
}

fn stale(path: &WorkspacePath, names: &BoundNames) -> String {
    let read = with(names, "workspace.read_file");
    format!("{path} has changed since it was read. Read it again{read}, then repeat the change.")
}

/// A file is to be replaced that is gone.
pub(crate) fn write_gone(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    Refusal::new(Code::WorkspaceWriteStaleFile, gone(path, names))
}

/// A file is to be patched that is gone.
pub(crate) fn patch_gone(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    Refusal::new(Code::WorkspacePatchStaleFile, gone(path, names))
}

fn gone(path: &WorkspacePath, names: &BoundNames) -> String {
    format!("{path} no longer exists, although it was read. {}", list_parent(path, names))
}
