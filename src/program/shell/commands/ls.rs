//! `ls`: one name on a line, and the long form of GNU.

mod options;

use super::calendar::Moment;
use super::{reason, resolved};
use crate::program::port::Port;
use bashkit::time::SystemTime;
use bashkit::{Builtin, BuiltinContext, DirEntry, ExecResult, FileSystem, FileType, Metadata, async_trait};
use options::{Dates, Hidden, Marks, Options, Sort};
use std::cmp::Reverse;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The command; the port is its clock.
pub(super) struct Ls(pub &'static dyn Port);

/// What a directory takes on the disk of other systems, which is what their `ls` shows for one.
pub(super) const DIRECTORY_BYTES: u64 = 4_096;
/// Files older than this show their year, newer ones their time.
const HALF_YEAR_SECONDS: i64 = 15_778_476;

#[async_trait]
impl Builtin for Ls {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let (options, mut operands) = match Options::read(ctx.args) {
            Ok(read) => read,
            Err(problem) => return Ok(ExecResult::err(format!("ls: {problem}\n"), 2)),
        };
        if operands.is_empty() {
            operands.push(".");
        }
        let now = (self.0.now() / 1000.0) as i64;
        let mut listing = Listing { fs: &*ctx.fs, options, now, out: String::new(), problems: String::new() };
        listing.operands(ctx.cwd, &operands).await;
        let exit_code = if listing.problems.is_empty() { 0 } else { 2 };
        let (stdout, stderr) = (listing.out.into(), listing.problems.into());
        Ok(ExecResult { stdout, stderr, exit_code, ..ExecResult::default() })
    }
}

struct Listing<'a> {
    fs: &'a dyn FileSystem,
    options: Options,
    now: i64,
    out: String,
    problems: String,
}

struct Directory {
    path: PathBuf,
    /// As it is written above its entries.
    title: String,
}

impl Listing<'_> {
    async fn operands(&mut self, cwd: &Path, operands: &[&str]) {
        let mut files = Vec::new();
        let mut directories = Vec::new();
        for operand in operands {
            let path = resolved(cwd, operand);
            match self.fs.stat(&path).await {
                Ok(metadata) if metadata.file_type.is_dir() && !self.options.directory => {
                    directories.push(DirEntry { name: (*operand).into(), metadata });
                }
                Ok(metadata) => files.push(DirEntry { name: (*operand).into(), metadata }),
                Err(error) => self.refused(operand, &error),
            }
        }
        self.options.sort(&mut files);
        self.rows(&files, false);
        self.options.sort(&mut directories);
        let titled = self.options.recursive || operands.len() > 1;
        let mut open: Vec<Directory> = directories
            .into_iter()
            .rev()
            .map(|entry| Directory { path: resolved(cwd, &entry.name), title: entry.name })
            .collect();
        while let Some(directory) = open.pop() {
            let entries = match self.entries(&directory.path).await {
                Ok(entries) => entries,
                Err(error) => {
                    self.refused(&directory.title, &error);
                    continue;
                }
            };
            if titled {
                let gap = if self.out.is_empty() { "" } else { "\n" };
                let _ = writeln!(self.out, "{gap}{}:", directory.title);
            }
            self.rows(&entries, true);
            if self.options.recursive {
                let below = entries.iter().rev().filter(|entry| entry.metadata.file_type.is_dir());
                open.extend(below.filter(|entry| entry.name != "." && entry.name != "..").map(|entry| {
                    Directory {
                        path: directory.path.join(&entry.name),
                        title: format!("{}/{}", directory.title.trim_end_matches('/'), entry.name),
                    }
                }));
            }
        }
    }

    fn refused(&mut self, name: &str, error: &bashkit::Error) {
        let _ = writeln!(self.problems, "ls: cannot access '{name}': {}", reason(error));
    }

    async fn entries(&self, path: &Path) -> bashkit::Result<Vec<DirEntry>> {
        let mut entries = self.fs.read_dir(path).await?;
        if self.options.hidden == Hidden::Left {
            entries.retain(|entry| !entry.name.starts_with('.'));
        }
        self.options.sort(&mut entries);
        if self.options.hidden == Hidden::All {
            let above = path.parent().unwrap_or(path);
            let dots = [(".", path), ("..", above)];
            for (at, (name, path)) in dots.into_iter().enumerate() {
                let entry = DirEntry { name: name.into(), metadata: self.fs.stat(path).await? };
                let place = if self.options.reverse { entries.len() - at } else { at };
                entries.insert(place, entry);
            }
        }
        Ok(entries)
    }

    fn rows(&mut self, entries: &[DirEntry], inside: bool) {
        if !self.options.long {
            for entry in entries {
                let separator = if self.options.commas { ", " } else { "\n" };
                let _ =
                    write!(self.out, "{}{}{}{separator}", self.blocks(entry), entry.name, self.mark(entry));
            }
            if self.options.commas && self.out.ends_with(", ") {
                self.out.truncate(self.out.len() - 2);
                self.out.push('\n');
            }
            return;
        }
        if inside {
            let total = entries.iter().map(|entry| blocks(&entry.metadata)).sum::<u64>();
            let shown = if self.options.human { human(total * 1024) } else { total.to_string() };
            let _ = writeln!(self.out, "total {shown}");
        }
        let sizes: Vec<String> = entries.iter().map(|entry| self.size(&entry.metadata)).collect();
        let width = sizes.iter().map(String::len).max().unwrap_or_default();
        for (entry, size) in entries.iter().zip(sizes) {
            let links = if entry.metadata.file_type.is_dir() { 2 } else { 1 };
            let _ = write!(self.out, "{}{} {links}", self.blocks(entry), mode(&entry.metadata));
            for shown in self.options.owners() {
                let _ = write!(self.out, " {shown}");
            }
            let date = self.date(entry.metadata.modified);
            let _ = writeln!(self.out, " {size:>width$} {date} {}{}", entry.name, self.mark(entry));
        }
    }

    fn blocks(&self, entry: &DirEntry) -> String {
        if self.options.blocks { format!("{} ", blocks(&entry.metadata)) } else { String::new() }
    }

    fn size(&self, metadata: &Metadata) -> String {
        let bytes = shown_size(metadata);
        if self.options.human { human(bytes) } else { bytes.to_string() }
    }

    fn mark(&self, entry: &DirEntry) -> &'static str {
        match (self.options.marks, entry.metadata.file_type) {
            (Marks::Slash | Marks::Types | Marks::All, FileType::Directory) => "/",
            (Marks::Types | Marks::All, FileType::Symlink) => "@",
            (Marks::Types | Marks::All, FileType::Fifo) => "|",
            (Marks::All, FileType::File) if entry.metadata.mode & 0o111 != 0 => "*",
            _ => "",
        }
    }

    fn date(&self, modified: SystemTime) -> String {
        let moment = Moment::of(modified);
        let Moment { year, month, day, hour, minute, .. } = moment;
        let age = self.now - moment.seconds();
        let recent = (-60..HALF_YEAR_SECONDS).contains(&age);
        match self.options.dates {
            Dates::Full => moment.full(),
            Dates::LongIso => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"),
            Dates::Iso if recent => format!("{month:02}-{day:02} {hour:02}:{minute:02}"),
            Dates::Iso => format!("{year:04}-{month:02}-{day:02} "),
            Dates::Locale if recent => format!("{} {day:>2} {hour:02}:{minute:02}", moment.month_name()),
            Dates::Locale => format!("{} {day:>2}  {year:04}", moment.month_name()),
        }
    }
}

