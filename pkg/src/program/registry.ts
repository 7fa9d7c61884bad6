/** The host's own programs: commands of the shell that are functions here (SH-57). */

import { HandrailError } from "../error.js";
import type { HostProgram, Programs } from "../types.js";

/** Names that the shell has itself: those of SH-13, and what bash cannot be without. */
const TAKEN = new Set(
  `awk base64 basename bc cat comm cp cut date deno diff dirname env expr false find grep gunzip gzip head join jq js ls
   md5sum mkdir mktemp mv node od paste patch printf python python3 read realpath rm rmdir sed seq sha256sum sleep sort
   tail tar tee test touch tr true uniq wc xargs xxd yes
   alias bash bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done
   echo elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in jobs kill let
   local logout mapfile popd pushd pwd readarray readonly return select set sh shift shopt source suspend then time times
   trap type typeset ulimit umask unalias unset until wait while`.split(/\s+/),
);

/** The programs of one runtime. */
export class HostPrograms implements Programs {
  private readonly programs = new Map<string, HostProgram>();

  register(name: string, program: HostProgram): void {
    if (typeof name !== "string" || !/^[a-z0-9_+-]{1,32}$/.test(name)) {
      throw invalid(`A program's name is 1 to 32 of a-z, 0-9, _, + and -; ${JSON.stringify(name)} is not.`);
    }
    if (TAKEN.has(name)) throw invalid(`${name} is a command of the shell already; take another name.`);
    if (typeof program !== "function") throw invalid(`The program ${name} needs a function.`);
    this.programs.set(name, program);
  }

  unregister(name: string): boolean {
    return this.programs.delete(name);
  }

  names(): string[] {
    return [...this.programs.keys()];
  }

  find(name: string): HostProgram | undefined {
    return this.programs.get(name);
  }
}

function invalid(message: string): HandrailError {
  return new HandrailError("program.invalid", message);
}
