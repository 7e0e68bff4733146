// The parsers of the build have the runtime's tables of Unicode, and no texts.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as acorn from "acorn";
import { describe, expect, it } from "vitest";
import { withoutParserTexts } from "../../.tools/build/vite-plugins.ts";

type Transform = (code: string, id: string) => { readonly code: string } | null;

const require = createRequire(import.meta.url);

/** The code of a package's module, as the build has it. */
function shorten(name: string): string {
  const id = require.resolve(name).replace(/acorn\.js$/, "acorn.mjs");
  const short = (withoutParserTexts.transform as Transform)(readFileSync(id, "utf8"), id);
  return short?.code ?? expect.fail(`The build does not change ${name}.`);
}

/** ZWNJ and ZWJ. */
const JOINERS = [0x200c, 0x200d];

/** A test of a code point, which the types of the parser do not list. */
type CodeTest = (code: number, astral: boolean) => boolean;
interface Built {
  readonly parse: typeof acorn.parse;
  readonly isIdentifierStart: CodeTest;
  readonly isIdentifierChar: CodeTest;
}

const importCode = async (code: string): Promise<Built> =>
  import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);

describe("the parser of JavaScript in the build", () => {
  const code = shorten("acorn");

  it("has no tables of Unicode", () => {
    expect(code.match(/(?:\\u[\da-f]{4}){20}|(?:\d+, ){50}/g)).toBeNull();
  });

  // ECMAScript § 12.7, IdentifierStartChar and IdentifierPartChar.
  it("accepts in names the code points that Unicode has for them", async () => {
    const { isIdentifierStart, isIdentifierChar } = await importCode(code);
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const text = String.fromCodePoint(point);
      const isStart = /[$_\p{ID_Start}]/u.test(text);
      const isPart = /[$\p{ID_Continue}]/u.test(text) || JOINERS.includes(point);
      if (isIdentifierStart(point, true) !== isStart || isIdentifierChar(point, true) !== isPart)
        wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it.each(["let ünïcödé = 1", "class 𠮷 { #ℼ() {} }", "ﬁ: for (const a‌b of x);"])(
    "returns the same tree as the unchanged parser: %s",
    async (text) => {
      const built = await importCode(code);
      const [tree, expected] = [built, acorn].map(({ parse }) =>
        JSON.stringify(parse(text, { ecmaVersion: "latest" })),
      );
      expect(tree).toBe(expected);
    },
  );
});

describe("the parser of TypeScript in the build", () => {
  it("has no names or texts of errors, and stays a module", () => {
    const code = shorten("@sveltejs/acorn-typescript");
    expect(code).not.toMatch(/TypeScriptError|DecoratorsError|thetasym/);
    expect(() => acorn.parse(code, { ecmaVersion: "latest", sourceType: "module" })).not.toThrow();
  });
});
