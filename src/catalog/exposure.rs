//! Which bound tools are sent with their schemas and which are loaded later (SR-01 to SR-03).

use super::binding::BindingExposure;
use super::descriptor::Descriptor;
use super::pattern::matches;
use super::profile::{ExposureMode, ExposureSettings};
use super::registry::{Feature, builtin_of};
use super::traits::Exposure;

/// A tool that is about to be bound.
pub(super) struct Offer<'a> {
    /// What is known of it.
    pub descriptor: &'a Descriptor,
    /// Its call name.
    pub alias: &'a str,
    /// Not offered at all: it says so, or a policy does.
    pub hidden: bool,
}

/// The mode of an invocation, decided once when it starts; never `auto`. `auto` means `search` for strictly more
/// visible tools than the threshold, or for deferrable definitions with more characters than the other one (SR-02).
pub(super) fn mode(settings: &ExposureSettings, tools: &[Offer<'_>]) -> ExposureMode {
    if settings.mode != ExposureMode::Auto {
        return settings.mode;
    }
    let visible = tools.iter().filter(|tool| !tool.hidden && !tool.is(Feature::ToolSearch)).count();
    let chars: usize =
        tools.iter().filter(|tool| tool.is_deferrable(settings)).map(Offer::definition_chars).sum();
    let above = |count: usize, limit: u64| u64::try_from(count).is_ok_and(|count| count > limit);
    if above(visible, settings.search_threshold) || above(chars, settings.search_threshold_chars) {
        return ExposureMode::Search;
    }
    ExposureMode::Native
}

/// What has to be bound so that deferred tools can be reached: in `native` mode only if there is one (CT-17, SR-62).
pub(super) fn loader(
    mode: ExposureMode,
    settings: &ExposureSettings,
    tools: &[Offer<'_>],
) -> Option<Feature> {
    match mode {
        ExposureMode::Code => Some(Feature::CodeMode),
        ExposureMode::Search => Some(Feature::ToolSearch),
        _ => tools.iter().any(|tool| tool.defers(mode, settings)).then_some(Feature::ToolSearch),
    }
}

/// How each tool is offered. Without a visible loader nothing is deferred: it could never be reached.
pub(super) fn exposures(
    mode: ExposureMode,
    settings: &ExposureSettings,
    tools: &[Offer<'_>],
) -> Vec<BindingExposure> {
    let loader = loader(mode, settings, tools);
    let has_loader = loader.is_some_and(|feature| tools.iter().any(|tool| tool.is(feature) && !tool.hidden));
    let exposure = |tool: &Offer<'_>| {
        if tool.hidden {
            BindingExposure::Hidden
        } else if has_loader && tool.defers(mode, settings) {
            BindingExposure::Deferred
        } else {
            BindingExposure::Resident
        }
    };
    tools.iter().map(exposure).collect()
}

impl Offer<'_> {
    fn is(&self, feature: Feature) -> bool {
        builtin_of(&self.descriptor.id).is_some_and(|builtin| builtin.feature == Some(feature))
    }

    /// In `native` mode only what says so itself is deferred (SR-03).
    fn defers(&self, mode: ExposureMode, settings: &ExposureSettings) -> bool {
        let says_so = self.descriptor.traits.exposure == Exposure::Deferred;
        self.is_deferrable(settings) && (mode != ExposureMode::Native || says_so)
    }

    /// What loads others, and what a child returns with, must be at hand; of the rest, what says so or is named.
    fn is_deferrable(&self, settings: &ExposureSettings) -> bool {
        let at_hand = [Feature::ToolSearch, Feature::CodeMode, Feature::ReturningChild];
        if self.hidden || at_hand.into_iter().any(|feature| self.is(feature)) {
            return false;
        }
        let id = self.descriptor.id.as_str();
        let named = |pattern: &String| matches(pattern, self.alias) || matches(pattern, id);
        self.descriptor.traits.exposure == Exposure::Deferred || settings.on_demand.iter().any(named)
    }

    /// The length of what would be sent: name, description and schema.
    fn definition_chars(&self) -> usize {
        let description = self.descriptor.description.as_deref().unwrap_or_default();
        let schema = self.descriptor.input_schema.to_string();
        self.alias.chars().count() + description.chars().count() + schema.chars().count()
    }
}
