// Pauses of the code under test: between attempts, and before content that a page waits for.
import { afterEach, beforeEach, type MockInstance, vi } from "vitest";

/** A page sends what is ready within fewer turns of the event loop. */
const TURNS = 10;

/**
 * In the tests of this file or `describe`, a pause (`scheduler.wait`) lasts a few turns of the
 * event loop. Time limits (`setTimeout`) keep their length.
 */
export function skipPauses(): void {
  let waiting: MockInstance<Scheduler["wait"]>;
  beforeEach(() => {
    const wait = scheduler.wait.bind(scheduler);
    waiting = vi.spyOn(scheduler, "wait").mockImplementation(async (ms, ...options) => {
      const turns = ms > 0 ? TURNS : 1;
      for (let turn = 0; turn < turns; turn++) await wait(0, ...options);
    });
  });
  afterEach(() => waiting.mockRestore());
}
