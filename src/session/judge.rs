//! May this call be made? The facts of a call go to the room `permission`, and what its verdict says is done.

use serde_json::{Map, Value};

use super::active::{Active, Core};
use super::passage::{Passage, Then};
use super::run_state::Run;
use super::terms::Terms;
use crate::arguments::Checked;
use crate::catalog::profile::Tier;
use crate::catalog::{Binding, Bound, Bounded, EffectTrait, Profile, builtin_of};
use crate::gate::Found;
use crate::identity::ToolId;
use crate::permission::{
    self, Action, Ask, Check, Ground, Inspection, Leave, Permitted, Point, Situation, Verdict, Word,
    effect_of, permit_by,
};
use crate::protocol::{Code, FactsWriter, Mutant, Outcome, Refusal, Status};
use crate::tool;

/// What one call wants: what the facts of a decision borrow.
pub(super) struct Matter {
    pub action: Action,
    pub check: Check,
    pub effect: EffectTrait,
    /// What the reviewer reads of it, where the tool wrote that itself.
    pub classifier_text: Option<String>,
    /// The same for people.
    pub summary: Option<String>,
}

impl Matter {
    /// What a call with these arguments wants. The builtins say by an argument what they are about; other tools by
    /// the template of their descriptor, or by what they said of this call (PM-01).
    pub fn new(binding: &Binding, args: &Map<String, Value>, passage: Option<&Passage>) -> Self {
        let action = match builtin_of(binding.id()) {
            Some(builtin) => builtin_action(builtin.native, binding.alias(), args),
            None => Action::from_template(binding.descriptor().permission.as_ref(), binding.alias(), args),
        };
        let matter = Self {
            action,
            check: Check::default(),
            effect: binding.traits().effect,
            classifier_text: None,
            summary: None,
        };
        let matter = match passage.and_then(|passage| passage.analysis.as_ref()) {
            Some(analysis) => {
                let directory = args.get("workdir").and_then(Value::as_str).unwrap_or_default().trim();
                let (action, is_all) = matter.action.analysed(analysis, directory);
                let check = if is_all { matter.check } else { Check::unverifiable() };
                Self { action, check, ..matter }
            }
            None => matter,
        };
        match passage.and_then(|passage| passage.inspection.as_ref()) {
            Some(inspection) => matter.inspected(binding.alias(), inspection),
            None => matter,
        }
    }

    fn inspected(self, alias: &str, said: &Value) -> Self {
        let Ok(said) = Inspection::decode(said) else {
            return Self { action: Action::careful(alias), effect: EffectTrait::Exec, ..self };
        };
        let action = said.action.map(|action| Action::computed(&action, alias));
        Self {
            action: action.unwrap_or(self.action),
            check: said.check.unwrap_or(self.check),
            effect: effect_of(self.effect, said.read_only),
            classifier_text: said.classifier_text,
            summary: said.summary,
        }
    }
}

fn builtin_action(native: &str, alias: &str, args: &Map<String, Value>) -> Action {
    let about = tool::find(native).and_then(|spec| spec.about);
    let target = about.and_then(|name| {
        let value = args.get(name)?.as_str()?;
        // The tools leave out white space around a path; what is judged is the path that they use.
        let value = if name == "path" { value.trim() } else { value };
        Some(Value::Object(Map::from_iter([(name.to_owned(), value.into())])))
    });
    Action { target, ..Action::of_tool(alias) }
}

/// Everything that a decision about a call depends on (PM-03).
pub(super) fn situation<'a>(
    core: &'a Core,
    run: &'a Run,
    binding: &'a Binding,
    matter: &'a Matter,
) -> Situation<'a> {
    under(core, &run.terms, &run.profile, binding, matter)
}

