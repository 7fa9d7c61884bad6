use super::{Program, has_word};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn where_the_program_of_jq_stands() {
    let cases = [
        ("now", Some(Program::Argument(0))),
        ("-r . file", Some(Program::Argument(1))),
        ("--arg a 1 --argjson b 2 -n .x", Some(Program::Argument(7))),
        ("--indent 2 .", Some(Program::Argument(2))),
        ("-n -- .", Some(Program::Argument(2))),
        ("-f p.jq in", Some(Program::File { flag: 0, file: 1 })),
        ("-rf p.jq", Some(Program::File { flag: 0, file: 1 })),
        ("-n --from-file p.jq", Some(Program::File { flag: 1, file: 2 })),
        ("-n", None),
    ];
    for (args, expected) in cases {
        assert_eq!(Program::find(&words(args)), expected, "{args}");
    }
}

#[test]
fn words_of_a_program() {
    for (program, word, expected) in [
        ("del(.a)", "del", true),
        ("delpaths([])", "del", true),
        (".model", "del", false),
        ("delta", "del", false),
        ("map(trimstr(\"x\"))", "trimstr", true),
        ("ltrimstr(\"x\")", "trimstr", false),
        ("ascii_downcase", "ascii", false),
    ] {
        assert_eq!(has_word(program, word), expected, "{program}");
    }
}
