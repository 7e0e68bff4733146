/** The style sheets and the markup name the same things. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const sheets = globSync("src/**/*.css").map(
  (path) => [path, readFileSync(path, "utf8").replace(/\/\*.*?\*\//gs, "")] as const,
);
const css = sheets.map(([, text]) => text).join("\n");
/** Every word of a string in the code of pages. */
const words = new Set(
  [...globSync("src/**/*.{ts,tsx}"), ...globSync(".tools/build/docs-*.ts")]
    .flatMap((path) => readFileSync(path, "utf8").match(/(["'`])(?:(?!\1)[^\\\n]|\\.)*\1/g) ?? [])
    .flatMap((text) => text.split(/[^\w-]+/)),
);

describe("the style sheets", () => {
  it.each(sheets)("style only classes that the pages have: %s", (_path, text) => {
    const classes = [...text.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/gi)].map(
      ([, name = ""]) => name,
    );
    expect([...new Set(classes)].filter((name) => !words.has(name))).toEqual([]);
  });

  it("give an item after another of its kind no color of its own", () => {
    const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
    const colored = rules.flatMap(([, selector = "", declarations = ""]) =>
      /([\w.-]+) [+~] \1(?![\w-])/.test(selector) && /(?<![\w-])color:/.test(declarations)
        ? selector.trim()
        : [],
    );
    expect(colored).toEqual([]);
  });

  it("use every custom property that they define, and define every one that they use", () => {
    const defined = new Set(css.match(/(?<=[\s{;])--[\w-]+(?=\s*:)/g));
    const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name));
    const set = [...defined].filter((name) => !used.has(name));
    expect({ unused: set, undefined: [...used].filter((name) => !defined.has(name)) }).toEqual({
      unused: [],
      undefined: [],
    });
  });
});