/// The tools of which no call would be made as things are at the start (VS-05).
pub(super) fn hopeless(core: &Core, terms: &Terms, profile: &Profile, bound: &Bound) -> Vec<ToolId> {
    let is_hopeless = |binding: &&Binding| {
        let mut matter = Matter::new(binding, &Map::new(), None);
        let function = core.catalog.get(binding.id()).and_then(|entry| entry.function());
        let template = binding.descriptor().permission.as_ref();
        // What a call does may be milder than what the tool declares.
        let varies = template.is_some_and(|template| template.to_string().contains("\"effect\""));
        if varies || function.is_some_and(|function| function.inspect) {
            matter.effect = EffectTrait::Read;
        }
        permission::is_hopeless(&under(core, terms, profile, binding, &matter))
    };
    let all = bound.bindings.iter().chain(&bound.dynamic);
    all.filter(is_hopeless).map(|binding| binding.id().clone()).collect()
}

fn under<'a>(
    core: &'a Core,
    terms: &'a Terms,
    profile: &'a Profile,
    binding: &'a Binding,
    matter: &'a Matter,
) -> Situation<'a> {
    let traits = binding.traits();
    Situation {
        tool: binding.id(),
        alias: binding.alias(),
        action: &matter.action,
        effect: matter.effect,
        control: traits.control || builtin_of(binding.id()).is_some_and(|builtin| builtin.control),
        bounded: traits.bounded == Some(Bounded::Workspace),
        has_classifier_text: matter.classifier_text.is_some() || traits.classifier_text.is_some(),
        check: &matter.check,
        tier: profile.tier(binding.id(), binding.alias()),
        server: Tier::Auto,
        subject: &terms.subject,
        asker: &terms.asker,
        mode: terms.setting,
        rules: &core.rules,
        grants: &core.grants,
        hook: None,
        bounds: &terms.bounds,
        now: core.now,
        approver: terms.approver,
        reviewer: terms.reviewer,
    }
}

