// What a script came to, compared with its case: tests/faces/native/report.rs in JavaScript.

import { checkText, passed, sameJson } from "./case.mjs";

/** The members of the events that are compared, by type; those of other types are left out. */
const TOLD = {
  permission_decided: ["decided", "callId", "verdict", "step", "reasonCode", "ruleId"],
  approval_request: ["asks", "callId"],
  approval_resolved: ["answered", "callId", "answer", "by", "message"],
  rule_saved: ["kept", "rule"],
  rule_save_failed: ["not_kept", "rule", "code"],
  hook_completed: ["heard", "hookId", "callId"],
  hook_failed: ["not_heard", "hookId", "callId"],
  tool_call_started: ["starts", "callId"],
  tool_result_stored: ["ends", "callId", "status", "errorCode"],
  run_completed: ["completed"],
  run_failed: ["failed", "code"],
  run_cancelled: ["cancelled"],
};

export async function check(script, expect) {
  const { journal, host, requests, shown = {}, stored = {}, said, files } = expect;
  if (journal) sameLines("journal", lines(script), journal);
  if (host) sameLines("host", script.host, host);
  if (requests !== undefined) sameJson("requests", script.requests.length, requests);
  for (const [callId, pins] of Object.entries(shown)) about(`${callId} as shown`, shownOf(script, callId), pins);
  for (const [callId, pins] of Object.entries(stored)) about(`${callId} as stored`, await storedOf(script, callId), pins);
  if (said) checkText(JSON.stringify(script.requests), said);
  if (files) checkText(await everything(script.runtime.workspace), files);
  return passed;
}

/** The events as lines. */
export function lines(script) {
  return script.events.filter(({ type }) => type in TOLD).map(({ type, payload }) => {
    const [name, ...members] = TOLD[type];
    const value = (member) => (member === "hookId" ? script.hookName(payload[member]) : payload[member]) ?? null;
    return [name, ...members.map(value)];
  });
}

function about(what, text, pins) {
  try {
    checkText(text, pins);
  } catch (error) {
    throw new Error(`${what}: ${error.message}`);
  }
}

/** What the model read last of a call. */
function shownOf({ requests }, callId) {
  const answer = requests.flat().findLast((message) => message.tool_call_id === callId);
  if (!answer) throw new Error(`the model was not told of ${callId}`);
  return answer.content;
}

async function storedOf({ events, runtime }, callId) {
  const { payload } = events.find(({ type, payload }) => type === "tool_result_stored" && payload.callId === callId);
  return JSON.parse(await runtime.workspace.readText(payload.resultRef)).content;
}

/** All text files as one text, with their paths. */
async function everything(workspace) {
  const folder = Object.entries(await workspace.toFolder());
  return folder.map(([path, content]) => `${path}\n${typeof content === "string" ? content : ""}\n`).join("");
}

/** As many lines as are wanted, each like the one that is wanted. */
function sameLines(what, actual, wanted) {
  const short = (line) => (line === undefined ? "nothing" : JSON.stringify(line).slice(0, 900));
  for (let place = 0; place < Math.max(actual.length, wanted.length); place += 1) {
    const [got, want] = [actual[place], wanted[place]];
    if (!got || !want || !isLine(got, want)) throw new Error(`${what}, line ${place + 1}: expected ${short(want)}, got ${short(got)}`);
  }
}

/** A line may be longer than the one that is wanted. */
const isLine = (actual, wanted) => isLike(actual.slice(0, wanted.length), wanted);

/** An object may have more members than the one that is wanted; null stands for nothing. */
function isLike(actual, wanted) {
  if (wanted === null) return actual === null || actual === undefined;
  if (Array.isArray(wanted)) {
    return Array.isArray(actual) && actual.length === wanted.length && wanted.every((item, place) => isLike(actual[place], item));
  }
  if (typeof wanted !== "object") return actual === wanted;
  return typeof actual === "object" && actual !== null && Object.keys(wanted).every((name) => isLike(actual[name], wanted[name]));
}
