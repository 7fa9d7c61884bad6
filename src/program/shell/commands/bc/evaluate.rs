//! A program of `bc`, run.

use super::functions;
use super::number::{Number, Result};
use super::parse::{Expression, Place, Statement};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Steps of one call of `bc`.
const STEPS: u32 = 2_000_000;
/// How deep functions may call each other.
const CALLS: usize = 100;
/// The largest scale.
const SCALE: u32 = 1_000;

/// How a statement ended.
#[derive(Debug, PartialEq)]
pub(super) enum Flow {
    On,
    Break,
    Continue,
    Return(Number),
    Quit,
}

struct Function {
    parameters: Vec<String>,
    locals: Vec<String>,
    body: Vec<Statement>,
}

/// The variables and what was written so far.
pub(super) struct Machine {
    variables: BTreeMap<String, Number>,
    elements: BTreeMap<(String, i64), Number>,
    functions: BTreeMap<String, Rc<Function>>,
    scale: u32,
    input_base: u32,
    output_base: u32,
    steps: u32,
    calls: usize,
    library: bool,
    pub out: String,
}

impl Machine {
    pub(super) fn new(library: bool) -> Machine {
        Machine {
            variables: BTreeMap::new(),
            elements: BTreeMap::new(),
            functions: BTreeMap::new(),
            scale: if library { 20 } else { 0 },
            input_base: 10,
            output_base: 10,
            steps: 0,
            calls: 0,
            library,
            out: String::new(),
        }
    }

