// Checks that the deployed files are production builds, and which scripts load others. Reads dist,
// which `npm test` has built.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { manifest } from "#support/browser/client-files.ts";
import { listClientFiles, workerFile } from "../../.tools/build/built.ts";

const worker = readFileSync(workerFile, "utf8");
const scripts = listClientFiles().filter((file) => file.endsWith(".js"));

describe("the page script", () => {
  it("loads other scripts on demand, React only for a dropped map, and the self-test to hydrate", () => {
    expect(manifest["src/client/page.ts"]?.dynamicImports?.toSorted()).toEqual([
      "src/client/await-report.ts",
      "src/client/copy-url.ts",
      "src/client/enable-push.ts",
      "src/client/inbox.ts",
      "src/client/keyboard/palette.ts",
      "src/client/live-feed.ts",
      "src/client/map-files.ts",
      "src/client/mentions.ts",
      "src/client/menu-list.ts",
      "src/client/passkey-prompt.ts",
      "src/client/query/query-field.ts",
      "src/client/show-picture.ts",
      "src/client/swipe.ts",
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
