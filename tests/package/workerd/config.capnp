using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "dist/worker.js"),
    (name = "handrail_bg.wasm", wasm = embed "../node_modules/handrail/wasm/handrail_bg.wasm"),
    (name = "javascript_bg.wasm", wasm = embed "../node_modules/handrail/programs/javascript_bg.wasm"),
    (name = "shell_bg.wasm", wasm = embed "../node_modules/handrail/programs/shell_bg.wasm"),
  ],
  compatibilityDate = "2026-10-01",
);
