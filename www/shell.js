// One shell command on a runtime.

/** Stands around the folder that a command ended in, behind its output. */
const MARK = "\u001e";
/**
 * Each command gets a shell of its own, so the folder must be asked for while it is there: at its exit, however that
 * comes. It stands on the line of the command itself, so that line numbers in messages stay right. A command that sets
 * a trap on EXIT itself, or that cannot be read, leaves the folder as it was.
 */
const TELL = `trap 'printf "\\036%s\\036" "$PWD"' EXIT; `;

/**
 * Runs a command in the folder `workdir` and gives `{ status, exitCode, folder, remark }`: the folder it ended in, and a
 * sentence where it did not come to its end. `output(stream, text)` gets what it prints as it comes; `stream` is
 * "stdout" or "stderr". Nothing is thrown for what a command can do wrong.
 */
export async function runCommand(runtime, command, { workdir, signal, output }) {
  const stdout = new Hidden((text) => output("stdout", text));
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const shows = { stdout: (text) => stdout.write(text), stderr: (text) => output("stderr", text) };
  const result = await runtime.shell(TELL + command, {
    workdir,
    signal,
    onOutput: (stream, bytes) => shows[stream](decoders[stream].decode(bytes, { stream: true })),
  });
  for (const stream of ["stdout", "stderr"]) shows[stream](decoders[stream].decode());
  const folder = stdout.end() ?? workdir;
  return { status: result.status, exitCode: result.exitCode, folder: lost(result) ? "/" : folder, remark: remark(result) };
}

/** The folder to start in is gone: the next command starts at the root. */
const lost = ({ status, text }) => status === "error" && /workspace\.path_not_(found|directory)/.test(text);

/** One sentence on a command that was refused or stopped, or whose output was cut. */
function remark(result) {
  const { status, truncated, text } = result;
  if (lost(result)) return "The folder is gone, so nothing was run; you are at / now.";
  if (status === "cancelled") return "Stopped.";
  if (status === "timed_out") return "Stopped at its time limit; what it did to files so far stays.";
  if (status === "error") return text.replace(/^Error \([^)]*\):\n/, "").split("\n")[0];
  return truncated ? "The output was longer; the rest was dropped." : undefined;
}

/** Output whose end, the folder between two marks, is not shown. */
class Hidden {
  #held = "";

  constructor(show) {
    this.show = show;
  }

  write(text) {
    this.#held += text;
    const mark = this.#held.indexOf(MARK);
    this.#shown(mark < 0 ? this.#held.length : mark);
  }

  /** The folder, if the output ended with it. */
  end() {
    const [, folder] = new RegExp(`${MARK}([^${MARK}]*)${MARK}$`).exec(this.#held) ?? [];
    this.#shown(folder === undefined ? this.#held.length : this.#held.length - folder.length - 2);
    return folder;
  }

  #shown(length) {
    this.show(this.#held.slice(0, length));
    this.#held = this.#held.slice(length);
  }
}
