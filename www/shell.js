// One shell command on a runtime.

/**
 * Runs a command and gives `{ exitCode, folder }`: its status, and the folder it ended in. `output(stream, text)` gets
 * what it prints as it comes; `stream` is "stdout" or "stderr". Throws an Error with one sentence when the command is
 * refused or stopped.
 */
export async function runCommand() {
  throw new Error("This build has no shell yet.");
}
