//! The small parts: paths, places, templates, actions, bounds, patterns.

use serde_json::json;

use super::*;
use crate::permission::{Finding, effect_of, fill, findings, matches_command, path, sentence};

#[test]
fn paths_in_normal_form() {
    let cases = [
        ("a/b", "a/b"),
        ("a", "a"),
        ("/a/b", "/a/b"),
        ("./a//b/", "a/b"),
        (r"a\b", "a/b"),
        ("a/../b", "b"),
        ("a/../../b", "../b"),
        ("/../b", "/b"),
        ("../../a", "../../a"),
        ("", ""),
        ("/", "/"),
        (".", ""),
        ("a/..", ""),
    ];
    for (path, wanted) in cases {
        assert_eq!(path::normal(path), wanted, "{path}");
        assert_eq!(path::normal(wanted), wanted, "{path}");
    }
    for (path, directory, wanted) in [
        ("output/a", "output", true),
        ("output/a", "output/", true),
        ("output", "output", false),
        ("outputs/a", "output", false),
        ("output/../x", "output", false),
        ("/output/a", "output", false),
        ("/srv/p/a", "/srv/p", true),
        ("a/b", "", false),
        ("../output/a", "output", false),
        ("/etc/a", "/", true),
    ] {
        assert_eq!(path::is_below(path, directory), wanted, "{path} {directory}");
    }
}

#[test]
fn protected_places() {
    let cases = [
        ("output/.env", false, "credentials"),
        ("output/.env.local", false, "credentials"),
        ("output/.env.example", true, ""),
        ("output/.ENV.Local.Example", true, ""),
        ("output/environment", true, ""),
        ("a/ID_RSA", false, "credentials"),
        ("a/.aws/config", false, "credentials"),
        (r"a\.ssh\known_hosts", false, "ssh"),
        ("a/.ssh/id_rsa", false, "credentials,ssh"),
        ("a/.git/config", false, ""),
        ("a/.git/config", true, "git_internals"),
        ("a/.gitignore", true, ""),
        ("a/.GIT/x", true, "git_internals"),
        ("a/.bashrc", true, "shell_startup"),
        ("a/Config.fish", true, "shell_startup"),
        ("a/.claude/x", true, "agent_config"),
        (".handrail", true, "agent_config"),
        ("a/handrail", true, ""),
        ("credentials/a", false, "credentials"),
        ("a/credentials.md", true, ""),
        // As the systems take them on which a tool may run.
        ("a/id_rsa.", false, "credentials"),
        (" .netrc . /a", false, "credentials"),
        ("a/.env\0.txt", false, "credentials"),
        ("a/.env::$DATA", false, "credentials"),
        (r"C:.ssh\a", false, "ssh"),
        ("a/.\u{17f}sh/x", false, "ssh"),
        ("a/.g\u{200c}it/config", true, "git_internals"),
        ("a/.Doc\u{212a}er\u{feff}", false, "credentials"),
        ("a/..", true, ""),
        ("a/.git: b", false, ""),
    ];
    for (path, writes, wanted) in cases {
        let found: Vec<&str> = findings(path, writes).iter().map(|finding| finding.as_str()).collect();
        assert_eq!(found.join(","), wanted, "{path}");
    }
    assert_eq!(findings("x/.env", true), [Finding::Credentials]);
    // Every name of PM-27, as a folder and as a file, in any case.
    for (finding, reads, names) in [
        (
            Finding::Credentials,
            true,
            ".netrc .npmrc .pypirc credentials id_rsa id_ed25519 .git-credentials .dockercfg .env .env.production .aws \
             .gnupg .kube .docker",
        ),
        (Finding::Ssh, true, ".ssh"),
        (Finding::GitInternals, false, ".git"),
        (
            Finding::ShellStartup,
            false,
            ".bashrc .bash_profile .profile .zshrc .zshenv .zprofile .inputrc config.fish",
        ),
        (Finding::AgentConfig, false, ".handrail .agents .foya .riot .claude"),
    ] {
        for name in names.split_whitespace() {
            for path in [format!("a/{name}"), format!("a/{}/b", name.to_uppercase())] {
                assert_eq!(findings(&path, true), [finding], "{path}");
                assert_eq!(!findings(&path, false).is_empty(), reads, "{path}");
            }
        }
    }
    for (url, word) in [
        ("file:///home/me/.ssh/known_hosts", Word::Ask),
        ("FILE:/home/me/x/%2e%2e/%2Essh/x", Word::Ask),
        ("file:\\\\.ssh", Word::Ask),
        ("file:///home/me/ssh", Word::Allow),
        ("https://x.org/.ssh/x", Word::Allow),
    ] {
        let action = json!({"name": "x", "effect": "read", "target": {"url": url}});
        assert_eq!(said(json!({"mode": ["allow"], "action": action})).0, word, "{url}");
    }
}

