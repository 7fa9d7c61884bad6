import { picnic } from "./picnic.js";

console.log(JSON.stringify(await picnic(() => "node")));
