//! The queues of a program: microtasks, timers and immediates. The engine fills the queue of promise jobs, scripts
//! fill the others, and [`super::run`] empties them. Nothing here waits or spins.

use boa_engine::job::{GenericJob, Job, JobExecutor, NativeAsyncJob, PromiseJob};
use boa_engine::{Context, JsError, JsNativeError, JsObject, JsResult, JsValue};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// A function that a script wants called later.
#[derive(Clone)]
pub(crate) struct Callback {
    /// The function.
    pub function: JsObject,
    /// Its arguments.
    pub arguments: Vec<JsValue>,
}

impl Callback {
    /// Calls it.
    pub(crate) fn call(&self, context: &mut Context) -> JsResult<()> {
        self.function.call(&JsValue::undefined(), &self.arguments, context).map(drop)
    }
}

struct Timer {
    callback: Callback,
    repeat_ms: Option<f64>,
    keeps_alive: bool,
}

/// When a timer is due, and its number, which orders those that are due together.
type Due = (u64, u32);

#[derive(Default)]
struct Timers {
    queue: BTreeMap<Due, Timer>,
    /// When each timer is due.
    by_id: BTreeMap<u32, u64>,
    /// Timers that the program waits for before it ends.
    alive: usize,
}

impl Timers {
    fn insert(&mut self, due: u64, id: u32, timer: Timer) {
        self.alive += usize::from(timer.keeps_alive);
        self.by_id.insert(id, due);
        self.queue.insert((due, id), timer);
    }

    fn remove(&mut self, id: u32) -> Option<(u64, Timer)> {
        let due = self.by_id.remove(&id)?;
        let timer = self.queue.remove(&(due, id))?;
        self.alive -= usize::from(timer.keeps_alive);
        Some((due, timer))
    }
}

/// One turn of the event loop: what is made during a turn waits for the next.
pub(crate) struct Turn {
    due: u64,
    now_ms: f64,
    last: u32,
}

/// Something that is ready to run once no microtask is left.
pub(crate) enum Task {
    /// A timer or an immediate.
    Callback(Callback),
    /// A job of the engine.
    Job(GenericJob),
}

/// All that a program has asked to be done later.
#[derive(Default)]
pub(crate) struct Jobs {
    ticks: RefCell<VecDeque<Callback>>,
    promises: RefCell<VecDeque<PromiseJob>>,
    asyncs: RefCell<VecDeque<NativeAsyncJob>>,
    generic: RefCell<VecDeque<GenericJob>>,
    immediates: RefCell<BTreeMap<u32, Callback>>,
    timers: RefCell<Timers>,
    last: Cell<u32>,
}

impl Jobs {
    /// The queues of an engine.
    pub(crate) fn of(context: &Context) -> JsResult<Rc<Jobs>> {
        let missing = || JsError::from(JsNativeError::error().with_message("no queues"));
        context.downcast_job_executor::<Jobs>().ok_or_else(missing)
    }

    /// `process.nextTick`: before all promise jobs.
    pub(crate) fn tick(&self, callback: Callback) {
        self.ticks.borrow_mut().push_back(callback);
    }

    /// `setImmediate`: after the timers that are due now. Gives its number.
    pub(crate) fn immediate(&self, callback: Callback) -> u32 {
        let id = self.number();
        self.immediates.borrow_mut().insert(id, callback);
        id
    }

    /// `setTimeout` and `setInterval`, counted from `now_ms`. Gives its number.
    pub(crate) fn timer(&self, callback: Callback, now_ms: f64, delay_ms: f64, repeats: bool) -> u32 {
        // As in Node: at least one millisecond, and what does not fit 31 bits is one millisecond as well.
        let delay = if (1.0..=2_147_483_647.0).contains(&delay_ms) { delay_ms.trunc() } else { 1.0 };
        let id = self.number();
        let timer = Timer { callback, repeat_ms: repeats.then_some(delay), keeps_alive: true };
        self.timers.borrow_mut().insert(due(now_ms, delay), id, timer);
        id
    }

    /// Forgets a timer or an immediate.
    pub(crate) fn cancel(&self, id: u32) {
        self.immediates.borrow_mut().remove(&id);
        self.timers.borrow_mut().remove(id);
    }

