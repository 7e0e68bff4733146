import { expect, it } from "vitest";
import { toCrashFreePercent } from "../../../src/core/stats/crash-free.ts";

it.each([
  [{ started: 0, crashed: 0 }, undefined],
  [{ started: 0, crashed: 3 }, undefined],
  [{ started: 1, crashed: 0 }, 100],
  [{ started: 3, crashed: 1 }, 66.66],
  [{ started: 1_000_000, crashed: 1 }, 99.99],
  // Sessions that began on a day that is forgotten.
  [{ started: 2, crashed: 5 }, 0],
])("of %o sessions are crash-free, in percent: %s", (sessions, expected) => {
  expect(toCrashFreePercent({ ...sessions, errored: 0 })).toBe(expected);
});
