//! `workspace.search_files`: lines that hold some words (BT-50 to BT-53).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::list_files::start;
use super::members::{Whole, read, required};
use super::schema::schema_of;
use super::{Context, Done, Effect, Refused, Run, Spec, ToolEffect};
use crate::arguments::{Claim, Rules};
use crate::protocol::limits::{
    SEARCH_CONTEXT, SEARCH_CONTEXT_DEFAULT, SEARCH_DEPTH, SEARCH_FILES, SEARCH_HITS, SEARCH_HITS_DEFAULT,
};
use crate::protocol::{BoundNames, Code, Outcome, Refusal};
use crate::workspace::refusal::{grouped, path_not_found};
use crate::workspace::search::{Findings, Hit, Query, Search, Window};
use crate::workspace::text::first_chars;
use crate::workspace::{Entry, Walk};

pub(super) const SPEC: Spec = Spec {
    native: "workspace.search_files",
    title: "Search files",
    effect: Effect::Read,
    parallel: true,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "Search files: {query}",
    about: Some("path"),
    rules: Rules::builtin(&[
        Claim { member: "limit", keyword: "minimum" },
        Claim { member: "limit", keyword: "maximum" },
        Claim { member: "context_lines", keyword: "maximum" },
    ]),
    run: Run::Here(run),
};

/// The arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args<'a> {
    /// The words to look for.
    query: &'a str,
    /// The file or directory to search, for example output; everything if left out.
    path: Option<&'a str>,
    /// How many places to show, 1 to 50; 20 if left out.
    #[schemars(range(min = 1, max = 50), extend("default" = 20))]
    limit: Option<Whole>,
    /// How many lines to show before and after each matching line, 0 to 5; 2 if left out.
    #[schemars(range(min = 0, max = 5), extend("default" = 2))]
    context_lines: Option<Whole>,
}

fn description(names: &BoundNames) -> String {
    let mut text = String::from(
        "Searches the text files of the workspace for words and shows the matching lines, with their numbers and some \
         lines around, the best first. A line matches if one of the words occurs in it, also inside a longer word; the \
         more of them, the better. Upper and lower case are the same; patterns and quotation marks have no meaning. At \
         most 1,000 files on 8 levels are searched; give a path to narrow it.",
    );
    if let Some(read) = names.of("workspace.read_file") {
        text.push_str(&format!(" To see more of a file that was found, use {read}."));
    }
    if let Some(list) = names.of("workspace.list_files") {
        text.push_str(&format!(" To find files by their names, use {list}."));
    }
    text
}

/// Files that are named when they were left out.
const CLOSED_SHOWN: usize = 3;

/// Which part of the scope was left out.
#[derive(Default)]
struct Cut {
    files: bool,
    depth: bool,
    /// Files that nobody may be shown unasked.
    closed: Vec<String>,
    /// The file that the call names is one of them.
    is_named: bool,
}

impl Cut {
    /// A limit was reached.
    fn is_short(&self) -> bool {
        self.files || self.depth
    }
}

fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let text = required("query", args.query)?;
    let hits = args.limit.map_or(Ok(SEARCH_HITS_DEFAULT), |limit| limit.at_least("limit", 0))?;
    match hits {
        0 => return Err(limit_refused(Code::WorkspaceSearchLimitInvalid).into()),
        1..=SEARCH_HITS => {}
        _ => return Err(limit_refused(Code::WorkspaceSearchLimitTooLarge).into()),
    }
    let lines =
        args.context_lines.map_or(Ok(SEARCH_CONTEXT_DEFAULT), |lines| lines.at_least("context_lines", 0))?;
    if lines > SEARCH_CONTEXT {
        return Err(context_refused().into());
    }
    let query = Query::new(text);
    let mut search = Search::new(&query, Window { context: lines, hits });
    let cut = look(context, start(context, args.path)?, &mut search)?;
    let findings = search.finish();
    if findings.hits.is_empty() && cut.is_short() {
        return Err(incomplete(text, &cut, context.names).into());
    }
    Ok(Done { outcome: outcome(text, &query, &findings, &cut, context.names), effect: ToolEffect::None })
}

/// Looks into all files of the scope.
fn look<'a>(
    context: &Context<'a>,
    start: Option<crate::workspace::WorkspacePath>,
    search: &mut Search<'a, '_>,
) -> Result<Cut, Refusal> {
    let mut cut = Cut::default();
    let mut look = |path: &str, entry: Entry<'a>| match entry {
        Entry::File(_) if !(context.shows)(path) => cut.closed.push(path.to_owned()),
        _ => search.look(path, entry),
    };
    let mut walk = match &start {
        None => Walk::roots(context.workspace, context.roots, SEARCH_DEPTH),
        Some(path) => {
            let entry = context.workspace.get(path).ok_or_else(|| path_not_found(path, context.names))?;
            look(path.as_str(), entry);
            Walk::below(context.workspace, path, SEARCH_DEPTH)
        }
    };
    let (mut files, mut are_more) = (0, false);
    for found in walk.by_ref() {
        if matches!(found.entry, Entry::File(_)) {
            if files == SEARCH_FILES {
                are_more = true;
                break;
            }
            files += 1;
        }
        look(&found.path, found.entry);
    }
    let is_named = start.is_some_and(|path| cut.closed.first().is_some_and(|closed| closed == path.as_str()));
    Ok(Cut { files: are_more, depth: walk.cut(), is_named, ..cut })
}

