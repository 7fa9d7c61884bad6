/** The worker thread of Node, Deno and Bun: the driver half, and nothing else. */

import { parentPort } from "node:worker_threads";

import { serve } from "./serve.js";

const port = parentPort;
if (!port) throw new Error("this file is for a worker thread");
serve({
  post: (message, transfer) => port.postMessage(message, transfer),
  onMessage: (listener) => void port.on("message", listener),
});
