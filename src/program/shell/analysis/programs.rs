//! The programs of which is known what their words mean. Any other may do anything.

/// What the words of a program say about files.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// These paths, and whether they are written; nothing else.
    Known(Vec<(bool, String)>),
    /// Not only what can be seen.
    Unknown,
}

#[derive(Clone, Copy)]
enum Files {
    /// No files at all.
    None,
    /// Every operand is read.
    Read,
    /// Every operand is written, or gone afterwards.
    Written,
    /// The first is no file, the others are read.
    ReadAfterFirst,
    /// The last is written, the others are read.
    Copied,
    /// The same, and the others are gone.
    Moved,
}

/// Names, what their operands are, and the short options that change that.
const PROGRAMS: [(&str, Files, &str); 12] = [
    (
        ": [ arch basename cd dirname echo exit expr false hostname id nproc printf pwd seq sleep test tr true uname \
         wait whoami yes",
        Files::None,
        "",
    ),
    ("date", Files::None, "frs"),
    ("cat comm cut diff cmp fold head join ls nl od paste rev stat tac tail wc", Files::Read, ""),
    ("base64 column du expand file readlink realpath strings unexpand", Files::Read, ""),
    ("cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum", Files::Read, "c"),
    ("sort", Files::Read, "oST"),
    ("egrep fgrep grep", Files::ReadAfterFirst, "ef"),
    ("mkdir rmdir rm unlink", Files::Written, ""),
    ("chmod ln tee truncate", Files::Written, "rtS"),
    ("touch", Files::Written, "r"),
    ("cp", Files::Copied, "tS"),
    ("mv", Files::Moved, "tS"),
];

/// The name of a program; of one in a directory of programs that without it. `None`: it is a file, or a word that is
/// more than a name.
pub(super) fn name_of(path: &str) -> Option<&str> {
    let directories = ["/bin/", "/usr/bin/"];
    let name = directories.iter().find_map(|directory| path.strip_prefix(directory)).unwrap_or(path);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | ':');
    (name == "[" || (!name.is_empty() && name.chars().all(is_plain))).then_some(name)
}

/// Whether a word is a path and no pattern for several.
pub(super) fn is_plain_path(path: &str) -> bool {
    let is_pattern = ["!(", "@(", "+("].iter().any(|sign| path.contains(sign));
    !path.is_empty() && !is_pattern && !path.contains(['*', '?', '[', ']', '{', '}', '~', '\\', '\0', '\n'])
}

/// The files that a program of these words reads and writes.
pub(super) fn paths_of(name: &str, words: &[&str]) -> Operands {
    let row = PROGRAMS.iter().find(|(names, ..)| names.split(' ').any(|known| known == name));
    let Some((_, files, changing)) = row else {
        return if name == "find" { found(words) } else { Operands::Unknown };
    };
    if matches!(files, Files::None) && changing.is_empty() {
        // `-v` of these is about a variable, whose subscript may hold a command.
        let about_variable = words.contains(&"-v") || words.iter().any(|word| word.starts_with("-v"));
        return if about_variable { Operands::Unknown } else { Operands::Known(Vec::new()) };
    }
    let options = words.iter().take_while(|word| **word != "--").filter(|word| word.starts_with('-'));
    let changes = |option: &str| {
        // A long option may be any, and bring a file with it.
        option.starts_with("--") || option.contains(|letter| changing.contains(letter))
    };
    if options.clone().any(|option| changes(option)) {
        return Operands::Unknown;
    }
    let operands = operands(words);
    let all = |writes: bool, paths: &[&str]| paths.iter().map(|path| (writes, (*path).to_owned())).collect();
    Operands::Known(match (files, operands.as_slice()) {
        (Files::None, _) => Vec::new(),
        (Files::Read, paths) => all(false, paths),
        (Files::Written, paths) => all(true, paths),
        (Files::ReadAfterFirst, paths) => all(false, paths.get(1..).unwrap_or_default()),
        (Files::Copied, [sources @ .., target]) => transferred(false, sources, target),
        (Files::Moved, [sources @ .., target]) => transferred(true, sources, target),
        (Files::Copied | Files::Moved, []) => Vec::new(),
    })
}

/// Files that go to a place, or into it if it is a directory.
fn transferred(writes: bool, sources: &[&str], target: &str) -> Vec<(bool, String)> {
    let mut paths = vec![(true, target.to_owned())];
    for source in sources {
        let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        paths.push((writes, (*source).to_owned()));
        paths.push((true, format!("{}/{name}", target.trim_end_matches('/'))));
    }
    paths
}

/// Everything that is no option. The value of an option counts: it may be a path.
fn operands<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut only_operands = false;
    let mut operands = Vec::new();
    for word in words {
        if !only_operands && *word == "--" {
            only_operands = true;
        } else if only_operands || !word.starts_with('-') || *word == "-" {
            operands.push(*word);
        }
    }
    operands
}

/// `find` reads below the paths before its first condition, unless a condition does more.
fn found(words: &[&str]) -> Operands {
    let acts = ["-exec", "-ok", "-delete", "-fprint", "-fls", "-files0"];
    if words.iter().any(|word| acts.iter().any(|act| word.starts_with(act))) {
        return Operands::Unknown;
    }
    let paths = words.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
    Operands::Known(paths.map(|path| (false, (*path).to_owned())).collect())
}
