//! One call walks the corridor: find, check, permit, schedule, perform. Each room consumes what the room before
//! made, so a room cannot be left out.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::active::Active;
use super::judge::situation;
use super::ledger::OpenCall;
use super::run_state::Purpose as OpenFor;
use super::timers::Purpose;
use crate::arguments::{self, Checked, ToolArguments};
use crate::catalog::profile::ArgumentRepair;
use crate::catalog::{Interrupt, Parallel, Returns};
use crate::gate::{self, Found, Miss};
use crate::perform::{self, Started};
use crate::permission::{protected, rewritten_badly, search_shows};
use crate::project;
use crate::protocol::{
    Call, CallContext, Class, Code, FactsWriter, Fault, MovedBy, Mutant, Note, Outcome, Payload, Wire, limits,
};
use crate::schedule::{Scheduled, Slot};
use crate::tool::{Context, DiceSeed};
use crate::workspace::Touches;

/// Why a call got no further than the check.
enum Stopped {
    Answered(Box<Outcome>),
    Fatal(Fault),
}

/// How long a call is waited for.
struct Waiting {
    /// When the work must have ended, as the host is told; absent for work that may go on.
    told: Option<u64>,
    /// When waiting for it ends.
    until: Option<u64>,
}

/// A call with the arguments that count now.
fn current(open: &OpenCall) -> Arc<Call> {
    let rewritten = open.passage.as_ref().and_then(|passage| passage.rewritten.clone());
    match rewritten {
        Some(args) => {
            let arguments = Wire::Json(Value::Object(args));
            Arc::new(Call { arguments, ..Call::clone(&open.call) })
        }
        None => Arc::clone(&open.call),
    }
}

