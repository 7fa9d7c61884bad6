//! One program, from `start` to its end. The driver polls; a poll returns after a few milliseconds wherever the engine
//! allows it: between slices of the main program and between jobs. What runs inside one job, one callback of a native
//! function, or one native function does not return until it is done or the instructions are used up.

use super::command_line::{self, CommandLine, Entry};
use super::engine;
use super::entry;
use super::errors;
use super::jobs::Jobs;
use super::libraries;
use super::process::{Outside, Process};
use super::request::Request;
use crate::program::random;
use crate::protocol::limits::{
    JAVASCRIPT_CALL_DEPTH, JAVASCRIPT_INSTRUCTIONS, JAVASCRIPT_POLL_MS, SHELL_DEADLINE_MS,
};
use boa_engine::builtins::promise::PromiseState;
use boa_engine::error::{EngineError, RuntimeLimitError};
use boa_engine::object::builtins::JsPromise;
use boa_engine::{Context, JsError, JsObject, JsResult, JsValue};
use serde::Serialize;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Poll, Wake, Waker};

/// How a program ended, as the driver reads it.
#[derive(Clone, Debug, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub(crate) struct End {
    /// The exit status.
    pub exit_code: i32,
    /// The bound that ended the program: `time`, `cancel`, or the sentence that stands on stderr as well (SH-43).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

impl End {
    fn exit(exit_code: i32) -> End {
        End { exit_code, limit: None }
    }

    fn limit(exit_code: i32, limit: impl Into<String>) -> End {
        End { exit_code, limit: Some(limit.into()) }
    }
}

/// What may be called at any time, even from inside a call of the port: it touches nothing of the run itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handle(Arc<AtomicBool>);

impl Handle {
    /// Ends the program at the next poll.
    pub(crate) fn cancel(&self, outside: Outside) {
        self.0.store(true, Ordering::Relaxed);
        outside.port.wake();
    }
}

struct Waken(Outside);

impl Wake for Waken {
    fn wake(self: Arc<Self>) {
        self.0.port.wake();
    }
}

type Work = Pin<Box<dyn Future<Output = End>>>;

/// A program that was started.
pub(crate) struct Run {
    work: Option<Work>,
    waker: Waker,
    outside: Outside,
    deadline_ms: f64,
    pace: Pace,
    cancelled: Handle,
    end: Option<End>,
}

impl Run {
    /// Starts a program; nothing of it runs before the first poll.
    ///
    /// # Errors
    /// The request is not the JSON of [`Request`].
    pub(crate) fn start(
        request: &str,
        stdin: Vec<u8>,
        outside: Outside,
        handle: &Handle,
    ) -> Result<Run, serde_json::Error> {
        let request: Request = serde_json::from_str(request)?;
        random::seed(&request.seed);
        let deadline_ms =
            request.deadline_ms.unwrap_or_else(|| outside.port.now() + SHELL_DEADLINE_MS as f64);
        let pace = Pace { outside, since: Rc::default() };
        let work = Box::pin(work(request, stdin, outside, pace.clone()));
        let waker = Waker::from(Arc::new(Waken(outside)));
        Ok(Run { work: Some(work), waker, outside, deadline_ms, pace, cancelled: handle.clone(), end: None })
    }

    /// Goes on with the program; true when it has ended.
    pub(crate) fn poll(&mut self) -> bool {
        let Some(work) = &mut self.work else { return true };
        if self.cancelled.0.load(Ordering::Relaxed) {
            self.end = Some(End::limit(130, "cancel"));
        } else if self.outside.port.now() > self.deadline_ms {
            self.outside.port.stderr(b"js: stopped: the time limit was reached\n");
            self.end = Some(End::limit(124, "time"));
        } else {
            self.pace.begin();
            let mut context = std::task::Context::from_waker(&self.waker);
            let Poll::Ready(end) = work.as_mut().poll(&mut context) else { return false };
            self.end = Some(end);
        }
        self.work = None;
        self.outside.alarm.silence();
        true
    }

    /// How the program ended; `None` while it runs.
    pub(crate) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }
}

/// When this poll began, which decides when it returns.
#[derive(Clone)]
pub(crate) struct Pace {
    outside: Outside,
    since: Rc<Cell<f64>>,
}

impl Pace {
    fn begin(&self) {
        self.since.set(self.outside.port.now());
    }

