import { expect, it } from "vitest";
import { getUploadDelayMs } from "#src/store/log/open-chunk.ts";

it.each([
  ["an unlimited budget", 0.2, 1_000],
  ["100,000 writes a day", 864, 6_912],
  ["16,500 writes a day: a million a month", 5_236, 41_888],
  ["2,000 writes a day", 43_200, 60_000],
  ["475 writes a day: the free plan", 181_894.7, 181_895],
  ["475 writes a day on four shards", 732_203.4, 732_204],
])("with %s a quiet chunk takes lines for as long as the budget allows", (_, paceMs, delayMs) => {
  expect(getUploadDelayMs(paceMs)).toBe(delayMs);
});
