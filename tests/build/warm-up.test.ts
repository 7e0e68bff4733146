// What the Worker does while it starts: the answers that it repeats are still those of its objects,
// and the first pages of a cold Worker are cheap. Reads dist, which `npm test` has built.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RECORDING } from "#src/warm-up/recording.ts";
import { measureColdPages } from "../../.tools/bench/cold-pages.ts";
import { workerFile } from "../../.tools/build/built.ts";
import { computeMedian } from "../../.tools/command/figures.ts";
import { describeAnswers } from "../../.tools/recording/describe-answers.ts";
import { recordAnswers } from "../../.tools/recording/record-answers.ts";

const MINUTES = 60_000;

describe("the recorded answers", () => {
  it(
    "have the shapes of a new run: otherwise, npm run record writes them anew",
    async () => {
      const recorded = describeAnswers(RECORDING);
      const found = describeAnswers(await recordAnswers());
      expect(recorded.filter((one) => !found.includes(one))).toEqual([]);
      expect(found.filter((one) => !recorded.includes(one))).toEqual([]);
    },
    MINUTES,
  );
});

/**
 * The CPU time of the first request of a cold Worker as a multiple of a later one. Without the
 * warm-up, these are 6 to 14.
 */
const MOST: Readonly<Record<string, number>> = {
  "/issues": 4.5,
  "/d/{digest}": 4,
  "/": 4,
  "/lookup?q={digest}": 5,
  "a report": 7,
};

describe.skipIf(!existsSync("/proc/self/schedstat"))("a cold Worker", () => {
  it(
    "answers its first pages and its first report at a few times the cost of later ones",
    async () => {
      const costs = await measureColdPages(workerFile, undefined, 3);
      expect([...costs.keys()]).toEqual(Object.keys(MOST));
      for (const [path, { first, later }] of costs) {
        const ratio = computeMedian(first) / computeMedian(later);
        expect(ratio, path).toBeLessThanOrEqual(MOST[path] ?? 0);
      }
    },
    5 * MINUTES,
  );
});
