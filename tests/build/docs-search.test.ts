import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type DocsIndex, searchDocs } from "#src/core/docs/search-docs.ts";
import { clientFolder } from "../../.tools/build/built.ts";

const MAX_INDEX_BYTES = 45_000;
const text = readFileSync(join(clientFolder, "docs/search.json"), "utf8");
const index: DocsIndex = JSON.parse(text);
const find = (query: string) =>
  searchDocs(index, query).map(({ url, heading = "" }) => `${url} ${heading}`.trim());

it("the index of the documentation has at most 45 kB as it is sent", () => {
  expect(gzipSync(text).length).toBeLessThanOrEqual(MAX_INDEX_BYTES);
});

describe("a search of the documentation", () => {
  it.each([
    ["backup", "/docs/backup-and-restore"],
    ["BACKUP restore", "/docs/backup-and-restore"],
    ["api", "/docs/api"],
    ["group", "/docs/grouping"],
    ["split stack", "/docs/grouping#split-by-stack Split by stack"],
    ["month cost", "/docs/limits-and-costs#what-a-month-costs What a month costs"],
    ["ERRATA_KV_WRITES_PER_DAY", "/docs/limits-and-costs"],
    ["kv_writes", "/docs/limits-and-costs"],
    ["source-map", "/docs/source-maps"],
    ["fingerprint", "/docs/grouping#your-own-fingerprint Your own fingerprint"],
    ["screenshots", "/docs/lookup#screenshots Screenshots"],
    ["next.js", "/docs/next"],
    ["pagerduty", "/docs/alerts#pagerduty PagerDuty"],
    ["the errata backup", "/docs/backup-and-restore"],
    ["upgrade", "/docs/self-hosting"],
    ["forgot passkey", "/docs/self-hosting"],
    ["delete a user's data", "/docs/erasure-and-privacy"],
    ["retention", "/docs/limits-and-costs"],
    ["rate limit", "/docs/limits-and-costs"],
  ])("for %j finds %s among the first", (query, match) => {
    const [url = "", ...heading] = match.split(" ");
    const first = find(query).slice(0, 4);
    // A page without a section is found by any of its sections.
    const isFound = (one: string) => one === match || one.startsWith(`${url}#`);
    if (heading.length > 0) expect(first).toContain(match);
    else expect(first.filter(isFound), first.join("\n")).not.toEqual([]);
  });

  it.each(["", "  ", "?!", "zzzqqq", "backup zzzqqq", "<script>"])(
    "for %j finds nothing or only what it says",
    (query) => {
      expect(find(query).length).toBeLessThanOrEqual(query === "<script>" ? 10 : 0);
    },
  );

  it("of any length ends soon, with at most ten matches", () => {
    expect(find("e ".repeat(50_000)).length).toBeLessThanOrEqual(10);
  });
});
