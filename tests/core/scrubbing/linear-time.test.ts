// A pattern that backtracks over its text lets one report of 0.9 MB hold up an isolate. Times are
// multiples of the time of a search that is certainly linear.

import { describe, expect, it } from "vitest";
import { PII_PATTERNS } from "#src/core/scrubbing/pii-patterns.ts";
import { scrubReport } from "#src/core/scrubbing/scrub.ts";
import type { SecretPattern } from "#src/core/scrubbing/secret-pattern.ts";
import { SECRET_PATTERNS } from "#src/core/scrubbing/secret-patterns.ts";
import { emptyParsedReport } from "#support/reports/reports.ts";

const CHARS = 900_000;
/** A smaller text shows first whether a pattern needs the large one. */
const SMALL_CHARS = 90_000;
/** 50 ms for 0.9 MB where the yardstick takes 5 ms. */
const MAX_YARDSTICKS = 10;
const ATTEMPTS = 20;

const PIECES = [
  ..."aA14 _-./:=@\\'\"<>?&#%\n[(",
  ...[
    "a ",
    "a.",
    "a-",
    "a_",
    "_-",
    "a:",
    "a=",
    "a/",
    "1.",
    "1:",
    ": ",
    "a@",
    "a@a.",
    "a%2B",
    "%40",
  ],
  ...["eyJ", "eyJ.", "eyJa.", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A", "-----BEGIN "],
  ...["Bearer ", "Bearer a", "bearer aaaaaaaaaaaaaaaaaaaaa ", "cookie: ", "cookie:a=", "a-cookie"],
  ...["https://", "https://a:", "https://a", "a://b:@", "root:a@tcp", "=a:", "a:a@tcp("],
  ...[
    "SG.",
    "SG.aaaaaaaaaaaaaaaa.",
    "sk-",
    "xoxb-",
    "dp.st.",
    "hvs.",
    "re_a1B2c3_",
    "1:AA",
    "123456",
  ],
  ...["errata_", "errata_server_", "lin_api_", "sntrys_", "pypi-", "key-", "SK0", "figd_", "dapi0"],
  ...[
    "hooks.slack.com/services/",
    "discord.com/api/webhooks/1/",
    "/sign-in#",
    "/sign-in?a",
    "/feeds/",
    "/alerts/act?a&",
    "errata-session=",
    "k3m9-",
    "AAAAaaaaaaa:APA91",
    "pscale_pw_",
    "sshpass -p ",
    "bindpw ",
    "login a password ",
    "AKIA",
    "AIza",
    "sq0abc-",
  ],
  ...["4", "4111 1111 ", "4111.1111.", "4111\u00a01111\u00a0", "411 1", "41111111111111112 "],
  ...[
    "reset",
    "/reset",
    "/reset-",
    "/reset/",
    "/verify/a/",
    "/reset/aaaaaaaaaaaaaaaa",
    "invite/1.1",
  ],
  ...["curl ", "curl -u ", "curl -u a", "mysql -", "mysql -p", " -p", "mysql mysql -a"],
  ...["2001:", "2001:a", "::", "::1", "2001%3A", "fe80:", "1.1.1.1.", "v=", "Windows ", "a/1.1.1."],
];

/** Pieces in which names, options, elements and percent escapes repeat. */
const NAMED_PIECES = [
  ...['"name":"', '"name":"password",', '"name":"a","b":"c",', '"value":"', '"value":"a","name":"'],
  ...['name="a" value="', 'name="a" b="c" ', "name: a\nvalue: ", '[["password","', '["', "('a','"],
  ...[
    "password:\n  ",
    "password=\n",
    "password: |\n  a\n",
    "password: |\n",
    "\u200b",
    "\uff41\uff1d",
  ],
  ...[
    "password",
    "password=",
    "password: ",
    'password="',
    'password="\\',
    "password:a",
    "token: a1",
  ],
  ...["cookie:a", "cookie:a=", "password=[removed]", "a=[removed]#token=", "token=a(", "token: a="],
  ...[
    "sid:aaaaaaaaaaaaaaaaa",
    "password:https://a",
    "api key",
    "secret ",
    "a.a-a_:",
    "a_",
    "?'",
    "?a=",
  ],
  ...[
    String.raw`\"password\":\"`,
    "b'password': b'",
    "password: a\n",
    "--password ",
    "--a-",
    "-a ",
  ],
  ...[
    "--password a ",
    '"--pin","',
    "<password>",
    "<password a",
    "</",
    "<a>",
    "<a ",
    "<a>a]]>",
    "]]>",
  ],
  ...[
    'name="password"',
    'name="password"\r\n\r\n',
    'name="a"\\r\\n\\r\\n',
    'name="a"\na:b\n',
    'name="',
  ],
  ...["%22", "%2522", "password%3D", "%22password%22%3A%22", "%40>", "aaa%3D&"],
];

const ALL: readonly SecretPattern[] = [...SECRET_PATTERNS, ...PII_PATTERNS];
/** Every regular expression of the tables, once. */
const EXPRESSIONS: readonly RegExp[] = [
  ...new Set(
    ALL.flatMap(({ gate, hint, within, pattern }) =>
      [gate, hint, within, pattern].filter((expression) => expression instanceof RegExp),
    ),
  ),
];

function repeat(piece: string, chars: number): string {
  return piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
}

function measureMs(run: () => unknown): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}

