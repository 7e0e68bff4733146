// `npm run test:clock -- <time> [options of Vitest]` runs the tests of `npm test` as if it were
// another time: `+40d`, or `2026-11-30T23:59Z`. Node, workerd and Chromium all show that time.

import { build } from "./build/build.ts";
import { isBuilt } from "./build/built.ts";
import { createClockEnv, decodeTime } from "./clock/shifted-clock.ts";
import { quit, readOptions } from "./command/command-line.ts";
import { run, toolEnv } from "./command/run-package.ts";

const { time, aheadMs, options } = readOptions(([time = "", ...options]) => {
  const nowMs = Date.now();
  return { time, aheadMs: decodeTime(time, nowMs) - nowMs, options };
});

if (!isBuilt()) {
  const { ok, message } = await build();
  if (!ok) quit(message);
}
const env = { ...toolEnv, ...readOptions(() => createClockEnv(aheadMs)) };
console.log(`The clock of the tests shows ${new Date(Date.now() + aheadMs).toISOString()}.`);

const hasProject = options.some((option) => option.startsWith("--project"));
const { code } = await run(
  "vitest",
  [
    ...["run", "--config=tests/vitest.config.ts", "--silent=passed-only"],
    ...(hasProject ? [] : ["--project=!clients"]),
    ...options,
  ],
  { terminal: true, env },
);
console.log(code === 0 ? `All tests pass at ${time}.` : `Tests fail at ${time}.`);
process.exit(code);
