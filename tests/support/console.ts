// Setup file of the `core` and `worker` projects: fails a test that writes to console.error without
// expecting it, and seeds the random generators so that every run is the same.

import fc from "fast-check";
import { afterEach, beforeEach } from "vitest";

fc.configureGlobal({ seed: 1 });

const printError = console.error;
let written: string[] = [];
let expected = false;

/** Allows console.error until the end of the test; returns its calls, one string each. */
export function expectConsoleError(): readonly string[] {
  expected = true;
  return written;
}

beforeEach(() => {
  written = [];
  expected = false;
  console.error = (...values: unknown[]) => {
    written.push(values.map(formatValue).join(" "));
  };
});

afterEach(() => {
  console.error = printError;
  if (written.length > 0 && !expected) {
    throw new Error(`console.error was called during this test:\n${written.join("\n")}`);
  }
});

function formatValue(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : String(value);
}
