/** Every bound of this side of the border, in one place. Those of the core are in `src/protocol/limits.rs`. */

export { JSON_DEPTH } from "./generated.js";
/** Longest JSON text of one value, in UTF-16 units. */
export const JSON_UNITS: number = 64 * 1024 * 1024;
/** Longest message that is taken over from something thrown, in UTF-16 units. The core shows the model less. */
export const MESSAGE_UNITS = 20_000;
/** Longest text of one `progress`, in UTF-16 units. */
export const PROGRESS_UNITS = 8_000;
/** Issues of a validator that are told; further ones are counted (as AR-26 does). */
export const ISSUES = 5;
/** Bytes that are kept of each stream of a command (SH-04). */
export const OUTPUT_BYTES: number = 128 * 1024;
/** Writes of a command that are told one by one before they are gathered. */
export const OUTPUT_BURST = 32;
/** How long further writes are gathered, in milliseconds. */
export const OUTPUT_PAUSE_MS = 50;
/** How often those who watch a run hear what a command wrote, in milliseconds. */
export const OUTPUT_TOLD_MS = 100;
/** How long a program may keep the event loop waiting, where it can be interrupted, in milliseconds. */
export const SLICE_MS = 8;
/** Polls in one slice; bounds it where clocks stand still while code runs (workerd). */
export const SLICE_POLLS = 64;
/** How long a program that was asked to stop may take before its instance is thrown away, in milliseconds. */
export const STOP_MS = 100;
/** How long after its deadline a command's instance is thrown away, in milliseconds; the core waits 1,000 (SH-41). */
export const OVERTIME_MS = 250;
/** How long after its deadline a command that does not answer is ended with its worker, in milliseconds. */
export const KILL_MS = 1_250;
/** How long after it was told to stop a command that does not answer is ended with its worker, in milliseconds. */
export const KILL_AFTER_STOP_MS = 1_000;
/** The time a command of the background has; the core stops waiting for a call much earlier. In milliseconds. */
export const BACKGROUND_MS = 86_400_000;
/** How often a worker with such a command is asked whether it still answers, in milliseconds. */
export const PULSE_MS = 2_000;
/** How long it may take to answer that before it is ended, in milliseconds: as long as a command may keep a call waiting. */
export const PATIENCE_MS = 31_250;
/** An instance whose memory is larger is noted as discarded for it (SH-40). */
export const MEMORY_BYTES: number = 256 * 1024 * 1024;
/** Programs that run beside each other in one command; further ones wait. */
export const PROGRAMS_AT_ONCE = 8;
/** What a worker may do before its state is kept anew: so many steps and changes, and so many bytes of them. */
export const LOG_ENTRIES = 20_000;
export const LOG_BYTES: number = 32 * 1024 * 1024;
/** Tokens that a model of Anthropic's may reply with if the host does not say. */
export const REPLY_TOKENS = 8_192;
