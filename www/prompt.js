// The shell prompt: earlier commands, the working folder, stopping.

import { appending, element } from "./element.js";

export class Prompt {
  #run;
  #page = Object.fromEntries(["output", "prompt", "command", "folder", "stop"].map((id) => [id, document.getElementById(id)]));
  #earlier = [];
  /** Which earlier command is shown; after the last one: what is being written. */
  #at = 0;
  #draft = "";
  #folder = "/";
  #running;

  /** `run(command, { workdir, signal, output })` runs a command: `runCommand` of shell.js. */
  constructor(run) {
    this.#run = run;
    const { prompt, command, stop, output } = this.#page;
    prompt.onsubmit = (event) => {
      event.preventDefault();
      void this.#enter();
    };
    command.onkeydown = (event) => this.#key(event);
    stop.onclick = () => this.#stop();
    output.onkeydown = (event) => void this.#interrupt(event);
  }

  enable(enabled) {
    this.#page.command.disabled = !enabled;
  }

  /** A new workspace: the folder of before may not exist. */
  reset() {
    this.#stop();
    this.#to("/");
  }

  async #enter() {
    const { command } = this.#page;
    const text = command.value;
    if (this.#running) return;
    this.#print("asked", text, { folder: this.#folder });
    if (text.trim() === "") return;
    if (this.#earlier.at(-1) !== text) this.#earlier.push(text);
    this.#at = this.#earlier.length;
    this.#draft = command.value = "";
    const running = (this.#running = new AbortController());
    this.#busy(true);
    try {
      const { status, exitCode, folder, remark } = await this.#run(text, {
        workdir: this.#folder,
        signal: running.signal,
        output: (stream, piece) => this.#piece(stream, piece),
      });
      if (status === "ok" && exitCode !== 0) this.#print("status", `exit code ${exitCode}`);
      if (remark) this.#print("said", remark);
      this.#to(folder);
    } catch (error) {
      this.#print("said", error.message);
    } finally {
      this.#running = undefined;
      this.#busy(false);
    }
  }

  #key(event) {
    if (this.#interrupt(event)) return;
    if (event.key === "l" && event.ctrlKey) this.#page.output.replaceChildren();
    else if (event.key === "ArrowUp") this.#recall(this.#at - 1);
    else if (event.key === "ArrowDown") this.#recall(this.#at + 1);
    else return;
    event.preventDefault();
  }

  /** Ctrl+C stops the command, or drops the line; with a selection it copies as everywhere. */
  #interrupt(event) {
    if (event.key !== "c" || !event.ctrlKey || event.shiftKey) return false;
    const { command } = this.#page;
    if (String(getSelection()) !== "" || command.selectionStart !== command.selectionEnd) return false;
    event.preventDefault();
    if (this.#running) this.#stop();
    else if (event.target === command) {
      this.#print("asked", `${command.value}^C`, { folder: this.#folder });
      command.value = "";
      this.#at = this.#earlier.length;
    }
    return true;
  }

  #recall(at) {
    if (at < 0 || at > this.#earlier.length) return;
    const { command } = this.#page;
    if (this.#at === this.#earlier.length) this.#draft = command.value;
    this.#at = at;
    command.value = this.#earlier[at] ?? this.#draft;
    command.setSelectionRange(command.value.length, command.value.length);
  }

  #stop() {
    this.#running?.abort();
  }

  #busy(busy) {
    const { stop, command, output } = this.#page;
    stop.hidden = !busy;
    command.readOnly = busy;
    command.placeholder = busy ? "running…" : "";
    output.ariaBusy = String(busy);
    if (!busy && document.activeElement === stop) command.focus();
  }

  #to(folder) {
    this.#folder = folder;
    this.#page.folder.textContent = folder;
    this.#page.folder.title = folder;
  }

  /** A line of its own. */
  #print(kind, text, data = {}) {
    const { output } = this.#page;
    appending(output, () => output.append(element("pre", { className: kind, data }, text)));
  }

  /** Output goes on in the block of its stream. */
  #piece(stream, text) {
    if (text === "") return;
    const { output } = this.#page;
    const last = output.lastElementChild;
    if (last?.className === stream) appending(output, () => last.append(text));
    else this.#print(stream, text);
  }
}
