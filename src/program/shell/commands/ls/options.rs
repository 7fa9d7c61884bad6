//! The options of `ls`.

/// Names that begin with a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hidden {
    /// Left out.
    Left,
    /// Listed, but for `.` and `..`.
    Almost,
    /// All listed.
    All,
}

/// What the entries are sorted by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sort {
    Name,
    Time,
    Size,
    Extension,
    None,
}

/// Signs behind names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Marks {
    None,
    /// `/` behind directories.
    Slash,
    /// All but `*` behind programs.
    Types,
    All,
}

/// How dates are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dates {
    Locale,
    Iso,
    LongIso,
    Full,
}

/// A call of `ls`.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub hidden: Hidden,
    pub long: bool,
    pub commas: bool,
    pub reverse: bool,
    pub recursive: bool,
    pub directory: bool,
    pub human: bool,
    pub blocks: bool,
    pub directories_first: bool,
    pub sort: Sort,
    pub marks: Marks,
    pub dates: Dates,
    owner: bool,
    group: bool,
    numeric: bool,
}

impl Options {
    /// The options and the operands of a call, or what is wrong with it.
    pub(super) fn read(args: &[String]) -> Result<(Options, Vec<&str>), String> {
        let mut options = Options {
            hidden: Hidden::Left,
            long: false,
            commas: false,
            reverse: false,
            recursive: false,
            directory: false,
            human: false,
            blocks: false,
            directories_first: false,
            sort: Sort::Name,
            marks: Marks::None,
            dates: Dates::Locale,
            owner: true,
            group: true,
            numeric: false,
        };
        let mut operands = Vec::new();
        let mut rest = args.iter().map(String::as_str);
        while let Some(arg) = rest.next() {
            if arg == "--" {
                operands.extend(rest.by_ref());
            } else if let Some(long) = arg.strip_prefix("--") {
                options.long_option(long)?;
            } else if arg.len() > 1 && arg.starts_with('-') {
                arg.chars().skip(1).try_for_each(|flag| options.flag(flag))?;
            } else {
                operands.push(arg);
            }
        }
        Ok((options, operands))
    }

    /// The names that stand for the owner and the group (WS-13: there are none).
    pub(super) fn owners(&self) -> impl Iterator<Item = &'static str> {
        let name = if self.numeric { "1000" } else { "agent" };
        [self.owner, self.group].into_iter().filter(|shown| *shown).map(move |_| name)
    }

    fn flag(&mut self, flag: char) -> Result<(), String> {
        match flag {
            'a' => self.hidden = Hidden::All,
            'A' => self.hidden = Hidden::Almost,
            'l' => self.long = true,
            'r' => self.reverse = true,
            't' => self.sort = Sort::Time,
            'S' => self.sort = Sort::Size,
            'X' => self.sort = Sort::Extension,
            'U' | 'f' => self.sort = Sort::None,
            'R' => self.recursive = true,
            'd' => self.directory = true,
            'h' => self.human = true,
            's' => self.blocks = true,
            'p' => self.marks = Marks::Slash,
            'F' => self.marks = Marks::All,
            'm' => self.commas = true,
            'n' => (self.long, self.numeric) = (true, true),
            'g' => (self.long, self.owner) = (true, false),
            'o' => (self.long, self.group) = (true, false),
            'G' => self.group = false,
            // One name on a line is what there is; links, colours and the width of a screen are not.
            '1' | 'C' | 'x' | 'k' | 'q' | 'N' | 'b' | 'H' | 'L' | 'c' | 'u' | 'v' => {}
            'i' => return Err("option -i is not supported: files have no inode here".into()),
            other => return Err(format!("invalid option -- '{other}'")),
        }
        Ok(())
    }

    fn long_option(&mut self, long: &str) -> Result<(), String> {
        let (name, value) = long.split_once('=').unwrap_or((long, ""));
        match (name, value) {
            ("all", _) => self.hidden = Hidden::All,
            ("almost-all", _) => self.hidden = Hidden::Almost,
            ("reverse", _) => self.reverse = true,
            ("recursive", _) => self.recursive = true,
            ("directory", _) => self.directory = true,
            ("human-readable" | "si", _) => self.human = true,
            ("size", _) => self.blocks = true,
            ("no-group", _) => self.group = false,
            ("numeric-uid-gid", _) => (self.long, self.numeric) = (true, true),
            ("group-directories-first", _) => self.directories_first = true,
            ("classify", _) | ("indicator-style", "classify") => self.marks = Marks::All,
            ("file-type", _) | ("indicator-style", "file-type") => self.marks = Marks::Types,
            ("indicator-style", "slash") => self.marks = Marks::Slash,
            ("sort", "time") => self.sort = Sort::Time,
            ("sort", "size") => self.sort = Sort::Size,
            ("sort", "extension") => self.sort = Sort::Extension,
            ("sort", "none") => self.sort = Sort::None,
            ("format", "long") => self.long = true,
            ("format", "commas") => self.commas = true,
            ("full-time", _) => (self.long, self.dates) = (true, Dates::Full),
            ("time-style", "full-iso") => self.dates = Dates::Full,
            ("time-style", "long-iso") => self.dates = Dates::LongIso,
            ("time-style", "iso") => self.dates = Dates::Iso,
            ("sort", "name") | ("color" | "colour" | "hyperlink", _) | ("format", "single-column") => {}
            ("time-style", "locale")
            | ("indicator-style", "none")
            | ("literal" | "hide-control-chars", _) => {}
            _ => return Err(format!("unrecognized option '--{long}'")),
        }
        Ok(())
    }
}
