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
    /// One more parallel call runs than may.
    OneOverTheLimit,
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
