// Decisions, levels, modes, and scripts of calls and answers, each through a whole session.

import { passed, sameJson } from "./case.mjs";
import { Script } from "./script.mjs";

export async function run(input, expect, host) {
  const kinds = { decide, level, default_mode: mode, merge_modes: mode, script: calls };
  const { script, look } = kinds[input.op](input, expect);
  return Script.play(script, host, (played) => {
    look(played);
    return passed;
  });
}

/** A tool that makes the calls of a case: `args` are those of one of them. */
function toolOf({ toolId, alias, action, effect, risk, parts, toolCheck }, { byId = true } = {}) {
  const [, extensionId, name] = /^extension\/([^:]+):(.+)$/.exec(toolId);
  const permission = { name: action, target: { path: "$.path" } };
  if (risk && risk !== "none") permission.risk = [risk];
  if (parts) permission.parts = parts.map(partOf);
  const tool = { extensionId, name: byId ? name : alias, permission, traits: { effect, classifierText: "A call" } };
  const check = toolCheck === "consent" ? { decision: "ask", kind: "consent" } : toolCheck;
  return check ? { ...tool, looks: [{ check }] } : tool;
}

const partOf = ({ action, target, effect, risk }) => ({
  name: action, ...(target && { target: { path: target } }), ...(effect && { effect }), ...(risk && { risk: [risk] }),
});

/** What touches something protected has a path that says so. */
const argsOf = ({ target, safety }) => (safety ? { path: "elsewhere/.env" } : target ? { path: target } : {});

const named = (rules = []) => rules.map((rule, place) => ({ id: `r${place}`, ...rule }));

function decide({ call, rules, grants = [], mode, level, ui, now, reviewer }, expect) {
  // An extension is called by its name; where a rule is about its id, the name is that of the id.
  const byId = (rules ?? []).some(({ tool }) => tool === call.toolId);
  const tool = toolOf(call, { byId });
  const granting = grants.map((grant, place) => ({
    tools: [{ ...toolOf({ ...grant, effect: "write" }), ...(grant.toolId === call.toolId && { name: tool.name }) }],
    terms: { mode: "manual" },
    replies: [[[`g${place}`, grant.toolId === call.toolId ? tool.name : "put", argsOf(grant)]]],
    answers: ["session"],
  }));
  const deciding = {
    tools: [tool], rules: named(rules),
    terms: { mode, subject: { level }, ...(ui === false && { canPrompt: false }) },
    profile: { policy: call.policy ? { [tool.name]: call.policy } : {}, permissions: { reviewer: reviewer !== undefined } },
    ...(reviewer && { reviews: [{ verdict: reviewer, confidence: 1 }] }),
    replies: [[["c", tool.name, argsOf(call)]]],
    answers: ["reject"],
  };
  const look = (played) => {
    const { verdict, reasonCode, source } = decisionOf(played, "c");
    sameJson("decision", verdict, expect.decision);
    if (!expect.reason.includes(reasonCode)) throw new Error(`reason ${reasonCode}`);
    if (expect.source) sameJson("source", source, expect.source);
  };
  return { script: { ...(now !== undefined && { now }), tools: granting[0]?.tools ?? [tool], runs: [...granting, deciding] }, look };
}

/** The last decision about a call. A tool that is off is not there to be decided about. */
function decisionOf({ events }, callId) {
  const of = (kind) => events.findLast(({ type, payload }) => type === kind && payload.callId === callId)?.payload;
  const off = of("tool_result_stored")?.errorCode === "agent.tool_denied";
  return of("permission_decided") ?? (off ? { verdict: "deny", reasonCode: "policy" } : {});
}

function level({ sources, explicit }, expect) {
  const rules = [0, 1, 2, 3, 4, 5].map((level) => ({ id: `level ${level}`, effect: "deny", who: { level } }));
  const subject = { roles: sources, ...(explicit !== undefined && { level: explicit }) };
  const script = { tools: [{ name: "t" }], rules, terms: { mode: "allow", subject }, replies: [[["c", "t", {}]]] };
  return { script, look: (played) => sameJson("level", decisionOf(played, "c").ruleId, `level ${expect.level}`) };
}

/** Which mode it is, its words tell where it asks or denies; `allow` asks about what is dangerous. */
function mode({ modes = [], level }, expect) {
  const [caller, ofProfile] = modes;
  const script = {
    tools: [{ name: "put", traits: { effect: "write" } }, { name: "rm", permission: { name: "rm", risk: ["dangerous"] } }],
    terms: { subject: { level }, ...(caller && { mode: caller }) },
    profile: { permissions: ofProfile ? { mode: ofProfile } : {} },
    replies: [[["w", "put", {}], ["d", "rm", {}]]],
    answers: ["reject", "reject"],
  };
  return { script, look: (played) => sameJson("mode", modeOf(played), expect.mode) };
}

function modeOf(played) {
  const asked = new Map(played.host.filter(([what]) => what === "asked").map(([, callId, { reason }]) => [callId, reason]));
  const told = played.requests.flat().find(({ tool_call_id: id }) => id === "w").content;
  const { verdict } = decisionOf(played, "w");
  if (verdict === "deny") return /\(([a-z_-]+)\)\. Continue/.exec(told)[1];
  if (verdict === "ask") return /^The mode (\S+) asks/.exec(asked.get("w"))[1];
  return asked.has("d") ? "allow" : "full_access";
}

function calls({ mode, level, script: steps }, expect) {
  const runs = [];
  let next = {};
  let sessionId;
  let run;
  let place = 0;
  for (const step of steps) {
    if (step.do === "session") sessionId = step.id;
    if (step.do === "restart") next.restart = true;
    if (step.do !== "call") {
      run = undefined;
      continue;
    }
    if (!run) {
      const terms = { mode, subject: { level }, ...(sessionId && { sessionId }) };
      runs.push((run = { ...next, terms, replies: [], answers: [] }));
      next = {};
    }
    run.replies.push([[`c${(place += 1)}`, "put", argsOf(step.call)]]);
    if (step.answer) run.answers.push(step.answer);
  }
  const look = (played) => {
    const ran = new Set(played.host.filter(([what]) => what === "called").map(([, callId]) => callId));
    const found = Array.from({ length: place }, (_, at) => `c${at + 1}`);
    sameJson("calls", found.map((id) => ({ decision: decisionOf(played, id).verdict, runs: ran.has(id) })), expect.calls);
  };
  return { script: { tools: [toolOf(steps.find((step) => step.do === "call").call)], runs }, look };
}
