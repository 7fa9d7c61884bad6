//! Mistakes that the core makes on purpose, so that tests can show that they would be noticed (ARCHITECTURE.md, "The
//! simulation"). Without the feature `testing` nobody can ask for one and nothing is left of them in a module.

#[cfg(feature = "testing")]
use std::sync::atomic::{AtomicUsize, Ordering};

macro_rules! mutants {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// A mistake on purpose.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mutant { $($(#[$doc])* $name,)+ }

        #[cfg(feature = "testing")]
        impl Mutant {
            /// All of them.
            pub const ALL: &[Mutant] = &[$(Mutant::$name,)+];
        }
    };
}

mutants! {
    /// A result is stored twice.
    TwoResults,
    /// Results go back in the order in which calls ended.
    CompletionOrder,
    /// The last result of a batch does not go back.
    ResultLost,
    /// Calls of one step share the file of their record.
    RecordOverwritten,
    /// The end of a call is told before its result is stored.
    EndToldFirst,
    /// Screens are told another status than the one that is stored.
    ScreenDisagrees,
    /// A line of the journal gets the number of the one before it.
    NumberRepeats,
    /// A call is sent twice.
    SentTwice,
    /// A hook that failed is asked again.
    HookRepeated,
    /// An effect gets the id of the one before it.
    IdRepeats,
    /// The answer to a call that was given up still counts.
    LateCounts,
    /// A restore forgets which effects were given up.
    RestoreForgets,
    /// A restored call has lost the leave that a person gave.
    LeaveLost,
    /// What happened goes to the store behind what follows from it.
    StoredLast,
    /// A run that has ended asks the model again.
    RunGoesOn,
    /// An outcome that nobody knows is taken for a failure.
    UnknownIsFailure,
    /// Timers outlive the run.
    TimersSurvive,
    /// The answer of a person moves nothing.
    NotPumped,
    /// The text of a skipped call names a tool by its identity.
    IdInText,
    /// Descriptions name builtins that are not bound.
    UnboundNamed,
    /// A tool is called as its extension calls it, whatever the characters.
    NameAsItIs,
    /// A step sends the tools as they are registered now.
    LiveCatalog,
    /// A later step sends the tools in another order.
    ToolsReordered,
    /// A failed call shows the id of its effect.
    EffectIdInText,
    /// A result without a text says nothing.
    EmptyText,
    /// A function gets its arguments as a text.
    ArgumentsAsText,
    /// Members that a schema does not name are dropped.
    MemberDropped,
    /// Arguments that cannot be read are taken for none.
    InvalidRuns,
    /// A call that was cut off is made.
    CutRuns,
    /// What cannot be read goes back to the model as it came.
    BrokenReplayed,
    /// Full access passes over rules that deny.
    DenyForgotten,
    /// Full access passes over what is critical.
    CriticalPasses,
    /// A question is put though nobody can be asked.
    AskedAnyway,
    /// The arguments that a person edited are forgotten.
    EditIgnored,
    /// Calls that wait when the run is cancelled start all the same.
    CancelForgotten,
    /// A tool that a policy switches off is offered.
    OffOffered,
    /// A hook that fails denies the call.
    FailedHookDenies,
    /// One more parallel call runs than may.
    OneOverTheLimit,
    /// Parallel calls pass an earlier serial one.
    BarrierPassed,
    /// A free place goes to the last call that waits for it.
    LaneReordered,
    /// A cascade skips calls that run already.
    RunningSkipped,
    /// A call that is denied takes its siblings along.
    DeniedCascades,
    /// A failure that cascades lets its siblings start.
    CascadeForgotten,
    /// A run ends after twelve calls.
    CallsCounted,
    /// Skills can be written.
    SkillsWritable,
    /// What the runtime keeps for itself is visible.
    HiddenShown,
    /// What a change replaced is not kept.
    ContentLost,
    /// A file is replaced though it was changed since it was read.
    StaleWritten,
    /// A program can still write when its command has ended.
    PortStaysOpen,
    /// What a program wrote before a trap is no change of its call.
    TrapLosesFiles,
    /// What is appended to a file is no change of the run.
    ChangeForgotten,
    /// What is appended to a file is not told.
    ChangeUntold,
    /// A long result is shown whole.
    Unprojected,
    /// A long result does not say that it is cut.
    CutSilently,
    /// The file of a long result holds only its beginning.
    ReadableCut,
    /// The model is shown what is for screens.
    DisplayShown,
    /// A skipped call counts as done.
    SkippedIsOk,
    /// A run that has ended can be cancelled.
    EndsTwice,
    /// The loop guard looks though it is switched off.
    GuardAlwaysOn,
    /// A call that failed twice is tried once more.
    ThirdTry,
    /// A run ends after few steps that are the same.
    CirclesEverywhere,
    /// A result of the background is told in every step.
    DeliveredTwice,
    /// A run takes over the work of other sessions.
    SessionsMixed,
    /// A deleted session is not remembered as such.
    SessionLives,
    /// The work of a deleted session is not told to stop.
    DeletedWorks,
    /// Reminders do not end.
    NudgedForever,
}

/// The one that the core makes now; its place in the list, from 1.
#[cfg(feature = "testing")]
static MADE: AtomicUsize = AtomicUsize::new(0);

impl Mutant {
    /// Whether the core is to make this mistake.
    #[cfg(feature = "testing")]
    #[inline]
    pub(crate) fn is_on(self) -> bool {
        MADE.load(Ordering::Relaxed) == self as usize + 1
    }

    /// Never in what ships.
    #[cfg(not(feature = "testing"))]
    #[inline(always)]
    pub(crate) const fn is_on(self) -> bool {
        let _ = self;
        false
    }

    /// Lets the core make one of them, or none, in every session of this process from now on.
    #[cfg(feature = "testing")]
    pub fn make(mutant: Option<Mutant>) {
        MADE.store(mutant.map_or(0, |mutant| mutant as usize + 1), Ordering::Relaxed);
    }
}