fn outcome(text: &str, query: &Query, findings: &Findings<'_>, cut: &Cut, names: &BoundNames) -> Outcome {
    let shown = first_chars(text, 200);
    let mut blocks = vec![match findings.hits.len() {
        0 if query.tokens().is_empty() => {
            format!("Nothing was found: `{shown}` holds no letters or digits to look for.")
        }
        0 => format!("No line holds any of the words of `{shown}`."),
        1 => format!("1 place found for `{shown}`.{}", advice(names)),
        count => format!("{count} places found for `{shown}`, the best first.{}", advice(names)),
    }];
    let mut listed = Vec::new();
    for hit in &findings.hits {
        let reference = format!("workspace:{}#L{}-L{}", hit.path, hit.first, hit.last);
        let (score, snippet) = (score(hit, query), hit.snippet(query));
        let decimal = format!("{}.{:03}", score / 1000, score % 1000);
        blocks.push(format!("{} score {decimal} ref {reference}\n{snippet}", hit.path));
        listed.push(json!({
            "path": hit.path,
            "score": f64::from(score) / 1000.0,
            "startLine": hit.first,
            "endLine": hit.last,
            "snippet": snippet,
            "ref": reference,
        }));
    }
    let notices = notices(findings, cut, names);
    if !notices.is_empty() {
        blocks.push(notices.join("\n"));
    }
    let structured = json!({
        "query": text,
        "hits": listed,
        "skippedFiles": findings.skipped,
        "closedFiles": cut.closed.len(),
        "truncated": findings.more || cut.is_short(),
    });
    let mut outcome = Outcome::ok(blocks.join("\n\n"), Some(structured));
    let places =
        findings.hits.iter().map(|hit| json!({"path": hit.path, "line": hit.line})).collect::<Vec<_>>();
    outcome.display =
        Some(json!({"kind": "search_results", "title": format!("Search files: {shown}"), "hits": places}));
    outcome
}

/// The share of the words' weight that is in the line, in thousandths.
fn score(hit: &Hit<'_>, query: &Query) -> u32 {
    let total = query.weight().max(1);
    (hit.weight * 1000 + total / 2) / total
}

fn advice(names: &BoundNames) -> String {
    let read = names.of("workspace.read_file");
    read.map(|read| format!(" Read more with {read}, giving path, start_line and line_count."))
        .unwrap_or_default()
}

/// What is missing in the result (EX-26).
fn notices(findings: &Findings<'_>, cut: &Cut, names: &BoundNames) -> Vec<String> {
    let mut notices = Vec::new();
    if findings.more {
        notices.push(
            "More places were found than are shown; use more words, a path or a larger limit.".to_owned(),
        );
    }
    if cut.is_short() {
        notices
            .push(format!("Not everything was searched: {}. Give a path to search the rest.", left_out(cut)));
    }
    match findings.skipped {
        0 => {}
        1 => notices.push("1 file was skipped because it is not text.".to_owned()),
        count => {
            notices.push(format!("{} files were skipped because they are not text.", grouped(count as u64)))
        }
    }
    notices.extend(closed(&cut.closed, cut.is_named, names));
    notices
}

/// What was not looked into because reading it takes more than searching. Naming it is a way to ask for that, unless
/// it was named.
fn closed(paths: &[String], is_named: bool, names: &BoundNames) -> Option<String> {
    let shown: Vec<String> = paths.iter().take(CLOSED_SHOWN).map(|path| format!("`{path}`")).collect();
    let (first, rest) = (shown.join(", "), grouped((paths.len() - shown.len()) as u64));
    let (what, it) = match (paths.len(), rest.as_str()) {
        (0, _) => return None,
        (1, _) => (format!("{first} was not searched because reading it"), "it"),
        (_, "0") => (format!("{first} were not searched because reading them"), "one"),
        _ => (format!("{first} and {rest} more were not searched because reading them"), "one"),
    };
    let ask = match (is_named, names.of("workspace.read_file")) {
        (false, _) => format!(" Give {it} as path to ask for that."),
        (true, Some(read)) => format!(" Use {read} to ask for that."),
        (true, None) => String::new(),
    };
    Some(format!("{what} needs a permission of its own.{ask}"))
}

fn left_out(cut: &Cut) -> &'static str {
    match (cut.files, cut.depth) {
        (true, false) => "only the first 1,000 files were",
        (false, true) => "directories more than 8 levels down were not",
        _ => "only the first 1,000 files were, and no directory more than 8 levels down",
    }
}

fn incomplete(text: &str, cut: &Cut, names: &BoundNames) -> Refusal {
    let shown = first_chars(text, 200);
    let mut said = format!(
        "Nothing was found for `{shown}`, but not everything was searched: {}. Narrow it: give the path of a directory \
         or file.",
        left_out(cut)
    );
    if let Some(closed) = closed(&cut.closed, cut.is_named, names) {
        said.push(' ');
        said.push_str(&closed);
    }
    Refusal::new(Code::WorkspaceSearchIncomplete, said)
}

fn limit_refused(code: Code) -> Refusal {
    Refusal::new(code, "`limit` may be 1 to 50. Use a number in this range, or leave it out for 20.")
}

fn context_refused() -> Refusal {
    Refusal::new(
        Code::WorkspaceSearchContextTooLarge,
        "`context_lines` may be 0 to 5. Use a number in this range, or leave it out for 2.",
    )
}
