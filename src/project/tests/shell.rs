use serde_json::json;

use crate::project::{RunCall, Stop, shell};
use crate::protocol::{BoundNames, Code, Receipt, ReceiptOutcome, Status};

fn projected(
    outcome: ReceiptOutcome,
    payload: serde_json::Value,
    stop: Option<Stop<'_>>,
) -> crate::project::Projected {
    let receipt = Receipt {
        effect_id: "e1".into(),
        outcome,
        payload: Some(payload),
        error: None,
        stopped: false,
        discarded: None,
    };
    let names = BoundNames::default();
    let call = RunCall { stop, timeout_ms: Some(30_000), path: "tool-results/r.txt", names: &names };
    shell(&receipt, "do it", &call)
}

fn text(stdout: &str, stderr: &str) -> String {
    projected(ReceiptOutcome::Ok, json!({"exitCode": 0, "stdout": stdout, "stderr": stderr}), None)
        .outcome
        .text()
}

#[test]
fn the_streams_stand_behind_the_exit_code() {
    assert_eq!(text("", ""), "exit code: 0");
    assert_eq!(text("a\nb\n", ""), "exit code: 0\na\nb");
    assert_eq!(text("a\n", "b\n"), "exit code: 0\na\nstderr:\nb");
    assert_eq!(text("a", "b"), "exit code: 0\na\nstderr:\nb");
    assert_eq!(text("", "b\n"), "exit code: 0\nb");
    let failed = projected(
        ReceiptOutcome::Ok,
        json!({"exitCode": 3, "stdout": "a", "stderr": "", "stderrTruncated": true}),
        None,
    );
    let outcome = failed.outcome;
    assert_eq!((outcome.status, outcome.code), (Status::Error, Some(Code::WorkspaceShellExit)));
    assert_eq!(
        outcome.text(),
        "exit code: 3\na\n[Output truncated: stderr was longer and is cut after 128 KiB.]"
    );
    let structured = outcome.structured.unwrap();
    assert_eq!((&structured["exitCode"], &structured["outputTruncated"]), (&json!(3), &json!(true)));
    assert_eq!(structured["error"]["code"], "workspace.shell_exit");
    assert_eq!(
        outcome.display.unwrap(),
        json!({"kind": "shell", "title": "Run command", "command": "do it", "exitCode": 3})
    );
}

#[test]
fn long_output_keeps_its_tail_and_the_whole_goes_to_a_file() {
    let lines = (1..=3_000).map(|n| format!("line {n}\n")).collect::<String>();
    let outcomes = [
        (ReceiptOutcome::Ok, "exit code: 0\n["),
        (ReceiptOutcome::TimedOut, "…"),
        (ReceiptOutcome::Cancelled, "…"),
    ];
    for (outcome, start) in outcomes {
        let payload = json!({"exitCode": 0, "stdout": lines, "stderr": "done"});
        let told = projected(outcome, payload, None);
        let text = told.outcome.text();
        assert!(start == "…" || text.starts_with(start), "{text}");
        assert!(
            text.contains("First 1,002 lines")
                && text.contains("full output: tool-results/r.txt]\nline 1003\n"),
            "{text}"
        );
        assert!(text.ends_with("line 3000\nstderr:\ndone"));
        assert_eq!(told.whole.unwrap(), format!("{lines}stderr:\ndone"));
        assert_eq!(told.outcome.resource_refs, ["tool-results/r.txt"]);
    }
}

#[test]
fn what_was_stopped_counts_as_stopped_whatever_the_host_knows() {
    let rows = [
        (ReceiptOutcome::Cancelled, None, Status::Cancelled, Code::WorkspaceShellCancelled),
        (
            ReceiptOutcome::Cancelled,
            Some(Stop::Failure("t")),
            Status::Cancelled,
            Code::WorkspaceShellCancelled,
        ),
        (ReceiptOutcome::NotSent, Some(Stop::RunEnd), Status::Cancelled, Code::WorkspaceShellCancelled),
        (ReceiptOutcome::Cancelled, Some(Stop::Timeout), Status::TimedOut, Code::WorkspaceShellTimeout),
        (ReceiptOutcome::NotSent, Some(Stop::Timeout), Status::TimedOut, Code::WorkspaceShellTimeout),
        (ReceiptOutcome::Unknown, Some(Stop::Timeout), Status::TimedOut, Code::WorkspaceShellTimeout),
        (ReceiptOutcome::TimedOut, Some(Stop::User), Status::TimedOut, Code::WorkspaceShellTimeout),
        (ReceiptOutcome::Unknown, Some(Stop::User), Status::Unknown, Code::WorkspaceShellFailed),
        (ReceiptOutcome::NotSent, None, Status::Error, Code::WorkspaceShellFailed),
    ];
    for (outcome, stop, status, code) in rows {
        let told = projected(outcome, json!({"stdout": "half", "stderr": ""}), stop).outcome;
        assert_eq!((told.status, told.code), (status, Some(code)), "{outcome:?} {stop:?}");
        assert!(told.text().ends_with("\n\nIncomplete output until then:\nhalf"));
        assert_eq!(told.structured.unwrap()["error"]["code"], json!(code));
    }
}
