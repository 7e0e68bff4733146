// `npm run build:cli` builds the package of the command-line program into dist/cli. Needs no
// network.

import { statSync } from "node:fs";
import { join } from "node:path";
import { buildCli, cliFolder } from "./build/cli.ts";
import { parseOptions } from "./command/command-line.ts";

parseOptions({});
await buildCli();
console.log(`${statSync(join(cliFolder, "errata.mjs")).size} bytes in dist/cli/errata.mjs`);
