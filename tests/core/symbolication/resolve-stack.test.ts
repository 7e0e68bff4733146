import { describe, expect, it } from "vitest";
import { REMOVED } from "#src/core/scrubbing/secret-patterns.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";
import { createFunctionReader } from "#src/core/symbolication/parse-functions.ts";
import { resolveStack } from "#src/core/symbolication/resolve-stack.ts";
import { UNNAMED_SOURCE } from "#src/core/symbolication/source-names.ts";
import { openMap } from "#support/source-maps/open-map.ts";
import { encodeMappings } from "#support/source-maps/random-maps.ts";

/** A map whose script line 1 maps column 0 to `line` and `column` of one source, 0-based. */
function mapTo(text: string | null, line: number, column: number, more: object = {}) {
  return openMap({
    version: 3,
    sources: ["src/app.ts"],
    ...(text !== null && { sourcesContent: [text] }),
    names: [],
    mappings: encodeMappings([[[0, 0, line, column]]]),
    ...more,
  });
}

function resolveOne(map: ReturnType<typeof mapTo>, sent: object = {}) {
  const frame = { file: "app.js", line: 1, column: 1, ...sent };
  const readFunctions = createFunctionReader(map, nameFunctions);
  const found = { map, readFunctions, matchedBy: "release", otherDist: "7" } as const;
  const [resolved] = resolveStack([frame], [found]);
  return resolved;
}

describe("a resolved frame", () => {
  it("has no lines of source if the question asks for none", () => {
    const map = mapTo("line 1\nline 2", 0, 0);
    const readFunctions = createFunctionReader(map, nameFunctions);
    const found = { map, readFunctions, matchedBy: "release" } as const;
    const frame = { file: "app.js", line: 1, column: 1 };
    const [resolved] = resolveStack([frame], [found], { withoutLines: true });
    expect(resolved).toMatchObject({ kind: "resolved", file: "src/app.ts", line: 1 });
    for (const name of ["source", "sourceBefore", "sourceAfter"])
      expect(resolved).not.toHaveProperty(name);
  });

  it.each([
    [undefined, "<module>"],
    ["?", "<module>"],
    ["new t", "new Zeta"],
  ])("at the head of a class, sent as %s, is %s", (sent, name) => {
    const map = mapTo("@check\nclass Zeta extends Base {}", 1, 6);
    const engine = sent === undefined ? {} : { function: sent };
    expect(resolveOne(map, engine)).toMatchObject({ kind: "resolved", function: name });
  });

  it("has five lines before and after, fewer at the ends of the source", () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");
    expect(resolveOne(mapTo(text, 9, 3))).toEqual({
      kind: "resolved",
      file: "src/app.ts",
      line: 10,
      column: 4,
      inApp: true,
      source: "line 10",
      sourceBefore: ["line 5", "line 6", "line 7", "line 8", "line 9"],
      sourceAfter: ["line 11", "line 12", "line 13", "line 14", "line 15"],
      matchedBy: "release",
      otherDist: "7",
    });
    expect(resolveOne(mapTo("a\r\nb\rc\nd", 1, 0))).toMatchObject({
      source: "b",
      sourceBefore: ["a"],
      sourceAfter: ["c", "d"],
    });
  });

  it("has no lines if the map has no text, or fewer lines", () => {
    for (const map of [mapTo(null, 3, 0), mapTo("one line", 3, 0)]) {
      expect(resolveOne(map)).not.toHaveProperty("source");
      expect(resolveOne(map)).toMatchObject({ kind: "resolved", line: 4 });
    }
  });

  it("has its line truncated around the column, wherever that is in a line of megabytes", () => {
    for (const column of [0, 75, 100_000, 1_999_990]) {
      const text = `${"é".repeat(column)}HERE${"x".repeat(2_000_000 - column)}`;
      const frame = resolveOne(mapTo(text, 0, column));
      if (frame?.kind !== "resolved") throw new Error("The frame is unmapped.");
      expect(frame.source).toContain("HERE");
      expect(frame.source?.length).toBeLessThanOrEqual(152);
      expect(frame.source?.startsWith("…")).toBe(column > 75);
      expect(frame.source?.endsWith("…")).toBe(column < 1_900_000);
    }
  });

  it("has no secrets in its lines, also where truncation would hide their beginning", () => {
    const key = "AKIAIOSFODNN7EXAMPLE";
    const long = `const a = "${"x".repeat(200)}"; const password = "hunter2-secret-value"; fail();`;
    const lines = [
      `const aws = "${key}";`,
      long,
      'const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";',
    ];
    const frame = JSON.stringify(resolveOne(mapTo(lines.join("\n"), 1, long.indexOf("fail"))));
    expect(frame).toContain("fail();");
    expect(frame).toContain(REMOVED);
    for (const secret of [key, "hunter2", "ghp_0123"]) expect(frame).not.toContain(secret);
  });

  it("keeps its lines in place around a private key of several lines", () => {
    const pem = [
      "const key = `-----BEGIN PRIVATE KEY-----",
      "MIIEvQIBADANBgkqhkiG9w0B",
      "-----END PRIVATE KEY-----`;",
    ];
    const frame = resolveOne(mapTo(["before();", ...pem, "fail();", "after();"].join("\n"), 4, 0));
    expect(frame).toMatchObject({
      source: "fail();",
      sourceAfter: ["after();"],
      sourceBefore: ["before();", REMOVED, REMOVED, REMOVED],
    });
  });

  it("shows invisible characters as escapes", () => {
    const map = mapTo("if (admin\u202e) {", 0, 0, { sources: ["src/\u202eapp\u0000.ts"] });
    expect(resolveOne(map)).toMatchObject({
      file: "src/\\u202eapp\\u0000.ts",
      source: "if (admin\\u202e) {",
    });
  });

  it("is not in the application by its path or the map's ignore list", () => {
    const inApp = (more: object) => resolveOne(mapTo(null, 0, 0, more));
    expect(inApp({ sources: ["webpack://shop/./node_modules/react/index.js"] })).toMatchObject({
      inApp: false,
    });
    expect(inApp({ sources: ["webpack://shop/webpack/runtime/load"] })).toMatchObject({
      inApp: false,
    });
    expect(inApp({ ignoreList: [0] })).toMatchObject({ inApp: false });
    expect(inApp({ sources: [null] })).toMatchObject({ inApp: false, file: UNNAMED_SOURCE });
    expect(inApp({ sources: ["turbopack:///[project]/lib/stock.ts"] })).toMatchObject({
      inApp: true,
    });
  });
});

