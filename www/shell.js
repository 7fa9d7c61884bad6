// One shell command on a runtime.

/**
 * Runs a command in the folder `workdir` and gives `{ status, exitCode, folder, remark }`: the folder it ended in, and a
 * sentence where it did not come to its end. `output(stream, text)` gets what it prints as it comes; `stream` is
 * "stdout" or "stderr". Nothing is thrown for what a command can do wrong.
 */
export async function runCommand(runtime, command, { workdir, signal, output }) {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const result = await runtime.shell(command, {
    workdir,
    signal,
    onOutput: (stream, bytes) => output(stream, decoders[stream].decode(bytes, { stream: true })),
  });
  const { status, exitCode, workdir: folder } = result;
  return { status, exitCode, folder: lost(result) ? "/" : folder, remark: remark(result) };
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