    /// Whether the program waits for a timer before it ends (`ref`, `unref`).
    pub(crate) fn keep_alive(&self, id: u32, keeps: bool) {
        let mut timers = self.timers.borrow_mut();
        if let Some((due, timer)) = timers.remove(id) {
            timers.insert(due, id, Timer { keeps_alive: keeps, ..timer });
        }
    }

    /// Runs one microtask; `None` when there is none.
    pub(crate) fn microtask(&self, context: &mut Context) -> Option<JsResult<()>> {
        let tick = self.ticks.borrow_mut().pop_front();
        if let Some(tick) = tick {
            return Some(tick.call(context));
        }
        let load = self.asyncs.borrow_mut().pop_front();
        if let Some(load) = load {
            return Some(finish(load, context));
        }
        let job = self.promises.borrow_mut().pop_front()?;
        Some(job.call(context).map(drop))
    }

    /// One turn of the event loop, begun at `now_ms`.
    pub(crate) fn turn(&self, now_ms: f64) -> Turn {
        Turn { due: due(now_ms, 1.0), now_ms, last: self.last.get() }
    }

    /// What is next in this turn: due timers in order, jobs of the engine, then the immediates from before the turn.
    pub(crate) fn next(&self, turn: &Turn) -> Option<Task> {
        if let Some(callback) = self.next_timer(turn) {
            return Some(Task::Callback(callback));
        }
        if let Some(job) = self.generic.borrow_mut().pop_front() {
            return Some(Task::Job(job));
        }
        let mut immediates = self.immediates.borrow_mut();
        let entry = immediates.first_entry().filter(|entry| *entry.key() <= turn.last)?;
        Some(Task::Callback(entry.remove()))
    }

    fn next_timer(&self, turn: &Turn) -> Option<Callback> {
        let mut timers = self.timers.borrow_mut();
        let id = timers.queue.keys().next().filter(|due| due.0 < turn.due)?.1;
        let (_, timer) = timers.remove(id)?;
        let callback = timer.callback.clone();
        if let Some(every) = timer.repeat_ms {
            timers.insert(due(turn.now_ms, every), id, timer);
        }
        Some(callback)
    }

    /// How many callbacks wait: timers that keep the program alive, and immediates.
    pub(crate) fn pending(&self) -> usize {
        self.timers.borrow().alive + self.immediates.borrow().len()
    }

    /// Whether something is ready without waiting.
    pub(crate) fn has_immediates(&self) -> bool {
        !self.immediates.borrow().is_empty() || !self.generic.borrow().is_empty()
    }

    /// When the next timer is due; `None` when no timer keeps the program alive.
    pub(crate) fn next_due(&self) -> Option<f64> {
        let timers = self.timers.borrow();
        (timers.alive > 0).then(|| timers.queue.keys().next().map(|due| due.0 as f64))?
    }

    fn number(&self) -> u32 {
        self.last.set(self.last.get().wrapping_add(1));
        self.last.get()
    }
}

fn due(now_ms: f64, delay_ms: f64) -> u64 {
    (now_ms.trunc() + delay_ms) as u64
}

impl Task {
    /// Runs it.
    pub(crate) fn run(self, context: &mut Context) -> JsResult<()> {
        match self {
            Task::Callback(callback) => callback.call(context),
            Task::Job(job) => job.call(context).map(drop),
        }
    }
}

/// Loading a module is a future for the engine, and done at once here: the port is synchronous.
fn finish(load: NativeAsyncJob, context: &mut Context) -> JsResult<()> {
    let cell = RefCell::new(context);
    let mut future = load.call(&cell);
    match Pin::new(&mut future).poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.map(drop),
        Poll::Pending => Ok(()),
    }
}

impl JobExecutor for Jobs {
    fn enqueue_job(self: Rc<Self>, job: Job, _: &mut Context) {
        match job {
            Job::PromiseJob(job) => self.promises.borrow_mut().push_back(job),
            Job::AsyncJob(job) => self.asyncs.borrow_mut().push_back(job),
            Job::GenericJob(job) => self.generic.borrow_mut().push_back(job),
            // Finalizers need not run, and only this module makes timers.
            _ => {}
        }
    }

    fn run_jobs(self: Rc<Self>, context: &mut Context) -> JsResult<()> {
        while let Some(result) = self.microtask(context) {
            result?;
        }
        Ok(())
    }
}
