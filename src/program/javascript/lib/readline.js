// node:readline over any readable stream.
(native, require) => {
  const EventEmitter = require("events");
  const { StringDecoder } = require("string_decoder");

  class Interface extends EventEmitter {
    #lines = [];
    #rest = "";
    #ended = false;
    #questions = [];
    #waiting = [];
    #prompt = "> ";
    #output;
    constructor(input, output) {
      super();
      const options = input.input || input.output ? input : { input, output };
      this.#output = options.output;
      if (options.prompt !== undefined) this.#prompt = options.prompt;
      Object.assign(this, { terminal: false, line: "", closed: false });
      const source = options.input ?? globalThis.process.stdin;
      Object.defineProperty(this, "input", { value: source });
      const decoder = new StringDecoder("utf8");
      source.on("data", (chunk) => this.#feed(typeof chunk === "string" ? chunk : decoder.write(chunk)));
      source.on("end", () => {
        this.#feed(decoder.end());
        if (this.#rest !== "") this.#line(this.#rest);
        this.#rest = "";
        this.#ended = true;
        if (this.#lines.length === 0) this.close();
      });
      source.on("error", (error) => this.emit("error", error));
    }
    #feed(text) {
      const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
      this.#rest = lines.pop();
      for (const line of lines) this.#line(line);
    }
    #line(line) {
      if (this.closed) return;
      this.#lines.push(line);
      this.#give();
    }
    // A line goes to who asked for it; without listeners it waits for the next question.
    #give() {
      while (this.#lines.length > 0) {
        if (this.#questions.length > 0) this.#questions.shift()(this.#lines.shift());
        else if (this.#waiting.length > 0) this.#waiting.shift()({ value: this.#lines.shift(), done: false });
        else if (this.listenerCount("line") > 0) this.emit("line", this.#lines.shift());
        else break;
      }
      if (this.#ended && this.#lines.length === 0) this.close();
    }
    on(name, listener) {
      super.on(name, listener);
      if (name === "line") native.tick(() => this.#give(), []);
      return this;
    }
    question(query, options, callback) {
      this.#output?.write(query);
      this.#questions.push(typeof options === "function" ? options : callback);
      native.tick(() => this.#give(), []);
    }
    setPrompt(prompt) {
      this.#prompt = prompt;
    }
    getPrompt() {
      return this.#prompt;
    }
    prompt() {
      this.#output?.write(this.#prompt);
    }
    write(text) {
      this.#output?.write(text);
    }
    pause() {
      this.input.pause();
      return this;
    }
    resume() {
      this.input.resume();
      return this;
    }
    close() {
      if (this.closed) return;
      this.closed = true;
      this.input.pause();
      this.emit("close");
      for (const resolve of this.#waiting.splice(0)) resolve({ value: undefined, done: true });
    }
    [Symbol.asyncIterator]() {
      return {
        next: () => {
          if (this.#lines.length > 0) {
            const value = this.#lines.shift();
            this.#give();
            return Promise.resolve({ value, done: false });
          }
          if (this.closed) return Promise.resolve({ value: undefined, done: true });
          return new Promise((resolve) => this.#waiting.push(resolve));
        },
        return: async () => (this.close(), { value: undefined, done: true }),
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    }
  }
  class PromiseInterface extends Interface {
    question(query, options) {
      return new Promise((resolve) => super.question(query, options, resolve));
    }
  }
  const createInterface = (input, output) => new Interface(input, output);
  const nothing = () => true;
  return {
    Interface,
    createInterface,
    clearLine: nothing,
    clearScreenDown: nothing,
    cursorTo: nothing,
    moveCursor: nothing,
    emitKeypressEvents() {},
    promises: { Interface: PromiseInterface, createInterface: (input, output) => new PromiseInterface(input, output) },
  };
};
