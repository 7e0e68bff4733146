// `npm run build`: builds what is deployed.

import { buildOrQuit } from "./build/build.ts";
import { parseOptions } from "./command/quit.ts";

parseOptions({});

console.log(`Built: ${await buildOrQuit()}.`);