impl Active<'_> {
    /// Plans a call of a fresh batch by the facts its lane is chosen by. Gives the answer of a call that does not
    /// get that far.
    pub fn plan(
        &mut self,
        place: usize,
        call: &Call,
        found: Result<Found, Miss>,
        decoded: ToolArguments,
    ) -> Option<Outcome> {
        let checked = match self.check(call, found, decoded) {
            Ok(checked) => checked,
            Err(stopped) => {
                self.run.batch.plan.push_settled();
                return match stopped {
                    Stopped::Answered(outcome) => Some(*outcome),
                    Stopped::Fatal(fault) => {
                        self.run.lost.get_or_insert(fault);
                        Some(project::skipped_run_ended())
                    }
                };
            }
        };
        self.run.batch.plan.push(self.slot(checked.found()));
        self.keep_repaired(place, &checked);
        self.run.batch.calls.get_mut(place)?.checked = Some(checked);
        None
    }

    fn slot(&self, found: &Found) -> Slot {
        let binding = found.binding();
        let default = if self.run.profile.run.background {
            limits::EXTERNAL_TIMEOUT_BACKGROUND_MS
        } else {
            limits::EXTERNAL_TIMEOUT_MS
        };
        Slot {
            // A predicate that nobody has asked yet counts as serial (SC-20).
            parallel: binding.traits().parallel == Parallel::Yes,
            completion: found.completes(),
            cascades: binding.traits().cascades_on_failure,
            block: binding.traits().interrupt == Interrupt::Block,
            // A builtin that declares none is done in the step it starts in.
            timeout_ms: binding.traits().timeout_ms.or((!binding.is_builtin()).then_some(default)),
        }
    }

    /// A mended call goes into history in its mended form, and the record says what was mended (AR-35).
    fn keep_repaired(&mut self, place: usize, checked: &Checked<Found>) {
        if checked.repaired().is_empty() {
            return;
        }
        let replay = Value::Object(checked.replay().clone());
        if let Some(call) = self.run.batch.said.calls.get_mut(place) {
            call.arguments = crate::protocol::Wire::Json(replay.clone());
        }
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            open.notes.push(Note {
                kind: "arguments_repaired".to_owned(),
                data: json!({"locations": checked.repaired(), "repaired": replay}),
            });
        }
    }

    fn check(
        &self,
        call: &Call,
        found: Result<Found, Miss>,
        decoded: ToolArguments,
    ) -> Result<Checked<Found>, Stopped> {
        if call.cut && !Mutant::CutRuns.is_on() {
            return Err(Stopped::Answered(Box::new(project::cut_off())));
        }
        let decoded = match decoded {
            ToolArguments::Invalid(_) if Mutant::InvalidRuns.is_on() => ToolArguments::Object(Map::new()),
            decoded => decoded,
        };
        let found = found.map_err(|miss| match miss {
            Miss::Refused(refusal, _) => Stopped::Answered(Box::new(Outcome::refused(refusal))),
            Miss::Fatal(fault) => Stopped::Fatal(fault),
        })?;
        let repairs = self.run.profile.tools.argument_repair == ArgumentRepair::Lossless;
        arguments::check_decoded(found, decoded, repairs)
            .map_err(|refused| Stopped::Answered(Box::new(Outcome::refused(refused.refusal))))
    }

    fn find_and_check(&self, call: &Arc<Call>) -> Result<Checked<Found>, Stopped> {
        let found = gate::find(&self.run.turn, &self.run.tools, call);
        self.check(call, found, arguments::decode(&call.arguments))
    }

    /// The arguments of a call as the tool got them.
    pub fn arguments_of(&self, open: &OpenCall) -> Arc<Map<String, Value>> {
        if let Some(arguments) = &open.arguments {
            return Arc::clone(arguments);
        }
        let checked = self.find_and_check(&current(open));
        checked.map(Checked::into_arguments).unwrap_or_default()
    }

    /// Lets a call into the corridor, as far as the lanes go.
    pub fn admit(&mut self, place: usize) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let (call_id, kept) = (open.call.call_id.clone(), open.checked.take());
        self.call_state(&call_id, "admitted");
        let Some(checked) = kept.or_else(|| self.find_again(place)) else { return };
        let is_last = place + 1 == self.run.batch.calls.len();
        if let Some(refusal) = gate::misplaced(checked.found(), is_last) {
            return self.settle(place, Outcome::refused(refusal));
        }
        // Before anybody is asked about it.
        if self.goes_in_circles(&checked) {
            return self.block_loop(place);
        }
        self.enter(place, checked);
    }

    /// The corridor up to the check, for a call whose values were lost in a restore or whose arguments have changed.
    pub fn find_again(&mut self, place: usize) -> Option<Checked<Found>> {
        let open = self.run.batch.calls.get(place)?;
        let is_by_hook = open.passage.as_ref().is_some_and(|passage| passage.rewrites > 0);
        match self.find_and_check(&current(open)) {
            Ok(checked) => return Some(checked),
            Err(Stopped::Answered(outcome))
                if is_by_hook && outcome.code == Some(Code::ToolInvalidArguments) =>
            {
                self.settle(place, Outcome::refused(rewritten_badly()));
            }
            Err(Stopped::Answered(outcome)) => self.settle(place, *outcome),
            Err(Stopped::Fatal(fault)) => {
                self.run.lost.get_or_insert(fault);
                self.settle(place, project::skipped_run_ended());
            }
        }
        None
    }

    /// Starts a call that has its place.
    pub fn start(&mut self, scheduled: Scheduled) {
        let place = scheduled.index();
        let Some(permitted) = self.permitted(place) else { return };
        // Others of its kind may have failed while it waited, and hooks may have made it one that did.
        if self.goes_in_circles(permitted.checked()) {
            return self.block_loop(place);
        }
        let (now, deadline) = (self.core.now, scheduled.deadline());
        let moves = self.run.batch.calls.get(place).is_some_and(|open| self.moves(open));
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        open.started_at = Some(now);
        open.limit_ms = deadline.map(|at| at.saturating_sub(now));
        let call_id = open.call.call_id.clone();
        let tool_id = open.tool_id.clone();
        let checked = permitted.checked();
        let binding = checked.found().binding();
        // Only builtins look at files here.
        let matter = binding.is_builtin().then(|| self.matter(place, checked));
        let facts = matter.as_ref().map(|matter| situation(self.core, self.run, binding, matter));
        let opened = facts.as_ref().map(protected).unwrap_or_default();
        let names = &self.run.names;
        let shows = |path: &str| facts.as_ref().is_none_or(|facts| search_shows(facts, names, &opened, path));
        let context = Context {
            workspace: &self.core.workspace,
            roots: &self.run.roots,
            read_state: &self.run.read_state,
            names: &self.run.names,
            dice: DiceSeed { seed: &self.run.seed, run_id: &self.run.id, call_id: &call_id },
            now,
            deadline,
            commands: &self.run.commands(),
            moves,
            shows: &shows,
        };
        let call_context = CallContext {
            run_id: self.run.id.clone(),
            invocation_id: self.run.invocation_id.clone(),
            call_id: call_id.clone(),
            target: self.run.target.clone(),
        };
        let started = perform::start(&scheduled, &permitted, &self.core.catalog, &context, call_context);
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            let rewritten = open.passage.as_ref().is_some_and(|passage| passage.rewritten.is_some());
            open.as_asked = !rewritten && permitted.checked().is_as_asked();
            open.arguments = Some(permitted.into_arguments());
        }
        let mut facts = FactsWriter::default();
        facts.member("callId", &call_id).member("toolId", &tool_id);
        match started {
            Started::Done(outcome, effect) => {
                self.started(&call_id, facts);
                let outcome = self.apply(place, outcome, effect);
                self.settle(place, outcome);
            }
            Started::Wait { payload, slack_ms } => {
                let asked = matches!(payload, Payload::ShellExec { background: true, .. });
                let ends = matches!(payload, Payload::ExtensionCall { .. }) || !moves;
                let wait = Waiting {
                    told: deadline.filter(|_| ends && !asked),
                    // A program that goes on does not end itself.
                    until: deadline.map(|at| at.saturating_add(if moves { 0 } else { slack_ms })),
                };
                if Mutant::SentTwice.is_on() {
                    self.wait(place, &wait, payload.clone());
                }
                let effect_id = self.wait(place, &wait, payload);
                facts.member("effectId", &effect_id);
                self.started(&call_id, facts);
                if asked {
                    self.move_call(place, MovedBy::Request);
                }
            }
        }
    }

    fn started(&mut self, call_id: &str, facts: FactsWriter) {
        self.note("tool_call_started", facts.end());
        self.call_state(call_id, "running");
    }

    /// Lets the host perform a call; gives the effect's id.
    fn wait(&mut self, place: usize, waiting: &Waiting, mut payload: Payload) -> String {
        if let (true, Payload::ExtensionCall { args, .. }) = (Mutant::MemberDropped.is_on(), &mut payload) {
            Arc::make_mut(args).retain(|name, _| name == "n");
        }
        let call_id =
            self.run.batch.calls.get(place).map(|open| open.call.call_id.clone()).unwrap_or_default();
        if let Payload::ExtensionCall { args, .. } = &payload {
            let rounded = arguments::rounded(args);
            if let (false, Some(open)) = (rounded.is_empty(), self.run.batch.calls.get_mut(place)) {
                // JavaScript has no such number; the record says that the function got another one.
                open.notes
                    .push(Note { kind: "numbers_rounded".to_owned(), data: json!({"locations": rounded}) });
            }
        }
        let effect_id = self.effect(Class::Effectful, Some(&call_id), waiting.told, payload);
        self.run.open.insert(effect_id.clone(), OpenFor::Call(place));
        if let Some(at) = waiting.until {
            self.run.timers.set(at, Purpose::Timeout { call_id });
        }
        let tool_id = self.run.batch.calls.get(place).and_then(|open| open.tool_id.as_ref());
        let function = tool_id.and_then(|id| self.core.catalog.get(id)?.function());
        let returns_blocks = function.is_some_and(|function| function.returns == Returns::Blocks);
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            open.returns_blocks = returns_blocks;
            open.effect_id = Some(effect_id.clone());
            open.open_port(Touches::default());
        }
        effect_id
    }
}