#[test]
fn templates() {
    let args = object(json!({"query": "words", "n": 3, "deep": {"x": [1]}, "text": "{n}"}));
    assert_eq!(
        fill(&json!({"a": "$.query", "b": "$.missing", "c": ["$.n", "$n", 4], "d": "$.deep.x"}), &args),
        Some(json!({"a": "words", "c": [3, "$n", 4], "d": [1]}))
    );
    assert_eq!(fill(&json!("$.missing"), &args), None);
    for (template, wanted) in [
        ("Find: {query}, {n}", "Find: words, 3"),
        ("{missing}{deep.x}", "[1]"),
        ("{text} {open", "{n} {open"),
        ("", ""),
    ] {
        assert_eq!(sentence(template, &args), wanted);
    }
}

#[test]
fn actions() {
    let args = object(json!({"query": "q", "n": 1}));
    let of = |template: Value| Action::from_template(Some(&template), "t", &args);
    assert_eq!(Action::from_template(None, "t", &args), Action::of_tool("t"));
    assert_eq!(
        of(json!({"name": "notes:read", "target": {"query": "$.query"}})).target,
        Some(json!({"query": "q"}))
    );
    // What cannot be computed is looked at with care.
    for template in [
        json!({"name": "$.missing"}),
        json!({"name": "$.n"}),
        json!({"name": "x", "risk": ["huge"]}),
        json!("$.query"),
        json!("$.missing"),
        json!({"name": "x", "more": 1}),
    ] {
        assert_eq!(of(template.clone()), Action::careful("t"), "{template}");
    }
    let careful = Action::careful("t");
    assert_eq!(Action::computed(&json!(null), "t"), careful);
    let written = serde_json::to_value(&careful).unwrap();
    assert_eq!(Action::decode(&written).unwrap(), Action { unknown: false, ..careful });
    let mut deep = json!({"name": "x"});
    for _ in 0..9 {
        deep = json!({"name": "x", "parts": [deep]});
    }
    assert!(Action::decode(&deep).unwrap_err().message.contains("nested too deep"));
    let shell = || Action::of_tool("workspace_shell");
    let parts = json!({"complete": true, "parts": [{"kind": "program", "target": "ls"}, {"kind": "write", "target": "output/a"}]});
    let (analysed, is_all) = shell().analysed(&parts, "/");
    assert!(is_all && analysed.parts.len() == 2);
    assert_eq!(
        (analysed.parts[0].name.as_str(), analysed.parts[1].target.clone()),
        ("shell:program", Some(json!({"path": "output/a"})))
    );
    for bad in [
        json!({"complete": false, "parts": []}),
        json!({"complete": true}),
        json!({"complete": true, "parts": [{"kind": "x", "target": "y"}]}),
        json!(null),
    ] {
        assert_eq!(shell().analysed(&bad, "/"), (shell(), false));
    }
    // What is not all of it is told beside the whole.
    let half = json!({"complete": false, "parts": [{"kind": "program", "target": "ls"}]});
    let (analysed, is_all) = shell().analysed(&half, "");
    assert_eq!((analysed.parts.len(), is_all, analysed.parts[1].clone()), (2, false, shell()));
    for (directory, path, wanted) in [
        ("", "a", "a"),
        ("/output", "a", "output/a"),
        ("output", "/a", "a"),
        ("/", "../a", "a"),
        ("/output", "../../a", "a"),
        ("", "/../output/./a", "output/a"),
        ("output/", "b//../a", "output/a"),
        (r"output\b", "a", "output/b/a"),
        ("/", "/", ""),
    ] {
        let read = json!({"complete": true, "parts": [{"kind": "read", "target": path}]});
        let (analysed, _) = shell().analysed(&read, directory);
        assert_eq!(analysed.parts[0].target, Some(json!({"path": wanted})), "{directory} {path}");
    }
    assert_eq!(effect_of(EffectTrait::Exec, Some(true)), EffectTrait::Read);
    assert_eq!(effect_of(EffectTrait::Read, Some(false)), EffectTrait::Exec);
    assert_eq!(effect_of(EffectTrait::Write, Some(false)), EffectTrait::Write);
}

