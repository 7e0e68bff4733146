// The CPU time of grouping a report of 50 frames, the first time and with cached messages:
//
//     npm run bench:grouping

import { type Groupable, groupReport } from "../src/core/grouping/grouping.ts";
import type { Frame, Platform } from "../src/core/report.ts";
import { parseOptions } from "./command/quit.ts";
import { computeMedian } from "./command/statistics.ts";

parseOptions({});

const ROUNDS = 9;
const REPORTS = 5_000;
const FRAMES = 50;
/** The goal for the median of each case, without a cached message. */
const MAX_MICROSECONDS = 60;

/** The frame of the application: the fourth, or none at all. */
const PLACES = [3, -1] as const;

interface Thrown {
  readonly platform: Platform;
  readonly type: string;
  readonly message: (n: number) => string;
}

const CASES: readonly Thrown[] = [
  {
    platform: "javascript",
    type: "TypeError",
    message: (n) => `Cannot read properties of undefined (reading 'total${n}')`,
  },
  { platform: "javascript", type: "Error", message: (n) => `no price for cart ${n} of ada` },
  { platform: "python", type: "KeyError", message: (n) => `'site_id_${n}'` },
  {
    platform: "python",
    type: "AttributeError",
    message: (n) => `'NoneType' object has no attribute 'price${n}'`,
  },
  {
    platform: "java",
    type: "com.acme.PaymentException",
    message: (n) => `POST https://pay.example/v1/${n} failed: connection refused, status code 503`,
  },
  { platform: "dotnet", type: "System.InvalidOperationException", message: (n) => `Order ${n}` },
  { platform: "go", type: "*url.Error", message: (n) => `Get "https://tax.example/${n}": EOF` },
  { platform: "native", type: "SIGSEGV", message: (n) => `Segfault at 0x${n}` },
];

function createFrames(ownFrame: number): readonly Frame[] {
  return Array.from({ length: FRAMES }, (_, at) => ({
    function: `Bill$total$${at}.invokeSuspend`,
    module: `com.acme.shop.billing.Bill${at}$Inner`,
    file: `/srv/app/src/billing/bill${at}.py`,
    package: `/usr/lib/libbilling${at}.so.2`,
    line: at + 1,
    inApp: at === ownFrame,
  }));
}

/** The CPU time of grouping one report, in µs: the median of the rounds. */
function measure(
  { platform, type, message }: Thrown,
  frames: readonly Frame[],
  isRepeated: boolean,
): number {
  let n = 0;
  const cause = { type: "IOException", message: "broken pipe", frames };
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = process.cpuUsage();
    for (let at = 0; at < REPORTS; at++) {
      if (!isRepeated) n += 1;
      const report: Groupable = {
        ...{ kind: "error", side: "server", platform, type, message: message(n), frames },
        ...{ causes: [cause], route: "/orders/:id" },
      };
      groupReport(report);
    }
    const { user, system } = process.cpuUsage(began);
    return (user + system) / REPORTS;
  });
  return computeMedian(rounds);
}

let isReached = true;
for (const thrown of CASES) {
  for (const place of PLACES) {
    const frames = createFrames(place);
    const [first, repeated] = [measure(thrown, frames, false), measure(thrown, frames, true)];
    isReached &&= first <= MAX_MICROSECONDS;
    const where = place === -1 ? "only libraries" : "own frame";
    console.log(
      `${thrown.platform}, ${thrown.type}, ${where}: ${first.toFixed(1)} µs of CPU, ` +
        `repeated ${repeated.toFixed(1)}`,
    );
  }
}
console.log(`goal of ${MAX_MICROSECONDS} µs: ${isReached ? "reached" : "missed"}`);
process.exitCode = isReached ? 0 : 1;
