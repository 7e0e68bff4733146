// `npm run build`: builds what is deployed.

import { buildOrQuit } from "./build/build.ts";
import { parseOptions } from "./command/command-line.ts";

parseOptions({});

console.log(`Built: ${await buildOrQuit()}.`);
