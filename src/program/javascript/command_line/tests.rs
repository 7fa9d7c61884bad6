use super::{CommandLine, Entry, Syntax, read};

fn line(words: &str) -> Result<CommandLine, String> {
    read(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

fn code(code: &str, print: bool) -> Entry {
    Entry::Code { code: code.into(), print }
}

#[test]
fn forms() {
    for (words, entry, arguments) in [
        ("js -e 1+1", code("1+1", false), ""),
        ("js --eval=1+1 a b", code("1+1", false), "a b"),
        ("node -p 1+1", code("1+1", true), ""),
        ("node -p 1 -- a", code("1", true), "a"),
        ("js", Entry::Stdin, ""),
        ("js - a", Entry::Stdin, "a"),
        ("js a.js -x --y z", Entry::File("a.js".into()), "-x --y z"),
        ("js -- -a.js b", Entry::File("-a.js".into()), "b"),
        ("node --no-warnings --experimental-vm-modules a.mjs", Entry::File("a.mjs".into()), ""),
        ("/bin/node a.js", Entry::File("a.js".into()), ""),
        ("deno run -A --allow-read=. a.js b", Entry::File("a.js".into()), "b"),
        ("deno eval 1", code("1", false), ""),
        ("deno eval -p 1", code("1", true), ""),
        ("node --check a.js", Entry::Check("a.js".into()), ""),
        (
            "js a.mjs --call f --args-json [1]",
            Entry::Call { file: "a.mjs".into(), name: "f".into(), arguments: "[1]".into() },
            "",
        ),
        ("js a.mjs x --call f", Entry::File("a.mjs".into()), "x --call f"),
    ] {
        let read = line(words).unwrap();
        assert_eq!((read.entry, read.arguments.join(" ")), (entry, arguments.to_owned()), "{words}");
    }
}

#[test]
fn what_is_not_understood_is_said() {
    for words in
        ["js --nonsense a.js", "js -e", "deno compile a.js", "js a.js --call", "js --input-type=x -e 1"]
    {
        let sentence = line(words).unwrap_err();
        assert!(sentence.ends_with('\n') && sentence.len() > 10, "{words}: {sentence}");
    }
}

#[test]
fn options_before_the_entry() {
    let read = line("node --input-type=module -r ./a.cjs -e x").unwrap();
    assert_eq!((read.syntax, read.preload), (Syntax::Module, vec!["./a.cjs".to_owned()]));
}
