// Size budgets of the deployed files, and a check that they are production builds. Reads dist,
// which `npm test` has built.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { clientFiles, workerFile } from "../../.tools/built.ts";
import { listLoadedFiles, manifest, measureGzipBytes } from "../support/client-files.ts";

/**
 * Cloudflare's free plan allows 3 MB; this limit keeps the start fast. The passkey library takes 90
 * kB and runs only when it is used; so does the parser of scripts, 35 kB.
 */
const maxWorkerGzipBytes = 520_000;
/** The scripts of every page. */
const maxPageGzipBytes = 6_000;
/** React and the islands of the self-test, loaded only by its pages. */
const maxIslandGzipBytes = 70_000;
const maxReporterGzipBytes = 2_000;

const worker = readFileSync(workerFile, "utf8");
const scripts = clientFiles().filter((file) => file.endsWith(".js"));

const gzipBytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);

describe("the size of the build", () => {
  it("the Worker is at most 520 kB gzip", () => {
    expect(gzipBytes([workerFile])).toBeLessThanOrEqual(maxWorkerGzipBytes);
  });

  it("the scripts of every page are at most 6 kB gzip", () => {
    const files = listLoadedFiles("src/client/page.ts");
    expect(measureGzipBytes(files)).toBeLessThanOrEqual(maxPageGzipBytes);
  });

  it("React and the self-test, loaded only by the self-test, are at most 70 kB gzip", () => {
    const pageFiles = new Set(
      [...listLoadedFiles("src/client/page.ts")].map((file) => basename(file)),
    );
    const islandFiles = scripts.filter((file) => !pageFiles.has(basename(file)));
    expect(islandFiles.length).toBeGreaterThanOrEqual(2);
    expect(gzipBytes(islandFiles)).toBeLessThanOrEqual(maxIslandGzipBytes);
  });

  it("the reporter, with all its imports, is at most 2 kB gzip", () => {
    const files = listLoadedFiles("src/client/reporter.ts");
    expect(measureGzipBytes(files)).toBeLessThanOrEqual(maxReporterGzipBytes);
  });
});

describe("the page script", () => {
  it("does not load React; only the self-test loads it, to hydrate", () => {
    expect(manifest["src/client/page.ts"]?.dynamicImports ?? []).toEqual([]);
    const selfTest = manifest["src/client/self-test-entry.ts"];
    expect(selfTest?.dynamicImports).toEqual(["src/client/hydrate.tsx"]);
  });
});

describe("the deployed files", () => {
  // Only React's development build has these words, minified or not.
  const developmentWords = [".development.js", "jsxDEV", "captureOwnerStack", "_debugStack"];
  const deployed = [workerFile, ...scripts].map((file) => ({
    name: basename(file),
    text: readFileSync(file, "utf8"),
  }));

  it("report React's errors as links, as its production build does", () => {
    expect(worker.includes("https://react.dev/errors/")).toBe(true);
  });

  it.each(deployed)("contain nothing of React's development build: $name", ({ text }) => {
    expect(developmentWords.filter((word) => text.includes(word))).toEqual([]);
  });

  it.each(deployed)("contain no source map: $name", ({ text }) => {
    expect(text.includes("sourceMappingURL=data:")).toBe(false);
  });
});
