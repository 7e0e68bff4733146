// Setup file of the `core` and `worker` projects: a test during which something wrote to console.error fails, unless it
// said that it expects so, and what is random is the same in every run.

import fc from "fast-check";
import { afterEach, beforeEach } from "vitest";

fc.configureGlobal({ seed: 1 });

const printError = console.error;
let written: string[] = [];
let expected = false;

/** From here to the end of the test console.error is allowed; returns what it was given, one string per call. */
export function expectConsoleError(): readonly string[] {
  expected = true;
  return written;
}

beforeEach(() => {
  written = [];
  expected = false;
  console.error = (...values: unknown[]) => {
    written.push(values.map(asText).join(" "));
  };
});

afterEach(() => {
  console.error = printError;
  if (written.length > 0 && !expected) {
    throw new Error(`console.error was called during this test:\n${written.join("\n")}`);
  }
});

function asText(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : String(value);
}
