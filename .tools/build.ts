// `npm run build`: builds what is deployed.

import { buildOrQuit } from "./build/build.ts";

console.log(`Built: ${await buildOrQuit()}.`);
