// Grouping runs on every report, before it is stored, so no text of a stranger may make it slow.

import { describe, expect, it } from "vitest";
import { type Groupable, groupReport } from "#src/core/grouping/grouping.ts";
import type { Frame, Platform } from "#src/core/report.ts";

const PLATFORMS: readonly Platform[] = [
  ...(["javascript", "react-native", "python", "ruby", "php", "java", "dotnet", "go"] as const),
  ...(["rust", "elixir", "native", "other"] as const),
];
/** Beginnings of what the patterns look for. */
const PARTS: readonly string[] = [
  ...[
    " ",
    "\n",
    "a",
    "A",
    "1",
    "_",
    "a_",
    "aA",
    "Aa1",
    ".",
    "a.",
    "::",
    "/",
    "\\",
    "<",
    "(",
    "[",
    "{",
  ],
  ...["'", '"', "`", "„", "«", "=", "(a=1, ", "key 'a", "index ", "constraint ", "a_key"],
  ...[
    "http://",
    "http://a",
    "connect a:",
    "timeout 1.1.1.1:",
    "status ",
    "HTTP ",
    "404 ",
    "%s, ",
    "?,",
  ],
  ...["Kept", "KeptaKept", "#<", "%{", "%a{", "* -[", "at a (", "argument ", "undefined method `"],
  ...[
    "called `A::b()` on an `Err` value: ",
    "invocation\n1 ",
    "Invalid `a` invocation\n",
    "٣",
    "€ 1 ",
  ],
  ...["<a as ", `<${"a".repeat(200)}${" as".repeat(60)}>`, ".1", " [as ", "\uFDFA", "\u0301"],
  ...["_block_invoke", "closure #1 in ", "$$Lambda", "$1", "+<a>b__", "|", ".func1", "{{closure}}"],
];
const MESSAGE_CHARS = 8_000;
const NAME_CHARS = 2_000;
/** A quadratic pattern takes hundreds of times as long as an ordinary text of this length. */
const MAX_YARDSTICKS = 60;
const ATTEMPTS = 3;
const ROUNDS = 5;
const ORDINARY = "The order 4711 of ada@shop.example could not be sent to 'Berlin' in 30 seconds. ";

function repeat(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

function createReport(platform: Platform, part: string, run: number): Groupable {
  const name = repeat(part, NAME_CHARS);
  const frame: Frame = { function: name, module: name, file: name, package: name, inApp: true };
  return {
    kind: "error",
    side: "server",
    platform,
    type: repeat(part, 200),
    // A text of its own for each run, so that no cache answers.
    message: `${run}${repeat(part, MESSAGE_CHARS)}`,
    frames: [frame, { ...frame, inApp: false }],
  };
}

function measure(platform: Platform, part: string): number {
  const times = Array.from({ length: ATTEMPTS }, (_, run) => {
    const report = createReport(platform, part, run);
    const start = performance.now();
    groupReport(report);
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** The time in yardsticks. A busy machine makes a round slow, a slow pattern every round. */
function measureInYardsticks(platform: Platform, part: string): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && lowest >= MAX_YARDSTICKS; round++)
    lowest = Math.min(lowest, measure(platform, part) / measure(platform, ORDINARY));
  return lowest;
}

describe("a key is created in linear time", () => {
  for (const platform of PLATFORMS) {
    it(`for ${platform}, from any repeated text`, () => {
      for (const part of PARTS)
        expect(measureInYardsticks(platform, part), JSON.stringify(part)).toBeLessThan(
          MAX_YARDSTICKS,
        );
    });
  }
});