    /// Lets the driver's event loop run when this poll has lasted long enough.
    async fn breathe(&self) {
        if self.outside.port.now() - self.since.get() < JAVASCRIPT_POLL_MS as f64 {
            return;
        }
        let mut polled = false;
        poll_fn(|context| {
            if std::mem::replace(&mut polled, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    /// Waits until the clock of the port shows `due_ms`.
    async fn sleep(&self, due_ms: f64) {
        poll_fn(|_| {
            let left = due_ms - self.outside.port.now();
            if left <= 0.0 {
                return Poll::Ready(());
            }
            self.outside.alarm.ring_after(left);
            Poll::Pending
        })
        .await;
    }
}

async fn work(request: Request, stdin: Vec<u8>, outside: Outside, pace: Pace) -> End {
    let command = match command_line::read(&request.argv) {
        Ok(CommandLine { entry: Entry::Text(text), .. }) => {
            outside.port.stdout(text.as_bytes());
            if !text.ends_with('\n') {
                outside.port.stdout(b"\n");
            }
            return End::exit(0);
        }
        Ok(command) => command,
        Err(sentence) => {
            outside.port.stderr(sentence.as_bytes());
            return End::exit(2);
        }
    };
    let instructions = request.limits.instructions.unwrap_or(JAVASCRIPT_INSTRUCTIONS);
    let process = Rc::new(Process::new(outside, request, command, stdin));
    let jobs = Rc::new(Jobs::default());
    let mut context = match engine::build(&process, &jobs, instructions) {
        Ok(context) => context,
        Err(error) => {
            outside.port.stderr(format!("js: the engine did not start: {error}\n").as_bytes());
            return End::exit(134);
        }
    };
    let mut program = Program { context: &mut context, process: &process, jobs: &jobs, pace: &pace };
    match program.run().await {
        Ok(code) => End::exit(code),
        Err(stop) => program.stopped(stop, instructions),
    }
}

/// Why a program does not go on.
enum Stop {
    /// An error that nobody caught.
    Error(JsError),
    /// The entry cannot be parsed; the text says where.
    Syntax(String),
}

impl From<JsError> for Stop {
    fn from(error: JsError) -> Self {
        Stop::Error(error)
    }
}

struct Program<'a> {
    context: &'a mut Context,
    process: &'a Rc<Process>,
    jobs: &'a Jobs,
    pace: &'a Pace,
}

impl Program<'_> {
    async fn run(&mut self) -> Result<i32, Stop> {
        let entry = match entry::prepare(self.context, self.process) {
            Ok(entry) => entry,
            Err(entry::Unready::Syntax(text)) => return Err(Stop::Syntax(text)),
            Err(entry::Unready::Error(error)) => return Err(Stop::Error(error)),
        };
        for name in &entry.preload {
            let preloaded = entry::preload(self.context, name);
            self.outlive(preloaded)?;
        }
        let main = self.main(entry.main).await?;
        self.turns().await?;
        if let Some(promise) = main
            && matches!(promise.state(), PromiseState::Pending)
        {
            self.process.outside.port.stderr(b"Warning: Detected unsettled top-level await\n");
            return Ok(13);
        }
        libraries::finish(self.context, self.process).map_err(Stop::Error)
    }

    /// Runs the entry as far as it goes without waiting; gives the promise of what is left of it.
    async fn main(&mut self, main: entry::Main) -> Result<Option<JsPromise>, Stop> {
        let module = match main {
            entry::Main::Nothing => return Ok(None),
            entry::Main::Script(script) => {
                let value = script.evaluate_async_with_budget(self.context, engine::SLICE).await;
                if let Some(value) = self.outlive(value)? {
                    entry::print(self.context, self.process, &value)?;
                }
                return Ok(None);
            }
            entry::Main::Module(module) => module,
        };
        let loaded = module.load(self.context);
        self.settle(&loaded).await?;
        module.link(self.context)?;
        let evaluated = module.evaluate(self.context);
        let Some(promise) = self.outlive(evaluated)? else { return Ok(None) };
        if let Entry::Call { name, arguments, .. } = &self.process.command.entry {
            return self.call(&module, &promise, name, arguments).await;
        }
        let Some(script) = entry::rest(self.context, &module)? else { return Ok(Some(promise)) };
        if self.wait(&promise).await?.is_none() {
            return Ok(Some(promise));
        }
        let rest = script.evaluate_async_with_budget(self.context, engine::SLICE).await;
        let rest = self.outlive(rest)?.and_then(|value| value.as_promise());
        Ok(rest)
    }

    /// Calls an export once its module is evaluated, and prints what it gives (SH-37).
    async fn call(
        &mut self,
        module: &boa_engine::Module,
        evaluated: &JsPromise,
        name: &str,
        arguments: &str,
    ) -> Result<Option<JsPromise>, Stop> {
        if self.wait(evaluated).await?.is_none() {
            return Ok(Some(evaluated.clone()));
        }
        let result = entry::call(self.context, module, name, arguments);
        let Some(result) = self.outlive(result)? else { return Ok(None) };
        let result = JsPromise::resolve(result, self.context)?;
        if let Some(value) = self.wait(&result).await? {
            entry::print_json(self.context, self.process, &value)?;
        }
        Ok(Some(result))
    }

    /// Runs microtasks until a module graph is loaded; its error is the reason.
    async fn settle(&mut self, promise: &JsPromise) -> Result<(), Stop> {
        while matches!(promise.state(), PromiseState::Pending) {
            let Some(result) = self.jobs.microtask(self.context) else { break };
            self.outlive(result)?;
            self.pace.breathe().await;
        }
        let PromiseState::Rejected(reason) = promise.state() else { return Ok(()) };
        self.process.rejections.remove(&JsObject::from(promise.clone()));
        Err(Stop::Error(JsError::from_opaque(reason)))
    }

    /// Runs the event loop until a promise is fulfilled; `None` when nothing is left that could do it. A rejection
    /// ends the program as any other that nobody handles.
    async fn wait(&mut self, promise: &JsPromise) -> Result<Option<JsValue>, Stop> {
        loop {
            self.drain().await?;
            match promise.state() {
                PromiseState::Fulfilled(value) => return Ok(Some(value)),
                PromiseState::Rejected(_) => return Ok(None),
                PromiseState::Pending if !self.turn().await? => return Ok(None),
                PromiseState::Pending => {}
            }
        }
    }

    /// Runs the event loop until nothing is left to wait for.
    async fn turns(&mut self) -> Result<(), Stop> {
        self.drain().await?;
        while self.turn().await? {}
        Ok(())
    }

    /// One turn of the event loop; false when the program has nothing more to wait for.
    async fn turn(&mut self) -> Result<bool, Stop> {
        self.drain().await?;
        let turn = self.jobs.turn(self.process.outside.port.now());
        while let Some(task) = self.jobs.next(&turn) {
            let result = task.run(self.context);
            self.outlive(result)?;
            self.drain().await?;
        }
        if self.jobs.has_immediates() {
            self.pace.breathe().await;
            return Ok(true);
        }
        let Some(due) = self.jobs.next_due() else {
            return Ok(libraries::before_exit(self.context, self.process)?);
        };
        self.pace.sleep(due).await;
        Ok(true)
    }

    /// Runs all microtasks, then looks for rejections that nobody handles.
    async fn drain(&mut self) -> Result<(), Stop> {
        loop {
            while let Some(result) = self.jobs.microtask(self.context) {
                self.outlive(result)?;
                self.pace.breathe().await;
            }
            let Some(promise) = self.process.rejections.take_first() else { return Ok(()) };
            let PromiseState::Rejected(reason) = JsPromise::from_object(promise.clone())?.state() else {
                continue;
            };
            if !libraries::rejected(self.context, self.process, &reason, &promise)? {
                self.outlive::<()>(Err(JsError::from_opaque(reason)))?;
            }
        }
    }

    /// Hands an error to the handlers that the program has set for it; without one it ends the program. Whatever the
    /// result, a program that is over does not go on: inside async functions the engine swallows the error that says so.
    fn outlive<T>(&mut self, result: JsResult<T>) -> Result<Option<T>, Stop> {
        if self.context.instructions_remaining() == 0 {
            return Err(Stop::Error(EngineError::NoInstructionsRemain.into()));
        }
        if let Some(code) = self.process.exited() {
            return Err(Stop::Error(self.process.exit(code)));
        }
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.as_engine().is_some() => Err(Stop::Error(error)),
            Err(error) => match libraries::uncaught(self.context, self.process, error)? {
                None => Ok(None),
                Some(error) => Err(Stop::Error(error)),
            },
        }
    }

    /// Says why the program was stopped, on stderr and in its end.
    fn stopped(&mut self, stop: Stop, instructions: u32) -> End {
        let port = self.process.outside.port;
        let error = match stop {
            Stop::Syntax(text) => {
                port.stderr(text.as_bytes());
                return End::exit(2);
            }
            Stop::Error(error) => error,
        };
        if let Some(code) = self.process.exited()
            && self.process.limit().is_none()
        {
            return End::exit(code);
        }
        let limit = if let Some(limit) = self.process.limit() {
            limit.to_owned()
        } else if self.context.instructions_remaining() == 0 {
            format!("the limit of {} million instructions was reached", instructions / 1_000_000)
        } else {
            match error.as_engine() {
                Some(EngineError::RuntimeLimit(RuntimeLimitError::Recursion)) => {
                    format!(
                        "Maximum call stack size exceeded: calls are nested deeper than {JAVASCRIPT_CALL_DEPTH}"
                    )
                }
                Some(EngineError::RuntimeLimit(limit)) => limit.to_string(),
                Some(error) => error.to_string(),
                None => {
                    port.stderr(errors::uncaught(self.context, self.process, error).as_bytes());
                    return End::exit(1);
                }
            }
        };
        port.stderr(format!("js: stopped: {limit}\n").as_bytes());
        End::limit(126, limit)
    }
}
