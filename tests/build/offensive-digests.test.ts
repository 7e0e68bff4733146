// Digests in screenshots and documentation that a reader could take for an offensive word.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SAMPLE_ERRORS } from "#src/core/sample/sample-errors.ts";
import { createSamplePayloads, createSampleRegression } from "#src/core/sample/scenario.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions, NOW_MS } from "#support/reports/processing-options.ts";

const WORDS =
  "ANUS ARSE BITCH BOOB COCK COON CUNT DICK DYKE FAGG FCK FUCK FUK GOOK HEIL HTLR JIZZ KIKE KKK NAZI NGGR NIGG PAKI PEDO PISS PORN PUSSY RAPE SHAT SHIT SHT SLAG SLUT SPIC TITS TURD TWAT WANK WHORE";

/** Characters of digests that look like a letter, beside the letter itself. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  A: "4",
  B: "8",
  E: "3",
  G: "6",
  I: "1",
  L: "1",
  O: "0",
  S: "5",
  T: "7",
  U: "V",
  Z: "2",
};

const OFFENSIVE = new RegExp(
  WORDS.replace(/[A-Z]/g, (letter) => `[${letter}${LOOKALIKES[letter] ?? ""}]`).replaceAll(
    " ",
    "|",
  ),
);

const isOffensive = (digest: string) => OFFENSIVE.test(digest.replace("-", ""));

it("is found whatever digits stand for its letters, and across the hyphen", () => {
  const digests = ["SH1T-15KK", "6FCK-VMQV", "00SH-1700", "0FVC-K000", "7F3K-Q2M9"];
  expect(digests.map(isOffensive)).toEqual([true, true, true, true, false]);
});

it("is in no digest of the sample data", async () => {
  const log = createMemoryLog();
  for (const body of [
    ...createSamplePayloads(SAMPLE_ERRORS, NOW_MS, "seed"),
    createSampleRegression(SAMPLE_ERRORS, NOW_MS, "seed"),
  ]) {
    const done = await ingestBytes(new TextEncoder().encode(body.text), {
      ...createProcessingOptions(),
      writer: log,
      defaults: body.defaults,
      sender: "seed",
      findDigest: async (id) => log.reports.get(id)?.digest ?? null,
    });
    expect(done.ok).toBe(true);
  }
  const digests = new Set([...log.reports.values()].map(({ digest }) => digest));
  expect(digests.size).toBeGreaterThanOrEqual(12);
  expect([...digests].filter(isOffensive)).toEqual([]);
});

it("is in no digest of the documentation, the interface and the screenshots", () => {
  const files = execFileSync("git", ["ls-files", "*.md", "src", ".tools", "tests/support"], {
    encoding: "utf8",
  });
  const digests = files
    .split("\n")
    .filter((file) => /\.(md|tsx?|json|svg)$/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(/\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/g),
    ])
    .map(([digest]) => digest);
  expect(digests.length).toBeGreaterThan(10);
  expect(digests.filter(isOffensive)).toEqual([]);
});
