//! Whole programs, natively: what they print, how they end, and that a poll gives the driver its turn.

use super::{Ran, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The engine recurses in native code, and an unoptimized build needs much stack for it.
fn on_a_large_stack<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(512 << 20).spawn(body).unwrap().join().unwrap()
}

fn js(code: &str, more: Value) -> (Ran, usize) {
    let code = code.to_owned();
    on_a_large_stack(move || {
        let ran = run(&["js", "-e", &code], &[("/output/in.txt", "one\ntwo\n")], "", more);
        let polls = ran.polls;
        (ran, polls)
    })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/javascript")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn programs_print_what_node_prints() {
    let root = folder().join("workspace");
    let name_of =
        |path: &Path, root: &Path| format!("/output/{}", path.strip_prefix(root).unwrap().display());
    let workspace: Vec<(String, String)> = files_below(&root)
        .iter()
        .map(|path| (name_of(path, &root), fs::read_to_string(path).unwrap()))
        .collect();
    let mut programs: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.retain(|path| path.extension().is_some_and(|kind| kind == "cjs" || kind == "mjs"));
    programs.sort();
    assert!(programs.len() > 30, "tests/programs/javascript holds the programs");
    for program in programs {
        let name = name_of(&program, &folder());
        let beside = |kind: &str| fs::read_to_string(program.with_extension(kind)).unwrap();
        let (wanted, status) = (beside("out"), beside("rc"));
        let mut files = workspace.clone();
        files.push((name.clone(), fs::read_to_string(&program).unwrap()));
        let ran = on_a_large_stack(move || {
            let files: Vec<(&str, &str)> =
                files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            let stdin = files.iter().find(|(path, _)| *path == "/output/in.txt").unwrap().1;
            let more: &[&str] = if name.contains("argv") { &["x", "--y"] } else { &[] };
            let argv = [&["node", name.as_str()], more].concat();
            run(&argv, &files, stdin, json!({}))
        });
        assert_eq!(ran.stdout, wanted, "{}: {}", program.display(), ran.stderr);
        assert_eq!(ran.end.exit_code.to_string(), status.trim(), "{}", program.display());
    }
}

#[test]
fn what_bounds_a_program_is_said() {
    for (code, limits, exit, limit) in [
        ("while (true) {}", json!({}), 126, "the limit of 1 million instructions was reached"),
        (
            "[1].forEach(() => { while (true) {} })",
            json!({}),
            126,
            "the limit of 1 million instructions was reached",
        ),
        (
            "(async () => { for (;;); })().catch(() => {})",
            json!({}),
            126,
            "the limit of 1 million instructions was reached",
        ),
        ("for (;;) await null", json!({}), 126, "the limit of 1 million instructions was reached"),
        (
            "(function f() { f() })()",
            json!({}),
            126,
            "Maximum call stack size exceeded: calls are nested deeper than 512",
        ),
        ("setInterval(() => {}, 1000)", json!({ "instructions": 1_000_000_000 }), 124, "time"),
    ] {
        let limits = if limits == json!({}) { json!({ "instructions": 1_000_000 }) } else { limits };
        let (ran, _) = js(&format!("console.log('partial');\n{code}"), json!({ "limits": limits }));
        assert_eq!(ran.stdout, "partial\n", "{code}");
        assert_eq!((ran.end.exit_code, ran.end.limit.as_deref()), (exit, Some(limit)), "{code}");
        assert!(ran.stderr.starts_with("js: stopped: "), "{code}: {}", ran.stderr);
    }
}

#[test]
fn files_that_were_written_stay() {
    let code = "require('fs').writeFileSync('out.txt', require('fs').readFileSync('in.txt', 'utf8').toUpperCase()); throw 1";
    let (ran, _) = js(code, json!({}));
    assert_eq!(ran.end.exit_code, 1);
    assert_eq!(ran.file("/output/out.txt").as_deref(), Some("ONE\nTWO\n"));
}

#[test]
fn waiting_costs_one_poll() {
    let (ran, polls) = js("setTimeout(() => console.log('late'), 5000)", json!({}));
    assert_eq!(ran.stdout, "late\n");
    assert!(polls <= 3, "{polls} polls");
}
