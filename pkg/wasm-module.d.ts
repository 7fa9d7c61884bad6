/**
 * A module of this package where the host imports Wasm as a compiled `WebAssembly.Module`, as workerd does: give it to
 * `createRuntime` as `wasm`, or as one of `programs`.
 */
declare const module: object;
export default module;
