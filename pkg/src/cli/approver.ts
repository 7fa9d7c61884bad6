/** The person at the terminal: is shown what a call is about, and says whether it may be made. */

import { createInterface, type Interface } from "node:readline";

import type { AnswerWord, ApprovalRequest, Decision, OnApproval, Preview } from "../types.js";

/** What can be typed, and what it means. */
const WORDS: Record<string, AnswerWord> = { o: "once", once: "once", y: "once", yes: "once", s: "session", session: "session" };

/** A terminal. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks one person, one question after the other. Whatever is no yes is a no. */
export class Approver {
  /** The prompt that reads the terminal already. */
  lines: Interface | undefined;
  private last: Promise<unknown> = Promise.resolve();
  /** What was allowed until the command ends. */
  private readonly allowed = new Set<string>();

  constructor(private readonly terminal: Terminal) {}

  readonly answer: OnApproval = (request, { signal }) => {
    const asked = this.last.then(() => this.ask(request, signal));
    this.last = asked.catch(() => undefined);
    return asked;
  };

  private async ask(request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
    const lasts = request.answers.includes("session");
    const { toolId, action, reason, preview } = request;
    const about = JSON.stringify([toolId, action, reason, preview.kind === "command" && [preview.cwd, preview.background]]);
    if (lasts && this.allowed.has(about)) return { answer: "once", by: "terminal" };
    this.terminal.output.write(`${shown(request)}\n`);
    const line = await this.read(`Allow it? ${lasts ? "[o]nce, [s]ession, [r]eject" : "[o]nce, [r]eject"}: `, signal);
    const answer = WORDS[line.trim().toLowerCase()];
    if (!answer) return { answer: "reject", by: "terminal" };
    if (answer === "session" && lasts) this.allowed.add(about);
    return { answer: "once", by: "terminal" };
  }

  private read(question: string, signal: AbortSignal): Promise<string> {
    const { input, output } = this.terminal;
    const lines = this.lines ?? createInterface({ input, output });
    return new Promise<string>((resolve) => {
      // Nobody is there any more, or nobody has to answer any more.
      lines.once("close", () => resolve(""));
      signal.addEventListener("abort", () => resolve(""), { once: true });
      lines.question(question, { signal }, resolve);
    }).finally(() => {
      if (lines !== this.lines) lines.close();
    });
  }
}

function shown({ title, summary, reason, preview }: ApprovalRequest): string {
  return [`${title}: ${summary}`, reason, ...looks(preview)].map(plain).join("\n");
}

function looks(preview: Preview): string[] {
  switch (preview.kind) {
    case "command":
      return [`${preview.cwd ?? ""}$ ${preview.command}`, ...(preview.background ? ["in the background"] : [])];
    case "file_edit":
      return [preview.path + everywhere(preview), preview.diff];
    case "file_write":
      return [`${preview.path} (${written(preview)})`, ...preview.firstLines, ...(preview.truncated ? ["…"] : [])];
    case "url":
      return [preview.url];
    case "choice":
      return [preview.question, ...preview.options];
    default:
      return preview.path ? [preview.path] : [];
  }
}

type Edit = Extract<Preview, { kind: "file_edit" }>;
type Write = Extract<Preview, { kind: "file_write" }>;

function everywhere({ replaceAll, occurrences }: Edit): string {
  if (!replaceAll) return "";
  return occurrences === undefined ? ", every occurrence" : `, every occurrence (${occurrences})`;
}

function written({ bytes, append, bytesBefore }: Write): string {
  if (append) return `${bytes} bytes added at the end${bytesBefore === undefined ? "" : `, then ${bytesBefore + bytes}`}`;
  return bytesBefore === undefined ? `${bytes} bytes` : `${bytes} bytes instead of ${bytesBefore}`;
}

/** What a model wrote must not move the cursor of a terminal, nor hide in it. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, "�");
}
