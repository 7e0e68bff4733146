// `npm run dump`: makes a fixture of tests/fixtures/stores, by default with the version of
// package.json as its name: the store of this checkout's build, filled with all kinds of data
// through HTTP, and what can be read from it. Each release adds one. No dump is changed or removed.
// It takes two minutes, and needs Linux and a C compiler.
//
//     npm run dump -- --name 0.2.0
//     npm run dump -- --name 0.2.0 --expected    only reads an existing dump anew: after a change of
//                                                the pages' JSON, never because data differ

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { listDumps, openDump, writeDump, writeExpected } from "../tests/support/upgrade/dump.ts";
import { fillStore } from "../tests/support/upgrade/fill-store.ts";
import { type Reading, readStore } from "../tests/support/upgrade/read-store.ts";
import { startStore } from "../tests/support/upgrade/start-store.ts";
import { buildOrQuit } from "./build/build.ts";
import { parseOptions, quit } from "./command/command-line.ts";
import { formatWhole } from "./command/figures.ts";
import { root } from "./install.mjs";

/**
 * When all dumps end, whatever the machine's clock shows. workerd accepts no time before its
 * compatibility date, so it is far ahead.
 */
const END_MS = Date.UTC(2036, 2, 5, 10, 2, 0);

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { name, expected: isOnlyRead } = parseOptions({
  name: { type: "string", default: version },
  expected: { type: "boolean", default: false },
});
if (listDumps().includes(name) !== isOnlyRead)
  quit(isOnlyRead ? `There is no dump ${name}.` : `The dump ${name} exists, and never changes.`);
await buildOrQuit();
if (!isOnlyRead) {
  const folder = mkdtempSync(join(tmpdir(), "errata-dump-"));
  const filled = await fillStore(folder, END_MS);
  console.log(`The store has ${formatWhole(writeDump(name, folder, filled))} bytes.`);
  rmSync(folder, { recursive: true });
}
const [reading, again] = [await readDump(), await readDump()];
const unstable = Object.keys(reading).filter((path) => {
  return !isDeepStrictEqual(reading[path], again[path]);
});
if (unstable.length > 0) quit(`Not the same in two readings: ${unstable.join(", ")}`);
const bytes = formatWhole(writeExpected(name, reading));
console.log(`${formatWhole(Object.keys(reading).length)} readings have ${bytes} bytes.`);

async function readDump(): Promise<Reading> {
  const dump = openDump(name);
  const started = await startStore(dump);
  try {
    return await readStore(started.url, dump.filled);
  } finally {
    await started.stop();
    dump.remove();
  }
}
