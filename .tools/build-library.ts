// `npm run build:library` builds the package: the modules that package.json exports, each bundled
// from the file of its name in src/adapters, and their types. `npm pack` runs it. Needs no network.

import { buildLibrary } from "./build/library.ts";
import { parseOptions, quit } from "./command/command-line.ts";

parseOptions({});
const { ok, message } = await buildLibrary();
if (!ok) quit(message);
console.log(message);
