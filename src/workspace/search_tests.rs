use std::sync::Arc;

use proptest::prelude::*;

use super::tokens::fold_into;
use super::*;
use crate::workspace::File;

fn files(contents: &[&str]) -> Vec<(String, Arc<File>)> {
    let file =
        |(number, text): (usize, &&str)| (format!("output/{number:04}"), Arc::new(File::of_text(*text)));
    contents.iter().enumerate().map(file).collect()
}

fn found<'a>(files: &'a [(String, Arc<File>)], query: &Query, context: usize, hits: usize) -> Findings<'a> {
    let mut search = Search::new(query, Window { context, hits });
    for (path, file) in files {
        search.look(path, Entry::File(file));
    }
    search.finish()
}

#[test]
fn words_count_once_and_up_to_a_bound() {
    let many: Vec<String> = (0..100).map(|number| format!("w{number}")).collect();
    let query = Query::new(&many.join(" "));
    assert_eq!((query.tokens().len(), query.tokens()[63].text.as_str()), (64, "w63"));
    let weights: Vec<u32> =
        Query::new("a lantern lighthouse").tokens().iter().map(|token| token.weight).collect();
    assert_eq!(weights, [1, 7, 8]);
}

#[test]
fn letters_without_case_are_not_folded() {
    for c in '\u{3000}'..='\u{9FFF}' {
        assert!(c.to_lowercase().eq([c]), "{c}");
    }
    assert!(!Query::new("灯塔 123").folds() && Query::new("灯塔 x").folds() && Query::new("Привет").folds());
    let files = files(&["Привет, МИР\nKELVIN K\nİstanbul"]);
    for (query, line) in [("мир", 1), ("привет", 1), ("kelvin", 2), ("i̇stanbul", 3)] {
        let query = Query::new(query);
        assert_eq!(found(&files, &query, 0, 5).hits[0].line, line, "{query:?}");
    }
}

#[test]
fn more_is_said_only_if_there_is_more() {
    let files = files(&["hit\nx\nhit", "hit"]);
    let query = Query::new("hit");
    assert!(!found(&files, &query, 0, 3).more);
    let two = found(&files, &query, 0, 2);
    assert!(two.more && two.hits.len() == 2);
    // A line that lies in the window of a better one is no place of its own.
    assert!(!found(&files[..1], &query, 1, 1).more);
}

#[test]
fn long_lines_are_shown_around_the_match() {
    let line = format!("{}Needle{}", "ä".repeat(1_000), "ö".repeat(1_000));
    let files = files(&[&line]);
    let query = Query::new("needle");
    let snippet = found(&files, &query, 2, 5).hits[0].snippet(&query);
    let part = format!("1 | ...{}Needle{}... (2,006 characters in all)", "ä".repeat(40), "ö".repeat(454));
    assert_eq!(snippet, part);
    let exact = "n".repeat(500);
    let files = super::tests::files(&[&exact]);
    assert_eq!(
        found(&files, &Query::new("n"), 0, 1).hits[0].snippet(&Query::new("n")),
        format!("1 | {exact}")
    );
}

#[test]
fn hostile_files_end_quickly() {
    let lines = "hit\n".repeat(1_000_000);
    let one_line = "hit ".repeat(1_000_000);
    let files = files(&[&lines, &one_line, &"hi".repeat(1_000_000)]);
    let many: Vec<String> = (0..64).map(|number| format!("hit{number}")).collect();
    let query = Query::new(&format!("hit {}", many.join(" ")));
    let findings = found(&files, &query, 5, 50);
    assert!(findings.more && findings.hits.len() == 50);
}

/// The rules of BT-51, line by line.
fn plain(
    files: &[(String, Arc<File>)],
    query: &Query,
    context: usize,
    hits: usize,
) -> Vec<(String, usize, u32)> {
    let mut all = Vec::new();
    for (path, file) in files {
        let lines: Vec<String> = file.text().unwrap().split('\n').map(folded).collect();
        let mut matches: Vec<(u32, usize)> = Vec::new();
        for (number, line) in (1..).zip(&lines) {
            let weight = query
                .tokens()
                .iter()
                .filter(|token| line.contains(&token.text))
                .map(|token| token.weight)
                .sum();
            if weight > 0 {
                matches.push((weight, number));
            }
        }
        matches.sort_by(|(a, line), (b, other)| b.cmp(a).then(line.cmp(other)));
        let mut taken: Vec<(usize, usize)> = Vec::new();
        for (weight, line) in matches {
            let (first, last) = (line.saturating_sub(context).max(1), (line + context).min(lines.len()));
            if taken.iter().all(|(from, to)| last < *from || *to < first) {
                taken.push((first, last));
                all.push((weight, path.clone(), first, line));
            }
        }
    }
    all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (&a.1, a.2).cmp(&(&b.1, b.2))));
    all.into_iter().take(hits).map(|(weight, path, _, line)| (path, line, weight)).collect()
}

proptest! {
    #[test]
    fn the_best_places_are_those_of_the_rules(
        contents in prop::collection::vec("([abÄ ]{0,4}\n){0,12}[abÄ ]{0,4}", 1..12),
        words in "[abä]{1,2}( [abä]{1,3}){0,3}",
        context in 0..3_usize,
        hits in 1..6_usize,
    ) {
        let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
        let (files, query) = (files(&contents), Query::new(&words));
        let found = found(&files, &query, context, hits);
        let places: Vec<_> = found.hits.iter().map(|hit| (hit.path.clone(), hit.line, hit.weight)).collect();
        prop_assert_eq!(places, plain(&files, &query, context, hits));
        prop_assert_eq!(found.more, plain(&files, &query, context, hits + 1).len() > hits);
    }

    #[test]
    fn folding_keeps_lines(text in any::<String>()) {
        let mut lower = String::new();
        fold_into(&text, &mut lower);
        prop_assert_eq!(crate::workspace::text::line_count(&lower), crate::workspace::text::line_count(&text));
        let each: String = text.chars().flat_map(char::to_lowercase).collect();
        prop_assert_eq!(lower, each);
    }
}
