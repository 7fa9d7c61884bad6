//! `rm`, which says what it could not remove, also with `-f`: what is protected stays (FC-54).

use super::{reason, resolved};
use bashkit::{Builtin, BuiltinContext, Error, ExecResult, FileSystem, async_trait};
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::Path;

/// The command.
pub(super) struct Rm;

#[async_trait]
impl Builtin for Rm {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let (options, operands) = match Options::read(ctx.args) {
            Ok(read) => read,
            Err(problem) => return Ok(ExecResult::err(format!("rm: {problem}\n"), 1)),
        };
        if operands.is_empty() && !options.force {
            return Ok(ExecResult::err("rm: missing operand\n", 1));
        }
        let (mut out, mut problems) = (String::new(), String::new());
        for name in operands {
            match options.remove(&*ctx.fs, &resolved(ctx.cwd, name), name).await {
                Ok(Some(kind)) if options.verbose => {
                    let _ = writeln!(out, "removed {kind}'{name}'");
                }
                Ok(_) => {}
                Err(problem) => {
                    let _ = writeln!(problems, "rm: {problem}");
                }
            }
        }
        let exit_code = i32::from(!problems.is_empty());
        Ok(ExecResult { stdout: out.into(), stderr: problems.into(), exit_code, ..ExecResult::default() })
    }
}

#[derive(Debug, Default)]
struct Options {
    recursive: bool,
    directories: bool,
    force: bool,
    verbose: bool,
}

impl Options {
    fn read(args: &[String]) -> Result<(Options, Vec<&str>), String> {
        let mut options = Options::default();
        let mut operands = Vec::new();
        let mut rest = args.iter().map(String::as_str);
        while let Some(arg) = rest.next() {
            match arg {
                "--" => operands.extend(rest.by_ref()),
                "--recursive" => options.recursive = true,
                "--force" => options.force = true,
                "--dir" => options.directories = true,
                "--verbose" => options.verbose = true,
                // Nobody is there who could be asked, and there is one file system.
                "--interactive=never" | "--preserve-root" | "--no-preserve-root" | "--one-file-system" => {}
                _ if arg.starts_with("--") => return Err(format!("option '{arg}' is not supported")),
                _ if arg.len() > 1 && arg.starts_with('-') => {
                    for flag in arg.chars().skip(1) {
                        match flag {
                            'r' | 'R' => options.recursive = true,
                            'f' => options.force = true,
                            'd' => options.directories = true,
                            'v' => options.verbose = true,
                            'I' => {}
                            'i' => return Err("option -i is not supported: nobody can be asked".into()),
                            _ => return Err(format!("invalid option -- '{flag}'")),
                        }
                    }
                }
                _ => operands.push(arg),
            }
        }
        Ok((options, operands))
    }

    /// What was removed, in words; nothing when there was nothing and that is no matter.
    async fn remove(
        &self,
        fs: &dyn FileSystem,
        path: &Path,
        name: &str,
    ) -> Result<Option<&'static str>, String> {
        let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        if matches!(last, "." | "..") {
            return Err(format!("refusing to remove '.' or '..' directory: skipping '{name}'"));
        }
        if path == Path::new("/") {
            return Err("it is dangerous to operate recursively on '/'".into());
        }
        let failed = |error: &Error| format!("cannot remove '{name}': {}", reason(error));
        let found = match fs.lstat(path).await {
            Ok(metadata) => metadata,
            Err(error) if self.force && is_absent(&error) => return Ok(None),
            Err(error) => return Err(failed(&error)),
        };
        let directory = found.file_type.is_dir();
        if directory && !self.recursive && !self.directories {
            return Err(format!("cannot remove '{name}': Is a directory"));
        }
        fs.remove(path, directory && self.recursive).await.map_err(|error| failed(&error))?;
        Ok(Some(if directory { "directory " } else { "" }))
    }
}

fn is_absent(error: &Error) -> bool {
    matches!(error, Error::Io(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}
