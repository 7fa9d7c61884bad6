// How a run looks in the page: a heading per reply of the model, a box per call. It has the methods of pkg/demo/screen.mjs.

import { noteText, previewLines } from "../pkg/demo/follow.mjs";
import { appending, element } from "./element.js";

export class Screen {
  #box;
  #round;
  #text;
  #calls = new Map();
  #questions = new Map();
  #opened;
  #rounds = 0;

  /** `opened(path)` is called when a reader wants to see a file. */
  constructor(box, opened) {
    this.#box = box;
    this.#opened = opened;
    box.replaceChildren();
  }

  round(number) {
    this.close();
    this.#rounds = number;
    this.#round = element("div", { className: "round" }, element("h3", {}, `Round ${number}`));
    this.#add(this.#box, this.#round);
  }

  /** Text that comes in pieces. */
  piece(text) {
    if (!this.#text) this.#add(this.#place, (this.#text = element("p")));
    this.#add(this.#text, text);
  }

  close() {
    this.#text = undefined;
  }

  note(text) {
    this.#add(this.#place, element("p", { className: "note" }, text));
  }

  /** The model writes a call. */
  typed(call) {
    this.close();
    const { args } = this.#card(call);
    appending(this.#box, () => (args.textContent = call.args));
  }

  asked(call) {
    this.typed(call);
    this.#card(call).state.textContent = "asked";
  }

  /** A call waits for the reader: what it would do, and two buttons. */
  question(call, { reason, preview }, decide) {
    this.#card(call).state.textContent = "waits for you";
    const title = element("b", {}, `May ${call.name} run?`);
    const answer = (text, decision, className) =>
      element("button", { type: "button", className, onclick: () => decide({ answer: decision, by: "the reader" }) }, text);
    const buttons = element("div", { className: "answers" }, answer("Allow once", "once", ""), answer("Reject", "reject", "plain"));
    const question = element("section", { className: "question", tabIndex: -1, role: "group", ariaLabel: title.textContent },
      title, element("p", {}, reason), element("pre", {}, previewLines(preview).join("\n")), buttons);
    this.#questions.set(call, { question, buttons });
    this.#add(this.#card(call).card, question);
    question.scrollIntoView({ block: "nearest" });
    // Whoever started the run is taken to its question, not onto a button: a key that was meant for something else allows
    // nothing. Whoever is writing elsewhere stays there.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement.disabled || this.#box.contains(activeElement)) question.focus();
  }

  answered(call, text) {
    const { question, buttons } = this.#questions.get(call);
    const focused = question.contains(document.activeElement);
    buttons.replaceWith(element("p", { className: "answer" }, text));
    if (focused) this.#box.focus();
  }

  said(call, text) {
    this.#add(this.#card(call).card, element("p", {}, text));
  }

  /** A call has its result. */
  ended(call) {
    const { card, state } = this.#card(call);
    const { status, errorCode, content, notes, meta } = call.stored;
    card.dataset.status = status === "ok" ? "ok" : "bad";
    card.title = call.states.join(" · ");
    const time = meta.startedAt ? `${meta.endedAt - meta.startedAt} ms` : "not run";
    state.textContent = [status, errorCode, time].filter(Boolean).join(" · ");
    for (const note of notes) this.#add(card, element("p", { className: "note" }, noteText(note)));
    const [first, ...more] = content.trim().split("\n");
    const summary = more.length > 0 ? `${first} … ${more.length} more ${more.length === 1 ? "line" : "lines"}` : first;
    const long = more.length > 0 || first.length > 160;
    this.#add(card, long
      ? element("details", {}, element("summary", {}, summary.slice(0, 200)), element("pre", {}, content))
      : element("pre", {}, content));
    for (const text of call.files) this.#add(card, this.#file(text));
  }

  /** The run is over. */
  finished({ status, error }) {
    const good = status === "completed";
    const text = `in ${this.#rounds} rounds with ${this.#calls.size} calls`;
    this.#add(this.#box, element("p", { className: good ? "end" : "end bad", id: "end" },
      element("b", {}, status), good ? ` ${text}` : ` ${error.code}: ${error.message}`));
  }

  get #place() {
    return this.#round ?? this.#box;
  }

  #card(call) {
    if (!this.#calls.has(call)) {
      const state = element("span", {}, "is being written");
      const args = element("pre");
      const card = element("article", { className: "call" }, element("header", {}, element("b", {}, call.name), state), args);
      this.#calls.set(call, { card, state, args });
      this.#add(this.#place, card);
    }
    return this.#calls.get(call);
  }

  /** What was done with a file, with the file behind it. */
  #file(text) {
    const [path] = text.split(" ").slice(-1);
    return element("p", {}, element("button", { type: "button", onclick: () => this.#opened(path) }, text));
  }

  #add(parent, child) {
    appending(this.#box, () => parent.append(child));
  }
}
