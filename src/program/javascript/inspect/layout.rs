//! One line or several: how the parts of an object are put together.

use super::Inspector;
use super::text::{length, plain, width};
use boa_engine::{JsObject, JsValue};

/// What the parts of an object are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// Properties.
    Properties,
    /// Elements, with properties behind them.
    Elements,
}

/// Elements above which columns are tried.
const FEW: usize = 6;
/// Most columns.
const COLUMNS: usize = 15;

impl Inspector<'_> {
    /// Puts the parts between the braces.
    pub(super) fn join(
        &self,
        parts: Vec<String>,
        base: &str,
        braces: (&str, &str),
        kind: Parts,
        level: usize,
        value: Option<&JsObject>,
    ) -> String {
        let base_gap = if base.is_empty() { String::new() } else { format!("{base} ") };
        let indentation = " ".repeat(self.indentation);
        if self.options.compact_always {
            if self.fits(&parts, 0, base) {
                let base = if base.is_empty() { String::new() } else { format!(" {base}") };
                return format!("{}{base} {} {}", braces.0, parts.join(", "), braces.1);
            }
            let line = if base.is_empty() && braces.0.len() == 1 {
                " ".to_owned()
            } else {
                let base = if base.is_empty() { String::new() } else { format!(" {base}") };
                format!("{base}\n{indentation}  ")
            };
            return format!("{}{line}{} {}", braces.0, parts.join(&format!(",\n{indentation}  ")), braces.1);
        }
        let count = parts.len();
        let parts = if self.options.compact > 0 && kind == Parts::Elements && count > FEW {
            self.columns(parts, value)
        } else {
            parts
        };
        let shallow = (self.current_depth as i64 - level as i64) < self.options.compact as i64;
        if self.options.compact > 0 && shallow && parts.len() == count {
            let start = parts.len() + self.indentation + length(braces.0) + length(base) + 10;
            if self.fits(&parts, start, base) {
                let joined = parts.join(", ");
                if !joined.contains('\n') {
                    return format!("{base_gap}{} {joined} {}", braces.0, braces.1);
                }
            }
        }
        let joined = parts.join(&format!(",\n{indentation}  "));
        format!("{base_gap}{}\n{indentation}  {joined}\n{indentation}{}", braces.0, braces.1)
    }

    fn fits(&self, parts: &[String], start: usize, base: &str) -> bool {
        let mut total = (parts.len() + start) as f64;
        if total + parts.len() as f64 > self.options.break_length {
            return false;
        }
        for part in parts {
            let length = if self.options.colors { length(&plain(part)) } else { length(part) };
            total += length as f64;
            if total > self.options.break_length {
                return false;
            }
        }
        !base.contains('\n')
    }

    /// Groups the elements of a long array in columns of equal width.
    fn columns(&self, parts: Vec<String>, value: Option<&JsObject>) -> Vec<String> {
        let more = parts.len() > self.options.max_array;
        let shown = parts.len() - usize::from(more);
        let widths: Vec<usize> = parts.iter().take(shown).map(|part| width(part)).collect();
        let total: usize = widths.iter().map(|width| width + 2).sum();
        let widest = widths.iter().copied().max().unwrap_or(0) + 2;
        let narrow = (widest * 3 + self.indentation) as f64;
        let even = total as f64 / widest as f64 > 5.0 || widest <= 8;
        if narrow >= self.options.break_length || !even {
            return parts;
        }
        let bias = (widest as f64 - total as f64 / parts.len() as f64).sqrt();
        let biased = (widest as f64 - 3.0 - bias).max(1.0);
        let square = ((2.5 * biased * shown as f64).sqrt() / biased).round();
        let room = ((self.options.break_length - self.indentation as f64) / widest as f64).floor();
        let most = (self.options.compact * 4).min(COLUMNS);
        let columns = square.min(room).min(most as f64) as usize;
        if columns <= 1 {
            return parts;
        }
        let column_widths: Vec<usize> = (0..columns)
            .map(|column| widths.iter().skip(column).step_by(columns).copied().max().unwrap_or(0) + 2)
            .collect();
        let right = value.is_none_or(|value| self.all_numbers(value, parts.len()));
        let mut rows = Vec::with_capacity(shown / columns + 2);
        for (row, row_widths) in
            parts.iter().take(shown).collect::<Vec<_>>().chunks(columns).zip(widths.chunks(columns))
        {
            let mut line = String::new();
            for (index, ((part, width), column)) in row.iter().zip(row_widths).zip(&column_widths).enumerate()
            {
                let last = index + 1 == row.len();
                let gap = " ".repeat(column.saturating_sub(width + 2));
                match (right, last) {
                    (true, true) => line.push_str(&format!("{gap}{part}")),
                    (true, false) => line.push_str(&format!("{gap}{part}, ")),
                    (false, true) => line.push_str(part),
                    (false, false) => line.push_str(&format!("{part}, {gap}")),
                }
            }
            rows.push(line);
        }
        if more {
            rows.extend(parts.into_iter().skip(shown));
        }
        rows
    }

    /// Whether the elements are numbers, which are lined up on the right.
    fn all_numbers(&self, value: &JsObject, count: usize) -> bool {
        let borrowed = value.borrow();
        let properties = borrowed.properties();
        (0..count).all(|index| {
            let element = properties.get(&(index as u32).into());
            let element = element.as_ref().and_then(|element| element.value());
            element.is_some_and(|element: &JsValue| element.is_number() || element.is_bigint())
        })
    }
}
