import { picnic } from "./picnic.js";

globalThis.found = picnic(() => document.title);
