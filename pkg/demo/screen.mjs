// How a run looks on a terminal: one block per reply of the model, one line per change of a call.

import { noteText, previewLines } from "./follow.mjs";

const WIDTH = 100;

export class Screen {
  /** `coloured`: whether colours may be used. */
  constructor(write, coloured) {
    this.write = write;
    const paint = (code) => (text) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
    this.dim = paint("2");
    this.bold = paint("1");
    this.good = paint("32");
    this.bad = paint("31");
    this.mark = paint("36");
    this.open = "";
  }

  line(text = "") {
    this.close();
    this.write(`${text}\n`);
  }

  /** Text that comes in pieces. */
  piece(text) {
    if (this.open === "") this.write("  ");
    this.open += text;
    this.write(text.replaceAll("\n", "\n  "));
  }

  close() {
    if (this.open !== "") this.write("\n");
    this.open = "";
  }

  round(number) {
    this.line();
    this.line(this.bold(`Round ${number}`));
  }

  /** The model is still writing a call: on a terminal it is shown when it is whole. */
  typed() {}

  asked({ name, args }) {
    this.line(`  ${this.mark("call")}    ${this.bold(name)} ${short(args)}`);
  }

  said({ name }, text) {
    this.line(this.dim(`          ${name} says: ${short(text)}`));
  }

  /** A person is asked about a call. Who answers is the script's affair. */
  question({ name }, { reason, preview, answers }) {
    this.line(`  ${this.mark("ask")}     ${this.bold(`May ${name} run?`)} ${reason}`);
    for (const row of previewLines(preview)) this.line(`          ${short(row, false)}`);
    this.line(this.dim(`          answers: ${answers.join(", ")}`));
  }

  answered({ name }, text) {
    this.line(`  ${this.mark("answer")}  ${name} ${text}`);
  }

  note(text) {
    this.line(`  ${this.mark("note")}    ${text}`);
  }

  /** A call has its result. */
  ended({ name, states, files, stored }) {
    const { status, errorCode, content, notes, meta } = stored;
    const mark = (status === "ok" ? this.good : this.bad)(status.padEnd(7));
    const time = meta.startedAt ? ` · ${meta.endedAt - meta.startedAt} ms` : "";
    for (const note of notes) this.note(noteText(note));
    this.line(`  ${mark} ${name}${errorCode ? ` ${this.bad(errorCode)}` : ""} ${this.dim(states.join(" · ") + time)}`);
    for (const row of preview(content)) this.line(`          ${row}`);
    for (const text of files) this.line(`  ${this.mark("file")}    ${text}`);
  }

  tree(entries) {
    for (const { path, kind, bytes } of entries) {
      const depth = path.split("/").length - 1;
      const name = path.slice(path.lastIndexOf("/") + 1);
      const size = kind === "directory" ? "" : this.dim(`  ${bytes.toLocaleString("en")} bytes`);
      this.line(`  ${"  ".repeat(depth)}${name}${kind === "directory" ? "/" : ""}${size}`);
    }
  }
}

function short(text, flatten = true) {
  const flat = flatten ? text.replace(/\s+/g, " ") : text;
  return flat.length > WIDTH ? `${flat.slice(0, WIDTH - 1)}…` : flat;
}

/** The first lines of a result, and how many more there are. */
function preview(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.slice(0, 4).map(short);
  return lines.length > 4 ? [...shown, `… ${lines.length - 4} more lines`] : shown;
}
