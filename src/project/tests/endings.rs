use crate::project::*;
use crate::protocol::{Code, Outcome, Status};

fn all() -> Vec<(Outcome, Status, Code, &'static [&'static str])> {
    use Status::*;
    let stopped =
        |stop, words: &'static [&'static str]| (interrupted(stop), Cancelled, Code::ToolInterrupted, words);
    vec![
        (
            cancelled_before_start(),
            Cancelled,
            Code::ToolInterruptedBeforeStart,
            &["user", "nothing was done"],
        ),
        stopped(Some(Stop::User), &["stopped", "user"]),
        stopped(Some(Stop::Failure("build")), &["stopped", "`build` failed"]),
        stopped(Some(Stop::RunEnd), &["stopped", "run ended"]),
        stopped(Some(Stop::Timeout), &["stopped", "time limit"]),
        stopped(None, &["stopped"]),
        (outcome_unknown(), Unknown, Code::ToolOutcomeUnknown, &["may have taken effect", "Check"]),
        (skipped_after_failure("build"), Skipped, Code::ToolSkippedAfterFailure, &["not run", "`build`"]),
        (skipped_batch_ended(), Skipped, Code::ToolSkippedBatchEnded, &["not run", "batch ended"]),
        (skipped_run_ended(), Skipped, Code::ToolSkippedRunEnded, &["not run", "run ended"]),
        (timed_out(Some(1_500)), TimedOut, Code::ToolTimeout, &["1.5 seconds", "not complete", "less"]),
        (timed_out(None), TimedOut, Code::ToolTimeout, &["time limit", "not complete"]),
        (cut_off(), Error, Code::ModelOutputTruncated, &["not run", "shorter", "parts"]),
        (
            internal_error(),
            Error,
            Code::ToolInternalError,
            &["internal error", "not completed", "another way"],
        ),
    ]
}

/// SC-07: the status, the code, and what each text must say.
#[test]
fn texts_say_what_they_must() {
    for (outcome, status, code, words) in all() {
        assert_eq!((outcome.status, outcome.code), (status, Some(code)));
        let text = outcome.text();
        for word in words {
            assert!(text.contains(word), "{text:?} lacks {word:?}");
        }
        assert!(text.ends_with('.') && !text.contains("  "), "{text:?}");
        assert_eq!(outcome.structured.unwrap()["error"]["message"], text);
    }
}

#[test]
fn partial_output_stands_behind_the_text() {
    assert_eq!(with_partial(timed_out(None), " \n"), timed_out(None));
    let text = with_partial(timed_out(None), "one\ntwo").text();
    assert!(text.ends_with("\n\nIncomplete output until then:\none\ntwo"), "{text}");
    let endless = with_partial(timed_out(None), &"line\n".repeat(100_000));
    let text = endless.text();
    assert!(text.len() < 31_000, "{}", text.len());
    assert!(text.contains("[First 98,000 lines (490,000 bytes) omitted"));
    assert_eq!(endless.structured, timed_out(None).structured);
}
