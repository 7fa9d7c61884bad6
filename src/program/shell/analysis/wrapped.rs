//! Commands in the words of another command. They are told as far as they can be seen; what else happens is not known.

/// Programs that run the command in their words, behind options, variables and a number of seconds.
const WRAPPERS: [&str; 13] = [
    "builtin", "command", "doas", "env", "exec", "nice", "nohup", "setsid", "stdbuf", "sudo", "time",
    "timeout", "xargs",
];
/// Shells, and the words that hand a script back to the one that runs.
const SHELLS: [&str; 5] = ["bash", "dash", "ksh", "sh", "zsh"];

/// The command that a program runs, as its words. Empty: it could not be found.
pub(super) fn command<'w, 'a>(name: &str, words: &'w [&'a str]) -> Option<&'w [&'a str]> {
    let start = if name == "find" {
        words.iter().position(|word| matches!(*word, "-exec" | "-execdir" | "-ok" | "-okdir"))? + 1
    } else if WRAPPERS.contains(&name) {
        let is_own = |word: &&str| {
            word.starts_with(['-', '+']) || word.contains('=') || *word == "{}" || is_number(word)
        };
        words.iter().take_while(|word| is_own(word)).count()
    } else {
        return None;
    };
    let rest = words.get(start..).unwrap_or_default();
    let end = rest.iter().position(|word| name == "find" && matches!(*word, ";" | "+"));
    Some(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default())
}

/// The script that a program runs. Empty: it stands somewhere else.
pub(super) fn script(name: &str, words: &[&str]) -> Option<String> {
    if name == "eval" {
        return Some(words.join(" "));
    }
    if name == "trap" {
        return Some(words.first().copied().unwrap_or_default().to_owned());
    }
    if !SHELLS.contains(&name) {
        return None;
    }
    let flag =
        words.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'));
    Some(flag.and_then(|flag| words.get(flag + 1)).copied().unwrap_or_default().to_owned())
}

/// A number, perhaps with a unit of time.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}
