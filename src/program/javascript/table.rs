//! `console.table`, in the boxes that Node 20 draws.

use super::inspect::{self, Options};
use super::native;
use boa_engine::object::builtins::{JsMap, JsSet};
use boa_engine::property::PropertyKey;
use boa_engine::{Context, JsObject, JsResult, JsString, JsValue};

const INDEX: &str = "(index)";
const ITERATION: &str = "(iteration index)";
const VALUES: &str = "Values";

/// The cells of one table: a title for each column, and the columns themselves.
#[derive(Debug, Default)]
struct Table {
    titles: Vec<String>,
    columns: Vec<Vec<String>>,
}

impl Table {
    fn column(&mut self, title: &str) -> usize {
        match self.titles.iter().position(|other| other == title) {
            Some(index) => index,
            None => {
                self.titles.push(title.to_owned());
                self.columns.push(Vec::new());
                self.columns.len() - 1
            }
        }
    }

    fn put(&mut self, column: usize, row: usize, text: String) {
        if let Some(cells) = self.columns.get_mut(column) {
            cells.resize(cells.len().max(row), String::new());
            cells.push(text);
        }
    }
}

/// Draws a table.
///
/// # Errors
/// A getter throws.
pub(crate) fn draw(data: &JsValue, wanted: Option<&[String]>, context: &mut Context) -> JsResult<String> {
    let Some(object) = data.as_object() else { return inspect::value(data, context) };
    let mut table = Table::default();
    if let Ok(map) = JsMap::from_object(object.clone()) {
        let mut entries = Vec::new();
        map.for_each_native(|key, value| {
            entries.push((key, value));
            Ok(())
        })?;
        for title in [ITERATION, "Key", VALUES] {
            table.column(title);
        }
        for (row, (key, value)) in entries.iter().enumerate() {
            table.put(0, row, row.to_string());
            let key = cell(key, context)?;
            table.put(1, row, key);
            let value = cell(value, context)?;
            table.put(2, row, value);
        }
        return Ok(boxes(&table));
    }
    if let Ok(set) = JsSet::from_object(object.clone()) {
        let mut values = Vec::new();
        set.for_each_native(|value| {
            values.push(value);
            Ok(())
        })?;
        table.column(ITERATION);
        table.column(VALUES);
        for (row, value) in values.iter().enumerate() {
            table.put(0, row, row.to_string());
            let value = cell(value, context)?;
            table.put(1, row, value);
        }
        return Ok(boxes(&table));
    }
    rows(&object, wanted, &mut table, context)?;
    Ok(boxes(&table))
}

fn rows(
    object: &JsObject,
    wanted: Option<&[String]>,
    table: &mut Table,
    context: &mut Context,
) -> JsResult<()> {
    let keys = enumerable(object, context)?;
    table.column(INDEX);
    for title in wanted.unwrap_or_default() {
        table.column(title);
    }
    let mut plain = Vec::new();
    for (row, key) in keys.iter().enumerate() {
        table.put(0, row, key.to_std_string_lossy());
        let value = object.get(key.clone(), context)?;
        let inner = value.as_object().filter(|inner| !inner.is_callable());
        let Some(inner) = inner else {
            plain.push((row, cell(&value, context)?));
            continue;
        };
        for key in enumerable(&inner, context)? {
            let title = key.to_std_string_lossy();
            if wanted.is_some_and(|wanted| !wanted.contains(&title)) {
                continue;
            }
            let column = table.column(&title);
            let value = inner.get(key, context)?;
            let value = cell(&value, context)?;
            table.put(column, row, value);
        }
    }
    if !plain.is_empty() {
        let column = table.column(VALUES);
        for (row, text) in plain {
            table.put(column, row, text);
        }
    }
    Ok(())
}

fn enumerable(object: &JsObject, context: &mut Context) -> JsResult<Vec<JsString>> {
    let mut names = Vec::new();
    for key in object.own_property_keys(context)? {
        let name = match &key {
            PropertyKey::String(name) => name.clone(),
            PropertyKey::Index(index) => JsString::from(index.get().to_string()),
            PropertyKey::Symbol(_) => continue,
        };
        if native::own(object, &key, context)?.is_some_and(|own| own.enumerable() == Some(true)) {
            names.push(name);
        }
    }
    Ok(names)
}

fn cell(value: &JsValue, context: &mut Context) -> JsResult<String> {
    let crowded = match value.as_object() {
        Some(object) if !object.is_array() => enumerable(&object, context)?.len() > 2,
        _ => false,
    };
    let depth = if crowded { -1.0 } else { 0.0 };
    let options = Options { depth, max_array: 3, break_length: f64::INFINITY, ..Options::default() };
    inspect::with(value, options, context)
}

/// The cells in their boxes.
fn boxes(table: &Table) -> String {
    let rows = table.columns.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = table
        .titles
        .iter()
        .zip(&table.columns)
        .map(|(title, cells)| {
            cells.iter().chain([title]).map(|cell| inspect::width(cell)).max().unwrap_or(0) + 2
        })
        .collect();
    let line = |left: &str, middle: &str, right: &str| {
        let bars: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        format!("{left}{}{right}", bars.join(middle))
    };
    let cells = |row: Vec<&str>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        format!("│{}│", cells.join("│"))
    };
    let mut lines = vec![
        line("┌", "┬", "┐"),
        cells(table.titles.iter().map(String::as_str).collect()),
        line("├", "┼", "┤"),
    ];
    for row in 0..rows {
        lines.push(cells(
            table.columns.iter().map(|column| column.get(row).map_or("", String::as_str)).collect(),
        ));
    }
    lines.push(line("└", "┴", "┘"));
    lines.join("\n")
}

fn padded(text: &str, width: usize) -> String {
    format!(" {text}{}", " ".repeat(width.saturating_sub(inspect::width(text) + 1)))
}
