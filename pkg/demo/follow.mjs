// What a screen shows of a run: the terminal's (screen.mjs) and the page's (../www/screen.js) alike.

/** Shows the events of a run on a screen until it ends. */
export async function follow(run, workspace, screen) {
  const calls = new Map();
  const begin = ({ callId, name = callId }) => {
    if (!calls.has(callId)) calls.set(callId, { name, args: "", states: [], files: [] });
    return calls.get(callId);
  };
  const shows = {
    approval_request: (request) =>
      screen.question(begin(request), request, (decision) => run.decide(request.approvalId, decision)),
    approval_resolved: (payload) => screen.answered(begin(payload), answerText(payload)),
    model_request_created: ({ round }) => screen.round(round),
    model_delta: ({ text }) => screen.piece(text),
    model_call_attempt_failed: ({ code, message }) => screen.note(`the model's reply was no use: ${code}: ${message}`),
    model_call_retry_scheduled: () => screen.note("it will be asked again"),
    tool_begin: (payload) => screen.typed(begin(payload)),
    tool_call_requested: (payload) => screen.asked(begin(payload)),
    tool_update: (payload) => {
      const call = begin(payload);
      if (payload.argsDelta) {
        call.args += payload.argsDelta;
        screen.typed(call);
      }
      if (payload.output) screen.said(call, payload.output);
      if (payload.state) call.states.push(payload.state);
      if (payload.state === "settled") screen.ended(call);
    },
    tool_result_stored: async (payload) => {
      begin(payload).stored = JSON.parse(await workspace.readText(payload.resultRef));
    },
    tool_result_readable_view_stored: (payload) => begin(payload).files.push(`the whole result is in ${payload.path}`),
    workspace_file_written: (payload) => begin(payload).files.push(`wrote ${payload.path}`),
    workspace_patch_applied: (payload) => begin(payload).files.push(`changed ${payload.path}`),
  };
  for await (const { type, payload } of run.events()) await shows[type]?.(payload);
  screen.close();
}

/** The files, and the directories that hold any. */
export async function tree(workspace) {
  const entries = await workspace.list();
  const files = entries.filter(({ kind }) => kind === "file").map(({ path }) => path);
  return entries.filter(({ path, kind }) => kind === "file" || files.some((file) => file.startsWith(`${path}/`)));
}

/** What a question is about, as lines to read. */
export function previewLines(preview) {
  switch (preview.kind) {
    case "command": {
      const lines = preview.command.split("\n").map((line, at) => `${at === 0 ? "$" : " "} ${line}`);
      return [...lines, ...(preview.cwd ? [`in ${preview.cwd}`] : []), ...(preview.background ? ["in the background"] : [])];
    }
    case "file_edit":
      return [preview.path + everywhere(preview), ...preview.diff.trimEnd().split("\n")];
    case "file_write": {
      const { path, firstLines, totalLines, truncated } = preview;
      return [`${path}, ${written(preview)}`, ...firstLines, ...(truncated ? [`… ${totalLines} lines in all`] : [])];
    }
    case "url":
      return [preview.url];
    case "choice":
      return [preview.question, ...preview.options.map((option) => `- ${option}`)];
    default:
      return preview.path ? [preview.path] : [];
  }
}

function everywhere({ replaceAll, occurrences }) {
  if (!replaceAll) return "";
  return occurrences === undefined ? ", every occurrence" : `, every occurrence (${occurrences})`;
}

function written({ bytes, append, bytesBefore }) {
  if (append) return `${bytes} bytes added at the end${bytesBefore === undefined ? "" : `, then ${bytesBefore + bytes}`}`;
  return bytesBefore === undefined ? `${bytes} bytes` : `${bytes} bytes instead of ${bytesBefore}`;
}

const ANSWERS = {
  once: "allowed once",
  turn: "allowed for this run",
  session: "allowed for this session",
  always: "always allowed",
  reject: "rejected",
  never: "never allowed",
  timeout: "nobody answered in time",
  none: "nobody was there to answer",
  cancelled: "cancelled",
};

/** How a question ended, in words. */
const answerText = ({ answer, by }) => (ANSWERS[answer] ?? answer) + (by ? `, by ${by}` : "");

/** A note on a record in words, with the places in the arguments it is about: JSON pointers, or the text as a whole. */
export function noteText({ kind, data: { locations = [] } }) {
  const named = locations.filter((location) => location !== "");
  return kind.replaceAll("_", " ") + (named.length > 0 ? ` at ${named.join(", ")}` : "");
}
