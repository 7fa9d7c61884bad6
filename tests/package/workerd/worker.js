import { createRuntime } from "handrail";
import core from "handrail/handrail_bg.wasm";
import javascript from "handrail/programs/javascript_bg.wasm";
import shell from "handrail/programs/shell_bg.wasm";
import { picnic } from "./picnic.js";

export default {
  async test() {
    const { message } = await createRuntime().catch((error) => error);
    console.log(JSON.stringify({ message, found: await picnic(() => "edge", { wasm: core, programs: { javascript, shell } }) }));
  },
};
