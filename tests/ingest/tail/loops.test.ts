import { describe, expect, it } from "vitest";
import { LoopMemory, TAIL_FAILURE } from "#src/ingest/tail/loops.ts";
import { parseTail } from "#src/ingest/tail/parse-tail.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";
import { createInvocation } from "#support/reports/tail-events.ts";

const START_MS = 1_795_283_000_000;
const DAY_MS = 86_400_000;

interface Run {
  /** After the start, in seconds. */
  readonly at: number;
  readonly fails?: boolean;
  readonly object?: string;
}

/** One invocation of the alarm of a `Cart`, as Cloudflare delivers it. */
function createRun({ at, fails = true, object = "c0ffee" }: Run): object {
  const timestamp = START_MS + at * 1_000;
  return createInvocation({
    event: { scheduledTime: new Date(START_MS) },
    eventTimestamp: timestamp,
    executionModel: "durableObject",
    entrypoint: "Cart",
    durableObjectId: object,
    outcome: fails ? "exception" : "ok",
    exceptions: fails
      ? [
          {
            name: "RangeError",
            message: "no cart",
            stack: "    at Cart.alarm (a.js:1:2)",
            timestamp,
          },
        ]
      : [],
  });
}

/** What the consumer stores of each run: the types of the reports. */
function listStored(runs: readonly Run[]): readonly string[] {
  const memory = new LoopMemory();
  return runs.map((run) =>
    parseTail([createRun(run)], memory)
      .flatMap((item) => ("report" in item ? [item.report.type] : []))
      .join(),
  );
}

describe("an alarm that fails and is retried", () => {
  const cases: readonly { name: string; runs: readonly Run[]; stored: readonly string[] }[] = [
    {
      name: "is a runaway from its third failure, and is reported once in ten minutes",
      runs: [0, 2, 6, 14, 30, 62, 126, 700].map((at) => ({ at })),
      stored: ["RangeError", "RangeError", "RunawayAlarm", "", "", "", "", "RunawayAlarm"],
    },
    {
      name: "is none if it succeeds between its failures",
      runs: [{ at: 0 }, { at: 2 }, { at: 6, fails: false }, { at: 14 }, { at: 30 }],
      stored: ["RangeError", "RangeError", "", "RangeError", "RangeError"],
    },
    {
      name: "is none if it fails once a day",
      runs: [0, 1, 2, 3, 4].map((day) => ({ at: (day * DAY_MS) / 1_000 })),
      stored: Array(5).fill("RangeError"),
    },
    {
      name: "is none if each failure is of another object",
      runs: ["a", "b", "c", "d"].map((object, at) => ({ at, object })),
      stored: Array(4).fill("RangeError"),
    },
  ];
  it.each(cases)("$name", ({ runs, stored }) => {
    expect(listStored(runs)).toEqual(stored);
  });

  it("is recognized within one delivery of events as well", () => {
    const outcomes = listOutcomes(parseTail([0, 2, 6, 14].map((at) => createRun({ at }))));
    expect(outcomes).toEqual([
      ...["invocation → counted", "exception → error"],
      ...["invocation → counted", "exception → error"],
      ...["RunawayAlarm → error", "exception → counted"],
      ...["RunawayAlarm → counted", "exception → counted"],
    ]);
  });

  it("is only counted if the Worker has reported it itself", () => {
    const memory = new LoopMemory();
    const logged = {
      digest: "7F3K-Q2M9",
      report: "c".repeat(32),
      type: "RunawayAlarm",
      message: "",
    };
    const runs = [0, 2, 6].map((at) => ({
      ...createRun({ at }),
      logs: [{ level: "error", message: [logged], timestamp: START_MS + at * 1_000 }],
    }));
    const last = runs.map((run) => listOutcomes(parseTail([run], memory))).at(-1);
    expect(last).toEqual(["RunawayAlarm → counted", "exception → counted", "log → counted"]);
  });

  it("has the error as its cause, the frames of the error, and one issue for all objects", () => {
    const runs = ["a", "b"].map((object) =>
      parseTail([0, 2, 6].map((at) => createRun({ at, object }))),
    );
    const [first, second] = runs.map((items) =>
      getReport(items.filter((item) => "report" in item)[2]),
    );
    expect(first).toMatchObject({
      kind: "error",
      message: "the alarm of Cart fails and is retried again and again",
      frames: [{ function: "Cart.alarm" }],
      causes: [{ type: "RangeError", message: "no cart" }],
      fingerprint: ["runaway-alarm", "fails", "shop", "Cart"],
    });
    expect(second?.fingerprint).toEqual(first?.fingerprint);
    expect(second?.dedupeKey).not.toBe(first?.dedupeKey);
  });
});

