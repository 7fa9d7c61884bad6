// Which calls the user stops, and what that means for the others: the clock of lanes.

export { run } from "./lanes.mjs";
