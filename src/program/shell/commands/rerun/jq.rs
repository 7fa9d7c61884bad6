//! `jq`, with a clock and with definitions that its library lacks or gets wrong.

use super::{Rerun, run};
use crate::program::port::Port;
use crate::program::shell::commands::resolved;
use bashkit::{BuiltinContext, ExecutionPlan, async_trait};

/// The command; the port is its clock.
pub(super) struct Jq(pub &'static dyn Port);

/// Definitions of the manual of jq 1.7, put in front of a program that has the word. The library deletes one path after
/// the other, which moves the elements behind it, changes the order of members and copies the whole each time; here one
/// walk leaves out all of them.
const DEFINITIONS: [(&str, &str); 5] = [
    (
        "del",
        "def _each($ps): $ps | group_by(.[0]) | map({key: (.[0][0] | tostring), value: map(.[1:])}) | from_entries; \
         def _del($ps): if type == \"object\" and all($ps[]; .[0] | type == \"string\") then _each($ps) as $gone \
         | . as $all | reduce keys_unsorted[] as $k ({}; if $gone | has($k) | not then .[$k] = $all[$k] \
         elif any($gone[$k][]; . == []) then . else .[$k] = ($all[$k] | _del($gone[$k])) end) \
         elif type == \"array\" and all($ps[]; .[0] | type == \"number\") then length as $n \
         | _each($ps | map(.[0] |= (if . < 0 then . + $n else . end | floor))) as $gone \
         | [range($n) as $i | ($i | tostring) as $k | .[$i] | if $gone | has($k) | not then . \
         elif any($gone[$k][]; . == []) then empty else _del($gone[$k]) end] \
         elif . == null then . else reduce ($ps | sort | reverse | .[]) as $p (.; delpaths([$p])) end; \
         def delpaths($ps): if any($ps[]; . == []) then null elif $ps == [] then . else _del($ps) end; \
         def del(f): delpaths([path(f)]); ",
    ),
    (
        "pick",
        "def pick(f): . as $top | reduce path(f) as $p (null; \
         setpath($p; $top | getpath($p))); ",
    ),
    (
        "INDEX",
        "def INDEX(s; f): reduce s as $row ({}; .[$row | f | tostring] |= $row); def INDEX(f): INDEX(.[]; f); ",
    ),
    ("trimstr", "def trimstr($x): if type == \"string\" then ltrimstr($x) | rtrimstr($x) else . end; "),
    ("ascii", "def ascii: [.] | implode; "),
];

#[async_trait]
impl Rerun for Jq {
    async fn plan(&self, ctx: &BuiltinContext<'_>) -> ExecutionPlan {
        let mut args = ctx.args.to_vec();
        on_one_line(&mut args);
        match Program::find(&args) {
            Some(Program::Argument(at)) => {
                if let Some(program) = args.get_mut(at) {
                    program.insert_str(0, &self.prelude(program));
                }
            }
            Some(Program::File { flag, file }) => {
                let content = match args.get(file) {
                    Some(name) => ctx.fs.read_file(&resolved(ctx.cwd, name)).await.ok(),
                    None => None,
                };
                let program =
                    content.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
                let prelude = self.prelude(&program);
                if !prelude.is_empty() {
                    args.remove(file);
                    if let Some(flags) = args.get_mut(flag) {
                        // Other flags may stand in the same argument.
                        *flags = if flags.starts_with("--") { "-M".into() } else { flags.replace('f', "M") };
                    }
                    args.insert(flag + 1, format!("{prelude}{program}"));
                }
            }
            None => {}
        }
        run("jq", args, ctx.stdin.cloned())
    }
}

impl Jq {
    fn prelude(&self, program: &str) -> String {
        let mut prelude = String::new();
        // The library would ask the system for the time, which a module does not have.
        if program.contains("now") {
            prelude = format!("def now: {:.3}; ", self.0.now() / 1000.0);
        }
        let wanted = DEFINITIONS.iter().filter(|(word, _)| has_word(program, word));
        prelude.extend(wanted.map(|(_, definition)| *definition));
        prelude
    }
}

/// `--indent 0` means one line.
fn on_one_line(args: &mut Vec<String>) {
    let indent =
        args.windows(2).position(|pair| matches!(pair, [flag, width] if flag == "--indent" && width == "0"));
    if let Some(at) = indent {
        args.splice(at..at + 2, ["-c".to_owned()]);
    }
}

/// Whether a program has a word that is not the beginning or the end of another. `del` stands for `delpaths` as well.
fn has_word(program: &str, word: &str) -> bool {
    program.match_indices(word).any(|(at, _)| {
        let part = |char: char| char.is_alphanumeric() || char == '_';
        let before = program.get(..at).and_then(|text| text.chars().next_back());
        let after = program.get(at + word.len()..).unwrap_or_default();
        !before.is_some_and(part)
            && (!after.starts_with(part) || (word == "del" && after.starts_with("paths")))
    })
}

#[derive(Debug, PartialEq)]
enum Program {
    /// The place of the program.
    Argument(usize),
    /// The places of the flag and of the file's name.
    File { flag: usize, file: usize },
}

impl Program {
    /// Where the program of a call stands: the first argument that is no option nor belongs to one.
    fn find(args: &[String]) -> Option<Program> {
        let mut at = 0;
        let mut program = None;
        while let Some(arg) = args.get(at) {
            let values = match arg.as_str() {
                "--arg" | "--argjson" | "--slurpfile" | "--rawfile" => 2,
                "--indent" | "-L" => 1,
                "--from-file" => return Some(Program::File { flag: at, file: at + 1 }),
                "--" => return program.or(Some(Program::Argument(at + 1))),
                long if long.starts_with("--") => 0,
                flags if flags.len() > 1 && flags.starts_with('-') => {
                    if flags.contains('f') {
                        return Some(Program::File { flag: at, file: at + 1 });
                    }
                    0
                }
                _ => {
                    program = program.or(Some(Program::Argument(at)));
                    0
                }
            };
            at += 1 + values;
        }
        program
    }
}

#[cfg(test)]
mod tests;
