// `npm run record`: writes src/warm-up/recorded-answers.json anew, which the Worker answers pages
// from while it starts. Run it when `tests/build/warm-up.test.ts` says that an answer has changed.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildOrQuit } from "./build/build.ts";
import { parseOptions } from "./command/command-line.ts";
import { formatWhole } from "./command/figures.ts";
import { run } from "./command/run-package.ts";
import { root } from "./install.mjs";
import { recordAnswers } from "./recording/record-answers.ts";

const FILE = join(root, "src", "warm-up", "recorded-answers.json");

parseOptions({});
await buildOrQuit();
const recording = await recordAnswers();
writeFileSync(FILE, JSON.stringify(recording));
await run("@biomejs/biome", ["format", "--write", FILE]);
for (const { path, status, answers } of recording.pages)
  console.log(`${path}: ${status}, ${Object.keys(answers).length} calls`);
console.log(`${formatWhole(JSON.stringify(recording).length)} characters.`);
process.exit(0);
