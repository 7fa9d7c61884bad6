//! What is told of commands: complete ones, and those that hide something.

use serde_json::json;

use super::Analysis;

/// The parts as `kind target`, and whether they are all.
fn told(command: &str) -> (Vec<String>, bool) {
    let analysis = Analysis::of(command);
    let part = |part: &super::Part| format!("{} {}", json!(part.kind).as_str().unwrap(), part.target);
    (analysis.parts.iter().map(part).collect(), analysis.complete)
}

#[test]
fn complete_commands() {
    let cases: [(&str, &[&str]); 26] = [
        ("", &[]),
        ("# nothing", &[]),
        ("ls && rm x", &["program ls", "program rm x", "write x"]),
        ("git status", &["program git status"]),
        ("echo 'a  b' c > output/x", &["program echo a  b c", "write output/x"]),
        ("cat < in >> out 2> /dev/null", &["program cat", "read in", "write out"]),
        ("cat - 2> /dev/./stderr", &["program cat -"]),
        ("echo > /dev/../output/x", &["program echo", "write /dev/../output/x"]),
        ("echo > -", &["program echo", "write -"]),
        ("cp a -", &["program cp a -", "write -", "read a", "write -/a"]),
        (
            "cat a b | sort -u | head -n 5",
            &["program cat a b", "read a", "read b", "program sort -u", "program head -n 5", "read 5"],
        ),
        ("grep -rn needle src", &["program grep -rn needle src", "read src"]),
        (
            "cp a b output",
            &[
                "program cp a b output",
                "write output",
                "read a",
                "write output/a",
                "read b",
                "write output/b",
            ],
        ),
        ("mv a b", &["program mv a b", "write b", "write a", "write b/a"]),
        ("rm -rf -- -x", &["program rm -rf -- -x", "write -x"]),
        ("/bin/rm /output/a", &["program rm /output/a", "write /output/a"]),
        ("rm 'a b'", &["program rm a b", "write a b"]),
        ("r''m x; \\rm y", &["program rm x", "write x", "program rm y", "write y"]),
        ("cd output && cat a", &["program cd output", "program cat a", "read a", "read output/a"]),
        (
            "cd /output; cat ../a",
            &["program cd /output", "program cat ../a", "read ../a", "read /output/../a"],
        ),
        ("find src -name '*.md'", &["program find src -name *.md", "read src"]),
        (
            "if true; then rm x; else touch y; fi",
            &["program true", "program rm x", "write x", "program touch y", "write y"],
        ),
        ("f() { rm x; }; echo a", &["program rm x", "write x", "program echo a"]),
        ("{ echo a; echo b; } > c &", &["program echo a", "program echo b", "write c"]),
        ("(rm x)", &["program rm x", "write x"]),
        ("cat <<'EOF' > a\nrm y\nEOF", &["program cat", "write a"]),
    ];
    for (command, parts) in cases {
        let (found, complete) = told(command);
        assert_eq!(found, parts, "{command}");
        // Of a program that is not known only its name is.
        assert_eq!(complete, !command.starts_with("git"), "{command}");
    }
}

#[test]
fn what_hides_something_is_not_complete_but_told_as_far_as_it_can_be_seen() {
    let cases: [(&str, &[&str]); 37] = [
        ("rm $x", &["program rm …"]),
        ("for f in a b; do rm \"$f\"; done", &["program rm …"]),
        ("$cmd x", &[]),
        ("echo $(rm x)", &["program rm x", "write x", "program echo …"]),
        ("echo `rm x`", &["program rm x", "write x", "program echo …"]),
        ("x=$(rm y)", &["program rm y", "write y"]),
        ("x=${y:-$(rm z)}", &[]),
        ("echo $(( $(rm x) ))", &["program echo …"]),
        ("(( a[$(rm x)] ))", &[]),
        ("[[ -v 'a[$(rm x)]' ]]", &[]),
        ("test -v 'a[0]'", &["program test -v a[0]"]),
        ("time -o out ls", &["program ls"]),
        ("PATH=/x ls", &["program ls"]),
        ("r{m,x} y", &["program r{m,x} y"]),
        ("r?m y", &["program r?m y"]),
        ("./run.sh a", &["program ./run.sh a"]),
        ("rm *.md", &["program rm *.md", "write *.md"]),
        ("rm ~/x", &["program rm ~/x", "write ~/x"]),
        ("rm {a,b}", &["program rm {a,b}", "write {a,b}"]),
        ("rm !(a)", &["program rm !(a)", "write !(a)"]),
        ("cat /dev/{null,../x}", &["program cat /dev/{null,../x}", "read /dev/{null,../x}"]),
        ("echo > /dev/n*", &["program echo", "write /dev/n*"]),
        ("sort -o out in", &["program sort -o out in"]),
        ("sort --output=out in", &["program sort --output=out in"]),
        ("cp -t out in", &["program cp -t out in"]),
        ("sed -i s/a/b/ x", &["program sed -i s/a/b/ x"]),
        ("js -e 1", &["program js -e 1"]),
        (
            "ls | xargs -I {} rm -f {}",
            &["program ls", "program xargs -I {} rm -f {}", "program rm -f {}", "write {}"],
        ),
        ("env A=1 rm x", &["program env A=1 rm x", "program rm x", "write x"]),
        ("timeout 5s rm x", &["program timeout 5s rm x", "program rm x", "write x"]),
        (
            "find . -name x -exec rm {} ';'",
            &["program find . -name x -exec rm {} ;", "program rm {}", "write {}"],
        ),
        ("find . -delete", &["program find . -delete"]),
        ("bash -c 'ls && rm x'", &["program bash -c ls && rm x", "program ls", "program rm x", "write x"]),
        ("eval rm x", &["program eval rm x", "program rm x", "write x"]),
        ("trap 'rm x' EXIT", &["program trap rm x EXIT", "program rm x", "write x"]),
        ("cd $d; cat a", &["program cd …", "program cat a", "read a"]),
        ("if true; then", &[]),
    ];
    for (command, parts) in cases {
        assert_eq!(
            told(command),
            (parts.iter().map(|part| (*part).to_owned()).collect(), false),
            "{command}"
        );
    }
}

#[test]
fn hostile_commands_end() {
    let nested = format!("{}rm x{}", "bash -c '".repeat(3), "'".repeat(3));
    let deep = format!("{}rm x{}", "(".repeat(5_000), ")".repeat(5_000));
    let long = "rm x y;".repeat(18_000);
    let many: String = (0..9_000).map(|n| format!("rm f{n};")).collect();
    let places: String = (0..50).map(|n| format!("cd d{n};")).collect();
    for command in [nested, deep, many, places, "\0rm".to_owned()] {
        let analysis = Analysis::of(&command);
        assert!(!analysis.complete && analysis.parts.len() <= super::PARTS);
    }
    assert!(!Analysis::of(&long).complete);
}

#[test]
fn it_is_told_as_the_core_reads_it() {
    let told = serde_json::to_value(Analysis::of("cat a > b")).unwrap();
    let parts = json!([
        {"kind": "program", "target": "cat a"}, {"kind": "read", "target": "a"}, {"kind": "write", "target": "b"},
    ]);
    assert_eq!(told, json!({"parts": parts, "complete": true}));
}
