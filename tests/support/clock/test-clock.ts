/** A clock that tests set forward. */
import { type MockInstance, vi } from "vitest";

/** Sets `Date.now` forward from `start` until `restore`. */
export class TestClock {
  #offsetMs = 0;
  #spy: MockInstance | undefined;

  start(): void {
    const now = Date.now.bind(Date);
    this.#offsetMs = 0;
    this.#spy = vi.spyOn(Date, "now").mockImplementation(() => now() + this.#offsetMs);
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  restore(): void {
    this.#spy?.mockRestore();
  }
}