impl Active<'_> {
    /// What a checked call wants.
    pub fn matter(&self, place: usize, checked: &Checked<Found>) -> Matter {
        let passage = self.run.batch.calls.get(place).and_then(|open| open.passage.as_deref());
        let mut matter = Matter::new(checked.found().binding(), checked.arguments(), passage);
        if let Some(question) = passage.and_then(|passage| passage.questions.front()) {
            matter.action.risk.extend(question.risk());
            matter.check = question.check();
        }
        matter
    }

    fn decide(&self, place: usize, checked: &Checked<Found>, matter: &Matter) -> Verdict {
        let passage = self.run.batch.calls.get(place).and_then(|open| open.passage.as_ref());
        let hook = passage.and_then(|passage| match (passage.hook_asks, passage.hook_allows) {
            (true, _) => Some(Word::Ask),
            (_, true) => Some(Word::Allow),
            _ => None,
        });
        let approver = self.can_ask(place, checked);
        let facts = situation(self.core, self.run, checked.found().binding(), matter);
        permission::decide(&Situation { hook, approver, ..facts })
    }

    /// The verdict about a call as things are now.
    pub fn judge(&self, place: usize, checked: &Checked<Found>) -> Verdict {
        self.decide(place, checked, &self.matter(place, checked))
    }

    /// Whether a question about a call can be put to anybody: a hook that has not seen it yet counts (PM-65).
    pub fn can_ask(&self, place: usize, checked: &Checked<Found>) -> bool {
        let passage = self.run.batch.calls.get(place).and_then(|open| open.passage.as_ref());
        let consulted = passage.is_some_and(|passage| passage.consulted);
        self.run.terms.approver || (!consulted && self.meets(checked, Point::PermissionRequest))
    }

    /// Lets a checked call into the corridor: first its tool, then hooks (HK-08).
    pub fn enter(&mut self, place: usize, checked: Checked<Found>) {
        if self.asks_tool(place, &checked, Then::Enter) {
            return self.keep_checked(place, checked);
        }
        if !self.meets(&checked, Point::BeforePermission) {
            return self.weigh(place, checked);
        }
        self.keep_checked(place, checked);
        self.call_hooks(place, Point::BeforePermission);
    }

    /// Decides about a call and does what follows.
    pub fn weigh(&mut self, place: usize, checked: Checked<Found>) {
        if self.asks_more(place, &checked, Then::Weigh) {
            return self.keep_checked(place, checked);
        }
        let matter = self.matter(place, &checked);
        let verdict = self.decide(place, &checked, &matter);
        self.decided(&checked, &matter.action.name, verdict.word(), verdict.ground());
        self.follow(place, checked, verdict);
    }

    /// Does what a verdict says.
    pub fn follow(&mut self, place: usize, checked: Checked<Found>, verdict: Verdict) {
        match verdict {
            Verdict::Deny(_, refusal) => self.deny(place, refusal),
            Verdict::Ask(_, ask) => {
                self.open_question(place, checked, *ask);
                self.put_question(place);
            }
            Verdict::Review(_, ask) => {
                self.open_question(place, checked, *ask);
                self.ask_reviewer(place);
            }
            Verdict::Allow(_) => {
                if let Some(leave) = verdict.leave() {
                    self.open_places(place, &checked);
                    self.pass(place, checked, &leave);
                }
            }
        }
    }

    /// A command is let through with the protected places that are known to be in it: they are open to it (FP-06).
    pub fn open_places(&mut self, place: usize, checked: &Checked<Found>) {
        let passage = self.run.batch.calls.get(place).and_then(|open| open.passage.as_ref());
        if passage.is_none_or(|passage| passage.analysis.is_none()) {
            return;
        }
        let matter = self.matter(place, checked);
        let facts = situation(self.core, self.run, checked.found().binding(), &matter);
        let opened = permission::protected(&facts);
        if let Some(passage) = self.passage(place) {
            passage.opened = opened;
        }
    }

    fn open_question(&mut self, place: usize, checked: Checked<Found>, ask: Ask) {
        self.keep_checked(place, checked);
        if let Some(passage) = self.passage(place) {
            passage.ask = Some(ask);
        }
    }

    /// Hooks hear a question first (PM-65).
    fn put_question(&mut self, place: usize) {
        let consulted = self.passage(place).is_some_and(|passage| passage.consulted);
        if consulted || !self.call_hooks(place, Point::PermissionRequest) {
            self.ask_person(place);
        }
    }

    /// A call has its leave, or a question of its running function: then that goes on. Else it starts as soon as the hooks before that have seen it and it has its place. A leave that
    /// is worth keeping meanwhile stands in its passage.
    pub fn pass(&mut self, place: usize, checked: Checked<Found>, leave: &Leave) {
        if self.is_question(place) {
            if !self.is_denied_by_now(place, &checked) {
                self.keep_checked(place, checked);
                self.question_decided(place, Ok(()));
            }
            return;
        }
        let open = self.run.batch.calls.get(place);
        let is_ready = open.and_then(|open| open.passage.as_ref()).is_some_and(|passage| passage.ready);
        if !is_ready && self.meets(&checked, Point::BeforeRun) {
            self.keep_checked(place, checked);
            self.call_hooks(place, Point::BeforeRun);
            return;
        }
        // Since the leave was given, rules may have come (IV-40).
        let is_kept =
            open.and_then(|open| open.passage.as_ref()).is_some_and(|passage| passage.leave.is_some());
        if is_kept && self.asks_more(place, &checked, Then::Ready) {
            return self.keep_checked(place, checked);
        }
        if is_kept && self.is_denied_by_now(place, &checked) {
            return;
        }
        match permit_by(checked, leave) {
            Ok(permitted) => {
                if let Some(open) = self.run.batch.calls.get_mut(place) {
                    open.permitted = Some(permitted);
                }
                self.run.batch.plan.permit(place);
            }
            // The leave was for other arguments (PM-66).
            Err(checked) => {
                if let Some(passage) = self.passage(place) {
                    passage.leave = None;
                }
                self.weigh(place, *checked);
            }
        }
    }

    /// Ends a call that a rule denies by now, whatever was said before. `false`: none does.
    fn is_denied_by_now(&mut self, place: usize, checked: &Checked<Found>) -> bool {
        let matter = self.matter(place, checked);
        let facts = situation(self.core, self.run, checked.found().binding(), &matter);
        let Some(Verdict::Deny(ground, refusal)) = permission::denied(&facts) else { return false };
        self.decided(checked, &matter.action.name, Word::Deny, &ground);
        self.deny(place, refusal);
        true
    }

    /// There are other rules: a call that has its leave and waits for a place may be denied by now.
    pub fn rules_changed(&mut self) {
        let mut denied = false;
        for place in 0..self.run.batch.calls.len() {
            let open = self.run.batch.calls.get_mut(place);
            let Some(permitted) = open.and_then(|open| open.permitted.take()) else { continue };
            if self.is_denied_by_now(place, permitted.checked()) {
                denied = true;
            } else if let Some(open) = self.run.batch.calls.get_mut(place) {
                open.permitted = Some(permitted);
            }
        }
        if denied {
            self.pump();
        }
    }

    /// Ends a call that is not made; a question of a running function is answered. Being off is an error like those of
    /// the gate (GT-10).
    pub fn deny(&mut self, place: usize, refusal: Refusal) {
        if self.is_question(place) {
            return self.question_decided(place, Err(refusal));
        }
        let status = if refusal.code == Code::AgentToolDenied { Status::Error } else { Status::Denied };
        self.settle(place, Outcome::failure(status, refusal.code, refusal.message));
    }

    /// The permitted call at a place; walked again from the facts after a restore.
    pub fn permitted(&mut self, place: usize) -> Option<Permitted> {
        let open = self.run.batch.calls.get_mut(place)?;
        if let Some(permitted) = open.permitted.take() {
            return Some(permitted);
        }
        let kept = open.passage.as_mut().and_then(|passage| passage.leave.clone());
        let kept = kept.filter(|_| !Mutant::LeaveLost.is_on());
        let mut checked = self.find_again(place)?;
        if let Some(leave) = kept {
            if self.is_denied_by_now(place, &checked) {
                return None;
            }
            match permit_by(checked, &leave) {
                Ok(permitted) => return Some(permitted),
                Err(void) => checked = *void,
            }
        }
        let verdict = match self.judge(place, &checked) {
            // It has its place already; there is no time left to ask.
            Verdict::Ask(_, ask) | Verdict::Review(_, ask) => permission::unasked(&ask),
            verdict => verdict,
        };
        if let (Verdict::Allow(_), Some(leave)) = (&verdict, verdict.leave()) {
            return permit_by(checked, &leave).ok();
        }
        if let Verdict::Deny(_, refusal) = verdict {
            self.deny(place, refusal);
        }
        None
    }

    /// Writes a decision down (PM-57).
    pub fn decided(&mut self, checked: &Checked<Found>, action: &str, word: Word, ground: &Ground) {
        let found = checked.found();
        let mut decided = FactsWriter::default();
        decided
            .member("callId", &found.call().call_id)
            .member("toolId", found.binding().id())
            .member("action", action)
            .member("verdict", &word)
            .member("step", &ground.step)
            .member("reasonCode", &ground.reason)
            .maybe("ruleId", ground.rule_id.as_ref())
            .maybe("source", ground.source.as_ref());
        self.note("permission_decided", decided.end());
    }

    /// Keeps a checked call while it waits.
    pub fn keep_checked(&mut self, place: usize, checked: Checked<Found>) {
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            open.checked = Some(checked);
        }
    }

    /// The checked call that was kept; walked again from the facts after a restore or a change of its arguments. `None`:
    /// it has been answered instead.
    pub fn recall(&mut self, place: usize) -> Option<Checked<Found>> {
        let kept = self.run.batch.calls.get_mut(place)?.checked.take();
        kept.or_else(|| self.find_again(place))
    }
}
