//! One answer for several questions: what a person has just said lastingly also answers the questions about the same
//! that wait beside it.

use super::active::Active;
use super::run_state::{Purpose, Wait};
use crate::permission::{Key, Verdict};
use crate::protocol::AbortReason;

impl Active<'_> {
    /// Settles the questions about one of these that wait for a person, as far as they would not come up any more. Their
    /// screens are closed, and the journal has the same word for them.
    pub fn answer_others(&mut self, place: usize, about: &dyn Fn(&Key) -> bool, word: &str) {
        for other in (0..self.run.batch.calls.len()).filter(|other| *other != place) {
            let Some(effect_id) = self.asked_about(other, about) else { continue };
            let Some(checked) = self.recall(other) else { continue };
            let verdict = self.judge(other, &checked);
            if matches!(verdict, Verdict::Ask(..) | Verdict::Review(..)) {
                self.keep_checked(other, checked);
                continue;
            }
            self.run.open.remove(&effect_id);
            self.run.timers.forget_effect(&effect_id);
            self.abort(&effect_id, AbortReason::Cascade);
            self.run.expired.insert(effect_id.clone());
            let action = self.matter(other, &checked).action.name;
            let Some(passage) = self.passage(other) else { continue };
            passage.waits.remove(&effect_id);
            passage.ask = None;
            let approval = passage.approval.take();
            self.resolved(other, approval.as_ref(), word, None, None);
            self.decided(&checked, &action, verdict.word(), verdict.ground());
            self.follow(other, checked, verdict);
        }
    }

    /// The effect by which a person is asked about a call, if that is about one of these.
    fn asked_about(&self, place: usize, about: &dyn Fn(&Key) -> bool) -> Option<String> {
        let passage = self.run.batch.calls.get(place)?.passage.as_ref()?;
        if !passage.ask.as_ref()?.keys.iter().any(about) {
            return None;
        }
        let asks = |effect_id: &&String| {
            let purpose = self.run.open.get(*effect_id);
            matches!(purpose, Some(Purpose::Passage { wait: Wait::Approval, .. }))
        };
        passage.waits.iter().find(asks).cloned()
    }
}
