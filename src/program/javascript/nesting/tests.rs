use super::{BRACKETS, DESCENTS, OPERATORS, scan};

#[test]
fn brackets_inside_strings_comments_and_expressions_do_not_count() {
    let deep = "(".repeat(BRACKETS as usize + 1);
    for harmless in [
        format!("'{deep}'"),
        format!("\"{deep}\""),
        format!("`{deep}`"),
        format!("// {deep}\n1"),
        format!("/* {deep} */ 1"),
        format!("x = /[{deep}]/.test(y)"),
        format!("f(/{}/, 1)", "\\(".repeat(BRACKETS as usize + 1)),
        format!("#!{deep}\n1"),
        "a / (b) / (c)\n".repeat(1_000),
    ] {
        assert!(!scan(&harmless).too_deep, "{}", harmless.chars().take(40).collect::<String>());
    }
}

#[test]
fn what_the_parser_would_descend_into_is_refused() {
    let many = DESCENTS as usize + 2;
    for deep in [
        "(".repeat(100_000),
        "[".repeat(100_000),
        "{".repeat(100_000),
        "`${".repeat(100_000),
        "f(".repeat(BRACKETS as usize + 1),
        "!".repeat(many),
        "x=".repeat(many),
        "a?b:".repeat(many),
        "x=>".repeat(many),
        "typeof ".repeat(many),
        "if(a)b;else ".repeat(many).replace(';', "\n"),
        format!("x{}", "+1".repeat(OPERATORS as usize + 1)),
        format!("x{}", ".a".repeat(OPERATORS as usize + 1)),
        format!("x{}", ",1".repeat(OPERATORS as usize + 1)),
    ] {
        assert!(scan(&deep).too_deep, "{}", deep.chars().take(20).collect::<String>());
    }
}

#[test]
fn long_programs_are_not_deep_ones() {
    for long in [
        "const a = b ? c : d;\n".repeat(10_000),
        "a = 1\nb = -2\nc = !d\n".repeat(10_000),
        format!("[{}]", "{ a: 1.5, b: [-1] },\n".repeat(10_000)),
        format!("f({})", "x => !y,".repeat(1_000)),
        "if (a) { b() } else if (c) { d() }\n".repeat(1_000),
        "'a' + b + 'c'\n".repeat(10_000),
    ] {
        assert!(!scan(&long).too_deep, "{}", long.chars().take(40).collect::<String>());
    }
}

#[test]
fn modules_are_told_by_their_statements() {
    for (source, module) in [
        ("import fs from 'fs'", true),
        ("import 'fs'", true),
        ("import { a } from './a.mjs'\nimport b from 'b'", true),
        ("export const a = 1", true),
        ("const a = 1; export { a }", true),
        ("console.log(import.meta.url)", true),
        ("await f()", true),
        ("const x = await f()", true),
        ("const fs = require('fs')", false),
        ("import('fs').then(f)", false),
        ("const f = async () => await g()", false),
        ("async function f() { await g() }", false),
        ("a.import\na.export", false),
        ("// import x\n'export'", false),
        ("const o = { import: 1, export: 2, await: 3 }", false),
    ] {
        assert_eq!(scan(source).module, module, "{source}");
    }
}