describe("an alarm that sets itself again and again", () => {
  const loop = (count: number, pauseSeconds: number): readonly Run[] =>
    Array.from({ length: count }, (_, n) => ({ at: n * pauseSeconds, fails: false }));

  it("is a runaway at the fiftieth run beyond two a second, and is reported once in ten minutes", () => {
    const stored = listStored(loop(3_000, 0.1));
    // Each run takes a fifth of the allowance back.
    expect(stored.indexOf("RunawayAlarm")).toBe(Math.ceil(49 / 0.8));
    expect(stored.filter((types) => types !== "")).toEqual(["RunawayAlarm"]);
  });

  it("is none with one run a second, as a game may have", () => {
    expect(listStored(loop(1_000, 1)).filter((types) => types !== "")).toEqual([]);
  });

  it("stores no error of a run that belongs to the loop", () => {
    const runs = loop(3_000, 0.05).map((run, n) => ({ ...run, fails: n % 3 === 0 }));
    const stored = listStored(runs);
    const found = stored.indexOf("RunawayAlarm");
    expect(found).toBe(Math.ceil(49 / 0.9));
    expect(new Set(stored.slice(0, found))).toEqual(new Set(["RangeError", ""]));
    expect(new Set(stored.slice(found + 1))).toEqual(new Set([""]));
  });

  it("ends when the runs have a pause", () => {
    const runs = [...loop(90, 0.1), { at: 60 }, { at: 90 }];
    expect(listStored(runs)).toContain("RunawayAlarm");
    expect(listStored(runs).slice(-2)).toEqual(["RangeError", "RangeError"]);
  });
});

describe("a tail consumer that receives its own events", () => {
  const invocation = (over: object = {}) =>
    createInvocation({
      event: { consumedEvents: [{ scriptName: "shop" }] },
      outcome: "exception",
      scriptName: "collector",
      exceptions: [{ name: "Error", message: "full" }],
      ...over,
    });
  const own = invocation({ event: { consumedEvents: [{ scriptName: "collector" }] } });

  it("is one log loop in ten minutes, with its errors in it", () => {
    const memory = new LoopMemory();
    const deliveries = [1, 2, 3].map(() => parseTail([own], memory));
    expect(deliveries.map(listOutcomes)).toEqual([
      ["LogLoop → message", "exception → counted"],
      ["LogLoop → counted", "exception → counted"],
      ["LogLoop → counted", "exception → counted"],
    ]);
    expect(getReport(deliveries[0]?.[0])).toMatchObject({
      type: "LogLoop",
      message: "the tail consumer collector receives its own events",
      causes: [{ type: "Error", message: "full" }],
    });
  });

  it("is recognized by what Errata itself logs, without the name of a script", () => {
    const log = { level: "error", message: [TAIL_FAILURE, 1, { reason: "log-unavailable" }] };
    const event = invocation({ scriptName: null, exceptions: [], logs: [log] });
    expect(listOutcomes(parseTail([event]))).toEqual(["LogLoop → message", "log → counted"]);
  });

  it("is none if it receives the events of other Workers", () => {
    expect(listOutcomes(parseTail([invocation()]))).toEqual([
      "invocation → counted",
      "exception → error",
    ]);
  });
});

describe("an error line that one invocation logs again and again", () => {
  const log = (text: string) => ({ level: "error", message: [text], timestamp: START_MS });
  const parse = (lines: readonly string[]) =>
    parseTail([createInvocation({ logs: lines.map(log) })]);
  const retries = (count: number) => Array.from({ length: count }, (_, n) => `try ${n} failed`);
  const countStored = (lines: readonly string[]) =>
    parse(lines).filter((item) => "report" in item).length;

  it("is one log loop from twenty lines that differ in numbers only", () => {
    const [, first, ...others] = parse(retries(20));
    expect(getReport(first)).toMatchObject({
      kind: "message",
      type: "LogLoop",
      message: "console.error repeats: try * failed",
      detail: { contexts: { worker: { repeats: 20 } }, logged: "try 0 failed" },
      fingerprint: ["log-loop", "shop", "try * failed"],
    });
    expect(others.every((item) => "outcome" in item && item.outcome === "counted")).toBe(true);
  });

  it("is none with nineteen lines, nor with twenty different ones", () => {
    expect(countStored(retries(19))).toBe(19);
    const words = Array.from({ length: 20 }, (_, n) => `no ${String.fromCharCode(97 + n)}pple`);
    expect(countStored(words)).toBe(20);
  });

  it("leaves the other lines of the invocation as they are", () => {
    expect(countStored(["no cart", ...retries(30), "no price"])).toBe(3);
  });
});

describe("the memory of a consumer", () => {
  it("forgets the objects that it saw first", () => {
    const memory = new LoopMemory();
    const fail = (object: string) => memory.addRun(object, START_MS, true).failures;
    expect([fail("first"), fail("first")]).toEqual([1, 2]);
    for (let n = 0; n < 1_000; n++) fail(`other ${n}`);
    expect(fail("first")).toBe(1);
  });
});
