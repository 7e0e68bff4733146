// Pairs of events as clients send them. Both events of a pair belong to one issue exactly when one
// fix mends both. `limits.json` has pairs that no key can decide.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processReport } from "#src/core/processing/process-report.ts";
import { parseBody, toIngestBody } from "#src/ingest/parse-body.ts";

interface EventPair {
  readonly name: string;
  readonly language: string;
  readonly expect: "one" | "two";
  readonly why: string;
  readonly a: unknown;
  readonly b: unknown;
}

const FOLDER = new URL("../../fixtures/grouping/", import.meta.url);
const NOW_MS = Date.UTC(2026, 10, 28, 12);

/** Pairs that grouping gets wrong, with what the key would need. */
const WRONG: ReadonlyMap<string, string> = new Map([
  ["jv-npe-helpful-message", "the reason that Java 11 does not write"],
  ["java-npe-helpful-message-11-to-17", "the reason that Java 11 does not write"],
  ["java-npe-helpful-message-jdk17", "the reason that Java 11 does not write"],
  ["an-foreground-service-android-11-14", "the new class of an Android exception"],
  ["go-message-durations", "a template: nothing shows that one word is a value"],
  ["rb-record-invalid-localized", "the attribute behind a translated text"],
  ["c3-rn-loose-text-two-components", "the component stack, which minifiers rename elsewhere"],
  ["c3-rn-ios-localized-timeout", "the code behind a translated text"],
]);

function readPairs(file: string): readonly EventPair[] {
  return JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
}

/** The issue of an event, as the product assigns it. */
function findIssue(event: unknown): string {
  const body = parseBody(toIngestBody(new TextEncoder().encode(JSON.stringify(event))), {
    nowMs: NOW_MS,
  });
  const item = body.ok ? body.value.items.find((one) => "report" in one) : undefined;
  if (item === undefined || !("report" in item)) throw new Error("the event has no report");
  const report = processReport(item.report, {
    nowMs: NOW_MS,
    newId: () => "0".repeat(32),
    trust: "server",
    sha256: (text) => new Uint8Array(createHash("sha256").update(text).digest()),
  });
  return `${report.digest} ${JSON.stringify(report.grouping?.parts)}`;
}

for (const file of readdirSync(FOLDER).filter((name) => name.startsWith("pairs"))) {
  describe(`each pair of ${file}`, () => {
    for (const pair of readPairs(file)) {
      const isWrong = WRONG.has(pair.name);
      const title = `${pair.language}: ${pair.name} is ${pair.expect}`;
      it(isWrong ? `except ${title}` : title, () => {
        const [a, b] = [findIssue(pair.a), findIssue(pair.b)];
        if ((pair.expect === "one") === isWrong) expect(a, pair.why).not.toBe(b);
        else expect(a, pair.why).toBe(b);
      });
    }
  });
}

it("no key decides the pairs of limits.json", () => {
  for (const pair of readPairs("limits.json")) {
    const isOne = findIssue(pair.a) === findIssue(pair.b);
    expect(isOne ? "one" : "two", pair.name).not.toBe(pair.expect);
  }
});