impl Options {
    fn sort(&self, entries: &mut [DirEntry]) {
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        match self.sort {
            Sort::Name | Sort::None => {}
            Sort::Time => entries.sort_by_key(|entry| Reverse(entry.metadata.modified)),
            Sort::Size => entries.sort_by_key(|entry| Reverse(shown_size(&entry.metadata))),
            Sort::Extension => entries.sort_by_key(|entry| {
                entry.name.rsplit_once('.').map(|(_, extension)| extension.to_owned()).unwrap_or_default()
            }),
        }
        if self.reverse {
            entries.reverse();
        }
        if self.directories_first {
            entries.sort_by_key(|entry| !entry.metadata.file_type.is_dir());
        }
    }
}

/// The size that is shown for a path.
pub(super) fn shown_size(metadata: &Metadata) -> u64 {
    if metadata.file_type.is_dir() { DIRECTORY_BYTES } else { metadata.size }
}

/// Blocks of 1 KiB on a disk of 4 KiB pages.
fn blocks(metadata: &Metadata) -> u64 {
    shown_size(metadata).div_ceil(4_096) * 4
}

/// `-rw-r--r--`
pub(super) fn mode(metadata: &Metadata) -> String {
    let kind = match metadata.file_type {
        FileType::Directory => 'd',
        FileType::Symlink => 'l',
        FileType::Fifo => 'p',
        FileType::File => '-',
    };
    let bits = "rwxrwxrwx".chars().enumerate();
    let bits = bits.map(|(at, letter)| if metadata.mode >> (8 - at) & 1 == 1 { letter } else { '-' });
    std::iter::once(kind).chain(bits).collect()
}

/// `1.5K`: rounded up, with one digit behind the point below 10.
fn human(bytes: u64) -> String {
    let mut unit = 1u128;
    let bytes = u128::from(bytes);
    for letter in ["", "K", "M", "G", "T"] {
        let tenths = (bytes * 10).div_ceil(unit);
        if letter.is_empty() && bytes < 1024 {
            return bytes.to_string();
        }
        if !letter.is_empty() && tenths < 100 {
            return format!("{}.{}{letter}", tenths / 10, tenths % 10);
        }
        let whole = bytes.div_ceil(unit);
        if !letter.is_empty() && whole < 1024 {
            return format!("{whole}{letter}");
        }
        unit *= 1024;
    }
    format!("{}P", bytes.div_ceil(unit))
}
