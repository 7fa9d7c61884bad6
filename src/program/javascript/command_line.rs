//! The command line of `js`, `node` and `deno` (SH-31, SH-37): what is to be run, and with which arguments.

/// The text that `--version` prints: the release of Node whose library the scripts find here.
pub(crate) const VERSION: &str = "v20.0.0";

/// What `--help` prints.
pub(crate) const HELP: &str = "\
usage: js FILE [ARGUMENT...]      run a file of the workspace
       js -e CODE [ARGUMENT...]   run CODE (-p prints its value)
       js - [ARGUMENT...]         run the program on standard input
       js FILE --call NAME --args-json JSON
                                  import FILE, call its export, print the JSON of what it returns
ES modules and CommonJS of the workspace, no network, no npm packages, no TypeScript.
";

/// Options of Node and Deno that change nothing here; with a value when they end in `=`.
const IGNORED: [&str; 18] = [
    "--no-warnings",
    "--no-deprecation",
    "--enable-source-maps",
    "--unhandled-rejections=",
    "--max-old-space-size=",
    "--stack-size=",
    "--stack-trace-limit=",
    "--experimental-",
    "--no-experimental-",
    "--trace-",
    "--harmony",
    "--preserve-symlinks",
    "--allow-",
    "--deny-",
    "--quiet",
    "--no-check",
    "--no-prompt",
    "--env-file=",
];

/// How the text of a program is read, when its name does not say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// By looking: `import`, `export` or a top-level `await` make it a module.
    #[default]
    Either,
    /// An ES module.
    Module,
    /// CommonJS.
    Common,
}

/// What is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Code of the command line.
    Code {
        /// Its text.
        code: String,
        /// Its value is printed.
        print: bool,
    },
    /// The program on standard input.
    Stdin,
    /// A file of the workspace.
    File(String),
    /// An export of a file, called with arguments (SH-37).
    Call {
        /// The file.
        file: String,
        /// The export.
        name: String,
        /// A JSON array of arguments, or one value.
        arguments: String,
    },
    /// A file is parsed and nothing is run.
    Check(String),
    /// Only this text is printed.
    Text(&'static str),
}

/// A command line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandLine {
    /// What is to be run.
    pub entry: Entry,
    /// How the text of the program is read.
    pub syntax: Syntax,
    /// Modules that are loaded first (`--require`, `--import`).
    pub preload: Vec<String>,
    /// What the program finds in `process.argv` after the command and the entry.
    pub arguments: Vec<String>,
}

/// Reads a command line; an error is the sentence for stderr (exit 2, SH-43).
pub(crate) fn read(argv: &[String]) -> Result<CommandLine, String> {
    let mut words = argv.iter().skip(1).peekable();
    let name = argv.first().map_or("js", |word| word.rsplit('/').next().unwrap_or(word));
    if name != "deno" {
        return node(name, &mut words);
    }
    match words.next().map(String::as_str) {
        Some("run") => node("deno run", &mut words),
        Some("eval") => {
            let print = words.next_if(|word| *word == "-p" || *word == "--print").is_some();
            let code = words.find(|word| !word.starts_with('-')).ok_or("deno eval: no code was given\n")?;
            Ok(line(Entry::Code { code: code.clone(), print }, words))
        }
        Some("--version" | "-V") => Ok(line(Entry::Text("deno 2.0.0\n"), words)),
        Some("--help" | "-h") | None => Ok(line(Entry::Text(HELP), words)),
        Some(word) if word.ends_with("js") => Ok(line(Entry::File(word.into()), words)),
        Some(word) => Err(format!("deno: unknown subcommand {word}; use deno run FILE or deno eval CODE\n")),
    }
}

fn line<'a>(entry: Entry, rest: impl Iterator<Item = &'a String>) -> CommandLine {
    CommandLine { entry, syntax: Syntax::Either, preload: Vec::new(), arguments: rest.cloned().collect() }
}

fn node<'a>(
    name: &str,
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a String>>,
) -> Result<CommandLine, String> {
    let mut syntax = Syntax::Either;
    let mut preload = Vec::new();
    let mut entry = None;
    while entry.is_none() {
        let Some(word) = words.next() else { break };
        let (option, attached) = match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => (option, Some(value.to_owned())),
            _ => (word.as_str(), None),
        };
        let mut value = || {
            attached
                .clone()
                .or_else(|| words.next().cloned())
                .ok_or(format!("{name}: {option} requires an argument\n"))
        };
        match option {
            "-e" | "--eval" => entry = Some(Entry::Code { code: value()?, print: false }),
            "-p" | "--print" | "-pe" => entry = Some(Entry::Code { code: value()?, print: true }),
            "-c" | "--check" => entry = Some(Entry::Check(value()?)),
            "-v" | "--version" => entry = Some(Entry::Text(VERSION)),
            "-h" | "--help" => entry = Some(Entry::Text(HELP)),
            "-r" | "--require" | "--import" => preload.push(value()?),
            "--input-type" => syntax = input_type(&value()?)?,
            "--" => entry = words.next().map(|word| Entry::File(word.clone())).or(Some(Entry::Stdin)),
            "-" => entry = Some(Entry::Stdin),
            "-A" | "-q" | "-i" | "--interactive" => {}
            _ if ignored(word) => {}
            _ if word.starts_with('-') => return Err(format!("{name}: bad option: {word}\n{HELP}")),
            _ => entry = Some(Entry::File(word.clone())),
        }
    }
    let entry = entry.unwrap_or(Entry::Stdin);
    let mut arguments: Vec<String> = words.cloned().collect();
    if arguments.first().is_some_and(|word| word == "--") && matches!(entry, Entry::Code { .. }) {
        arguments.remove(0);
    }
    let entry = call(entry, &mut arguments)?;
    Ok(CommandLine { entry, syntax, preload, arguments })
}

fn input_type(value: &str) -> Result<Syntax, String> {
    match value {
        "module" => Ok(Syntax::Module),
        "commonjs" => Ok(Syntax::Common),
        _ => Err("js: --input-type must be \"module\" or \"commonjs\"\n".into()),
    }
}

fn ignored(word: &str) -> bool {
    IGNORED.iter().any(|option| word.starts_with(option))
}

/// `FILE --call NAME --args-json JSON` (SH-37); any other argument of such a line belongs to the file.
fn call(entry: Entry, arguments: &mut Vec<String>) -> Result<Entry, String> {
    let Entry::File(file) = &entry else { return Ok(entry) };
    if arguments.first().is_none_or(|word| word != "--call") {
        return Ok(entry);
    }
    let mut words = std::mem::take(arguments).into_iter().skip(1);
    let name = words.next().ok_or("js: --call requires the name of an export\n")?;
    let mut json = String::from("[]");
    while let Some(word) = words.next() {
        if word == "--args-json" {
            json = words.next().ok_or("js: --args-json requires a JSON value\n")?;
        } else {
            arguments.push(word);
        }
    }
    Ok(Entry::Call { file: file.clone(), name, arguments: json })
}

#[cfg(test)]
mod tests;
