//! `stat`: what is known of a file, in the words of GNU.

use super::calendar::Moment;
use super::ls::{mode, shown_size};
use super::{reason, resolved};
use bashkit::{Builtin, BuiltinContext, ExecResult, FileType, Metadata, async_trait};
use std::fmt::Write;

/// The command.
pub(super) struct Stat;

#[async_trait]
impl Builtin for Stat {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let mut format = None;
        let mut operands = Vec::new();
        let mut rest = ctx.args.iter().map(String::as_str);
        while let Some(arg) = rest.next() {
            match arg {
                "-c" | "--format" => format = rest.next().map(|text| format!("{text}\n")),
                "--printf" => format = rest.next().map(escaped),
                "-L" | "--dereference" => {}
                "--" => operands.extend(rest.by_ref()),
                _ if arg.starts_with("--format=") => {
                    format = arg.strip_prefix("--format=").map(|text| format!("{text}\n"))
                }
                _ if arg.starts_with("--printf=") => format = arg.strip_prefix("--printf=").map(escaped),
                _ if arg.starts_with("-c") => format = arg.strip_prefix("-c").map(|text| format!("{text}\n")),
                _ if arg.starts_with('-') && arg.len() > 1 => {
                    return Ok(ExecResult::err(
                        format!("stat: option '{arg}' is not supported; use -c FORMAT\n"),
                        1,
                    ));
                }
                _ => operands.push(arg),
            }
        }
        if operands.is_empty() {
            return Ok(ExecResult::err("stat: missing operand\n", 1));
        }
        let format = format.as_deref().unwrap_or(DEFAULT);
        let (mut out, mut problems) = (String::new(), String::new());
        for name in operands {
            let result = match ctx.fs.lstat(&resolved(ctx.cwd, name)).await {
                Ok(metadata) => show(&mut out, format, name, &metadata),
                Err(error) => Err(format!("cannot statx '{name}': {}", reason(&error))),
            };
            if let Err(problem) = result {
                let _ = writeln!(problems, "stat: {problem}");
            }
        }
        let exit_code = i32::from(!problems.is_empty());
        Ok(ExecResult { stdout: out.into(), stderr: problems.into(), exit_code, ..ExecResult::default() })
    }
}

const DEFAULT: &str = "  File: %n\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Dh/%dd\tInode: %-10i  Links: %h\n\
    Access: (%04a/%A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n";

fn show(out: &mut String, format: &str, name: &str, metadata: &Metadata) -> Result<(), String> {
    let mut chars = format.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '%' {
            out.push(char);
            continue;
        }
        let mut flags = String::new();
        while let Some(flag) =
            chars.next_if(|char| "-+ 0#".contains(*char) || char.is_ascii_digit() || *char == '.')
        {
            flags.push(flag);
        }
        let directive = chars.next().unwrap_or('%');
        let value =
            value(directive, name, metadata).ok_or_else(|| format!("%{directive} is not supported"))?;
        let width = flags
            .trim_start_matches(['-', '+', ' ', '0', '#'])
            .parse::<usize>()
            .unwrap_or_default()
            .min(1_000);
        let _ = if flags.starts_with('-') {
            write!(out, "{value:<width$}")
        } else if flags.starts_with('0') {
            write!(out, "{value:0>width$}")
        } else {
            write!(out, "{value:>width$}")
        };
    }
    Ok(())
}

fn value(directive: char, name: &str, metadata: &Metadata) -> Option<String> {
    let moment = Moment::of(metadata.modified);
    let size = shown_size(metadata);
    Some(match directive {
        '%' => "%".into(),
        'n' => name.into(),
        'N' => format!("'{name}'"),
        's' => size.to_string(),
        'b' => (size.div_ceil(4_096) * 8).to_string(),
        'B' => "512".into(),
        'o' => "4096".into(),
        'F' => match metadata.file_type {
            FileType::Directory => "directory",
            FileType::Symlink => "symbolic link",
            FileType::Fifo => "fifo",
            FileType::File if metadata.size == 0 => "regular empty file",
            FileType::File => "regular file",
        }
        .into(),
        'a' => format!("{:o}", metadata.mode & 0o7777),
        'A' => mode(metadata),
        'f' => format!(
            "{:x}",
            metadata.mode & 0o7777 | if metadata.file_type.is_dir() { 0o40_000 } else { 0o100_000 }
        ),
        'h' => if metadata.file_type.is_dir() { "2" } else { "1" }.into(),
        'u' | 'g' => "1000".into(),
        'U' | 'G' => "agent".into(),
        // There is one disk, without inodes.
        'd' | 'D' => "1".into(),
        'i' => "1".into(),
        'm' => "/".into(),
        't' | 'T' => "0".into(),
        'x' | 'y' | 'z' => moment.full(),
        'X' | 'Y' | 'Z' => moment.seconds().to_string(),
        'w' => "-".into(),
        'W' => "0".into(),
        _ => return None,
    })
}

/// `--printf` reads `\n` and the like.
fn escaped(format: &str) -> String {
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('0') => out.push('\0'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}
