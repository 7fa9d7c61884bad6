// One JavaScript program in a worker that the host may end at any time.
import { parentPort, workerData } from "node:worker_threads";

import { Instance, load } from "./driver.mjs";
import { MapPort } from "./map-port.mjs";

const instance = new Instance(await load(new URL(workerData.folder), "javascript"), new MapPort().open());
parentPort.postMessage({ ready: true });
parentPort.postMessage({ end: await instance.run(workerData.request) });
