import { expect, it } from "vitest";
import { toCrashFreePercent } from "#src/core/stats/crash-free.ts";

it.each([
  [{ started: 0, crashed: 0 }, undefined],
  [{ started: 0, crashed: 3 }, undefined],
  [{ started: 1, crashed: 0 }, 100],
  [{ started: 3, crashed: 1 }, 66.66],
  [{ started: 1_000_000, crashed: 1 }, 99.99],
  // Sessions may have started on a day that is no longer counted.
  [{ started: 2, crashed: 5 }, 0],
])("the crash-free percentage of %o is %s", (sessions, expected) => {
  expect(toCrashFreePercent({ ...sessions, errored: 0 })).toBe(expected);
});