describe("an unmapped frame", () => {
  const map = mapTo("a", 0, 0);
  const cases = [
    {
      name: "a line without segments",
      sent: { line: 2, column: 5 },
      expected: { reason: "no-segment", line: 2, column: 5 },
    },
    { name: "no line", sent: { line: undefined }, expected: { reason: "no-position" } },
    { name: "the line 0", sent: { line: 0 }, expected: { reason: "no-position" } },
  ];
  it.each(cases)("says why: $name", ({ sent, expected }) => {
    expect(resolveOne(map, sent)).toEqual({ kind: "unmapped", ...expected });
  });

  it("keeps the reason why there is no map", () => {
    const reason = { kind: "unmapped", reason: "converting" } as const;
    expect(resolveStack([{ file: "app.js", line: 1 }], [reason])).toEqual([reason]);
  });

  it("has the first place of its line without a column, and column 0 is the first", () => {
    expect(resolveOne(map, { column: undefined })).toMatchObject({ kind: "resolved", line: 1 });
    expect(resolveOne(map, { column: 0 })).toMatchObject({ kind: "resolved", line: 1 });
  });
});

describe("the name of a function", () => {
  const TEXT = "class Money {\n  static parse(text) {\n    throw new Error(text);\n  }\n}";

  it("is that of the innermost function of the source", () => {
    const map = mapTo(TEXT, 2, 4);
    expect(resolveOne(map, { function: "e.n" })).toMatchObject({ function: "Money.parse" });
    expect(resolveOne(mapTo("fail();", 0, 0))).toMatchObject({ function: "<module>" });
  });

  it("is absent without text, and for a text of another language", () => {
    for (const text of [null, "class Money:\n  def parse(text):\n    raise Error(text)"])
      expect(resolveOne(mapTo(text, 2, 4), { function: "e.parse" })).toMatchObject({
        function: undefined,
      });
  });

  it("is absent for a frame without a column, which may be in any function of its line", () => {
    const frame = resolveOne(mapTo(TEXT, 2, 4), { column: undefined });
    expect(frame).toMatchObject({ kind: "resolved", line: 3, function: undefined });
  });
});
