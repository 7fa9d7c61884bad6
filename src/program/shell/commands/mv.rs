//! `mv`, which leaves alone what it is told to leave alone.

use super::{reason, resolved};
use bashkit::{Builtin, BuiltinContext, ExecResult, FileSystem, Metadata, async_trait};
use std::fmt::Write;
use std::path::Path;

/// The command.
pub(super) struct Mv;

#[async_trait]
impl Builtin for Mv {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let call = match Call::read(ctx.args) {
            Ok(call) => call,
            Err(problem) => return Ok(ExecResult::err(format!("mv: {problem}\n"), 1)),
        };
        let target = resolved(ctx.cwd, &call.target);
        let into = !call.no_directory && is_directory(&*ctx.fs, &target).await;
        if !into && (call.sources.len() > 1 || call.directory) {
            return Ok(ExecResult::err(format!("mv: target '{}' is not a directory\n", call.target), 1));
        }
        let (mut out, mut problems) = (String::new(), String::new());
        for source in &call.sources {
            let (from, mut to, mut shown) = (resolved(ctx.cwd, source), target.clone(), call.target.clone());
            if into {
                let name = from.file_name().unwrap_or_default();
                to.push(name);
                shown = format!("{}/{}", shown.trim_end_matches('/'), name.to_string_lossy());
            }
            match call.carry(&*ctx.fs, &from, &to, (source, &shown)).await {
                Ok(true) if call.verbose => {
                    let _ = writeln!(out, "renamed '{source}' -> '{shown}'");
                }
                Ok(_) => {}
                Err(problem) => {
                    let _ = writeln!(problems, "mv: {problem}");
                }
            }
        }
        let exit_code = i32::from(!problems.is_empty());
        Ok(ExecResult { stdout: out.into(), stderr: problems.into(), exit_code, ..ExecResult::default() })
    }
}

async fn is_directory(fs: &dyn FileSystem, path: &Path) -> bool {
    fs.stat(path).await.is_ok_and(|metadata| metadata.file_type.is_dir())
}

/// What happens to a file that is in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Taken {
    Replace,
    Keep,
    /// Replaced by a newer one only.
    Update,
}

#[derive(Debug)]
struct Call {
    sources: Vec<String>,
    target: String,
    /// The target has to be a directory (`-t`).
    directory: bool,
    /// The target is never taken for a directory to move into (`-T`).
    no_directory: bool,
    taken: Taken,
    verbose: bool,
}

impl Call {
    fn read(args: &[String]) -> Result<Call, String> {
        let (mut taken, mut verbose, mut no_directory, mut directory) = (Taken::Replace, false, false, None);
        let mut sources = Vec::new();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "--" => sources.extend(rest.by_ref().cloned()),
                "--force" => taken = Taken::Replace,
                // Nobody is there who could be asked.
                "--no-clobber" | "--interactive" | "--update=none" => taken = Taken::Keep,
                "--update" | "--update=older" => taken = Taken::Update,
                "--update=all" => taken = Taken::Replace,
                "--verbose" => verbose = true,
                "--no-target-directory" => no_directory = true,
                "--strip-trailing-slashes" => {}
                "--target-directory" => directory = rest.next().cloned(),
                _ if arg.starts_with("--target-directory=") => {
                    directory = arg.strip_prefix("--target-directory=").map(str::to_owned);
                }
                _ if arg.starts_with("--") => return Err(format!("option '{arg}' is not supported")),
                _ if arg.len() > 1 && arg.starts_with('-') => {
                    let mut flags = arg.chars().skip(1);
                    while let Some(flag) = flags.next() {
                        match flag {
                            'f' => taken = Taken::Replace,
                            'n' | 'i' => taken = Taken::Keep,
                            'u' => taken = Taken::Update,
                            'v' => verbose = true,
                            'T' => no_directory = true,
                            't' => {
                                let joined: String = flags.by_ref().collect();
                                directory =
                                    if joined.is_empty() { rest.next().cloned() } else { Some(joined) };
                            }
                            _ => return Err(format!("option -{flag} is not supported")),
                        }
                    }
                }
                _ => sources.push(arg.clone()),
            }
        }
        let (target, directory) = match directory {
            Some(target) => (Some(target), true),
            None => (if sources.len() > 1 { sources.pop() } else { None }, false),
        };
        match target {
            Some(target) if !sources.is_empty() => {
                Ok(Call { sources, target, directory, no_directory, taken, verbose })
            }
            _ if sources.is_empty() => Err("missing file operand".into()),
            _ => Err(format!("missing destination file operand after '{}'", sources.concat())),
        }
    }

    /// Moves one path; false when a file that was in the way stayed.
    async fn carry(
        &self,
        fs: &dyn FileSystem,
        from: &Path,
        to: &Path,
        shown: (&str, &str),
    ) -> Result<bool, String> {
        let (source, target) = shown;
        let moved =
            fs.lstat(from).await.map_err(|error| format!("cannot stat '{source}': {}", reason(&error)))?;
        let there = fs.lstat(to).await.ok();
        if from == to {
            return Err(format!("'{source}' and '{target}' are the same file"));
        }
        if let Some(there) = &there {
            if !self.replaces(&moved, there) {
                return Ok(false);
            }
            self.clear(fs, (&moved, there), to, shown).await?;
        }
        if to.starts_with(from) {
            return Err(format!("cannot move '{source}' to a subdirectory of itself, '{target}'"));
        }
        let renamed = fs.rename(from, to).await;
        renamed
            .map(|()| true)
            .map_err(|error| format!("cannot move '{source}' to '{target}': {}", reason(&error)))
    }

    fn replaces(&self, moved: &Metadata, there: &Metadata) -> bool {
        match self.taken {
            Taken::Replace => true,
            Taken::Keep => false,
            Taken::Update => moved.modified > there.modified,
        }
    }

    /// Makes room where only a directory may be replaced by a directory, and only an empty one.
    async fn clear(
        &self,
        fs: &dyn FileSystem,
        (moved, there): (&Metadata, &Metadata),
        to: &Path,
        (source, target): (&str, &str),
    ) -> Result<(), String> {
        match (moved.file_type.is_dir(), there.file_type.is_dir()) {
            (false, false) => Ok(()),
            (false, true) => Err(format!("cannot overwrite directory '{target}' with non-directory")),
            (true, false) => {
                Err(format!("cannot overwrite non-directory '{target}' with directory '{source}'"))
            }
            (true, true) => fs
                .remove(to, false)
                .await
                .map_err(|error| format!("cannot move '{source}' to '{target}': {}", reason(&error))),
        }
    }
}
