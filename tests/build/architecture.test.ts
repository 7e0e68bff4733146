// Size budgets of the deployed files, and a check that they are production builds. Reads dist,
// which `npm test` has built.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { listLoadedFiles, manifest, measureGzipBytes } from "#support/browser/client-files.ts";
import { listClientFiles, workerFile } from "../../.tools/build/built.ts";

/**
 * Cloudflare's free plan allows 3 MB; this limit keeps the start fast. The parsers of scripts and
 * of original sources take 35 kB and 32 kB, and run only when they are used. The pages of source
 * maps and their texts take 12 kB, the tokenizer of source code and Markdown of comments 5 kB.
 */
const maxWorkerGzipBytes = 600_000;
/** The scripts of every page. */
const maxPageGzipBytes = 7_500;
/** React and the islands of the self-test, loaded only by its pages. */
const maxIslandGzipBytes = 72_000;
/**
 * The reader of dropped maps, and the parsers of scripts and of original sources, besides React.
 * The patterns of secrets take 6 kB.
 */
const maxMapReaderGzipBytes = 100_000;
const maxReporterGzipBytes = 2_000;

const worker = readFileSync(workerFile, "utf8");
const scripts = listClientFiles().filter((file) => file.endsWith(".js"));

const gzipBytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);

/** Loaded when a map is dropped onto a stack. */
const MAP_READER = [
  "src/client/local-stack.tsx",
  "src/core/symbolication/function-ranges.ts",
  "src/core/symbolication/names/parse-source.ts",
];

/** The files that these modules load at once. */
const listNames = (...sources: readonly string[]) =>
  new Set(sources.flatMap((source) => [...listLoadedFiles(source)].map((file) => basename(file))));

describe("the size of the build", () => {
  it("the Worker is at most 600 kB gzip", () => {
    expect(gzipBytes([workerFile])).toBeLessThanOrEqual(maxWorkerGzipBytes);
  });

  it("the scripts of every page are at most 7.5 kB gzip", () => {
    const files = listLoadedFiles("src/client/page.ts");
    expect(measureGzipBytes(files)).toBeLessThanOrEqual(maxPageGzipBytes);
  });

  it("React and the self-test, loaded only by the self-test, are at most 72 kB gzip", () => {
    const page = listNames("src/client/page.ts");
    const island = listNames("src/client/self-test-entry.ts", "src/client/hydrate.tsx");
    const islandFiles = scripts.filter((file) => {
      const name = basename(file);
      return island.has(name) && !page.has(name);
    });
    expect(islandFiles.length).toBeGreaterThanOrEqual(2);
    expect(gzipBytes(islandFiles)).toBeLessThanOrEqual(maxIslandGzipBytes);
  });

  it("the reader of dropped maps is at most 100 kB gzip, besides React", () => {
    const react = listNames("src/client/hydrate.tsx");
    const reader = listNames(...MAP_READER);
    const files = scripts.filter(
      (file) => reader.has(basename(file)) && !react.has(basename(file)),
    );
    expect(files.length).toBeGreaterThanOrEqual(2);
    expect(gzipBytes(files)).toBeLessThanOrEqual(maxMapReaderGzipBytes);
  });

  it("the reporter, with all its imports, is at most 2 kB gzip", () => {
    const files = listLoadedFiles("src/client/reporter.ts");
    expect(measureGzipBytes(files)).toBeLessThanOrEqual(maxReporterGzipBytes);
  });
});

describe("the page script", () => {
  it("loads other scripts on demand, React only for a dropped map, and the self-test to hydrate", () => {
    expect(manifest["src/client/page.ts"]?.dynamicImports?.toSorted()).toEqual([
      "src/client/await-report.ts",
      "src/client/copy-url.ts",
      "src/client/enable-push.ts",
      "src/client/keyboard/palette.ts",
      "src/client/live-feed.ts",
      "src/client/map-files.ts",
      "src/client/passkey-prompt.ts",
      "src/client/tabs.ts",
    ]);
    const mapFiles = manifest["src/client/map-files.ts"];
    expect(mapFiles?.dynamicImports).toEqual(["src/client/local-stack.tsx"]);
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

  it("contain one build of React's server", () => {
    // Each build creates the state of a render with this key.
    expect(worker.match(/\bplaceholderPrefix:/g)).toHaveLength(1);
  });

  it.each(deployed)("contain nothing of React's development build: $name", ({ text }) => {
    expect(developmentWords.filter((word) => text.includes(word))).toEqual([]);
  });

  it.each(deployed)("contain no source map: $name", ({ text }) => {
    expect(text.includes("sourceMappingURL=data:")).toBe(false);
  });
});