#[test]
fn bounds() {
    let bounds = Scene::new(&json!({})).bounds;
    let cases = [
        (json!({"path": "output/a"}), true),
        (json!({"path": "output/../a"}), false),
        (json!({"path": "/srv/added/x"}), true),
        (json!({"url": "https://api.example.org/x"}), true),
        (json!({"url": "https://api.EXAMPLE.org:8443"}), true),
        (json!({"url": "https://example.org.evil.net/"}), false),
        (json!({"url": "https://api.example.org@evil.net/"}), false),
        (json!({"url": r"https://evil.net\.example.org"}), false),
        (json!({"url": "https://evil.net?.example.org"}), false),
        (json!({"url": "api.example.org"}), false),
        (json!({"url": r"https:/\evil.net://api.example.org"}), false),
        (json!({"url": "https:evil.net?://api.example.org"}), false),
        (json!({"url": "https:\\api.example.org/x"}), true),
        (json!({"path": "output/a", "url": "https://evil.net"}), false),
        (json!({}), false),
        (json!({"path": 1}), false),
    ];
    for (target, wanted) in cases {
        assert_eq!(bounds.hold(Some(&target)), wanted, "{target}");
    }
    assert!(!bounds.hold(None));
}

#[test]
fn a_long_command_is_matched_in_time() {
    let command = "a ".repeat(200_000);
    assert!(!matches_command(&"*a *".repeat(50), &format!("{command};"), false));
    assert!(matches_command("*a *a *", &command, false));
}

#[test]
fn an_address_has_one_form() {
    let cases = [
        ("HTTPS://X.org/A?B=C", "https://x.org/A?B=C"),
        ("https://x.org/public/../private", "https://x.org/private"),
        ("https://x.org/public/%2E%2e/private", "https://x.org/private"),
        ("https://x.org\\a/./b/", "https://x.org/a/b/"),
        ("https://x.org/../../a/..", "https://x.org/"),
        ("https://Me@X.org?../a", "https://x.org/?../a"),
        ("https://x.org//a", "https://x.org//a"),
        ("https://x.org", "https://x.org"),
        ("https://x.org#a", "https://x.org/#a"),
        ("https://x.org:0443/a", "https://x.org/a"),
        ("https://x.org:80/a", "https://x.org:80/a"),
        ("http://[::1]:80/a", "http://[::1]/a"),
        ("http://[::1]/a", "http://[::1]/a"),
        ("https:x.org/a", "https://x.org/a"),
        ("https:/\\\\x.org/a", "https://x.org/a"),
        (" \u{1}ht\ntps://x.o\trg/a\r\n ", "https://x.org/a"),
        ("https://x.org/public/.\t./private", "https://x.org/private"),
        ("https://x.org./a", "https://x.org/a"),
        ("https://%58.or%67/%7ea%2Fb%zz%", "https://x.org/~a%2Fb%zz%"),
        ("https://ｘ。Ｏrg/a", "https://x.org/a"),
        ("https://a:b@c@x.org/a", "https://x.org/a"),
        ("FILE:///A/../b", "file:///b"),
        (r"file:\A", "file:///A"),
        ("%", "%"),
        (":", ":"),
        ("mailto:A@B.org", "mailto:A@B.org"),
    ];
    for (given, normal) in cases {
        let action = json!({"name": "x", "target": {"url": given}});
        let rule = json!([{"id": "d", "effect": "deny", "pattern": normal}]);
        assert_eq!(
            said(json!({"mode": ["allow"], "action": action, "rules": rule})).0,
            Word::Deny,
            "{given}"
        );
    }
    let action = json!({"name": "x", "target": {"url": "https://x.org/public/../private"}});
    for (pattern, word) in [
        ("https://X.org/public/*", Word::Ask),
        ("https://X.ORG/private", Word::Allow),
        ("https://me@X.ORG:443/private", Word::Allow),
        ("https://x*", Word::Allow),
        ("HTTPS://X*", Word::Allow),
        ("HTTPS://*", Word::Allow),
        ("*", Word::Allow),
    ] {
        let rule = json!([{"id": "a", "effect": "allow", "pattern": pattern}]);
        assert_eq!(said(json!({"action": action, "rules": rule})).0, word, "{pattern}");
    }
}
