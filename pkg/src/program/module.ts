/** The program modules of a driver, each with an instance kept warm. */

import type { ProgramName } from "./exec.js";
import { Instance, type Instantiate } from "./instance.js";

/** The glue of each module: loaded with it, under a literal name that bundlers can follow. It comes without types. */
const GLUE: Record<ProgramName, () => Promise<{ instantiate: Instantiate }>> = {
  shell: () => import("../../programs/shell.mjs" as string),
  javascript: () => import("../../programs/javascript.mjs" as string),
};

/** One module. */
export class Program {
  private spare: Promise<Instance> | undefined;

  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly instantiate: Instantiate,
  ) {}

  /** Loads the glue of a module. Rejects if the module cannot be used. */
  static async load(name: ProgramName, module: WebAssembly.Module): Promise<Program> {
    const { instantiate } = await GLUE[name]();
    const program = new Program(module, instantiate);
    program.warm();
    await program.spare;
    return program;
  }

  /** An instance for one command. Rejects if there is no room for one. */
  take(): Promise<Instance> {
    const instance = this.spare ?? this.make();
    this.spare = undefined;
    return instance;
  }

  /** Makes the instance of the next command. */
  warm(): void {
    if (this.spare) return;
    const spare = (this.spare = this.make());
    // The next command tries again, and says why it cannot.
    spare.catch(() => {
      if (this.spare === spare) this.spare = undefined;
    });
  }

  private make(): Promise<Instance> {
    return Instance.make(this.module, this.instantiate);
  }
}
