// Anyone can send a text as a stack. Times are multiples of the time of a short text, because a
// parser that backtracks over its text takes the square of it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { parseLoggedStack, parseTextStack } from "#src/core/report/stacks/parse-text-stack.ts";
import type { Platform } from "#src/core/report.ts";

const PLATFORMS: readonly (Platform | undefined)[] = [
  ...([undefined, "javascript", "react-native", "python", "ruby", "php", "java"] as const),
  ...(["dotnet", "go", "rust", "elixir", "native", "other"] as const),
];

/** Parts of lines, and lines, of all formats. */
const PIECES = [
  ...[
    "at ",
    "at (",
    "    at f (",
    ":1",
    "@",
    "a@",
    "(",
    ")",
    "/",
    "eval at ",
    "\n",
    "<",
    "*",
    "\t",
  ],
  ...[
    "a.",
    "a::",
    "::",
    "<a",
    "<a>",
    "a\\",
    "`",
    "'",
    '"',
    "  ",
    "Error",
    "aError",
    "Exception",
    "]",
  ],
  ...["#0 ", "#0 a (", "#0 a at ", "#1 pc 00000000 /", "0 ", "0 a 0x0000000 a\n", "1: ", "1: a\n"],
  ...["  at a:1\n", "{a,b,1,[", "{a,", 'File "', 'File "a", line 1', '  File "a", line 1, in f\n'],
  ...["Traceback (most recent call last):\n", "  | ", "  + ", "  +-+---- 1 ----\n", "+-", "^ ~"],
  ...["    +---- 2 ----\n", "Caused by: a.B: c\n", "\tat a.b.C(D.java:1)\n", "\t... 9 more\n"],
  ...["Suppressed: a\n", "Caused by: a.B: c\n\tat a.b.C(D.java:1)\n\t... 1 more\n", "   at A.B("],
  ...["Wrapped by: a.B: c\n\tat a.b.C(D.java:1)\n", "   at A.B() in C:\\a.cs:line 1\n", "<---\n"],
  ...[
    " ---> ",
    " ---> A.B: c\n",
    "   --- End ---\n",
    "(Inner Exception #1) ",
    "a in ",
    "a in b:1 ",
  ],
  ...["#0 a(1): b->c()\n", "Next A: b in c:1\n", "[object] (A(code: 0): ", " at ", "goroutine 1 ["],
  ...["main.f(0x1)\n\t/a.go:1 +0x1\n", "\t/a.go:1\n", "panic: ", "** (A) b\n", "    ** (EXIT) a\n"],
  ...["    (a 1.0) a.ex:1: A.b/1\n", "a.rb:1:in 'b'\n", "a.rb:1:in 'b': c (D)\n", "from ", "(A "],
  ...["thread 'a' panicked at 'b', c:1:2\n", "Error: a\n", "[errors]: [\n", "signal 1 (SIG", "..."],
  ...[
    "[cause]: Error: a\n    at f (/a.js:1:2)\n",
    "Thread 1 Crashed\n",
    "#0 a (package:b/c.dart:1",
  ],
];

/** A text longer than `limits.maxParsedStackChars`, in lines that are as long as possible. */
function toLongLines(piece: string, chars: number): string {
  const line = repeat(piece.replaceAll("\n", " "), limits.maxMessageChars);
  return repeat(`${line}\n`, chars);
}

function repeat(piece: string, chars: number): string {
  return piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
}

function measureShortestMs(run: () => unknown, attempts: number, limitMs = 0): number {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && shortestMs > limitMs; attempt++) {
    const startMs = performance.now();
    run();
    shortestMs = Math.min(shortestMs, performance.now() - startMs);
  }
  return shortestMs;
}

const CHARS = 200_000;
/**
 * The time in which 200,000 characters of any kind are parsed, in times of a search through a text
 * of the same length.
 */
const MAX_YARDSTICKS = 400;
const yardstickText = repeat("ab c", CHARS);
const yardstickMs = measureShortestMs(() => yardstickText.replace(/[a-z]{1,9}:/g, ""), 20);

describe("200,000 characters are parsed in linear time", () => {
  it.each(PIECES)("that repeat %j", (piece) => {
    const limitMs = MAX_YARDSTICKS * yardstickMs;
    const slow = [repeat(piece, CHARS), toLongLines(piece, CHARS)].flatMap((text) =>
      PLATFORMS.filter(
        (platform) => measureShortestMs(() => parseTextStack(text, platform), 5, limitMs) > limitMs,
      ),
    );
    expect(slow).toEqual([]);
  });
});

describe("any text", () => {
  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...PIECES, ": ", "f", "a.js:1:2", "b.java:3") },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

  it("is parsed without an exception, into names and positions", () => {
    let parsed = 0;
    fc.assert(
      fc.property(text, fc.constantFrom(...PLATFORMS), (stack, platform) => {
        parseLoggedStack(stack, platform);
        const error = parseTextStack(stack, platform);
        if (error === undefined) return;
        parsed += 1;
        expect(error.causes.length).toBeLessThanOrEqual(limits.maxCauses + 1);
        for (const [index, cause] of error.causes.entries()) {
          expect(cause.parent ?? 0).toBeLessThanOrEqual(index);
          expect(cause.type).not.toBe("");
        }
        const frames = [error, ...error.causes].flatMap((one) => one.frames);
        expect(frames.length).toBeGreaterThan(0);
        for (const frame of frames) {
          expect(Object.values(frame)).not.toContain("");
          expect((frame.function ?? "").length).toBeLessThanOrEqual(limits.maxStringChars);
          expect((frame.file ?? "").length).toBeLessThanOrEqual(limits.maxStringChars);
          expect((frame.module ?? "").length).toBeLessThanOrEqual(limits.maxStringChars);
          expect(frame.line ?? 1).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(parsed).toBeGreaterThan(200);
  });

  it("keeps the first error and the last cause of a very long chain", () => {
    const frames = "\tat com.acme.shop.Bill.total(Bill.java:12)\n".repeat(1_000);
    const chain = `com.acme.Outer: a\n${frames}Caused by: com.acme.Middle: b\n${frames}`;
    const error = parseTextStack(`${chain}Caused by: com.acme.Inner: c\n${frames}`, "java");
    expect(error?.type).toBe("com.acme.Outer");
    expect(error?.causes.at(-1)?.type).toBe("com.acme.Inner");
  });
});