    pub(super) fn run(&mut self, statement: &Statement) -> Result<Flow> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(format!("more than {STEPS} steps; use awk for long loops"));
        }
        match statement {
            Statement::Value(expression) => {
                let value = self.value(expression)?;
                if !matches!(expression, Expression::Set { .. }) {
                    self.out.push_str(&value.show(self.output_base));
                    self.out.push('\n');
                    self.variables.insert("last".into(), value);
                }
            }
            Statement::Text(text) => self.out.push_str(text),
            Statement::Print(parts) => {
                for part in parts {
                    match part {
                        Statement::Text(text) => {
                            let text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\q", "\"");
                            self.out.push_str(&text);
                        }
                        Statement::Value(expression) => {
                            let value = self.value(expression)?;
                            self.out.push_str(&value.show(self.output_base));
                        }
                        other => return self.run(other),
                    }
                }
            }
            Statement::If { condition, then, otherwise } => {
                if !self.value(condition)?.is_zero() {
                    return self.run(then);
                }
                if let Some(otherwise) = otherwise {
                    return self.run(otherwise);
                }
            }
            Statement::While { condition, body, step } => {
                while !self.value(condition)?.is_zero() {
                    match self.run(body)? {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        other => return Ok(other),
                    }
                    if let Some(step) = step {
                        self.value(step)?;
                    }
                }
            }
            Statement::Block(statements) => return self.run_all(statements),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Quit => return Ok(Flow::Quit),
            Statement::Return(value) => {
                let value = value.as_ref().map(|value| self.value(value)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or_default()));
            }
            Statement::Define { name, parameters, locals, body } => {
                let function =
                    Function { parameters: parameters.clone(), locals: locals.clone(), body: body.clone() };
                self.functions.insert(name.clone(), Rc::new(function));
            }
        }
        Ok(Flow::On)
    }

    fn run_all(&mut self, statements: &[Statement]) -> Result<Flow> {
        for statement in statements {
            let flow = self.run(statement)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn value(&mut self, expression: &Expression) -> Result<Number> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(format!("more than {STEPS} steps; use awk for long loops"));
        }
        match expression {
            Expression::Number(text) => Number::read(text, self.input_base),
            Expression::Get(place) => self.get(place),
            Expression::Set { place, operator, value } => {
                let mut value = self.value(value)?;
                if let Some(operator) = operator {
                    let old = self.get(place)?;
                    value = self.binary(&operator.to_string(), &old, &value)?;
                }
                self.set(place, value.clone())?;
                Ok(value)
            }
            Expression::Step { place, up, before } => {
                let old = self.get(place)?;
                let new = if *up { old.plus(&1.into()) } else { old.minus(&1.into()) };
                self.set(place, new.clone())?;
                Ok(if *before { old } else { new })
            }
            Expression::Negate(value) => Ok(self.value(value)?.negated()),
            Expression::Not(value) => Ok(i64::from(self.value(value)?.is_zero()).into()),
            Expression::Binary { operator, left, right } => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                self.binary(operator, &left, &right)
            }
            Expression::Call { name, arguments } => {
                let arguments =
                    arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<_>>>()?;
                self.call(name, arguments)
            }
        }
    }

    fn binary(&self, operator: &str, left: &Number, right: &Number) -> Result<Number> {
        let order = left.compare(right);
        let truth = |holds: bool| Ok(i64::from(holds).into());
        match operator {
            "+" => Ok(left.plus(right)),
            "-" => Ok(left.minus(right)),
            "*" => left.times(right, self.scale),
            "/" => left.divided_by(right, self.scale),
            "%" => left.remainder(right, self.scale),
            "^" => left.power(right, self.scale),
            "<" => truth(order.is_lt()),
            "<=" => truth(order.is_le()),
            ">" => truth(order.is_gt()),
            ">=" => truth(order.is_ge()),
            "==" => truth(order.is_eq()),
            "!=" => truth(order.is_ne()),
            "&&" => truth(!left.is_zero() && !right.is_zero()),
            _ => truth(!left.is_zero() || !right.is_zero()),
        }
    }

    fn index(&mut self, place: &Place) -> Result<Option<i64>> {
        let Some(index) = &place.index else { return Ok(None) };
        let index = self.value(index)?.whole().filter(|index| *index >= 0);
        index.map(Some).ok_or_else(|| "an index is not a small number".into())
    }

    fn get(&mut self, place: &Place) -> Result<Number> {
        if let Some(index) = self.index(place)? {
            return Ok(self.elements.get(&(place.name.clone(), index)).cloned().unwrap_or_default());
        }
        Ok(match place.name.as_str() {
            "scale" => i64::from(self.scale).into(),
            "ibase" => i64::from(self.input_base).into(),
            "obase" => i64::from(self.output_base).into(),
            name => self.variables.get(name).cloned().unwrap_or_default(),
        })
    }

    fn set(&mut self, place: &Place, value: Number) -> Result<()> {
        if let Some(index) = self.index(place)? {
            self.elements.insert((place.name.clone(), index), value);
            return Ok(());
        }
        let within = |from: u32, to: u32| {
            let number = value.whole().and_then(|number| u32::try_from(number).ok());
            number.filter(|number| (from..=to).contains(number))
        };
        let wrong = |to: u32| format!("{} is a number up to {to}", place.name);
        match place.name.as_str() {
            "scale" => self.scale = within(0, SCALE).ok_or_else(|| wrong(SCALE))?,
            "ibase" => self.input_base = within(2, 16).ok_or_else(|| wrong(16))?,
            "obase" => self.output_base = within(2, 16).ok_or_else(|| wrong(16))?,
            name => {
                self.variables.insert(name.into(), value);
            }
        }
        Ok(())
    }

    fn call(&mut self, name: &str, arguments: Vec<Number>) -> Result<Number> {
        match (name, arguments.as_slice()) {
            ("sqrt", [value]) => return value.root(self.scale),
            ("length", [value]) => return Ok((value.length() as i64).into()),
            ("scale", [value]) => return Ok(i64::from(value.scale).into()),
            _ => {}
        }
        if let Some(function) = self.functions.get(name).cloned() {
            return self.call_function(name, &function, arguments);
        }
        match arguments.as_slice() {
            [value] if self.library => functions::call(name, value, self.scale),
            _ => Err(format!("Function {name} not defined.")),
        }
    }

    fn call_function(&mut self, name: &str, function: &Function, arguments: Vec<Number>) -> Result<Number> {
        if arguments.len() != function.parameters.len() {
            return Err(format!("Parameter number mismatch in {name}"));
        }
        self.calls += 1;
        if self.calls > CALLS {
            return Err(format!("functions call each other more than {CALLS} deep"));
        }
        let names: Vec<&String> = function.parameters.iter().chain(&function.locals).collect();
        let saved: Vec<Option<Number>> = names.iter().map(|name| self.variables.remove(*name)).collect();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            self.variables.insert(parameter.clone(), argument);
        }
        let flow = self.run_all(&function.body);
        for (name, value) in names.into_iter().zip(saved) {
            match value {
                Some(value) => self.variables.insert(name.clone(), value),
                None => self.variables.remove(name),
            };
        }
        self.calls -= 1;
        match flow? {
            Flow::Return(value) => Ok(value),
            _ => Ok(Number::default()),
        }
    }
}
