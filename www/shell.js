// One shell command on a runtime.

/** What is said when a command did not come to its end. */
const SENTENCES = {
  error: "The shell could not run this command to its end.",
  timed_out: "The command was stopped at its time limit.",
  cancelled: "The command was stopped.",
};

/**
 * Runs a command and gives `{ exitCode, folder }`: its status, and the folder it ended in. `output(stream, text)` gets
 * what it prints as it comes; `stream` is "stdout" or "stderr". Throws an Error with one sentence when the command is
 * refused or stopped.
 */
export async function runCommand(runtime, command, { workdir, signal, output }) {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const { status, exitCode, workdir: folder } = await runtime.shell(command, {
    workdir,
    signal,
    onOutput: (stream, bytes) => output(stream, decoders[stream].decode(bytes, { stream: true })),
  });
  if (status !== "ok") throw new Error(SENTENCES[status]);
  return { exitCode, folder };
}