/**
 * The shortest time of some attempts. Ends as soon as it is within the limit: a busy machine
 * makes an attempt longer but never shorter.
 */
function measureShortestMs(run: () => unknown, limitMs = 0): number {
  let shortestMs = measureMs(run);
  for (let attempt = 1; attempt < ATTEMPTS && shortestMs > limitMs; attempt++) {
    shortestMs = Math.min(shortestMs, measureMs(run));
  }
  return shortestMs;
}

const yardstickText = repeat("ab c", SMALL_CHARS);
const measureYardstickMs = () => measureShortestMs(() => yardstickText.replace(/[a-z]{1,9}:/g, ""));
const yardstickMs = measureYardstickMs();

/**
 * True if replacing all matches in a text costs more than the yardsticks of as long a text. Gates
 * and hints have no flag `g` and look for one match.
 */
function isSlow(expression: RegExp, piece: string, chars: number): boolean {
  const text = repeat(piece, chars);
  const toLimitMs = (unitMs: number) => (MAX_YARDSTICKS * unitMs * chars) / SMALL_CHARS;
  const run = expression.global
    ? () => text.replace(expression, (match) => match)
    : () => expression.test(text);
  const exceeds = (limitMs: number) => measureShortestMs(run, limitMs) > limitMs;
  // The machine may have become slower since the first yardstick.
  return exceeds(toLimitMs(yardstickMs)) && exceeds(toLimitMs(measureYardstickMs()));
}

describe("every pattern is linear in 0.9 MB", () => {
  it.each(EXPRESSIONS.map((expression) => [expression.source.slice(0, 70), expression] as const))(
    "%s",
    (_source, expression) => {
      const slow = PIECES.filter(
        (piece) => isSlow(expression, piece, SMALL_CHARS) && isSlow(expression, piece, CHARS),
      );
      expect(slow).toEqual([]);
    },
  );
});

describe("scrubbing a text is linear", () => {
  const scrub = (text: string) =>
    scrubReport({ ...emptyParsedReport, attachments: [{ name: "f", bytes: 1, text }] });

  it.each([...NAMED_PIECES, ...PIECES])("that repeats %j", (piece) => {
    const long = `x ${repeat(piece, 320_000)}`;
    const short = `x ${repeat(piece, 10_000)}`;
    // A quadratic pass has a ratio of 1,024, a linear one of 32.
    const limitMs = 400 * measureShortestMs(() => scrub(short));
    expect(measureShortestMs(() => scrub(long), limitMs)).toBeLessThanOrEqual(limitMs);
  });
});
