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
  private spare: Instance | undefined;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly instantiate: Instantiate,
  ) {}

  /** Loads the glue of a module. */
  static async load(name: ProgramName, module: WebAssembly.Module): Promise<Program> {
    const { instantiate } = await GLUE[name]();
    const program = new Program(module, instantiate);
    program.warm();
    return program;
  }

  /** An instance for one command. */
  take(): Instance {
    const instance = this.spare ?? new Instance(this.module, this.instantiate);
    this.spare = undefined;
    return instance;
  }

  /** Makes the instance of the next command. Throws if the module cannot be instantiated. */
  warm(): void {
    this.spare ??= new Instance(this.module, this.instantiate);
  }
}
