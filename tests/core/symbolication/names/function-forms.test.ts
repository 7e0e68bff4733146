// The names and lines of 146 forms of functions, in the builds of five tools, as Node, Chromium and
// Firefox report their frames. The truth is what the engines reported for the unminified source.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { concat, identityCodec, toByteRange } from "#src/core/symbolication/codec.ts";
import { openCompactMap } from "#src/core/symbolication/compact-map.ts";
import { convertMap } from "#src/core/symbolication/convert-map.ts";
import { parseFunctions } from "#src/core/symbolication/function-ranges.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";
import { createFunctionReader } from "#src/core/symbolication/parse-functions.ts";
import { resolveStack } from "#src/core/symbolication/resolve-stack.ts";

const FOLDER = "tests/fixtures/source-maps/functions";
const FILE = "https://forms.example/app.js";

/** For each form: the frames of its function and of the caller, as `forms.ts:12 name`. */
type Truth = Readonly<Record<string, Readonly<Record<"chromium" | "firefox", readonly string[]>>>>;
/** For each engine and form: the same frames in the build, as `1:2143 n`. */
type Stacks = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const readJson = (path: string) => JSON.parse(readFileSync(`${FOLDER}/${path}`, "utf8"));
const truth: Truth = readJson("truth.json");
const builds = readdirSync(FOLDER).filter((name) => name !== "src" && !name.includes("."));

/** Names that are right besides that of the engine, which has inferred one or has none. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  listElement: "<anonymous>",
  timeout: "<anonymous>",
  memo: "Memo",
  memoForwardRef: "Ref",
  useCallback: "onPress",
};

/**
 * Forms that some engine reports at another line in a minified script, or whose last token has no
 * segment in some map.
 */
const OTHER_LINES: ReadonlySet<string> = new Set([
  "asyncArrowFault",
  "asyncMethodFault",
  "callsMethodOfResult",
  "callsResultOfBlock",
  "generates",
  "streams",
  "switches",
]);

function openBuild(build: string, withScript: boolean) {
  const read = (file: string) => readFileSync(`${FOLDER}/${build}/${file}`);
  const functions = withScript ? parseFunctions(read("app.js").toString()) : null;
  const converted = convertMap(read("app.js.map"), functions, identityCodec);
  if (!converted.ok) throw new Error(converted.detail);
  const map = openCompactMap(toByteRange(concat(converted.value.parts)), identityCodec);
  if (map === null) throw new Error("The map cannot be opened.");
  return { map, readFunctions: createFunctionReader(map, nameFunctions), matchedBy: "release" };
}

/** The resolved frames of a form: `forms.ts:12` and the name. */
function resolve(found: ReturnType<typeof openBuild>, sent: readonly string[]) {
  const frames = sent.map((text) => {
    const [, line, column, name] = /^(\d+):(\d+)(?: (.*))?$/.exec(text) ?? [];
    const position = { file: FILE, line: Number(line), column: Number(column) };
    return { ...position, ...(name !== undefined && { function: name }) };
  });
  const maps = frames.map(() => ({ ...found, matchedBy: "release" }) as const);
  return resolveStack(frames, maps).map((frame) =>
    frame.kind === "resolved"
      ? { at: `${frame.file.replace(/^.*\//, "")}:${frame.line}`, name: frame.function }
      : { at: "unmapped", name: undefined },
  );
}

/** The engine's name at a place of a stack; empty for none, undefined if no frame is there. */
function findTrueName(form: string, at: string): string | undefined {
  const { chromium = [], firefox = [] } = truth[form] ?? {};
  const frame = [...chromium, ...firefox].find((text) => text.split(" ")[0] === at);
  return frame?.slice(at.length + 1);
}

/** Engines add the receiver to the names of some methods, and say `get`, `set` and `new`. */
function isRight(name: string, engineName: string): boolean {
  const plain = engineName.replace(/^(?:get|set|new) /, "");
  const last = plain.slice(plain.lastIndexOf(".") + 1);
  if (engineName.startsWith("new ")) return name === engineName || name === plain;
  return name === plain || name === last || name.endsWith(`.${last}`);
}

function compareBuild(build: string, withScript: boolean) {
  const found = openBuild(build, withScript);
  const stacks: Stacks = readJson(`${build}/stacks.json`);
  const result = {
    frames: 0,
    wrong: [] as string[],
    absent: [] as string[],
    lines: [] as string[],
  };
  for (const [engine, forms] of Object.entries(stacks)) {
    for (const [form, sent] of Object.entries(forms)) {
      const [own, caller] = resolve(found, sent);
      const first = truth[form]?.[engine === "firefox" ? "firefox" : "chromium"][0] ?? "";
      const [line = "", ...words] = first.split(" ");
      const engineName = findTrueName(form, own?.at ?? "");
      // A tool may have inlined the function into its caller.
      const isLine = own?.at === line || engineName !== undefined;
      if (!isLine && !OTHER_LINES.has(form)) result.lines.push(`${engine} ${form}: ${own?.at}`);
      const none = form.startsWith("module") ? "<module>" : "<anonymous>";
      const right = (engineName ?? words.join(" ")) || none;
      const text = `${engine} ${form}: ${own?.name} for ${right}`;
      result.frames++;
      if (own?.name === undefined) result.absent.push(text);
      else if (own.name !== OTHER_NAMES[form] && !isRight(own.name, right)) result.wrong.push(text);
      const [, second = ""] = truth[form]?.chromium ?? [];
      const isOther = caller?.at === second.split(" ")[0] && caller?.at !== line;
      if (caller?.name === undefined || !isOther) continue;
      const callerName = second.slice(caller.at.length + 1);
      const isUnnamed = callerName === "" && /^<(?:anonymous|module)>$/.test(caller.name);
      if (!isUnnamed && !isRight(caller.name, callerName))
        result.wrong.push(`${engine} ${form}, caller: ${caller.name} for ${callerName}`);
    }
  }
  return result;
}

describe("the forms of functions", () => {
  it("are at least 60, in at least ten builds", () => {
    expect(Object.keys(truth).length).toBeGreaterThanOrEqual(60);
    expect(builds.length).toBeGreaterThanOrEqual(10);
  });

  it.each(builds)("all have their names and lines, built by %s", (build) => {
    const { frames, ...problems } = compareBuild(build, true);
    expect(frames).toBe(3 * Object.keys(truth).length);
    expect(problems).toEqual({ wrong: [], absent: [], lines: [] });
  });

  it.each(builds)("have their lines and most names without the script, built by %s", (build) => {
    const { frames, wrong, absent, lines } = compareBuild(build, false);
    expect(lines).toEqual([]);
    expect(wrong.length + absent.length).toBeLessThanOrEqual(0.03 * frames);
  });
});

describe("a class without a constructor of its own", () => {
  it.each(builds)("names the constructor that it inherits, built by %s", (build) => {
    const found = openBuild(build, true);
    const stacks: Stacks = readJson(`${build}/stacks.json`);
    for (const forms of Object.values(stacks)) {
      const names = resolve(found, forms.constructorOfBase ?? []).map(({ name }) => name);
      expect(names).toEqual(["new Base", "new Implicit"]);
    }
  });

  it.each(builds)("does not name the code that creates a class, built by %s", (build) => {
    const found = openBuild(build, true);
    const stacks: Stacks = readJson(`${build}/stacks.json`);
    for (const forms of Object.values(stacks))
      for (const form of ["staticField", "staticBlock"])
        expect(resolve(found, forms[form] ?? [])[1]?.name ?? "<module>").toBe("<module>");
  });
});
