import { expect, it } from "vitest";
import { readNowMs, START_MS } from "#support/clock/clock.ts";

it("the clock of the tests begins at a fixed time, also for libraries that create a Date", () => {
  const times = [readNowMs(), Number(Reflect.construct(Date, []))];
  for (const ms of times) {
    expect(ms).toBeGreaterThanOrEqual(START_MS);
    expect(ms).toBeLessThan(START_MS + 3_600_000);
  }
});
