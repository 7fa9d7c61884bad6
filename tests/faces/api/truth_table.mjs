// The runs of a case, played through the public API.

export { run } from "./script.mjs";
