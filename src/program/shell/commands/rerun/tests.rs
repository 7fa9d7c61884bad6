use super::{JqProgram, dated, jq_program};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn where_the_program_of_jq_stands() {
    let cases = [
        ("now", Some(JqProgram::Argument(0))),
        ("-r . file", Some(JqProgram::Argument(1))),
        ("--arg a 1 --argjson b 2 -n .x", Some(JqProgram::Argument(7))),
        ("--indent 2 .", Some(JqProgram::Argument(2))),
        ("-n -- .", Some(JqProgram::Argument(2))),
        ("-f p.jq in", Some(JqProgram::File { flag: 0, file: 1 })),
        ("-rf p.jq", Some(JqProgram::File { flag: 0, file: 1 })),
        ("-n --from-file p.jq", Some(JqProgram::File { flag: 1, file: 2 })),
        ("-n", None),
    ];
    for (args, expected) in cases {
        assert_eq!(jq_program(&words(args)), expected, "{args}");
    }
}

#[test]
fn dates_become_seconds() {
    let cases = [
        ("+%F", "+%F"),
        ("-d @5 +%F", "-d @5 +%F"),
        ("-u -d 1970-01-02", "-u -d @86400"),
        ("-ud 1970-01-02", "-ud @86400"),
        ("--date=1970-01-02", "--date=@86400"),
        ("-d1970-01-02", "--date=@86400"),
        ("--date 1970-01-02 +%s", "--date @86400 +%s"),
        ("-d nonsense", "-d nonsense"),
        ("-r -d", "-r -d"),
    ];
    for (args, expected) in cases {
        assert_eq!(dated(&words(args), 0.0), words(expected), "{args}");
    }
}
