import { describe, expect, it } from "vitest";
import { ERASED } from "#src/core/erased-mark.ts";
import { annotationsSchema } from "#src/core/issue/annotations.ts";
import { decisionSchema, issueSchema } from "#src/core/issue/issue.ts";
import { savedViewSchema } from "#src/core/issue/saved-view.ts";
import { reportSchema } from "#src/core/report.ts";
import { countMatches } from "#src/store/kv/erase-lines.ts";
import { containsText, createJsonFilter, redactText } from "#src/store/redact-text.ts";
import { createReport } from "#support/reports/reports.ts";

/** Texts, and messages of which some contain them. */
const TEXTS = [
  ...["Sage", "ada@example.com", 'a "quoted" word', "C:\\Users", "naïve", "K", "51234"],
  "bob@example.com",
];
const MESSAGES = [
  ...["Sage", "first line\nSAGE", "a\tsage", "message", "Ada@Example.com is gone", "nobody"],
  ...['says a "quoted" word', String.raw`C:\Users\ada`, "NAÏVE", "\u212a", "number 51234."],
  ...["\ud83d\ude00sage", "sage\ud83d", "/to/bob%40example.com", "?to=%2Fbob%2540example.com"],
];
const VALUES = [
  ...MESSAGES.map((message) => ({ message })),
  { detail: { 51234: true } },
  { detail: { phone: 51234 } },
];

describe("a stored report", () => {
  it.each([
    ["detail", { detail: { extra: { from: "Sage", state: 51234 } } }],
    ["local variables", { frames: [{ inApp: true, vars: { role: "Sage", of: 51234 } }] }],
    ["parameters", { template: { text: "%s", params: { from: "Sage", kind: 51234 } } }],
  ])("contains a value of any name in %s", (_name, over) => {
    expect(containsText(createReport(1, over), "Sage")).toBe(true);
    expect(containsText(createReport(1, over), "51234")).toBe(true);
  });

  it("contains the values of its key, but no words of Errata", () => {
    const part = { role: "function", value: "Sage", of: "cause" } as const;
    const report = createReport(1, { grouping: { version: 1, parts: [part] } });
    expect(containsText(report, "Sage")).toBe(true);
    expect(containsText(report, "function")).toBe(false);
    expect(containsText(report, "cause")).toBe(false);
  });
});

describe("the filter of JSON text", () => {
  it.each(TEXTS)("passes every value that contains %j", (text) => {
    const filter = createJsonFilter(text);
    const containing = VALUES.filter((value) => containsText(value, text));
    expect(containing).not.toEqual([]);
    expect(containing.filter((value) => !filter(JSON.stringify(value)))).toEqual([]);
  });

  it("holds back values without the text", () => {
    const filter = createJsonFilter("ada@example.com");
    expect(VALUES.filter((value) => filter(JSON.stringify(value)))).toHaveLength(1);
  });

  it.each(TEXTS)("leaves the counts of a preview for %j as they are", (text) => {
    const reports = MESSAGES.map((message, n) => createReport(n, { message }));
    const lines = reports.map((report) => JSON.stringify(report));
    const found = reports.filter((report) => containsText(report, text));
    expect(countMatches(lines, text)).toEqual({
      examined: reports.length,
      reports: found.length,
      digests: [...new Set(found.map(({ digest }) => digest))],
    });
  });
});

/** What schemas are made of. */
interface Node {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly items?: readonly Node[];
  readonly value?: Node;
  readonly wrapped?: Node;
  readonly options?: readonly Node[];
}

/** Each path of names to a text of a sender or a member. */
function listTexts(node: Node, path: readonly string[] = []): readonly (readonly string[])[] {
  if (["text", "json"].includes(node.type)) return [path];
  const { entries = {}, item, items = [], value, wrapped, options = [] } = node;
  const inner = [item, value, wrapped, ...items, ...(node.type === "variant" ? options : [])];
  return [
    ...inner.flatMap((one) => (one === undefined ? [] : listTexts(one, path))),
    ...Object.entries(entries).flatMap(([name, one]) => listTexts(one, [...path, name])),
  ];
}

describe("the words of senders and members in what is stored", () => {
  /** The releases of a decision are those of its own document; the others are Errata's words. */
  const SKIPPED = /^(?:decision\.\w+|levels\.\w+|truncated)$/;
  const schemas = { reportSchema, issueSchema, decisionSchema, annotationsSchema, savedViewSchema };
  const paths = Object.values(schemas).flatMap((schema) => {
    return listTexts(schema as unknown as Node).map((path) => path.join("."));
  });

  it.each([...new Set(paths)])("are found and replaced in %s", (path) => {
    const nest = (word: string) =>
      path.split(".").reduceRight<unknown>((value, name) => ({ [name]: value }), word);
    expect(containsText(nest("Ada"), "ada")).toBe(!SKIPPED.test(path));
    expect(redactText(nest("Ada"), "ada")).toEqual(nest(SKIPPED.test(path) ? "Ada" : ERASED));
  });
});
