/** Every bound of this side of the border, in one place. Those of the core are in `src/protocol/limits.rs`. */

/** Deepest nesting of lists and objects in a value; the core reads no deeper (AR-11). */
export const JSON_DEPTH = 128;
/** Longest JSON text of one value, in UTF-16 units. */
export const JSON_UNITS: number = 64 * 1024 * 1024;
/** Longest message that is taken over from something thrown, in UTF-16 units. The core shows the model less. */
export const MESSAGE_UNITS = 20_000;
/** Longest text of one `progress`, in UTF-16 units. */
export const PROGRESS_UNITS = 8_000;
/** Issues of a validator that are told; further ones are counted (as AR-26 does). */
export const ISSUES = 5;
